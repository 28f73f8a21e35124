import { randomUUID, webcrypto } from 'node:crypto'
import fc from 'fast-check'
import { exportJWK, generateKeyPair } from 'jose'
import { schema } from '../../schemas/index.js'
import { answers } from './fuzz-answers.js'
import { jsonOf } from './fuzz-schemas.js'
import { anyCharacters, hostileJson, hostileJwt } from './fuzz-texts.js'
import type { Fetched, Make, Values } from './fuzz-values.js'
import type { LiveBank, LiveClient } from './live-bank.js'

/** Addresses that one client names for its request objects, and clients that are known for each kind of key set. */
const counts = { objects: 400, clients: 24, encrypting: 6 }

const { subtle } = webcrypto

const pathOf = { object: (n: number) => `/fetched/object/${n}`, keys: (id: string) => `/fetched/keys/${id}` }

/** Registers those who name the addresses. */
export async function makeFetched(live: LiveBank): Promise<Fetched> {
  const objects = Array.from({ length: counts.objects }, (_, n) => live.url + pathOf.object(n))
  const keySet = live.documents.get('/jwks.json') as string
  const withKeys = async (): Promise<LiveClient> => {
    const path = pathOf.keys(randomUUID())
    live.documents.set(path, keySet)
    const client = await live.register({ jwks_uri: live.url + path })
    return { ...client, jwks_path: path }
  }
  const requesting = await live.register({ request_uris: objects })
  const signing = await Promise.all(Array.from({ length: counts.clients }, withKeys))
  const encrypting: Fetched['encrypting'] = []
  for (let count = 0; count < counts.encrypting; count += 1) {
    const client = await withKeys()
    const browser = live.beside(client)
    const { access_token: token } = JSON.parse((await browser.redeem(await browser.code())).text)
    await browser.hangUp()
    encrypting.push({ client, token })
  }
  return { requesting, signing, encrypting, served: live.served }
}

const { publicKey } = await generateKeyPair('RSA-OAEP-256', { extractable: true })
const goodKey = { ...(await exportJWK(publicKey)), use: 'enc', alg: 'RSA-OAEP-256', kid: 'enc' }

/** Numbers that no key has. */
const oddKeys = fc.constantFrom<object>(
  { ...goodKey, e: 'AQ' },
  { ...goodKey, e: '' },
  { ...goodKey, n: 'AQAB' },
  { ...goodKey, n: 'A'.repeat(60_000) },
  { ...goodKey, n: `${'_'.repeat(2_731)}` },
  { ...goodKey, kty: 'EC', crv: 'P-521', x: 'AA', y: 'AA' },
  { kty: 'oct', k: 'AA', use: 'sig', kid: 'sig' },
  { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), use: 'sig', kid: 'sig' },
  { ...goodKey, x5c: ['AAAA'], x5u: 'http://169.254.169.254/' },
  { ...goodKey, key_ops: 'x', ext: {}, d: 'AA' },
)

const keySets = fc.oneof(
  hostileJson,
  jsonOf(schema('key-set')).map((make) => make({ keys: [goodKey] })),
  jsonOf(schema('key-set')).map((make) => make()),
  fc.array(oddKeys, { minLength: 1, maxLength: 3 }).map((keys) => JSON.stringify({ keys })),
  oddKeys.map((key) => JSON.stringify({ keys: Array(20).fill(key) })),
)

