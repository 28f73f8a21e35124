import { constants, createPrivateKey, randomUUID, sign } from 'node:crypto'
import type { JWK } from 'jose'
import { assertionType } from '../provider/assertion.js'
import { bankForFile } from '../testing/banks.js'
import { clientKeyPairs } from '../testing/client-key-pairs.js'
import { serveHttps } from '../testing/https-server.js'
import { requestClaims } from '../testing/request-objects.js'

const { bank, service, client } = await bankForFile()

/** A JWS whose header and claims may be anything, signed as its key signs. */
function jws(header: object | string, claims: object | string, jwk: JWK): string {
  const encoded = [header, claims].map((part) => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)))
  const data = encoded.map((part) => part.toString('base64url')).join('.')
  const key = createPrivateKey({ key: jwk as never, format: 'jwk' })
  const signature =
    jwk.kty === 'EC'
      ? sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' })
      : sign('sha512', Buffer.from(data), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 })
  return `${data}.${signature.toString('base64url')}`
}

const nested = `${'['.repeat(8000)}${']'.repeat(8000)}`
const noString = { toString: 1, valueOf: 1 }

const oddHeaders: Record<string, object> = {
  'b64 that is false': { b64: false },
  'b64 that is false, in crit': { b64: false, crit: ['b64'] },
  'b64 that is null': { b64: null },
  'an alg that is an object': { alg: noString },
  'a typ that is an object': { typ: noString },
  'a kid that is an object': { kid: noString },
  'a kid that is a number': { kid: 7 },
  'crit that is an object': { crit: noString },
}

const oddClaims: Record<string, object> = {
  'a sub that is an object': { sub: noString },
  'an iss that is an object': { iss: noString },
  'an aud that is an object': { aud: noString },
  'aud of objects': { aud: [noString] },
  'a jti that is an object': { jti: noString },
  'an exp that is an object': { exp: noString },
  'an nbf that is a string': { nbf: '0' },
  'an nbf that is null': { nbf: null },
  'an nbf that is an object': { nbf: noString },
  'an nbf beyond numbers': { nbf: 'Infinity' },
  'a prototype': { ['__proto__']: noString, sub: noString },
}

/** As the library of the service writes it, with a deep sub. */
const deep = (claims: object) => JSON.stringify({ ...claims, sub: 'DEEP' }).replace('"DEEP"', nested)

const now = () => Math.floor(Date.now() / 1000)

interface Kind {
  name: string
  key: JWK
  claims(): Record<string, unknown>
  send(jwt: string): Promise<{ status: number; body: unknown }>
  error: string
  /** The status of a refusal; 400 or 401 when left out. */
  refusal?: number
  /** The error where it is no JWT at all. */
  noJwt?: string
}

const { signing } = clientKeyPairs
const [serviceKey] = bank.identity.service.jwks.keys as JWK[]
const registered = await service.client({ request_object_signing_alg: 'ES256' })

/** What is to be read at request_uri. */
let object = ''
const objects = await serveHttps(bank.identity.service.certificate, (_req, res) => res.end(object))
afterAll(() => objects.close())
const request_uri = `${objects.url}/object`
const byReference = await service.client({ request_uris: [request_uri] })

const kinds: Kind[] = [
  {
    name: 'an assertion at /token',
    key: signing,
    claims: () => ({
      iss: client.client_id,
      sub: client.client_id,
      aud: `${bank.issuer}/token`,
      jti: randomUUID(),
      iat: now(),
      exp: now() + 60,
    }),
    send: (client_assertion) =>
      service.http('post', '/token').type('form').send({
        grant_type: 'refresh_token',
        refresh_token: 'r',
        client_assertion,
        client_assertion_type: assertionType,
      }),
    error: 'invalid_client',
  },
  {
    name: 'an assertion at /register',
    key: serviceKey as JWK,
    claims: () => ({ aud: `${bank.issuer}/register`, jti: randomUUID(), iat: now(), exp: now() + 60 }),
    send: (client_assertion) =>
      service
        .http('post', '/register', { mutualTls: true })
        .set({ client_assertion, client_assertion_type: assertionType })
        .send(service.record()),
    error: 'invalid_token',
  },
  {
    name: 'a request object at /ros',
    key: service.requestKey,
    claims: () => requestClaims(registered),
    send: async (jwt) =>
      service
        .http('post', '/ros', { mutualTls: true })
        .type('application/jwe')
        .send(await service.encryptToBank(jwt)),
    error: 'invalid_request_object',
  },
  {
    name: 'a request object at request_uri',
    key: signing,
    claims: () => ({ iss: byReference.client_id, aud: bank.issuer, max_age: 60 }),
    async send(jwt) {
      object = jwt
      const { client_id, redirect_uri } = byReference
      const query = {
        client_id,
        redirect_uri,
        response_type: 'code',
        scope: 'openid',
        state: 's',
        nonce: 'n',
        request_uri,
      }
      const { status, headers } = await service.http('get', '/auth').query(query)
      const { error } = Object.fromEntries(new URL(String(headers.location), bank.issuer).searchParams)
      return { status, body: { error } }
    },
    error: 'invalid_request_object',
    refusal: 302,
    noJwt: 'invalid_request_uri',
  },
]

const headerOf = ({ alg, kid }: JWK) => ({ alg, kid })

describe.each(kinds)('$name', ({ key, claims, send, error, refusal, noJwt = error }) => {
  const refusals = refusal === undefined ? [400, 401] : [refusal]

  test('is taken as it should be', async () => {
    const { status, body } = await send(jws(headerOf(key), claims(), key))
    expect([status, body]).not.toMatchObject([status, { error }])
  })

  test.each(Object.entries(oddHeaders))('with %s is refused', async (_case, odd) => {
    const { status, body } = await send(jws({ ...headerOf(key), ...odd }, claims(), key))
    expect(refusals).toContain(status)
    expect(body).toMatchObject({ error: expect.stringMatching(`^(${error}|${noJwt})$`) })
  })

  test.each(Object.entries(oddClaims))('with %s ends in no failure of the bank', async (_case, odd) => {
    const { status } = await send(jws(headerOf(key), { ...claims(), ...odd }, key))
    expect(status).toBeLessThan(500)
  })

  test.each(['"0"', 'null', '{}', '[1]', 'true', '1e400', '-1e400'])('with nbf %s is refused', async (nbf) => {
    const text = JSON.stringify({ ...claims(), nbf: 'NBF' }).replace('"NBF"', nbf)
    const { status, body } = await send(jws(headerOf(key), text, key))
    expect(refusals).toContain(status)
    expect(body).toMatchObject({ error })
  })

  test('with a sub that is nested deeply ends in no failure of the bank', async () => {
    expect((await send(jws(headerOf(key), deep(claims()), key))).status).toBeLessThan(500)
  })
})
