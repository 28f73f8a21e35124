import { type ExamineOptions, examine } from '../../conformance/examine.js'
import type { Expenses } from '../../conformance/harness/plan.js'
import type { Reference } from '../../conformance/harness/reference.js'
import type { Results } from '../../conformance/harness/results.js'
import { rules } from '../../conformance/rules/index.js'
import { personOf } from '../../conformance/target/target.js'
import { withBank } from '../bundled-bank.js'
import { Hand } from './hand.js'
import { expensesOf, sittingsByForms, sittingsByHand } from './measure.js'

/** A run by hand at the bundled bank, with a hand that does what is asked of the person. */
function runByHand(options: Omit<ExamineOptions, 'target'> = {}): Promise<{ results: Results; hand: Hand }> {
  return withBank({}, async (target) => {
    const person = personOf(target.people, 'full')
    if (!person) throw new Error('the bundled bank has nobody who can everything')
    const hand = new Hand(target.pages, person, target.ca)
    let going: Promise<void> | undefined
    const results = await examine({
      ...options,
      target: { ...target, login: { by: 'person', signIns: 1000 } },
      onInvitation: (url) => {
        going = hand.open(url)
      },
    })
    await going
    return { results, hand }
  })
}

/** How many things rules judged, but for those that judge what the others asked for. */
function judgedIn({ results }: Results): Reference {
  const last = new Set(rules.filter((rule) => rule.last).map(({ id }) => id))
  return Object.fromEntries(
    results.flatMap(({ rule, judged }) => (judged === undefined || last.has(rule) ? [] : [[rule, judged]])),
  )
}

/** What was measured, as it can be printed. */
export interface Measured {
  expenses: Expenses
  judged: Reference
  /** What the person in front of the browser went through: pages by name, and what led nowhere. */
  hand: { passed: Record<string, number>; lost: string[] }
  byHand: Pick<Results, 'counts'> & { results: Pick<Results['results'][number], 'rule' | 'status' | 'reason'>[] }
}

/** What logging in costs at the bundled bank, found out by running every rule in both ways. */
export async function measureExpenses(): Promise<Measured> {
  const apart = await withBank({}, (target) => examine({ target }))
  const { results: byHand, hand } = await runByHand()
  const expenses = {
    apart: expensesOf(apart, sittingsByForms(apart)),
    byHand: expensesOf(byHand, sittingsByHand(byHand, hand.steps)),
  }
  return {
    expenses,
    judged: judgedIn(apart),
    hand: { passed: Object.fromEntries(hand.passed), lost: hand.lost },
    byHand: {
      counts: byHand.counts,
      results: byHand.results.map(({ rule, status, reason }) => ({
        rule,
        status,
        ...(reason !== undefined && { reason }),
      })),
    },
  }
}
