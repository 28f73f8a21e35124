import { type CryptoKey, importJWK, type JWK } from 'jose'

type Imported = CryptoKey | Uint8Array

/** What keys that cannot change were imported as, by the algorithm: forgotten with the key. */
const known = new WeakMap<JWK, Map<string | undefined, Imported>>()

/** A key as the library uses it. To import one costs as much as to sign with it, so a frozen one is imported once; any other may change. */
export async function importedKey(jwk: JWK, alg?: string): Promise<Imported> {
  if (!Object.isFrozen(jwk)) return importJWK(jwk, alg)
  const byAlgorithm = known.get(jwk) ?? new Map<string | undefined, Imported>()
  known.set(jwk, byAlgorithm)
  const key = byAlgorithm.get(alg) ?? (await importJWK(jwk, alg))
  byAlgorithm.set(alg, key)
  return key
}
