import { CompactSign, exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose'
import { bankForFile } from '../testing/banks.js'
import { serveHttps, type TestServer } from '../testing/https-server.js'

const algs = ['PS512', 'ES512', 'ES256'] as const
type Alg = (typeof algs)[number]

const { bank, service } = await bankForFile()
let server: TestServer
let pairs: Record<Alg, GenerateKeyPairResult>
let object: string

beforeAll(async () => {
  const made = await Promise.all(algs.map((alg) => generateKeyPair(alg)))
  pairs = Object.fromEntries(algs.map((alg, i) => [alg, made[i]])) as Record<Alg, GenerateKeyPairResult>
  const keys = await Promise.all(
    algs.map(async (alg) => ({ ...(await exportJWK(pairs[alg].publicKey)), alg, kid: alg })),
  )
  server = await serveHttps(bank.identity.service.certificate, (req, res) => {
    res.end(req.url === '/jwks.json' ? JSON.stringify({ keys }) : object)
  })
})

afterAll(() => server.close())

/**
 * How GET /auth answers a request whose object is signed so, for a client that registered an algorithm: by a page, or an error.
 * @param further claims of the object
 * @param deep JSON of one more, in the text of which it stands as it is
 */
async function answerTo(
  signedWith: Alg,
  request_object_signing_alg?: string,
  further: object = {},
  deep?: string,
): Promise<string> {
  const request_uri = `${server.url}/object`
  const { client_id, redirect_uri } = await service.client({
    jwks_uri: `${server.url}/jwks.json`,
    request_uris: [request_uri],
    ...(request_object_signing_alg && { request_object_signing_alg }),
  })
  object = await new SignJWT({ client_id, aud: bank.issuer, ...further })
    .setProtectedHeader({ alg: signedWith, kid: signedWith })
    .sign(pairs[signedWith].privateKey)
  if (deep !== undefined) {
    const text = JSON.stringify({ client_id, aud: bank.issuer, ...further }).replace(/}$/, `,"claims":${deep}}`)
    object = await new CompactSign(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: signedWith, kid: signedWith })
      .sign(pairs[signedWith].privateKey)
  }
  const query = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's', nonce: 'n', request_uri }
  const { headers } = await service.http('get', '/auth').query(query)
  const { pathname, searchParams } = new URL(String(headers.location), bank.issuer)
  return searchParams.get('error') ?? pathname.split('/')[1] ?? ''
}

test.each<[Alg, string | undefined, string]>([
  ['PS512', undefined, 'interaction'],
  ['PS512', 'PS512', 'interaction'],
  ['ES512', 'PS512', 'invalid_request_object'],
  ['ES256', undefined, 'invalid_request_object'],
  // Algorithms of the signing flow hold there alone.
  ['ES256', 'ES256', 'invalid_request_object'],
  ['PS512', 'ES256', 'interaction'],
])(
  'REG-23, AMB-12: a request object signed with %s of a client that registered %s leads to %s',
  async (alg, registered, end) => {
    expect(await answerTo(alg, registered)).toBe(end)
  },
)

test.each([
  [{ nonce: 5 }, 'invalid_request_object'],
  [{ state: { a: 1 } }, 'invalid_request_object'],
  [{ scope: ['openid'] }, 'invalid_request_object'],
  [{ max_age: null }, 'invalid_request_object'],
  [{ exp: '9999999999' }, 'invalid_request_object'],
  [{ registration: { client_name: 'Another' } }, 'registration_not_supported'],
  // As long as what can be asked for without one.
  [{ state: 's'.repeat(2_048) }, 'interaction'],
  [{ state: 's'.repeat(2_049) }, 'invalid_request_object'],
  [{ nonce: 'n'.repeat(7_000) }, 'interaction'],
  [{ nonce: 'n'.repeat(8_192) }, 'invalid_request_object'],
  [{ ui_locales: Array.from({ length: 4_000 }, () => 'cs').join(' ') }, 'invalid_request_object'],
  [{ max_age: 3600, claims: { userinfo: { email: null } } }, 'interaction'],
  // An empty parameter counts as left out, an unknown one is ignored.
  [{ nonce: '', resource: 'https://elsewhere.example', require: true }, 'interaction'],
])('a request object that says %j leads to %s', async (further, end) => {
  expect(await answerTo('PS512', undefined, further)).toBe(end)
})

test.each([200, 8_000, 20_000])('a request object that nests %i levels deep is none', async (levels) => {
  const deep = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  expect(await answerTo('PS512', undefined, {}, deep)).toBe('invalid_request_uri')
})
