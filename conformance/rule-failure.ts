import type { RuleResult } from './harness/result.js'

/** A rule did not hold, or could not be told to hold: the status of its result is fail, blocked or error. */
export class RuleFailure extends Error {
  override readonly name = 'RuleFailure'
  /** What came of the rule. Everything in it is masked. */
  declare readonly result: RuleResult

  /** @param explanation what a reader needs: the requirement, what was expected, what came, the exchange that shows it */
  constructor(result: RuleResult, explanation: string) {
    super(explanation)
    // Not enumerable, for test runners print such members after a message that tells it all.
    Object.defineProperty(this, 'result', { value: result })
  }
}

/** The run was ended, or closed, before the rule had a result. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded'
}
