import { turnedRed } from '../proof/outcome.js'
import type { Judged, RightBank } from './worker.js'

/**
 * killed: a rule said that the bank deviates, or the bank's process ended while it was examined. blocked: rules did not come to their point,
 * or ended in an error, and none said more. timed out: the run had no end. crashed: the bank did not start. unreached: no rule passes the
 * place with anything by which the change makes a difference.
 */
export const verdicts = ['killed', 'blocked', 'survived', 'timed out', 'crashed', 'unreached'] as const

export type Verdict = (typeof verdicts)[number]

export interface Ruling {
  verdict: Verdict
  /** The rules that deviate, with what they say; of a verdict that is not theirs, what ended the run, by the rule or ''. */
  by: { rule: string; requirement: string; reason: string }[]
}

/** What is to be said of a mutant by what the rules came to, where the right bank's came to this. */
export function rulingOf({ outcomes, crashed, blocked }: Judged, rightBank: RightBank): Ruling {
  const before = Object.entries(rightBank).map(([rule, outcome]) => ({ rule, ...outcome }))
  const told = ({ rule, requirement, reason = '' }: Judged['outcomes'][number]) => ({ rule, requirement, reason })
  const red = turnedRed(
    outcomes.filter(({ timedOut }) => !timedOut),
    before,
  )
  if (red.length > 0) return { verdict: 'killed', by: red.map(told) }
  const ended = crashed ?? blocked
  if (ended !== undefined) {
    return {
      verdict: crashed === undefined ? 'blocked' : 'crashed',
      by: [{ rule: '', requirement: '', reason: ended }],
    }
  }
  const stuck = outcomes.filter(
    ({ rule, status, timedOut }) =>
      timedOut || ((status === 'blocked' || status === 'error') && rightBank[rule]?.status !== status),
  )
  return { verdict: stuck.length > 0 ? 'blocked' : 'survived', by: stuck.map(told) }
}