const keySet: fc.Arbitrary<Make> = fc.tuple(answers(keySets), fc.nat(), fc.boolean()).map(
  ([served, at, encrypts]): Make =>
    async ({ live, fetched: { signing, encrypting, served: all } }) => {
      if (encrypts) {
        const { client, token } = encrypting[at % encrypting.length] as Fetched['encrypting'][number]
        all.set(String(client.jwks_path), served)
        return { method: 'GET', path: at % 2 ? '/userinfo' : '/profile', headers: { authorization: `Bearer ${token}` } }
      }
      const client = signing[at % signing.length] as LiveClient
      all.set(String(client.jwks_path), served)
      // Its key is one that was not seen before.
      const assertion = await live.beside(client).assertion('/token-info', {}, `kid-${at}`)
      const body = new URLSearchParams({ token: 'none', client_id: client.client_id, ...assertion }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return { method: 'POST', path: '/token-info', headers, body }
    },
)

/** A request object, with claims and a header of any kind, by the client's own key or nobody's. */
const objectHeaders = fc.oneof(
  fc.constant('{"alg":"ES512","kid":"sig"}'),
  fc.constant('{"alg":"ES512","kid":"sig","typ":"oauth-authz-req+jwt"}'),
  fc.constantFrom(
    '{"alg":"ES512","kid":"sig","crit":["b64"],"b64":false}',
    '{"alg":"ES512","kid":"sig","zip":"DEF"}',
    '{"alg":"ES512","kid":{"a":[]}}',
    '{"alg":"ES512","jwk":{"kty":"oct","k":"AA"}}',
    '{"alg":"ES512","kid":"sig","x5u":"http://169.254.169.254/","jku":"file:///"}',
  ),
)

const requestObject: fc.Arbitrary<Make> = fc
  .tuple(
    objectHeaders,
    jsonOf(schema('request-object')),
    fc.boolean(),
    fc.option(answers(fc.oneof(hostileJwt, hostileJson, anyCharacters(99))), { freq: 2 }),
    fc.nat({ max: counts.objects - 1 }),
    answers(fc.constant('')),
  )
  .map(
    ([header, claims, bare, hostile, at]): Make =>
      async (values) => {
        const { live, fetched } = values
        const { client_id } = fetched.requesting
        const good = { client_id, response_type: 'code', redirect_uri: `${live.url}/callback`, scope: 'openid' }
        const jws = await signed(header, claims(bare ? {} : { ...good, state: 'S', nonce: 'N' }), values)
        fetched.served.set(pathOf.object(at), hostile ?? ((res) => res.writeHead(200).end(jws)))
        const request_uri = live.url + pathOf.object(at)
        return { method: 'GET', path: `/auth?${live.query({ client_id, request_uri })}` }
      },
  )

/** A JWS by the client's key, whatever its header and claims say: libraries refuse to make most of them. */
export async function signed(header: string, claims: string, { live }: Values): Promise<string> {
  const input = [header, claims].map((part) => Buffer.from(part).toString('base64url')).join('.')
  const signature = await subtle.sign({ name: 'ECDSA', hash: 'SHA-512' }, live.signing.key, Buffer.from(input))
  return `${input}.${Buffer.from(signature).toString('base64url')}`
}

const sectorDocuments = fc.oneof(
  hostileJson,
  fc
    .array(fc.oneof(fc.string(), fc.webUrl(), fc.constant('https://app.example/cb')))
    .map((uris) => JSON.stringify(uris)),
  fc.constant(JSON.stringify(Array(20_000).fill('https://a.example/'))),
)

const sector: fc.Arbitrary<Make> = fc.tuple(answers(sectorDocuments), fc.nat({ max: 99 }), fc.nat({ max: 9 })).map(
  ([served, at, good]): Make =>
    async ({ live, fetched }) => {
      const path = `/fetched/sector/${at}`
      const listed = JSON.stringify([`${live.url}/callback`])
      fetched.served.set(path, good > 0 ? served : (res) => res.writeHead(200).end(listed))
      const record = live.record({ sector_identifier_uri: live.url + path, subject_type: 'pairwise' })
      return {
        method: 'POST',
        path: '/register',
        headers: await live.registrationHeaders(),
        body: JSON.stringify(record),
      }
    },
)

/** Requests that have the bank fetch what is hostile. */
export const fetchedDocuments: Record<string, fc.Arbitrary<Make>> = {
  'key sets that it fetches': keySet,
  'request objects that it fetches': requestObject,
  'sector documents that it fetches': sector,
}
