import type { ExpectationReached } from '../../conformance/harness/expectations.js'
import type { Outcome } from './outcome.js'

/**
 * Tells the expectations of a rule apart: by the lines that led there, by what is asked, and by the row of a table. In another dress the same
 * is asked.
 */
export function keyOf({ at, matcher, variation = '' }: ExpectationReached): string {
  return `${at} ${matcher} ${variation.replaceAll(port, '').replace(dress, '')}`
}

/** What the harness puts before the name of a variation that is done in another dress; it may be the whole of the name. */
const dress = /^in another dress(, |$)/

/** Of the machine that the bank and the service run on: another in each run. */
const port = /(?<=\/\/localhost):\d+/g

/** Which expectations of rules were made to fail: one that no fault makes fail proves nothing. */
export class FailedExpectations {
  private readonly failed = new Map<string, Set<string>>()

  /** Notes what failed in a run against a bank with one fault. */
  note(outcomes: readonly Outcome[]): void {
    for (const { rule, expectations } of outcomes) {
      const ofRule = this.failed.get(rule) ?? new Set()
      for (const expectation of expectations) if (!expectation.held) ofRule.add(keyOf(expectation))
      this.failed.set(rule, ofRule)
    }
  }

  /** Of what the right bank reached, what never failed. */
  open(rightBank: readonly Outcome[]): OpenExpectation[] {
    return rightBank.flatMap(({ rule, expectations }) =>
      expectations.filter((one) => !this.failed.get(rule)?.has(keyOf(one))).map((one) => ({ rule, ...one })),
    )
  }
}

/** An expectation that never failed, of a rule. */
export type OpenExpectation = ExpectationReached & { rule: string }

export function inWords({ rule, at, matcher, where, variation }: OpenExpectation): string {
  const [innermost = ''] = at.split(' < ')
  return `${rule}: ${variation ? `${variation}: ` : ''}${where} ${matcher} (${innermost})`
}
