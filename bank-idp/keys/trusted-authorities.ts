import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { UsageError } from '../errors.js'

/**
 * The authorities of a PEM file, one text each.
 *
 * @throws {UsageError} when the file cannot be read or holds no certificate
 */
export function readAuthorities(file: string): string[] {
  try {
    const found = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    if (found.length === 0) throw new Error('the file contains no PEM certificate')
    return found.map((pem) => new X509Certificate(pem).toString())
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`, { cause: error })
  }
}
