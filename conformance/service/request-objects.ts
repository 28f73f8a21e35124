import { createHash, randomUUID } from 'node:crypto'
import {
  CompactEncrypt,
  type CompactJWSHeaderParameters,
  CompactSign,
  type CryptoKey,
  importJWK,
  type JWK,
  UnsecuredJWT,
} from 'jose'
import type { Recorder } from '../evidence/evidence.js'
import { extensionOf, type Signer } from './assertions.js'

/** SHA-512 in lower-case hexadecimal, as published for all hashes of structured scopes. */
export function sha512(content: string): string {
  return createHash('sha512').update(content).digest('hex')
}

/** A field of a SignObject; the one with the least priority is shown first. */
export interface Field {
  key: string
  value: string
  priority: number
}

/** A SignObject of these fields, in whatever order they are given. */
export function signObject(fields: readonly Field[]): Record<string, unknown> {
  const ordered = [...fields].sort((a, b) => a.priority - b.priority)
  return { fields, signObject_hash: sha512(ordered.map(({ key, value }) => key + value).join('')) }
}

/** A document as it is served: a PDF of one page, which says its title. */
export function pdf(title: string): string {
  const text = title.replace(/[^\x20-\x7e]|[()\\]/g, '?')
  const stream = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  return `${body}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
}

/** A DocumentObject that tells of a document which is served at an address. */
export function documentObject(title: string, content: string, uri: string): Record<string, unknown> {
  return {
    document_id: randomUUID(),
    document_hash: sha512(content),
    document_title: title,
    document_subject: 'Conformance',
    document_language: 'cs.CZ',
    document_author: 'The conformance harness',
    document_pages: 1,
    document_created: '2026-01-31T08:54:11+01:00',
    document_size: Buffer.byteLength(content),
    document_read_by_enduser: true,
    document_uri: uri,
  }
}

/** Documents in an envelope, in the order they are given. */
export function envelope(documents: readonly Record<string, unknown>[]): Record<string, unknown> {
  return {
    envelope_name: 'Conformance',
    envelope_hash: sha512(documents.map(({ document_hash }) => String(document_hash)).join('')),
    documents: documents.map((document, i) => ({ ...document, document_priority: i + 1 })),
  }
}

/** How a request object is encrypted: to a key of the bank (RFC 7516), or not at all. */
export type Encryption = { alg: string; enc: string; key: JWK } | 'none'

/** A key of the bank to encrypt to, as far as it can be one: that its key_ops say so too is the business of the rule about them. */
export function keyToEncrypt({ key_ops: _said, ...jwk }: JWK, alg: string): Promise<CryptoKey | Uint8Array> {
  return importJWK(jwk, alg)
}

/** Members of the header of a request object beside those that its signer gives it. */
export type HeaderMembers = Pick<CompactJWSHeaderParameters, 'typ'>

/** What the header of a JWT says that nobody signed (RFC 7518 section 3.6), in the letters of that and in others, which name no algorithm. */
export type Unsigned = 'none' | 'None' | 'NONE'

/** A JWT without a signature (RFC 7519 section 6). */
function unsignedJwt(claims: unknown, header: { alg: Unsigned }): string {
  return new UnsecuredJWT(Object(claims))
    .encode()
    .replace(/^[^.]*/, Buffer.from(JSON.stringify(header)).toString('base64url'))
}

async function signedOrNot(claims: unknown, signer: Signer | Unsigned, members: HeaderMembers) {
  if (typeof signer === 'string') return { header: { alg: signer }, jws: unsignedJwt(claims, { alg: signer }) }
  const { alg, kid, leading, privateKey } = signer
  const extension = extensionOf(signer)
  const header = { alg, ...members, ...leading, ...(kid && { kid }), ...extension.header }
  const payload = new TextEncoder().encode(JSON.stringify(claims))
  const jws = await new CompactSign(payload).setProtectedHeader(header).sign(privateKey, extension.options)
  return { header, jws }
}

/**
 * Signs a request object and encrypts it (RFC 9101 section 6.2), and records what it says.
 *
 * @param claims or JSON of another type, which is no set of claims
 */
export async function nestedJwtRequestObject(
  claims: unknown,
  signer: Signer | Unsigned,
  encryption: Encryption,
  evidence: Recorder,
  members: HeaderMembers = {},
): Promise<string> {
  const { header, jws } = await signedOrNot(claims, signer, members)
  evidence.opened('request object', header, claims)
  if (encryption === 'none') return jws
  const { alg, enc, key } = encryption
  return new CompactEncrypt(new TextEncoder().encode(jws))
    .setProtectedHeader({ alg, enc, cty: 'JWT', ...(key.kid && { kid: key.kid }) })
    .encrypt(await keyToEncrypt(key, alg))
}
