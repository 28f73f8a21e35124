/**
 * What the instrumented bank asks at each place that a mutant changes. A process has one mutant, which is
 * known by its number in the catalogue of the build.
 */
let active = -1
let hits: Set<number> | undefined

/** Switches one mutant on; without it, the bank is right. */
export function activate(mutant: number): void {
  active = mutant
}

/** Has the places noted from now on that make a difference. @returns the mutants of those noted since this was called last */
export function takeHits(): Set<number> {
  const taken = hits ?? new Set()
  hits = new Set()
  return taken
}

/**
 * Whether this mutant is on. Its place is noted where the mutant makes a difference as far as can be told.
 *
 * @param changed what the place would come to
 * @param own what it comes to; both are given where nothing is done by asking
 */
export function on(mutant: number, changed?: () => unknown, own?: () => unknown): boolean {
  if (hits && !hits.has(mutant) && !(changed && own && isSame(changed, own))) hits.add(mutant)
  return mutant === active
}

/** What cannot be had is no other value, but a difference all the same. */
function isSame(changed: () => unknown, own: () => unknown): boolean {
  try {
    return Object.is(changed(), own())
  } catch {
    return false
  }
}

/** Equality of texts that is content with the beginning of one. */
export function prefixed(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || a === '' || b === '') return a === b
  return a.startsWith(b) || b.startsWith(a)
}

/** Equality of texts that takes upper case for lower. */
export function caseless(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.toLowerCase() === b.toLowerCase() : a === b
}

type Same = (a: unknown, b: unknown) => boolean

/** `includes` by another equality of the entries; within a text, as it is. */
function includedBy(same: Same) {
  return (values: readonly unknown[] | string, value: unknown): boolean =>
    typeof values === 'string' ? values.includes(String(value)) : values.some((one) => same(one, value))
}

export const prefixedIn = includedBy(prefixed)
export const caselessIn = includedBy(caseless)
