import { dresses } from '../../conformance/bank/dress.js'
import type { ExpectationReached } from '../../conformance/harness/expectations.js'
import type { KnownExpectations } from './known-expectations.js'
import type { Outcome } from './outcome.js'

/**
 * Tells the expectations of a rule apart: by the lines that led there, by what is asked, and by the row of a table. In another dress the same
 * is asked.
 */
export function keyOf({ at, matcher, variation = '' }: ExpectationReached): string {
  return `${at} ${matcher} ${variation.replaceAll(port, '').replace(dress, '')}`
}

/** What the harness puts before the name of a variation that is done in a dress; it may be the whole of the name. */
const dress = new RegExp(`^in (${dresses.join('|')})(, |$)`)

/** Of the machine that the bank and the service run on: another in each run. */
const port = /(?<=\/\/localhost):\d+/g

/** Of a client that was registered: another in each run. */
const clientId = /(?<=\/register\/)[\w-]+/g

/**
 * The expectations of a rule by their names: what is asked and in which variation, and a number where several of these are the same. A name
 * outlives a change of the lines.
 */
export function byName(reached: readonly ExpectationReached[]): Map<string, ExpectationReached> {
  const named = new Map<string, ExpectationReached>()
  const keys = new Set<string>()
  for (const one of reached) {
    // Of what is asked in several dresses, that in the first.
    if (keys.has(keyOf(one))) continue
    keys.add(keyOf(one))
    const variation = (one.variation ?? '').replaceAll(port, '').replace(dress, '')
    const where = one.where.replaceAll(clientId, '{client_id}')
    const words = `${one.matcher} ${where}${variation && ` in ${variation}`}`
    named.set(nameFor(words, named), one)
  }
  return named
}

/** The words, with a number where others are called so. */
export function nameFor(words: string, named: ReadonlyMap<string, unknown>): string {
  let name = words
  for (let number = 2; named.has(name); number += 1) name = `${words} (${number})`
  return name
}

/** Which expectations of rules were made to fail: one that nothing makes fail proves nothing. */
export class FailedExpectations {
  private readonly failed = new Map<string, Map<string, Set<string>>>()

  /** Notes what failed in a run. @param by the name of the fault or variant that the bank had; none where the rule judged wrong answers */
  note(outcomes: readonly Outcome[], by = ''): void {
    for (const { rule, expectations } of outcomes) {
      const ofRule = this.failed.get(rule) ?? new Map<string, Set<string>>()
      for (const expectation of expectations) {
        if (expectation.held) continue
        const key = keyOf(expectation)
        ofRule.set(key, (ofRule.get(key) ?? new Set()).add(by))
      }
      this.failed.set(rule, ofRule)
    }
  }

  /** Of what the right bank reached, what never failed. */
  open(rightBank: readonly Outcome[]): OpenExpectation[] {
    return rightBank.flatMap(({ rule, expectations }) =>
      [...byName(expectations.filter(({ held }) => held))]
        .filter(([, one]) => !this.failed.get(rule)?.has(keyOf(one)))
        .map(([name, one]) => ({ rule, name, ...one })),
    )
  }

  /** As few cases as go, under which each expectation of a rule fails that no wrong answer makes fail. */
  casesOf({ rule, expectations }: Outcome): string[] {
    const ofRule = this.failed.get(rule) ?? new Map<string, Set<string>>()
    let left = expectations.flatMap((one) => {
      const by = ofRule.get(keyOf(one))
      return by && !by.has('') ? [[...by]] : []
    })
    const cases: string[] = []
    while (left.length > 0) {
      const counted = new Map<string, number>()
      for (const name of left.flat()) counted.set(name, (counted.get(name) ?? 0) + 1)
      const [[most = ''] = []] = [...counted].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      cases.push(most)
      left = left.filter((by) => !by.includes(most))
    }
    return cases.toSorted()
  }
}

/** How many expectations of a rule held; undefined where that depends on what the other rules asked for. */
export function countOf({ last, expectations }: Outcome): number | undefined {
  return last ? undefined : byName(expectations.filter(({ held }) => held)).size
}

/**
 * Rules that have more expectations at the right bank than when it was sought what makes them fail: of the others nobody knows whether they
 * can. Fewer are none of it, since a busy machine may keep a rule from its end.
 */
export function neverJudged(rightBank: readonly Outcome[], known: KnownExpectations): string[] {
  return rightBank.flatMap((outcome) => {
    const { rule } = outcome
    const judged = known[rule]?.count
    const further = (countOf(outcome) ?? 0) - (judged ?? Infinity)
    return further > 0
      ? [
          `${rule} has expectations (${further}) that nothing is known to make fail: npm run expectations -- ${rule} --update`,
        ]
      : []
  })
}

/** An expectation that never failed, of a rule. */
export type OpenExpectation = ExpectationReached & { rule: string; name: string }

export function inWords({ rule, at, matcher, where, variation }: OpenExpectation): string {
  const [innermost = ''] = at.split(' < ')
  return `${rule}: ${variation ? `${variation}: ` : ''}${where} ${matcher} (${innermost})`
}
