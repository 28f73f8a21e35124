import { UsageError } from '../errors.js'
import { openSqlite } from './sqlite.js'

/** Holds a data directory for one process; the system lets go of it when the process ends, however it ends. */
export interface DirectoryLock {
  release(): void
}

/**
 * @param file the lock, made when missing
 * @throws {UsageError} when another bank holds it, or it cannot be used
 */
export function lockDirectory(file: string, directory: string): DirectoryLock {
  try {
    const lock = openSqlite(file, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return { release: () => lock.close() }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code, message } = error as { code?: string; message: string }
    throw new UsageError(
      code === 'SQLITE_BUSY'
        ? `another bank runs on the data directory ${directory}: stop it, or choose another with --data`
        : `the data directory ${directory} cannot be used: ${message} (${file})`,
      { cause: error },
    )
  }
}
