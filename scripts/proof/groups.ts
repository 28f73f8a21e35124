import type { BankOptions } from '../../bank-idp/bank.js'
import type { Case } from './case.js'

/**
 * Puts cases that can be switched on together into groups: as few as go, of like size.
 *
 * What could slip through when several are on is that one undoes what another does, just where a rule would have seen it. Therefore
 * no two of a group are at the same seam, so that none is laid over another's work, unless both are narrow: each then changes requests
 * or answers that the other leaves alone; and one that stops a step on most rules' way
 * is in no group. `--only` runs a case alone with every rule that could notice it, and has to come to the same row of the matrix.
 */
export function groupsOf(cases: readonly Case[]): Case[][] {
  const crowd = new Map<string, number>()
  for (const seam of cases.flatMap(({ seams }) => seams)) crowd.set(seam, (crowd.get(seam) ?? 0) + 1)
  const crowdAt = ({ seams }: Case) => Math.max(0, ...seams.map((seam) => crowd.get(seam) ?? 0))
  const sociable = cases.filter(({ alone }) => !alone).toSorted((a, b) => crowdAt(b) - crowdAt(a))
  const groups: Case[][] = []
  for (const one of sociable) {
    const taken = (group: Case[]) => group.some((other) => meet(one, other))
    const [smallest] = groups.filter((group) => !taken(group)).sort((a, b) => a.length - b.length)
    if (smallest) smallest.push(one)
    else groups.push([one])
  }
  return [...groups, ...cases.filter(({ alone }) => alone).map((one) => [one])]
}

/** Whether one of two cases could be laid over the other's work. */
export function meet(one: Case, other: Case): boolean {
  return !(one.narrow && other.narrow) && other.seams.some((seam) => one.seams.includes(seam))
}

/** A bank with a whole group switched on. */
export function optionsOf(group: readonly Case[]): BankOptions {
  return {
    ...Object.assign({}, ...group.map(({ options }) => options)),
    faults: group.flatMap(({ options }) => options.faults ?? []),
    readings: Object.assign({}, ...group.map(({ options }) => options.readings)),
  }
}
