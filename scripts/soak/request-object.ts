import { createHash } from 'node:crypto'
import { CompactEncrypt, importJWK, type JWK, SignJWT } from 'jose'
import type { LiveBank } from './live-bank.js'

/** Registers a request object, for its person to authorize. @returns its request_uri */
export async function requestObject(live: LiveBank, txn: string): Promise<string> {
  const keys = live.bank.identity.service.jwks.keys
  const key = keys.find(({ alg }) => alg === 'ES256') as JWK
  const fields = [{ key: 'To', value: 'Library', priority: 1 }]
  const claims = {
    txn,
    client_id: live.client.client_id,
    nonce: 'N-1',
    state: 'S-1',
    acr_values: 'loa2',
    response_type: 'code',
    max_age: 300,
    scope: 'openid authorization',
    redirect_uri: `${live.url}/callback`,
    structured_scope: {
      signObject: { fields, signObject_hash: createHash('sha512').update('ToLibrary').digest('hex') },
    },
  }
  const signed = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: String(key.kid) }).sign(key)
  const { text } = await live.send({ method: 'GET', path: '/.well-known/jwks.json' })
  const to = (JSON.parse(text) as { keys: JWK[] }).keys.find(({ use }) => use === 'enc') as JWK
  const body = await new CompactEncrypt(new TextEncoder().encode(signed))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: String(to.kid), cty: 'JWT' })
    .encrypt(await importJWK(to, 'RSA-OAEP-256'))
  const headers = { 'content-type': 'application/jwe' }
  const answer = await live.send({ method: 'POST', path: '/ros', headers, body })
  if (answer.status !== 201) throw new Error(`/ros answered ${answer.status}: ${answer.text}`)
  return String(JSON.parse(answer.text).request_uri)
}

/** The way to the page of a request object. */
export function authorizePath({ url }: LiveBank, request_uri: string): string {
  return `/authorize?${new URLSearchParams({ request_uri, redirect_uri: `${url}/callback` })}`
}
