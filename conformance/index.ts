/**
 * The harness as a library: what a test runner of one's own imports as `bank-idp-conformance/conformance`.
 *
 * ```ts
 * const run = await openExamination('my-bank/target.yaml', { only: ['token/*'] })
 * afterAll(() => run.close())
 * for (const rule of run.plan.rules) test(rule.title, () => run.check(rule))
 * ```
 */
export type { KeysAt } from './bank/keys-seen.js'
export type { Evidence } from './evidence/evidence.js'
export { type Examination, type ExaminationOptions, openExamination } from './examination.js'
export type { Plan } from './harness/plan.js'
export type { PlannedRule } from './harness/planned-rule.js'
export type { ReadingTaken, RuleResult, Status, Waiver } from './harness/result.js'
export type { Results } from './harness/results.js'
export type { Rule } from './harness/rule.js'
export { SelectionError } from './harness/selection.js'
export { type ConsoleOptions, type ConsoleReport, consoleReport } from './reports/console.js'
export { htmlReport } from './reports/html/html.js'
export { jsonReport } from './reports/json.js'
export { junitReport } from './reports/junit.js'
export { sarifReport } from './reports/sarif.js'
export { RuleFailure, RunEnded } from './rule-failure.js'
export { rules } from './rules/index.js'
export { loadTarget } from './target/load-target.js'
export type { Target } from './target/target.js'
export { TargetError } from './target/target-error.js'
export { loadWaivers } from './waiver-file.js'
