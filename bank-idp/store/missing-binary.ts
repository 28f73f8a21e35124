import { UsageError } from '../errors.js'

/** The two packages of better-sqlite3, of which sqlite.ts takes one, and how to come by a binary of each that is not there. */
const remedies = {
  'better-sqlite3': 'run npm explore better-sqlite3 -- npm run build-release, which compiles it',
  'better-sqlite3-12':
    'use Node.js 22.14 or newer, for which it is in the package, or install the packages anew with their scripts: npm fetches it, or compiles it',
}

/** A package of better-sqlite3. */
export type SqliteLibrary = keyof typeof remedies

/**
 * What to do where the binary of better-sqlite3 is not there, or was made for another Node.js or machine: npm installs packages without
 * their scripts where it is told to, and leaves out an optional one that cannot be compiled.
 *
 * @returns undefined for any other error
 */
export function missingBinary(error: Error & { code?: string }, library: SqliteLibrary): UsageError | undefined {
  const { message, code } = error
  const missing = code === 'MODULE_NOT_FOUND' || message.startsWith('Could not locate the bindings file')
  if (!missing && code !== 'ERR_DLOPEN_FAILED') return undefined
  const here = `Node.js ${process.version} on ${process.platform} ${process.arch}`
  const problem = missing ? 'is missing' : 'was made for another Node.js or machine'
  return new UsageError(
    `the store needs the binary of better-sqlite3 for ${here}, and it ${problem}: ${remedies[library]} with Python, make and a C++ compiler`,
    { cause: error },
  )
}
