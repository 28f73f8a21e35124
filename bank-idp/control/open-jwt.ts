import { type CompactVerifyGetKey, compactDecrypt, createLocalJWKSet, importJWK } from 'jose'
import type { Client } from '../client.js'
import { reasonOf } from '../keys/client-keys.js'
import { verifyCompact } from '../keys/verification.js'
import { type FoundJwt, jwtsIn } from '../messages.js'
import { decrypted } from '../provider/decryption.js'
import type { Bench } from './operation.js'

/** Whose key it is. */
export type KeyOwner = 'client' | 'client_secret' | 'bank' | 'service'

/** A JWT as far as the keys that are known at the bench open it. */
export interface OpenedJwt extends FoundJwt {
  /** Whose key verifies its signature, or decrypts it. */
  key?: KeyOwner
  /** Why no key does. */
  problem?: string
  /** What was encrypted in it. */
  inside?: OpenedJwt
}

/** The keys that may have signed a JWT, by whose they are. */
function signers({ context }: Bench, client: Client | undefined, alg: string): [KeyOwner, CompactVerifyGetKey][] {
  if (alg.startsWith('HS')) {
    return client ? [['client_secret', async () => new TextEncoder().encode(client.clientSecret)]] : []
  }
  return [
    ...(client
      ? [['client', context.clientKeys.verifier(client.record.jwks_uri)] as [KeyOwner, CompactVerifyGetKey]]
      : []),
    ['bank', createLocalJWKSet({ keys: context.keys.published() })],
    ['service', context.serviceKeys.verifier],
  ]
}

async function signed(bench: Bench, jwt: FoundJwt, client: Client | undefined): Promise<OpenedJwt> {
  const alg = String(jwt.header.alg)
  if (alg === 'none') return { ...jwt, problem: 'it is not signed' }
  const reasons: string[] = []
  for (const [owner, key] of signers(bench, client, alg)) {
    try {
      await verifyCompact(jwt.jwt, key, alg)
      return { ...jwt, key: owner }
    } catch (error) {
      reasons.push(`${owner}: ${reasonOf(error)}`)
    }
  }
  return { ...jwt, problem: `no key verifies it (${reasons.join('; ') || 'whose it is, is not known'})` }
}

/** The text in a JWE: the bank has keys that requests are encrypted to, the bench those of the clients that were made here. */
async function decrypt({ context, madeKeys }: Bench, jwt: string, client: Client | undefined) {
  const kept = (client && madeKeys.of(client.clientId)?.keys) ?? []
  for (const jwk of kept.filter(({ use }) => use === 'enc')) {
    const opened = await compactDecrypt(jwt, await importJWK(jwk, jwk.alg)).catch(() => undefined)
    if (opened) return { key: 'client' as const, text: new TextDecoder().decode(opened.plaintext) }
  }
  const { content } = await decrypted(context.keys, jwt)
  return { key: 'bank' as const, text: content }
}

/**
 * Opens a JWT with the keys that are known: says whose key verifies its signature, and what is in it where it is encrypted.
 *
 * @param client whose request it was
 */
export async function openJwt(bench: Bench, jwt: FoundJwt, client: Client | undefined): Promise<OpenedJwt> {
  if (jwt.jwt.split('.').length === 3) return signed(bench, jwt, client)
  try {
    const { key, text } = await decrypt(bench, jwt.jwt, client)
    const [found] = jwtsIn('inside', text)
    return { ...jwt, key, ...(found && { inside: await openJwt(bench, found, client) }) }
  } catch (error) {
    const whose =
      'it is encrypted to a key that is not known here: the bank has its own, and those of clients that were made here'
    return { ...jwt, problem: `${whose} (${reasonOf(error)})` }
  }
}
