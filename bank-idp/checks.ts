import { BankError } from './errors.js'
import type { Seams } from './seams.js'

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
  for (const { id, check } of table) {
    if (seams.leavesOut(id, clientId)) continue
    try {
      const pending = check(subject)
      if (pending) await pending
    } catch (error) {
      if (error instanceof BankError) error.refusedBy(id)
      throw error
    }
  }
}
