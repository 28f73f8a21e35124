import type { Bank } from '../../bank/bank.js'
import type { SigningOptions } from '../../bank/signing.js'
import { ruleAboutStep } from '../../bank/steps.js'
import { chargedToRule } from '../../evidence/failure.js'

const { requestObject, authorizeObject, signedExchange, signedIdToken } = ruleAboutStep
const stepsOfFlow = [requestObject, authorizeObject, signedExchange, signedIdToken]

/**
 * Goes through the signing flow with what a rule is about, after another object was seen to go through: what goes wrong in a step of the flow
 * is then the rule's own.
 *
 * @param beside what the other object is like; a plain text when left out
 */
export async function asOwnFailure<Outcome>(
  bank: Bank,
  work: () => Promise<Outcome>,
  beside: SigningOptions = {},
): Promise<Outcome> {
  await bank.signing.result(beside)
  return chargedToRule(stepsOfFlow, work)
}
