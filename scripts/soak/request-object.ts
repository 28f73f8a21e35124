import { createHash } from 'node:crypto'
import { CompactEncrypt, CompactSign, importJWK, type JWK } from 'jose'
import type { LiveBank } from './live-bank.js'

/** Claims of a request object for its person to authorize. */
export function requestClaims({ client, url }: LiveBank, txn: string): object {
  const fields = [{ key: 'To', value: 'Library', priority: 1 }]
  return {
    txn,
    client_id: client.client_id,
    nonce: 'N-1',
    state: 'S-1',
    acr_values: 'loa2',
    response_type: 'code',
    max_age: 300,
    scope: 'openid authorization',
    redirect_uri: `${url}/callback`,
    structured_scope: {
      signObject: { fields, signObject_hash: createHash('sha512').update('ToLibrary').digest('hex') },
    },
  }
}

/** @returns signs claims as the service does, whatever JSON they are, and encrypts them to the bank */
export async function sealedForRos(live: LiveBank): Promise<(claims: string) => Promise<string>> {
  const own = live.bank.identity.service.jwks.keys.find(({ alg }) => alg === 'ES256') as JWK
  const key = await importJWK(own, 'ES256')
  const { text } = await live.send({ method: 'GET', path: '/.well-known/jwks.json' })
  const to = (JSON.parse(text) as { keys: JWK[] }).keys.find(({ use }) => use === 'enc') as JWK
  const encryptionKey = await importJWK(to, 'RSA-OAEP-256')
  return async (claims) => {
    const signing = new CompactSign(Buffer.from(claims)).setProtectedHeader({ alg: 'ES256', kid: String(own.kid) })
    return new CompactEncrypt(Buffer.from(await signing.sign(key)))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: String(to.kid), cty: 'JWT' })
      .encrypt(encryptionKey)
  }
}

/** Registers a request object, for its person to authorize. @returns its request_uri */
export async function requestObject(live: LiveBank, txn: string): Promise<string> {
  const seal = await sealedForRos(live)
  const body = await seal(JSON.stringify(requestClaims(live, txn)))
  const headers = { 'content-type': 'application/jwe' }
  const answer = await live.send({ method: 'POST', path: '/ros', headers, body })
  if (answer.status !== 201) throw new Error(`/ros answered ${answer.status}: ${answer.text}`)
  return String(JSON.parse(answer.text).request_uri)
}

/** The way to the page of a request object. */
export function authorizePath({ url }: LiveBank, request_uri: string): string {
  return `/authorize?${new URLSearchParams({ request_uri, redirect_uri: `${url}/callback` })}`
}
