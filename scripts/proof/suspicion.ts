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
 * the others without it. What nobody says is asked of each half of the cases. So a rule is dropped for a case only when it was seen
 * unmoved by a bank that has the case.
 * @param together what came of all rules at a bank that has the whole group switched on, where that is known
 */
export async function suspicions(
  group: readonly Case[],
  rightBank: readonly Outcome[],
  ask: Ask,
  together?: readonly Outcome[],
): Promise<ReadonlyMap<Case, ReadonlySet<string>>> {
  const suspected = new Map(
    group.map((one) => [one, new Set(rightBank.filter(one.concerns).map(({ rule }) => rule))] as const),
  )

  async function narrow(
    cases: readonly Case[],
    candidates: readonly string[],
    known?: readonly Outcome[],
  ): Promise<void> {
    const rules = candidates.filter((rule) => cases.some((one) => suspected.get(one)?.has(rule)))
    if (cases.length < 2 || rules.length === 0) return
    const outcomes = known ?? (await ask(cases, rules))
    const same = unmoved(outcomes, rightBank)
    for (const one of cases) for (const rule of same) suspected.get(one)?.delete(rule)
    const moved = byCulprits(
      outcomes.filter(({ rule }) => !same.has(rule)),
      cases,
    )
    await Promise.all(
      moved.flatMap(({ culprits, rules: theirs }) => {
        const middle = Math.ceil(cases.length / 2)
        const parts =
          culprits.length > 0
            ? [cases.filter((one) => !culprits.includes(one))]
            : [cases.slice(0, middle), cases.slice(middle)]
        return parts.map((part) => narrow(part, theirs))
      }),
    )
  }

  await narrow(
    group,
    rightBank.map(({ rule }) => rule),
    together,
  )
  return suspected
}

/** The moved rules by the cases that say they move them, or move the rule about the step that blocks them; by none where nobody does. */
function byCulprits(moved: readonly Outcome[], group: readonly Case[]): { culprits: Case[]; rules: string[] }[] {
  const found = new Map<string, { culprits: Case[]; rules: string[] }>()
  for (const { rule, blockedBy = rule } of moved) {
    const culprits = group.filter(({ own }) => own.includes(rule) || own.includes(blockedBy))
    const key = culprits.map(({ name }) => name).join()
    found.set(key, { culprits, rules: [...(found.get(key)?.rules ?? []), rule] })
  }
  return [...found.values()]
}
