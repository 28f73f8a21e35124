import { type Outcome, turnedRed } from './outcome.js'

/**
 * The variations, by rule, in which rules notice a fault where they try no other: the proof need not try those that notice nothing.
 * @param outcomes of rules that tried them until one failed
 * @param again has rules try these variations alone: one that needs an earlier one to notice something is left out
 */
export async function variationsOf(
  outcomes: readonly Outcome[],
  rightBank: readonly Outcome[],
  again: (rules: readonly string[], variations: Readonly<Record<string, string>>) => Promise<Outcome[]>,
): Promise<Record<string, string> | undefined> {
  const red = turnedRed(outcomes, rightBank)
  const found = new Map(red.flatMap(({ rule, variation }) => (variation === undefined ? [] : [[rule, variation]])))
  if (found.size === 0) return undefined
  const statuses = new Map(red.map(({ rule, status }) => [rule, status]))
  const alone = await again([...found.keys()], Object.fromEntries(found))
  const same = turnedRed(alone, rightBank).filter(({ rule, status }) => statuses.get(rule) === status)
  if (same.length === 0) return undefined
  return Object.fromEntries([...found].filter(([rule]) => same.some((one) => one.rule === rule)).toSorted())
}
