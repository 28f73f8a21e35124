/** Where commands print, and how the person ends one that runs on. cli.ts has the only real one. */
export interface Terminal {
  /** For a person: what others wrote in it neither commands the terminal nor hides. */
  print(text: string): void
  /** For a program: as it is. */
  write(text: string): void
  /** As {@link Terminal.print}, beside the answer. */
  error(text: string): void
  /** The answer is no: the program ends with 1. */
  fail(): void
  /** Resolves when the person, or the system, asks the program to stop. */
  untilStopped(): Promise<void>
}
