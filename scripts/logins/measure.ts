import type { Cost, Expense } from '../../conformance/harness/plan.js'
import type { Results } from '../../conformance/harness/results.js'

/** One way through the bank's pages: the exchange that shows it, and what it cost. */
export interface Sitting extends Cost {
  evidence: string
}

/** What is spent by which rules: sittings that are evidence of the same rules are one expense. */
export function expensesOf({ results }: Results, sittings: readonly Sitting[]): Expense[] {
  const rulesOf = new Map<string, string[]>()
  for (const { rule, evidence } of results)
    for (const id of evidence) rulesOf.set(id, [...(rulesOf.get(id) ?? []), rule])
  const expenses = new Map<string, Expense>()
  for (const { evidence, signIns, approvals } of sittings) {
    const rules = rulesOf.get(evidence) ?? []
    if (rules.length === 0 || signIns + approvals === 0) continue
    const known = expenses.get(rules.join()) ?? { rules, signIns: 0, approvals: 0 }
    expenses.set(rules.join(), { rules, signIns: known.signIns + signIns, approvals: known.approvals + approvals })
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

/** The sittings of a run by forms at the bundled bank: each form that was sent. */
export function sittingsByForms({ evidence }: Results): Sitting[] {
  return evidence.flatMap((item) => {
    if (item.kind !== 'exchange' || item.direction !== 'sent' || item.request.method !== 'POST') return []
    const pressed = [...new URLSearchParams(item.request.body ?? '').values()].map((value) => costByButton[value])
    const cost = pressed.find((one) => one !== undefined)
    if (cost === undefined) return []
    return [{ evidence: item.id, signIns: Number(cost === 'signIns'), approvals: Number(cost === 'approvals') }]
  })
}

/**
 * The sittings of a run by hand at the bundled bank. A sign-in after the first is there because the session was ended, or one was asked
 * for: it is charged to the step before, whose rule ended the session, and to the step itself where the same rules are evidence of both.
 * The first one opens the session, and is charged to nobody.
 * @param steps the pages gone through, step by step
 */
export function sittingsByHand({ evidence }: Results, steps: readonly (readonly string[])[]): Sitting[] {
  const arrivals = evidence.filter(
    (item) => item.kind === 'exchange' && item.direction === 'received' && item.response?.status === 302,
  )
  if (arrivals.length !== steps.length) throw new Error(`${steps.length} steps came back ${arrivals.length} times`)
  return arrivals.map(({ id }, i) => ({
    evidence: id,
    signIns: Number(steps[i + 1]?.includes('sign-in') ?? false),
    approvals: (steps[i] ?? []).filter((page) => page !== 'sign-in').length,
  }))
}
