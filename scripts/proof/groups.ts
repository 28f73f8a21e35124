import type { Case } from './case.js'

/**
 * Puts cases that can be switched on together into groups: as few as go, of like size.
 *
 * What could slip through when several are on is that one undoes what another does, just where a rule would have seen it. Therefore
 * no two of a group take hold of the same thing: those at one seam are about different requirements, so that none puts right what
 * another does wrong; and one that stops a step on most rules' way is in no group. `--only` runs a case alone with every rule that
 * could notice it, and has to come to the same row of the matrix.
 */
export function groupsOf(cases: readonly Case[]): Case[][] {
  const crowd = new Map<string, number>()
  for (const seam of cases.flatMap(({ seams }) => seams)) crowd.set(seam, (crowd.get(seam) ?? 0) + 1)
  const crowdAt = ({ seams }: Case) => Math.max(0, ...seams.map((seam) => crowd.get(seam) ?? 0))
  const sociable = cases.filter(({ alone }) => !alone).toSorted((a, b) => crowdAt(b) - crowdAt(a))
  const groups: Case[][] = []
  for (const one of sociable) {
    const taken = (group: Case[]) => group.some(({ seams }) => seams.some((seam) => one.seams.includes(seam)))
    const [smallest] = groups.filter((group) => !taken(group)).sort((a, b) => a.length - b.length)
    if (smallest) smallest.push(one)
    else groups.push([one])
  }
  return [...groups, ...cases.filter(({ alone }) => alone).map((one) => [one])]
}
