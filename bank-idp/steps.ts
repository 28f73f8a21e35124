import type { Seams } from './seams.js'

/** One named step of a table: does one part of what is to be done. Its name is what a fault leaves out (`without`). */
export interface Step<Subject> {
  id: string
  run(subject: Subject): void | Promise<void>
}

/** Takes every step of a table in its order, save those that are left out for the client. */
export async function runSteps<Subject>(
  table: readonly Step<Subject>[],
  subject: Subject,
  seams: Pick<Seams, 'leavesOut'>,
  clientId?: string,
): Promise<void> {
  for (const { id, run } of table) {
    if (!seams.leavesOut(id, clientId)) await run(subject)
  }
}
