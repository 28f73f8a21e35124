import type { Row } from './matrix.js'
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

/**
 * What comes of rules where only the variations are tried that are known to notice a fault. A rule that comes to something else there has
 * all of its variations tried: the one may have another name since, or need one before it, and the fault is judged by the whole rule.
 * @param told is given the rules of which the variation showed something else than the row says
 */
export async function inKnownVariations(
  rules: readonly string[],
  { red, in: variations = {} }: Row,
  ask: Again,
  told: (rules: readonly string[]) => void,
): Promise<readonly Outcome[]> {
  const outcomes = await ask(rules, variations)
  const isOther = ({ rule, status }: Outcome) => variations[rule] !== undefined && status !== red[rule]
  const others = outcomes.filter(isOther).map(({ rule }) => rule)
  if (others.length === 0) return outcomes
  told(others)
  return [...outcomes.filter((one) => !isOther(one)), ...(await ask(others, {}))]
}
