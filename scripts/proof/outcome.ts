import type { ExpectationReached } from '../../conformance/harness/expectations.js'
import type { Status } from '../../conformance/harness/result.js'
import type { Need } from '../../conformance/target/needs.js'
import type { Target } from '../../conformance/target/target.js'
import type { Try } from './known-expectations.js'

/** What came of one rule in one run, as far as the proof looks at it. */
export interface Outcome {
  rule: string
  requirement: string
  /** The places of its requirement that the rule looks at. */
  places: readonly string[]
  needs: readonly Need[]
  /** Whether it judges what the other rules asked for, so that it shows what any of them is about. */
  last?: boolean
  status: Status
  reason?: string
  /** The variation in which the bank was seen to deviate, if it was in one. */
  variation?: string
  /** Whether the rule was ended because its time was up. */
  timedOut?: boolean
  /** Of blocked: the rule that is about the step that failed. */
  blockedBy?: string
  readings: { ambiguity: string; reading: string }[]
  /** What the rule asked of the bank, as METHOD /path of the endpoint table. */
  routes: string[]
  /** The expectations that it reached, none twice. */
  expectations: ExpectationReached[]
  /** The wrong answers that are to be known of its expectations, where it judged some. */
  tries: readonly Try[]
}

/** Of an outcome, what tells whether the bank was judged to deviate. */
export type Verdict = Pick<Outcome, 'rule' | 'status' | 'reason'>

/** The entry of the specification's endpoint table, or what of the control door, a request falls under. */
export function routeOf(method: string, url: string, { issuer, control }: Pick<Target, 'issuer' | 'control'>): string {
  if (control && url.startsWith(control.url)) {
    return `${method} control door ${url.slice(control.url.length).replace(/^\/people\/.*/, '/people/{login}')}`
  }
  const path = url.startsWith(issuer)
    ? new URL(url).pathname.slice(new URL(issuer).pathname.replace(/\/$/, '').length)
    : url
  return `${method} ${path.replace(/^\/(auth|interaction)\/.*/, '/$1').replace(/^\/register\/.*/, '/register/{client_id}')}`
}

/** Whether the bank was judged to deviate: a broken MUST, a broken SHOULD, a MAY that does not hold. */
function isRed({ status, reason }: Verdict): boolean {
  return status === 'fail' || status === 'warn' || (status === 'observed' && reason !== undefined)
}

/** What deviates in another way than on the right bank. */
export function turnedRed<One extends Verdict>(outcomes: readonly One[], rightBank: readonly Verdict[]): One[] {
  const before = new Map(rightBank.filter(isRed).map(({ rule, status }) => [rule, status]))
  return outcomes.filter((outcome) => isRed(outcome) && before.get(outcome.rule) !== outcome.status)
}
