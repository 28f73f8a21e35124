import { BankError } from './errors.js'
import type { Seams } from './seams.js'
import { runSteps } from './steps.js'

/**
 * One named check of a table: throws a BankError when `subject` breaks it. The order of a table is the order in which it is asked,
 * so a request with two mistakes has one answer. The name is what a fault leaves out (`without`).
 */
export interface Check<Subject> {
  id: string
  check(subject: Subject): void | Promise<void>
}

/** Asks every check of a table in its order, save those that are left out for the client. */
export async function runChecks<Subject>(
  table: readonly Check<Subject>[],
  subject: Subject,
  seams: Pick<Seams, 'leavesOut'>,
  clientId?: string,
): Promise<void> {
  const steps = table.map(({ id, check }) => ({
    id,
    async run(judged: Subject) {
      try {
        await check(judged)
      } catch (error) {
        if (error instanceof BankError) error.refusedBy(id)
        throw error
      }
    },
  }))
  await runSteps(steps, subject, seams, clientId)
}
