import {
  CompactEncrypt,
  type CompactJWEHeaderParameters,
  CompactSign,
  type CryptoKey,
  compactDecrypt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
} from 'jose'
import { HttpResponse } from '../../conformance/http/http.js'
import { byKey, encs } from '../../conformance/service/algorithms.js'
import { clientKeys } from '../../conformance/service/client-keys.js'

/** A signed JWT of the bank, taken out of its encryption. */
export interface OpenedJwt {
  header: { alg: string } & Record<string, unknown>
  claims: Record<string, unknown>
  /** The header of its encryption, where it is encrypted to the client. */
  encryption?: CompactJWEHeaderParameters
}

const compact = /^[\w-]+(?:\.[\w-]*){2,4}$/

/**
 * The JWT with something else in its headers or claims, signed anew by a key that {@link withOwnKeys} adds to the key set, and encrypted
 * where it was. Another kid or none is what it says it is; an algorithm that nobody knows is another one.
 */
export async function withChanged(text: string, change: (jwt: OpenedJwt) => unknown): Promise<string> {
  const jwt = await openedJwt(text)
  if (!jwt) return text
  const { header, claims, encryption } = change(jwt) as OpenedJwt
  const alg = knownOrOther(header.alg, jwt.header.alg, byKey)
  const { privateKey, jwk } = await ownKey(alg)
  const signed = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ ...header, alg, ...(header.kid === jwt.header.kid && { kid: String(jwk.kid) }) })
    .sign(privateKey)
  if (!encryption) return signed
  const { epk: __, ...kept } = encryption
  const { alg: was = '', enc: had = '' } = jwt.encryption ?? {}
  // Without its alg, which is of one only.
  const { alg: _, ...key } = (await clientKeys()).encryption.publicJwk
  return new CompactEncrypt(new TextEncoder().encode(signed))
    .setProtectedHeader({
      ...kept,
      alg: knownOrOther(kept.alg, was, ['RSA-OAEP-256', 'RSA-OAEP']),
      enc: knownOrOther(kept.enc, had, encs),
    })
    .encrypt(key)
}

/** What is asked for where that is known; else one that was not there before. */
function knownOrOther(asked: unknown, before: string, known: readonly string[]): string {
  return known.find((one) => one === asked) ?? known.find((one) => one !== before) ?? before
}

/** A key set with the keys beside its own by which altered JWTs are signed; any other answer as it is. */
export async function withOwnKeys(response: HttpResponse): Promise<HttpResponse> {
  const { keys } = (response.json ?? {}) as { keys?: unknown }
  if (!Array.isArray(keys)) return response
  const own = await Promise.all([...made.values()])
  const { request, status, headers, evidence } = response
  const text = JSON.stringify({ keys: [...keys, ...own.map(({ jwk }) => jwk)] })
  return new HttpResponse(request, status, headers, text, evidence)
}

/** A JWT that a bank signed, encrypted to the client or not; undefined where it is none, or cannot be signed anew. */
export async function openedJwt(text: unknown): Promise<OpenedJwt | undefined> {
  if (typeof text !== 'string' || !compact.test(text)) return undefined
  try {
    if (text.split('.').length === 3) return signedJwt(text)
    const { privateKey } = (await clientKeys()).encryption
    const { plaintext, protectedHeader } = await compactDecrypt(text, privateKey)
    const inner = signedJwt(new TextDecoder().decode(plaintext))
    return inner && { ...inner, encryption: protectedHeader }
  } catch {
    return undefined
  }
}

function signedJwt(jws: string): OpenedJwt | undefined {
  const { alg, ...header } = decodeProtectedHeader(jws)
  const claims: unknown = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())
  if (!alg || !byKey.includes(alg) || typeof claims !== 'object' || claims === null) return undefined
  return { header: { ...header, alg }, claims: claims as Record<string, unknown> }
}

interface OwnKey {
  privateKey: CryptoKey
  jwk: JWK
}

/** By algorithm; an RSA key takes long to make. */
const made = new Map<string, Promise<OwnKey>>()

function ownKey(alg: string): Promise<OwnKey> {
  const known = made.get(alg) ?? makeKey(alg)
  made.set(alg, known)
  return known
}

async function makeKey(alg: string): Promise<OwnKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `altered-${alg}`, use: 'sig', alg } }
}
