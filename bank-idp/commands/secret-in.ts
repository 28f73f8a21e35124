import { readFileSync } from 'node:fs'
import { UsageError } from '../errors.js'

/**
 * The secret in a file: its first line, since that of the key of a data directory may have a mark below it.
 *
 * @param named how the person named the setting of the file
 * @throws {UsageError} when it cannot be read
 */
export function secretIn(file: string | undefined, named: () => string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8').trim().split(/\s*\n/)[0]
  } catch (error) {
    throw new UsageError(`${named()}: ${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
