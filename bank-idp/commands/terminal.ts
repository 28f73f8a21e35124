/** Where commands print, and how the person ends one that runs on. cli.ts has the only real one. */
export interface Terminal {
  print(text: string): void
  error(text: string): void
  /** The answer is no: the program ends with 1. */
  fail(): void
  /** Resolves when the person, or the system, asks the program to stop. */
  untilStopped(): Promise<void>
}
