import { type Outcome, turnedRed } from './outcome.js'

/** Has rules run against a bank that has the fault, of some the variation alone that is named. */
type Again = (rules: readonly string[], variations: Readonly<Record<string, string>>) => Promise<readonly Outcome[]>

/**
 * The variations, by rule, in which rules notice a fault where they try no other: the proof need not try those that notice nothing. One
 * that needs an earlier one to notice it is left out, and all of them where another rule comes to something else beside them.
 * @param outcomes of rules that tried them until one failed
 */
export async function variationsOf(
  outcomes: readonly Outcome[],
  rightBank: readonly Outcome[],
  again: Again,
): Promise<Record<string, string> | undefined> {
  const red = turnedRed(outcomes, rightBank)
  const found = red.flatMap(({ rule, variation }) => (variation === undefined ? [] : [[rule, variation] as const]))
  if (found.length === 0) return undefined
  const variations = Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const seen = await again(
    red.map(({ rule }) => rule),
    variations,
  )
  const comesToTheSame = ({ rule, status }: Outcome) => seen.some((one) => one.rule === rule && one.status === status)
  const different = red.filter((one) => !comesToTheSame(one)).map(({ rule }) => rule)
  if (different.some((rule) => variations[rule] === undefined)) return undefined
  for (const rule of different) delete variations[rule]
  return Object.keys(variations).length === 0 ? undefined : variations
}
