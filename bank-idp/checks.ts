import type { ActiveFaults } from './faults/active.js'

/**
 * One named check of a table: throws a BankError when `subject` breaks it. The order of a table is the order in which it is asked,
 * so a request with two mistakes has one answer. The name is what a fault leaves out (`without`).
 */
export interface Check<Subject> {
  id: string
  check(subject: Subject): void | Promise<void>
}

/** Asks every check of a table in its order, save those that a switched-on fault leaves out. */
export async function runChecks<Subject>(
  table: readonly Check<Subject>[],
  subject: Subject,
  faults: ActiveFaults,
  clientId?: string,
): Promise<void> {
  for (const { id, check } of table) {
    if (!faults.leavesOut(id, clientId)) await check(subject)
  }
}
