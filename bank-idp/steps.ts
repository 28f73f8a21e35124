import type { Seams } from './seams.js'

/** One named step of a table: does one part of what is to be done. Its name is what a fault leaves out (`without`). */
export interface Step<Subject> {
  id: string
  run(subject: Subject): void | Promise<void>
}

/**
 * The seams as a table is asked for at one of several places: a fault leaves a step out at all of them, or names the place after it, as
 * `registration/scope at PUT`.
 */
export function seamsAt(seams: Pick<Seams, 'leavesOut'>, place: string): Pick<Seams, 'leavesOut'> {
  return {
    leavesOut: (step, clientId) => seams.leavesOut(step, clientId) || seams.leavesOut(`${step} at ${place}`, clientId),
  }
}

/** Takes every step of a table in its order, save those that are left out for the client. */
export async function runSteps<Subject>(
  table: readonly Step<Subject>[],
  subject: Subject,
  seams: Pick<Seams, 'leavesOut'>,
  clientId?: string,
): Promise<void> {
  for (const { id, run } of table) {
    if (seams.leavesOut(id, clientId)) continue
    const pending = run(subject)
    // Most have nothing to wait for, and to wait for nothing costs more than they do.
    if (pending) await pending
  }
}
