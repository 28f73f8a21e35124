/** How many are named at most. */
const most = 3

/** Less than this in common is no slip of the hand. */
const leastAlike = 0.5

/**
 * The words that somebody may have meant, the nearest first: by the pairs of neighbouring letters that they share with what was
 * written (Dice's coefficient), whatever the case.
 * @param least how much they share at least, from 0 to 1
 */
export function nearest(written: string, words: readonly string[], least = leastAlike): string[] {
  const wanted = pairsOf(written)
  return [...new Set(words)]
    .map((word) => ({ word, alike: alikeness(wanted, pairsOf(word)) }))
    .filter(({ alike }) => alike >= least)
    .sort((one, other) => other.alike - one.alike)
    .slice(0, most)
    .map(({ word }) => word)
}

/** "; did you mean …?", or nothing where no word is near. */
export function didYouMean(written: string, words: readonly string[]): string {
  const near = nearest(written, words)
  return near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''
}

function pairsOf(word: string): Set<string> {
  const letters = ` ${word.toLowerCase()}`
  return new Set([...letters].map((letter, i) => letter + (letters[i + 1] ?? ' ')))
}

/** From 0 (nothing in common) to 1. */
function alikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length
  return (2 * shared) / (one.size + other.size)
}
