/** Where commands print, and how the person ends one that runs on. cli.ts has the only real one. */
export interface Terminal {
  print(text: string): void
  error(text: string): void
  /** Resolves when the person, or the system, asks the program to stop. */
  untilStopped(): Promise<void>
}
