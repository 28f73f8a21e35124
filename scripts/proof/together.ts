import type { AmbiguityId, ChosenReadings } from '../../schemas/editions/index.js'
import { nameOf } from './judge.js'
import type { Outcome } from './outcome.js'
import { allOnOnePage, anotherDialect, judgeShaped, type Shaped } from './shaped.js'
import { type Variant, variants } from './variants.js'

/** A right bank of some shape that takes many other readings at once: what a rule takes for granted of one may not hold beside another. */
export interface Together {
  name: string
  readings: ChosenReadings
  shaped: Shaped
  /** The variants that take one of these readings alone, by name. */
  members: readonly string[]
  /** Rules that are skipped for one of the readings. */
  skips: readonly string[]
}

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
 * Takes one other reading of each ambiguity.
 * @param which of several, where there are
 * @param shaped how it looks from the outside, where that hides none of the readings
 * @param hidden ambiguities that are left out, since beside the others nothing would show
 */
function together(name: string, which: 'first' | 'last', shaped: Shaped, hidden: readonly AmbiguityId[]): Together {
  const chosen = new Map<AmbiguityId, Variant>()
  for (const variant of plain) {
    const { ambiguity } = variant
    if (!hidden.includes(ambiguity) && (which === 'last' || !chosen.has(ambiguity))) chosen.set(ambiguity, variant)
  }
  const taken = [...chosen.values()]
  return {
    name,
    shaped,
    readings: Object.assign({}, ...taken.map(({ options }) => options.readings)),
    members: taken.map(nameOf),
    skips: taken.flatMap(({ skips = [] }) => skips),
  }
}

/** Of readings that hide each other, each bank takes the one or the other. */
export const combinations: readonly Together[] = [
  together('readings together, one', 'first', anotherDialect, ['AMB-22', 'AMB-45', 'AMB-53', 'AMB-61']),
  // Where secrets are not given to all (21), openid alone gives sub alone (33), and code is served alone (11, 13), the four do not show.
  together('readings together, two', 'last', allOnOnePage, ['AMB-11', 'AMB-13', 'AMB-21', 'AMB-33']),
]

/** No rule fails a bank that takes these readings, none is skipped but for a reading, and each reading shows. */
export function judgeTogether(
  { name, readings, shaped, skips }: Together,
  outcomes: readonly Outcome[],
  rightBank: readonly Outcome[],
): string[] {
  const taken = new Set(
    outcomes.flatMap((outcome) => outcome.readings.map(({ ambiguity, reading }) => `${ambiguity}=${reading}`)),
  )
  const unseen = Object.entries(readings)
    .map((one) => one.join('='))
    .filter((reading) => !taken.has(reading))
  const lacking = outcomes.filter(({ status, rule }) => status === 'skip' && skips.includes(rule))
  return [
    ...judgeShaped(
      shaped,
      outcomes.filter((outcome) => !lacking.includes(outcome)),
      rightBank,
      name,
    ),
    ...unseen.map((reading) => `${name}: no rule tells that the bank took ${reading}`),
  ]
}
