import type { CompactJWEHeaderParameters, JWSHeaderParameters } from 'jose'
import { BankError } from '../errors.js'
import type { BankKeys } from '../keys/bank-keys.js'
import { reasonOf } from '../keys/client-keys.js'
import { headerOfJwt } from '../keys/jwt-header.js'
import { isNestedTooDeeply } from '../nesting.js'
import { decrypted } from '../provider/decryption.js'

/** A request object as it came, opened and not believed. */
export interface OpenedRequestObject {
  /** The header of the JWE; undefined when it came without encryption. */
  encryption?: CompactJWEHeaderParameters
  /** The JWS inside. */
  jws: string
  header: JWSHeaderParameters
  claims: Record<string, unknown>
}

function refused(reason: string, cause?: unknown): BankError {
  return new BankError('invalid_request_object', reason, { cause }).refusedBy('ros/opened')
}

function headerOf(jwt: string) {
  try {
    return headerOfJwt(jwt)
  } catch (cause) {
    throw refused('the header of the request object cannot be read', cause)
  }
}

function claimsOf(jws: string): Record<string, unknown> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(jws.split('.')[1] ?? '', 'base64url'))
    const claims: unknown = JSON.parse(text)
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims) && !isNestedTooDeeply(claims))
      return claims as Record<string, unknown>
  } catch (cause) {
    throw refused('the claims of the request object are not JSON', cause)
  }
  throw refused('the claims of the request object are not a JSON object, or nested too deeply')
}

/**
 * Opens what POST /ros was sent, without believing any of it: RFC 9101 section 6, first decrypted, then read.
 *
 * @throws {BankError} invalid_request_object when it is neither a JWE that the bank can decrypt nor a JWS
 */
export async function openRequestObject(body: string, keys: BankKeys): Promise<OpenedRequestObject> {
  const { content: jws, encryption } = await decrypted(keys, body.trim()).catch((cause: unknown) => {
    throw refused(`the request object cannot be decrypted: ${reasonOf(cause)}`, cause)
  })
  if (jws.split('.').length !== 3) throw refused('the request object is not a compact JWS inside a compact JWE')
  return {
    ...(encryption && { encryption }),
    jws,
    header: headerOf(jws),
    claims: claimsOf(jws),
  }
}
