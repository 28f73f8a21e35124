import type { Bank } from '../../bank/bank.js'
import { ruleAboutStep } from '../../bank/steps.js'
import { StepFailure } from '../../evidence/failure.js'

const { requestObject, authorizeObject, signedExchange, signedIdToken } = ruleAboutStep
const stepsOfFlow: readonly string[] = [requestObject, authorizeObject, signedExchange, signedIdToken]

/**
 * Goes through the signing flow with what a rule is about, after a plain text was seen to go through: what goes wrong in a step of the flow is
 * then the rule's own.
 */
export async function asOwnFailure<Outcome>(bank: Bank, work: () => Promise<Outcome>): Promise<Outcome> {
  await bank.signing.result()
  try {
    return await work()
  } catch (error) {
    throw error instanceof StepFailure && stepsOfFlow.includes(error.about) ? error.failure : error
  }
}
