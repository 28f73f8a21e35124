import type { BankOptions } from '../../bank-idp/bank.js'

/** A bank that takes another listed reading of an ambiguity than its first. */
export interface Variant {
  ambiguity: string
  /** Number of the reading, as listed in ambiguities.yaml. */
  reading: number
  options: BankOptions
}

function reading(ambiguity: string, number: number, options: BankOptions = {}): Variant {
  return { ambiguity, reading: number, options: { ...options, readings: { [ambiguity]: number } } }
}

/** Every reading that the bundled bank can take in place of its own. */
export const variants: readonly Variant[] = [
  reading('AMB-1', 2),
  reading('AMB-2', 2),
  reading('AMB-2', 3),
  reading('AMB-3', 2),
  reading('AMB-15', 2),
  reading('AMB-21', 2),
  reading('AMB-25', 2),
  reading('AMB-27', 2),
  reading('AMB-39', 2),
  reading('AMB-48', 2),
  reading('AMB-48', 3),
  reading('AMB-55', 2),
  reading('AMB-58', 2),
]
