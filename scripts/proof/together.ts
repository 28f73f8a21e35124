import type { AmbiguityId } from '../../schemas/editions/index.js'
import { type Variant, variants } from './variants.js'

/** The variants that are nothing but one other reading. */
const plain = variants.filter(
  ({ options, shape, topic, lacks }) =>
    !shape &&
    !topic &&
    !lacks &&
    Object.keys(options).join() === 'readings' &&
    Object.keys(options.readings ?? {}).length === 1,
)

/**
 * Variants that a bank takes at once, one of each ambiguity.
 * @param which of several, where there are
 * @param hidden ambiguities that are left out, since beside the others nothing would show
 */
export function together(which: 'first' | 'last', hidden: readonly AmbiguityId[]): Variant[] {
  const chosen = new Map<AmbiguityId, Variant>()
  for (const variant of plain) {
    const { ambiguity } = variant
    if (!hidden.includes(ambiguity) && (which === 'last' || !chosen.has(ambiguity))) chosen.set(ambiguity, variant)
  }
  return [...chosen.values()]
}
