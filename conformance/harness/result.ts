import type { Level, Reading } from '../../schemas/editions/index.js'
import type { Agreed } from '../bank/agreed.js'
import type { Finding } from '../evidence/failure.js'

/**
 * pass; attested (the bank attests it, and nothing that is seen contradicts); fail (a MUST); warn (a SHOULD, or a reading marked so); observed (a MAY, whether it holds or not); skip (what the rule
 * needs is not there); waived (a fail, or a MUST that is blocked, which a waiver takes); blocked (a shared step before the rule's own point failed); error (the harness or the target file is at
 * fault).
 */
export const statuses = ['pass', 'attested', 'fail', 'warn', 'observed', 'waived', 'skip', 'blocked', 'error'] as const

export type Status = (typeof statuses)[number]

/** A reading that the bank took. */
export interface ReadingTaken {
  /** Id of the ambiguity. */
  ambiguity: string
  /** Id of the reading. */
  reading: string
  /** The reading in words. */
  text: string
  /** What a rule comes to that sees it and nothing wrong. */
  level: Reading['level']
}

/** A failure that somebody answers for until a day. */
export interface Waiver {
  /** Id of the rule. */
  rule: string
  reason: string
  owner: string
  /** Where it is followed up. */
  issue: string
  /** YYYY-MM-DD: the last day (UTC) on which it holds. */
  expires: string
}

/** What came of one rule. Everything in it is masked. */
export interface RuleResult {
  rule: string
  requirement: string
  level: Level
  title: string
  status: Status
  /** Why, in a sentence: of everything but a pass and an observation that holds. */
  reason?: string
  /** What was found wrong with the bank: of fail, warn, observed and blocked. */
  finding?: Finding
  /** Of blocked: the rule that is about the step that failed. */
  blockedBy?: string
  /** Of waived: who answers for it, and until when. */
  waiver?: Waiver
  /** Whether the rule was ended because its time was up. */
  timedOut?: true
  /** Of error: whether the target file is at fault, and not the harness. */
  targetAtFault?: true
  readings: ReadingTaken[]
  notes: string[]
  milliseconds: number
  /** How many things it judged, told apart by where they are, how they are judged and in which variation; absent where it was skipped. */
  judged?: number
  /** How many it judges at the bundled bank, which offers everything, in every dress; absent where that depends on the run. */
  judgedAtBundledBank?: number
  /** Ids of the evidence, in the order it came. */
  evidence: string[]
}

/** How a reading is shown: by its names, as `--reading` of the bundled bank takes them, and in words. */
export function readingInWords({ ambiguity, reading, text, level }: ReadingTaken): string {
  return `${ambiguity}=${reading}: ${text}${level === 'warn' ? ' (warn)' : ''}`
}

/** What was agreed, as a line tells it. */
export function agreedInWords({ what, value, preferred }: Agreed): string {
  return `${what}: ${value}${preferred === undefined ? '' : ` (preferred: ${preferred})`}`
}
