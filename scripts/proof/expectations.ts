import type { ExpectationReached } from '../../conformance/harness/expectations.js'
import type { Outcome } from './outcome.js'

/** Tells the expectations of a rule apart: by the lines that led there, by what is asked, and by the row of a table. */
export function keyOf({ at, matcher, variation = '' }: ExpectationReached): string {
  return `${at} ${matcher} ${variation}`
}

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

  /** Compares with what the right bank reached. @returns how many that were, and those that never failed, each in words */
  compare(rightBank: readonly Outcome[]): { reached: number; open: string[] } {
    const reached = rightBank.flatMap(({ rule, expectations }) =>
      expectations.map((expectation) => ({ rule, expectation })),
    )
    const open = reached.filter(({ rule, expectation }) => !this.failed.get(rule)?.has(keyOf(expectation)))
    return { reached: reached.length, open: open.map(({ rule, expectation }) => inWords(rule, expectation)).sort() }
  }
}

function inWords(rule: string, { at, matcher, where, variation }: ExpectationReached): string {
  const [innermost = ''] = at.split(' < ')
  return `${rule}: ${variation ? `${variation}: ` : ''}${where} ${matcher} (${innermost})`
}
