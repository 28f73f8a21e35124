import type { BankOptions } from '../../bank-idp/bank.js'
import type { Need } from '../../conformance/target/needs.js'
import type { ShapeName } from './shapes.js'

/** A bank that takes a listed reading of an ambiguity in another way than the bundled one does by itself. */
export interface Variant {
  ambiguity: string
  /** Number of the reading, as listed in ambiguities.yaml. */
  reading: number
  options: BankOptions
  /** The topic whose rules are run, where the others have nothing to go by; all when left out. */
  topic?: string
  /** What the bank is like from the outside, where the reading is about that. */
  shape?: ShapeName
  /** What the target file says the bank does not offer: rules that need it are skipped, which is how the reading shows. */
  lacks?: Need
  /** The rules about what the bank leaves out: they are skipped. */
  skips?: readonly string[]
}

function reading(ambiguity: string, number: number, options: BankOptions = {}): Variant {
  return { ambiguity, reading: number, options: { ...options, readings: { ...options.readings, [ambiguity]: number } } }
}

/** A reading that shows only while the whole bank is in an outage. */
function readingInOutage(ambiguity: string, number: number): Variant {
  const outage = { part: 'bank', from: 0, until: 4_102_444_800, reason: 'maintenance' }
  return { ...reading(ambiguity, number, { outages: [outage] }), topic: 'health' }
}

/** A reading that is about what the bank looks like from the outside: a bank of that shape. */
function shaped(ambiguity: string, number: number, shape: ShapeName, more: Pick<Variant, 'lacks'> = {}): Variant {
  return { ambiguity, reading: number, options: {}, shape, topic: 'signing', ...more }
}

/** Every reading that the bundled bank can take in place of its own. */
export const variants: readonly Variant[] = [
  reading('AMB-1', 2),
  reading('AMB-2', 2),
  reading('AMB-2', 3),
  reading('AMB-3', 2),
  reading('AMB-4', 2),
  // Which spellings are read shows only where a hint can be wrong.
  reading('AMB-5', 2, { readings: { 'AMB-56': 2 } }),
  reading('AMB-6', 2),
  reading('AMB-7', 2),
  reading('AMB-8', 2),
  reading('AMB-9', 2),
  reading('AMB-10', 2),
  { ...reading('AMB-11', 2), skips: ['authorization/code-not-registered'] },
  reading('AMB-12', 2),
  reading('AMB-13', 2),
  reading('AMB-14', 2),
  reading('AMB-15', 2),
  reading('AMB-16', 2),
  reading('AMB-17', 2),
  readingInOutage('AMB-18', 2),
  reading('AMB-19', 2),
  reading('AMB-20', 2),
  reading('AMB-21', 2),
  reading('AMB-22', 2),
  reading('AMB-23', 2),
  reading('AMB-25', 2),
  reading('AMB-26', 2),
  reading('AMB-27', 2),
  reading('AMB-29', 2),
  shaped('AMB-30', 1, 'objects refused at /authorize'),
  shaped('AMB-30', 1, 'objects refused in the callback'),
  shaped('AMB-30', 2, 'signing elsewhere'),
  reading('AMB-31', 2),
  reading('AMB-31', 3),
  reading('AMB-32', 2),
  reading('AMB-32', 3),
  reading('AMB-32', 4),
  reading('AMB-33', 2),
  reading('AMB-34', 2),
  reading('AMB-34', 3),
  {
    ambiguity: 'AMB-35',
    reading: 2,
    options: {},
    shape: 'declares less',
    skips: [
      'authorization/code-not-registered',
      'client-authentication/other-algorithm',
      'client-authentication/other-curve',
      'client-authentication/secret-jwt',
      'client-authentication/secret-post',
      'profile/encrypted',
      'profile/verification',
      'request-object/algorithms',
      'request-object/hash-fragment',
      'request-object/keys-at-jwks-uri',
      'request-object/registered-algorithms',
      'request-object/served',
      'request-object/uri-invalid',
      'request-object/value-invalid',
      'user-data/scope-of-other-endpoint',
      'userinfo/encrypted',
    ],
  },
  // Where endpoints are: the bank has no such setting, but a fault that moves one.
  { ambiguity: 'AMB-36', reading: 2, options: { faults: ['general/userinfo-elsewhere'] } },
  reading('AMB-37', 2),
  shaped('AMB-38', 2, 'without signing', { lacks: 'signing' }),
  reading('AMB-39', 2),
  reading('AMB-40', 2),
  reading('AMB-40', 3),
  reading('AMB-41', 2),
  reading('AMB-42', 2),
  reading('AMB-43', 2),
  reading('AMB-44', 2),
  reading('AMB-45', 2),
  reading('AMB-46', 2),
  reading('AMB-47', 2),
  reading('AMB-48', 2),
  reading('AMB-48', 3),
  reading('AMB-49', 2),
  reading('AMB-50', 2),
  reading('AMB-51', 2, { service: 'https://localhost:{port}' }),
  reading('AMB-52', 2),
  reading('AMB-53', 2),
  reading('AMB-54', 2),
  reading('AMB-55', 2),
  reading('AMB-56', 2),
  readingInOutage('AMB-57', 2),
  reading('AMB-58', 2),
  reading('AMB-60', 2),
  reading('AMB-61', 2),
  reading('AMB-62', 2),
  reading('AMB-63', 2),
  reading('AMB-64', 2),
  shaped('AMB-65', 2, 'certificates everywhere'),
  shaped('AMB-65', 3, 'certificates at an address of their own'),
  reading('AMB-66', 2),
  reading('AMB-67', 2),
  reading('AMB-68', 2),
  reading('AMB-69', 2),
  reading('AMB-69', 3),
]
