import type { Evidence, Exchange } from '../../conformance/evidence/evidence.js'
import type { Cost, Expense } from '../../conformance/harness/plan.js'
import type { Results } from '../../conformance/harness/results.js'

/** An exchange and what it cost: itself, and what a person did at it. */
export interface Sitting extends Cost {
  evidence: string
}

/** What is spent by which rules: what is evidence of the same rules is one expense. */
export function expensesOf({ results }: Results, sittings: readonly Sitting[]): Expense[] {
  const rulesOf = new Map<string, string[]>()
  for (const { rule, evidence } of results)
    for (const id of evidence) rulesOf.set(id, [...(rulesOf.get(id) ?? []), rule])
  const expenses = new Map<string, Expense>()
  for (const { evidence, ...cost } of sittings) {
    const rules = rulesOf.get(evidence) ?? []
    if (rules.length === 0) continue
    const known = expenses.get(rules.join()) ?? { rules, exchanges: 0, signIns: 0, approvals: 0 }
    expenses.set(rules.join(), {
      rules,
      exchanges: known.exchanges + cost.exchanges,
      signIns: known.signIns + cost.signIns,
      approvals: known.approvals + cost.approvals,
    })
  }
  return [...expenses.values()].sort((a, b) => (a.rules.join() < b.rules.join() ? -1 : 1))
}

/** What a form of the bundled bank asks for, by the value of the button that is pressed. */
const costByButton: Record<string, keyof Cost> = {
  'sign-in': 'signIns',
  approve: 'approvals',
  refuse: 'approvals',
  authorize: 'approvals',
  confirm: 'approvals',
}

/** What each request of a run costs that fills the forms of the bundled bank itself. */
export function sittingsByForms({ evidence }: Results): Sitting[] {
  return evidence.filter(isSent).map(({ id, request: { method, body = '' } }) => {
    const values = method === 'POST' ? [...new URLSearchParams(body).values()] : []
    const cost = values.map((value) => costByButton[value]).find((one) => one !== undefined)
    return {
      evidence: id,
      exchanges: 1,
      signIns: Number(cost === 'signIns'),
      approvals: Number(cost === 'approvals'),
    }
  })
}

function isSent(item: Evidence): item is Exchange {
  return item.kind === 'exchange' && item.direction === 'sent'
}

/**
 * What each request, and each step of the person, costs in a run by hand at the bundled bank. A sign-in after the first is there because the session was ended, or one was asked
 * for: it is charged to the step before, whose rule ended the session, and to the step itself where the same rules are evidence of both.
 * The first one opens the session, and is charged to nobody.
 * @param steps the pages gone through, step by step
 */
export function sittingsByHand({ evidence }: Results, steps: readonly (readonly string[])[]): Sitting[] {
  const arrivals = evidence.filter(
    (item) => item.kind === 'exchange' && item.direction === 'received' && item.response?.status === 302,
  )
  if (arrivals.length !== steps.length) throw new Error(`${steps.length} steps came back ${arrivals.length} times`)
  const sent = evidence.filter(isSent).map(({ id }) => ({ evidence: id, exchanges: 1, signIns: 0, approvals: 0 }))
  const sat = arrivals.map(({ id }, i) => ({
    evidence: id,
    exchanges: 0,
    signIns: Number(steps[i + 1]?.includes('sign-in') ?? false),
    approvals: (steps[i] ?? []).filter((page) => page !== 'sign-in').length,
  }))
  return [...sent, ...sat]
}
