import type { Case } from './case.js'
import { unmoved } from './judge.js'
import type { Outcome } from './outcome.js'

/** Runs rules against a bank that has these cases switched on. */
export type Ask = (cases: readonly Case[], rules: readonly string[]) => Promise<Outcome[]>

/**
 * Finds for each case of a group the rules that might notice it, and are therefore to be run with it alone.
 *
 * To begin with these are all that touch what it changes. Those that come out of a bank with the whole group as they come out of the
 * right one are acquitted for every case. Of those that do not, most are moved by the case that says so; they are asked again of
 * the others without it. So a rule is dropped for a case only when it was seen unmoved by a bank that has the case.
 */
export async function suspicions(
  group: readonly Case[],
  rightBank: readonly Outcome[],
  ask: Ask,
): Promise<ReadonlyMap<Case, ReadonlySet<string>>> {
  const suspected = new Map(
    group.map((one) => [one, new Set(rightBank.filter(one.concerns).map(({ rule }) => rule))] as const),
  )
  const askedOf = (cases: readonly Case[]) => [...new Set(cases.flatMap((one) => [...(suspected.get(one) ?? [])]))]

  async function moves(cases: readonly Case[], rules: readonly string[]): Promise<Outcome[]> {
    if (cases.length < 2 || rules.length === 0) return []
    const outcomes = await ask(cases, rules)
    const same = unmoved(outcomes, rightBank)
    for (const one of cases) for (const rule of same) suspected.get(one)?.delete(rule)
    return outcomes.filter(({ rule }) => !same.has(rule))
  }

  const moved = await moves(group, askedOf(group))
  await Promise.all(
    byCulprits(moved, group).map(({ culprits, rules }) => {
      const others = group.filter((one) => !culprits.includes(one))
      const suspectedOfOthers = askedOf(others)
      return moves(
        others,
        rules.filter((rule) => suspectedOfOthers.includes(rule)),
      )
    }),
  )
  return suspected
}

/** The moved rules by the cases that say they move them, or move the rule about the step that blocks them. */
function byCulprits(moved: readonly Outcome[], group: readonly Case[]): { culprits: Case[]; rules: string[] }[] {
  const found = new Map<string, { culprits: Case[]; rules: string[] }>()
  for (const { rule, blockedBy = rule } of moved) {
    const culprits = group.filter(({ own }) => own.includes(rule) || own.includes(blockedBy))
    const key = culprits.map(({ name }) => name).join()
    found.set(key, { culprits, rules: [...(found.get(key)?.rules ?? []), rule] })
  }
  return [...found.values()].filter(({ culprits }) => culprits.length > 0)
}
