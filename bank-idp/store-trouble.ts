/** What SQLite says where it is the disk, or somebody else's lock on it, that is in the way. */
const sqliteTrouble = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY|LOCKED|NOMEM)/

/**
 * What PostgreSQL says (SQLSTATE) where it cannot be used: its connections, resources, operators and files are in the way, and not a statement; or
 * two transactions that wait for each other.
 */
const postgresTrouble = /^(08|53|57P|58|25006|40)/

/** What the driver says, without a code, where it has waited long enough. */
const late = /\btimeout\b/i

/** The form of a SQLSTATE. */
const sqlState = /^[0-9A-Z]{5}$/

/** PostgreSQL cannot be used. */
export class PostgresTrouble extends Error {
  /** Its SQLSTATE, the system's code, LATE (no connection, or no answer, in time) or DISCONNECTED. */
  readonly code: string

  private constructor(code: string, cause: Error) {
    super(cause.message, { cause })
    this.code = code
  }

  /** @returns undefined for an error of a statement */
  static of(error: Error & { code?: string }): PostgresTrouble | undefined {
    const { code = late.test(error.message) ? 'LATE' : 'DISCONNECTED' } = error
    return sqlState.test(code) && !postgresTrouble.test(code) ? undefined : new PostgresTrouble(code, error)
  }

  /** Of an answer that is not waited for any more. */
  static late(): PostgresTrouble {
    return new PostgresTrouble('LATE', new Error('PostgreSQL does not answer'))
  }

  get isLate(): boolean {
    return this.code === 'LATE'
  }

  /** Whether nothing more can be asked by the connection. */
  get hasLostConnection(): boolean {
    return this.isLate || this.code === 'DISCONNECTED' || /^(08|57P)/.test(this.code)
  }

  /** Whether another try of the transaction may do: it was undone so that another one could go on. */
  get isConflict(): boolean {
    return this.code.startsWith('40')
  }
}

/** Says why the store could not be used; undefined for an error of anything else. */
export function storeTrouble(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  const because = (advice: string) => `the store cannot be used (${code}): ${advice}`
  if (error instanceof PostgresTrouble)
    return because(
      error.isLate ? 'does PostgreSQL have more to do than it can?' : 'does PostgreSQL run, and can it be reached?',
    )
  return sqliteTrouble.test(String(code)) ? because('is the disk full?') : undefined
}
