/** The most edits that still count as a slip of the hand. */
const maxEdits = 4

/**
 * The word that takes the fewest edits to come to from what was written; undefined when none is near, or more than half of it would change.
 *
 * @param most edits that still count as a slip
 */
export function nearest(written: string, candidates: readonly string[], most = maxEdits): string | undefined {
  // Written by whoever asks: no work is spent on what is longer than any word.
  const near = candidates
    .filter((word) => Math.abs(word.length - written.length) <= maxEdits)
    .map((word) => ({ word, edits: editsBetween(written, word) }))
    .sort((one, other) => one.edits - other.edits)[0]
  return near && near.edits <= Math.min(most, Math.floor(written.length / 2)) ? near.word : undefined
}

/** The end of a sentence about a name that nobody knows: the one that was meant; nothing where none is near. */
export function didYouMean(written: string, candidates: readonly string[]): string {
  const meant = nearest(written, candidates)
  return meant === undefined ? '' : `: did you mean ${meant}?`
}

/** Characters to insert, remove or replace on the way from one word to another (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
