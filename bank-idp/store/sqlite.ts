import { createRequire } from 'node:module'
import type SQLite from 'better-sqlite3'
import { missingBinary, type SqliteLibrary } from './missing-binary.js'

/**
 * better-sqlite3 13 has its binaries with it, and needs Node-API 10, which came with Node.js 22.14. Older versions take better-sqlite3 12,
 * whose binary is made for one version of Node.js; under 24.19 and newer it aborts the process as statements are collected.
 */
const library: SqliteLibrary = Number(process.versions.napi) >= 10 ? 'better-sqlite3' : 'better-sqlite3-12'

const require = createRequire(import.meta.url)

/**
 * Opens what SQLite keeps.
 *
 * @param file path of the file; `:memory:` for what dies with the process, or the bytes of a file
 * @throws {UsageError} when the library's binary is not there
 * @throws {Error} with SQLite's `code`, when the file cannot be opened
 */
export function openSqlite(file: string | Buffer, options?: SQLite.Options): SQLite.Database {
  try {
    return new (require(library) as typeof SQLite)(file, options)
  } catch (error) {
    throw missingBinary(error as Error, library) ?? error
  }
}
