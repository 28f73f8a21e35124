import { type Person, withAge } from '../../fixtures/people.js'
import { now } from '../clock.js'
import { type StructuredScope, signsDocuments } from './structured-scope.js'

/** How the person authenticated. */
export interface Authentication {
  acr: string
  amr: readonly string[]
}

const adult = 18

/** Methods that are too weak for qualified signing. */
const weakMethods = ['sms', 'tel']

/**
 * Why a person cannot sign documents: one of the messages that are identical across banks. Specification: "Callback messages identical
 * across banks", user_not_eligible.
 *
 * @returns undefined for one who can, and for texts, to which anyone may consent
 */
export function ineligibility(
  scope: StructuredScope,
  { claims }: Person,
  { acr, amr }: Authentication,
): string | undefined {
  if (!signsDocuments(scope)) return undefined
  if (acr !== 'loa3' || amr.some((method) => weakMethods.includes(method))) {
    return 'User authentication method insufficient'
  }
  const { age, email, phone_number } = withAge(claims, new Date(now()))
  return age < adult || !email || !phone_number ? 'Insufficient user data or age restriction' : undefined
}
