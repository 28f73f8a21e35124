import { type Person, withAge } from '../../fixtures/people.js'
import type { Check } from '../checks.js'
import { now } from '../clock.js'
import { BankError } from '../errors.js'

/** Someone who is about to sign documents, and how they authenticated. */
export interface Signer {
  person: Person
  acr: string
  amr: readonly string[]
}

const adultAgeYears = 18

/** Methods that are too weak for qualified signing. */
const weakMethods = ['sms', 'tel']

function tooWeak(): never {
  throw new BankError('user_not_eligible', 'User authentication method insufficient')
}

function insufficient(): never {
  throw new BankError('user_not_eligible', 'Insufficient user data or age restriction')
}

/**
 * Who can sign documents; to a text anyone may consent. Specification: "Callback messages identical across banks", user_not_eligible;
 * "Authentication" 10, LoA 3.
 */
export const eligibilityChecks: readonly Check<Signer>[] = [
  {
    id: 'signer/acr',
    check({ acr }) {
      if (acr !== 'loa3') tooWeak()
    },
  },
  {
    id: 'signer/method',
    check({ amr }) {
      if (amr.some((method) => weakMethods.includes(method))) tooWeak()
    },
  },
  {
    id: 'signer/alive',
    // No message is laid down for who has died; nobody issues a certificate to them (specification: "Structured scope objects").
    check({ person: { claims } }) {
      if (claims.date_of_death !== undefined) insufficient()
    },
  },
  {
    id: 'signer/age',
    check({ person }) {
      if (withAge(person.claims, new Date(now())).age < adultAgeYears) insufficient()
    },
  },
  {
    id: 'signer/contact',
    check({ person: { claims } }) {
      if (!claims.email || !claims.phone_number) insufficient()
    },
  },
]
