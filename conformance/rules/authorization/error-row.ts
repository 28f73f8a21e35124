import type { ReadingName } from '../../../schemas/editions/index.js'
import type { AuthorizationRequest, Parameters } from '../../bank/authorization.js'
import { ErrorAnswer } from '../../bank/authorization-answer.js'
import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import type { Client } from '../../bank/registration.js'
import type { Need } from '../../target/needs.js'

/** An answer that the specification gives to a broken request, and the reading of an ambiguity that it shows. */
export interface Answer {
  to: 'direct' | 'redirect'
  code: string
  reading?: ReadingName
}

/** 400 without a redirect. */
export const direct = (code: string, reading?: Answer['reading']): Answer => ({
  to: 'direct',
  code,
  ...(reading && { reading }),
})

/** 302 to the redirect URI. */
export const redirect = (code: string, reading?: Answer['reading']): Answer => ({
  to: 'redirect',
  code,
  ...(reading && { reading }),
})

/** An answer that is allowed, as it comes. */
export function allowed({ to, code }: Answer): ErrorAnswer {
  return new ErrorAnswer(to, to === 'direct' ? 400 : 302, code)
}

/** What takes the place of good parameters, undefined leaving one out; undefined in its stead: this bank offers nothing to break so. */
export type Broken =
  | Parameters
  | ((good: AuthorizationRequest, bank: Bank) => Parameters | undefined | Promise<Parameters | undefined>)

/** One row of "Effect of authorization request parameters on errors": a parameter, the ways to break it, the answers allowed. */
export interface Row {
  slug: string
  requirement: string
  places: readonly string[]
  title: string
  /** Changes of the default record, where the good request is another client's; undefined where the bank does not declare them. */
  clientMetadata?: (bank: Bank) => Promise<Metadata | undefined>
  needs?: readonly Need[]
  /** Parameters of the good request, which the bank is seen to take first. Default: those of every one. */
  good?: Parameters
  /**
   * What a PUT changes of the record before the request is broken: what it asks for was registered until then. The client is one of the rule's
   * own, which `clientMetadata` names.
   */
  afterPut?: (client: Client) => Metadata
  /** By what is wrong. */
  broken: Record<string, Broken>
  /** Of those, the ways that leave a value which can be read as a good one: a bank that takes it is warned. */
  readable?: readonly string[]
  answers: readonly Answer[]
}
