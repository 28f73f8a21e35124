import { createHash } from 'node:crypto'
import type { Mutant } from './mutants.js'

/** As many as asked for, by chance that the seed decides: of the same mutants, and those that are left when others are gone. */
export function sampleOf<One extends Pick<Mutant, 'id'>>(mutants: readonly One[], count: number, seed: string): One[] {
  const drawn = mutants.map((mutant) => ({
    mutant,
    lot: createHash('sha256').update(`${seed} ${mutant.id}`).digest('hex'),
  }))
  return drawn
    .toSorted((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
