import { legible } from '../schemas/legible.js'

/** Exit codes of the command. */
export const exitCodes = {
  nothingFailed: 0,
  /** A MUST is broken or was not reached, and no waiver takes it. */
  bankFailed: 1,
  /** verify: the bundle is not what was signed. */
  changed: 1,
  /** diff: something became worse. */
  regressed: 1,
  /** The command line, the target file, the attestations or the waivers are wrong. */
  usage: 2,
  /** The harness failed, or was interrupted. */
  harnessFailed: 3,
  nothingSelected: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Where the command writes; one of its own in tests. */
export interface Output {
  out(text: string): void
  err(text: string): void
  /** Writes a line by which the CI system is told something: the text in it is escaped as that system has it. */
  tell(line: string): void
  /** Whether colours are wanted on `out`. */
  styled: boolean
  /** Of a terminal that can show progress: writes to it without a line end. */
  live?: { write(text: string): void; columns(): number }
  /** Ends a run that is under way. */
  signal: AbortSignal
  /** Ends what a run that was ended does at last, too: taking away what it registered. */
  hurry?: AbortSignal
}

const escapeCode = '\u001b'

/** The colours and the weight that reports use. */
const colours = new RegExp(`(${escapeCode}\\[(?:1|22|3[1-79]|90)m)`)

/**
 * What a CI system takes for a command where a program prints it: two colons that begin a line, whatever blanks stand before them (GitHub Actions),
 * and, anywhere in a line, `##[` (GitHub's earlier form), `##vso[` (Azure Pipelines) and `##teamcity[`.
 */
const ciCommand = /^([^\S\n]*):(?=:)|#(?=#[a-z]*\[)/gim

/** Text of which no CI system makes a command: what would begin one is taken apart by a blank. */
function commandless(text: string): string {
  return text.replace(ciCommand, (found) => `${found} `)
}

/**
 * Text as it can be printed, whoever it is from: it orders neither a terminal nor the CI system that reads along to do anything.
 */
export function printable(text: string): string {
  return commandless(visible(text))
}

/**
 * Text as it can be written to a terminal, whoever it is from: in place of what commands a terminal, and of what nobody sees, stands its number, so
 * that no bank and no bundle moves the cursor, sets a title, fills the clipboard or hides what it says.
 */
export function visible(text: string): string {
  const parts = text.split(colours)
  return parts.map((part, i) => (i % 2 === 1 ? part : legible(part).replaceAll('\r', '[U+000D]'))).join('')
}

/** The command is not used as it is meant; the message says how it is. */
export class UsageError extends Error {}
