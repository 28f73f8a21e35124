import { openEdition } from '../../schemas/editions/index.js'
import type { Target } from '../target/target.js'
import { type Expenses, measuredExpenses, planOf } from './plan.js'
import type { Rule } from './rule.js'
import { SelectionError } from './selection.js'

/** One of several parts of a run, which machines examine a bank by side by side; `part` counts from 1. */
export interface Shard {
  part: number
  of: number
}

/** As it is written on the command line and in reports: 2/5. */
export function shardInWords({ part, of }: Shard): string {
  return `${part}/${of}`
}

/**
 * The rules of one part: each rule is in one of them, and the parts ask the bank about equally much, what rules have in common counted in each.
 * Those that change what others of the run rely on (they move the bank's time, or have it change a person) are all in the last one, and those that
 * come last, since they judge all that a run saw, in every one.
 * @param selected the rules of all parts
 * @throws SelectionError where nothing is left for the part
 */
export function rulesOfShard(
  selected: readonly Rule[],
  { part, of }: Shard,
  target: Target,
  expenses: Expenses = measuredExpenses(),
): Rule[] {
  const { skips } = planOf(openEdition(target.edition), selected, target, expenses)
  const costs = costsOf(skips, expenses)
  const costOf = ({ id }: Rule): Spent => costs.get(id) ?? new Map()
  const parts = Array.from({ length: of }, () => new Part())
  const last = parts[of - 1]
  const dearFirst = selected.toSorted((a, b) => total(costOf(b)) - total(costOf(a)) || (a.id < b.id ? -1 : 1))
  for (const rule of dearFirst.filter(changesTheBank)) last?.add(rule, costOf(rule))
  for (const rule of dearFirst.filter((one) => !changesTheBank(one) && !one.last)) {
    const cost = costOf(rule)
    const [least] = parts.toSorted((a, b) => a.with(cost) - b.with(cost))
    least?.add(rule, cost)
  }
  const own = parts[part - 1]?.rules ?? new Set()
  if (own.size === 0) throw new SelectionError(`the selection leaves no rule for part ${part} of ${of}`)
  return selected.filter((rule) => own.has(rule) || rule.last)
}

/** Whether a rule moves the bank's time, or has it change what it knows of a person. */
export function changesTheBank({ needs }: Rule): boolean {
  return needs.includes('clock') || needs.includes('trigger')
}

/** Exchanges by what they are spent for. */
type Spent = ReadonlyMap<object, number>

/** What rules cost, by id; nothing of those that are skipped. */
function costsOf(skips: ReadonlyMap<string, string>, { apart }: Expenses): Map<string, Spent> {
  const costs = new Map<string, Map<object, number>>()
  for (const expense of apart)
    for (const id of expense.rules.filter((one) => !skips.has(one))) {
      const cost = costs.get(id) ?? new Map<object, number>()
      costs.set(id, cost.set(expense, expense.exchanges))
    }
  return costs
}

function total(cost: Spent): number {
  return [...cost.values()].reduce((sofar, exchanges) => sofar + exchanges, 0)
}

class Part {
  readonly rules = new Set<Rule>()
  readonly #spentFor = new Set<object>()
  #exchanges = 0

  /** What it costs with one rule more; those that cost nothing go where the fewest are. */
  with(cost: Spent): number {
    return this.#exchanges + this.#more(cost) + this.rules.size / 1e6
  }

  add(rule: Rule, cost: Spent): void {
    this.rules.add(rule)
    this.#exchanges += this.#more(cost)
    for (const expense of cost.keys()) this.#spentFor.add(expense)
  }

  /** Of a cost what the part does not have yet. */
  #more(cost: Spent): number {
    return total(new Map([...cost].filter(([expense]) => !this.#spentFor.has(expense))))
  }
}
