import { readFileSync } from 'node:fs'
import { type CompactVerifyGetKey, createLocalJWKSet, errors, type JSONWebKeySet, type JWK } from 'jose'
import { UsageError } from '../errors.js'
import type { ClientKeys } from './client-keys.js'
import { publicJwk } from './jwk.js'

/** The key set by which the federated service signs RegistrationAuthJWT (specification: "Authentication" 2) and request objects (AMB-72). */
export interface ServiceKeys {
  verifier: CompactVerifyGetKey
}

/**
 * @param source the https address or the path of the service's JWK set; the keys made for newcomers when left out
 * @param own the service's keys as the bank made them
 * @throws {UsageError} when the file holds no JWK set
 */
export function serviceKeys(source: string | undefined, own: { keys: JWK[] }, clientKeys: ClientKeys): ServiceKeys {
  if (source === undefined) return { verifier: createLocalJWKSet({ keys: own.keys.map(publicJwk) }) }
  if (source.startsWith('https:')) return { verifier: clientKeys.verifier(source) }
  return { verifier: fromFile(source) }
}

/** Keys of a file, which is read again when a key is asked for that it did not hold. */
function fromFile(path: string): CompactVerifyGetKey {
  let set = readSet(path)
  return async (header, jws) => {
    try {
      return await set(header, jws)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      set = readSet(path)
      return set(header, jws)
    }
  }
}

function readSet(path: string): ReturnType<typeof createLocalJWKSet> {
  try {
    const { keys } = JSON.parse(readFileSync(path, 'utf8')) as JSONWebKeySet
    return createLocalJWKSet({ keys: keys.map(publicJwk) })
  } catch (error) {
    throw new UsageError(`${path} contains no JWK set: ${(error as Error).message}`, { cause: error })
  }
}
