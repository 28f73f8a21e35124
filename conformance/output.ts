/** Exit codes of the command. */
export const exitCodes = {
  nothingFailed: 0,
  /** A MUST is broken or was not reached, and no waiver takes it. */
  bankFailed: 1,
  /** verify: the bundle is not what was signed. */
  changed: 1,
  /** diff: something became worse. */
  regressed: 1,
  /** The command line, the target file, the statements or the waivers are wrong. */
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
  /** Whether colours are wanted on `out`. */
  styled: boolean
  /** Of a terminal that can show progress: writes to it without a line end. */
  live?: { write(text: string): void; columns(): number }
  /** Ends a run that is under way. */
  signal: AbortSignal
}

/** The command is not used as it is meant; the message says how it is. */
export class UsageError extends Error {}
