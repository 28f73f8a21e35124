import { type ExaminationOptions, openExamination } from './examination.js'
import type { Results } from './harness/results.js'
import { RunEnded } from './rule-failure.js'
import type { Target } from './target/target.js'

export interface ExamineOptions extends ExaminationOptions {
  /** The bank, or the path of a target file. */
  target: Target | string
}

/**
 * Examines a bank: every rule of the plan, side by side.
 * @throws TargetError when the target file is wrong, or there is no bank at its address
 * @throws SelectionError when a pattern matches nothing
 * @throws Error when there is no such edition, or it does not have the requirement of a rule
 */
export async function examine({ target, ...options }: ExamineOptions): Promise<Results> {
  const run = await openExamination(target, options)
  try {
    await Promise.all(run.plan.rules.map((rule) => run.resultOf(rule).catch(unlessEnded)))
  } catch (error) {
    await run.close()
    throw error
  }
  return run.close()
}

/** A run that is ended early has the results that were there by then. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof RunEnded)) throw error
}
