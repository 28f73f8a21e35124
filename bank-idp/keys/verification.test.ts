import { constants, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { assertionType } from '../provider/assertion.js'
import { bankForFile } from '../testing/banks.js'
import { serveHttps, type TestServer } from '../testing/https-server.js'
import type { TestClient } from '../testing/service.js'

const { bank, service } = await bankForFile()
let server: TestServer
let client: TestClient
let signers: CryptoKey[]
let published: JWK[]

beforeAll(async () => {
  server = await serveHttps(bank.identity.service.certificate, (_req, res) => {
    res.end(JSON.stringify({ keys: published }))
  })
  const pairs = await Promise.all(Array.from({ length: 4 }, () => generateKeyPair('ES512')))
  signers = pairs.map(({ privateKey }) => privateKey)
  // None of them has a kid, and the last is not published.
  published = await Promise.all(pairs.slice(0, 3).map(({ publicKey }) => exportJWK(publicKey)))
  client = await service.client({
    jwks_uri: `${server.url}/jwks.json`,
    token_endpoint_auth_signing_alg: 'ES512',
  })
})

afterAll(() => server.close())

async function ask(signer: CryptoKey, header: { kid?: string } = {}, { client_id }: TestClient = client) {
  const aud = `${bank.issuer}/token-info`
  const assertion = new SignJWT({ iss: client_id, sub: client_id, aud, jti: randomUUID() })
  const client_assertion = await assertion
    .setProtectedHeader({ alg: 'ES512', ...header })
    .setIssuedAt()
    .setExpirationTime('1 minute')
    .sign(signer)
  const form = { token: 'none', client_assertion, client_assertion_type: assertionType }
  return service.http('post', '/token-info').type('form').send(form)
}

test('REG-18 of several keys without kid that fit, each verifies an assertion without kid, and no other key does', async () => {
  const answers = await Promise.all(signers.map((signer) => ask(signer)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401])
  expect(answers[3]?.body).toEqual({
    error: 'invalid_client',
    error_description: 'the signature of client_assertion cannot be verified: signature verification failed',
  })
})

test('of more keys that fit than can be tried none is, unless a kid names one', async () => {
  const [known] = published
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ ...known, kid: `k${i}` }))
  const askOf = async (count: number, header?: { kid: string }) => {
    const before = published
    published = many(count)
    try {
      const jwks_uri = `${client.record.jwks_uri}?${randomUUID()}`
      return await ask(signers[0] as CryptoKey, header, await service.client({ jwks_uri }))
    } finally {
      published = before
    }
  }
  expect((await askOf(20)).status).toBe(200)
  expect((await askOf(21)).body.error_description).toBe(
    'the signature of client_assertion cannot be verified: more than 20 keys of the key set fit: its kid has to name one of them alone',
  )
  expect((await askOf(900, { kid: 'k7' })).status).toBe(200)
})

/** Publishes RSA keys, and asks with an assertion by one of them. */
async function askByRsa(pairs: ReturnType<typeof rsaPair>[], signer: ReturnType<typeof rsaPair>) {
  published = pairs.map(({ publicKey }) => publicKey.export({ format: 'jwk' }) as JWK)
  // At an address of its own, so that no earlier key set is remembered.
  const jwks_uri = `${client.record.jwks_uri}?${randomUUID()}`
  const { client_id } = await service.client({ jwks_uri })
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: client_id, sub: client_id, aud: `${bank.issuer}/token-info`, iat: now, exp: now + 60 }
  const input = [{ alg: 'PS512' }, { ...claims, jti: randomUUID() }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  const signature = sign('sha512', Buffer.from(input), { key: signer.privateKey, ...padding }).toString('base64url')
  const form = { token: 'none', client_assertion: `${input}.${signature}`, client_assertion_type: assertionType }
  const { status, body } = await service.http('post', '/token-info').type('form').send(form)
  return [status, body]
}

const rsaPair = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength })

const short = [
  401,
  {
    error: 'invalid_client',
    error_description: 'the RSA key of client_assertion has 1536 bits; it must have 2048 or more',
  },
]

test('an RSA key below 2048 bits is refused by its size, before the signature is looked at', async () => {
  const pair = rsaPair(1536)
  expect(await askByRsa([pair], pair)).toEqual(short)
  expect(await askByRsa([pair], rsaPair(1536))).toEqual(short)
  expect(await askByRsa([rsaPair(1024), pair], pair)).toEqual(short)
})

test('an RSA key below 2048 bits verifies nothing beside a longer one, which verifies what it signed', async () => {
  const [little, long] = [rsaPair(1536), rsaPair(2048)]
  expect(await askByRsa([little, long], long)).toEqual([200, { active: false }])
  expect(await askByRsa([little, long], little)).toEqual([
    401,
    {
      error: 'invalid_client',
      error_description: 'the signature of client_assertion cannot be verified: signature verification failed',
    },
  ])
})

test('an assertion that names a kid is verified by the key of that kid alone', async () => {
  const [signer] = signers
  const { status, body } = await ask(signer as CryptoKey, { kid: 'unknown' })
  expect([status, body.error]).toEqual([401, 'invalid_client'])
})
