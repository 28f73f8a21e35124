import { generateKeyPairSync, randomUUID, sign, X509Certificate } from 'node:crypto'
import type { JWK } from 'jose'
import request from 'supertest'
import { runChecks } from '../checks.js'
import { nowSeconds } from '../clock.js'
import { issueCertificate } from '../keys/certificates.js'
import { toJwk } from '../keys/jwk.js'
import { assertionType } from '../provider/assertion.js'
import { callerChecks } from '../signing/caller-checks.js'
import { bankForFile, bankForTest } from '../testing/banks.js'
import { sign as signJws } from '../testing/client-key-pairs.js'
import { serveHttps } from '../testing/https-server.js'
import { withoutFaults } from '../testing/no-faults.js'
import { documentObject, documentObjects, requestClaims, sha512, signObject } from '../testing/request-objects.js'
import type { TestClient, TestService } from '../testing/service.js'

const { bank, service, client } = await bankForFile({}, { scope: 'openid authorization profile.name' })

const ros = (changes: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  service.registerRequestObject(requestClaims(client, changes), headers)

/** Two documents that have this priority. */
function withPriorities(document_priority: unknown) {
  const { documents, ...envelope } = documentObjects(2)
  return { ...envelope, documents: documents.map((document) => ({ ...document, document_priority })) }
}

async function refusal(changes: Record<string, unknown>) {
  const { status, body } = await ros(changes)
  return [status, body.error, body.error_description]
}

test('a request object is taken: 201 with a request_uri and the end of its life', async () => {
  const { status, body } = await ros()
  expect(status).toBe(201)
  expect(body.request_uri).toMatch(/^https:\/\/localhost:\d+\/ros\/[\w-]{43}$/)
  expect(body.exp - nowSeconds()).toBeGreaterThanOrEqual(300)
})

test.each([
  ['state', 2_048, 'state is longer than 2048 characters'],
  ['nonce', 7_000, 'the request is longer than 8192 characters as an address'],
])('a %s as long as one can be elsewhere is taken, and none that is longer is kept', async (name, length, why) => {
  expect((await ros({ [name]: 'x'.repeat(length) })).status).toBe(201)
  expect(await refusal({ [name]: 'x'.repeat(length + 2_000) })).toEqual([400, 'invalid_request_object', why])
})

test('without an access token an object lives longer than with one, and with one max_age to the second', async () => {
  const { body: tokens } = await service.login(client, 'openid authorization')
  const before = nowSeconds()
  const bound = await ros({}, { authorization: `Bearer ${tokens.access_token}` })
  const after = nowSeconds()
  expect(bound.body.exp).toBeGreaterThanOrEqual(before + 300)
  expect(bound.body.exp).toBeLessThanOrEqual(after + 300)
  expect((await ros()).body.exp).toBeGreaterThan(bound.body.exp)
})

test.each([
  ['a text and a document', { signObject: signObject(), documentObject: documentObject() }],
  ['ten documents', { documentObjects: documentObjects(10) }],
  [
    'hashes in capitals',
    { signObject: { ...signObject(), signObject_hash: signObject().signObject_hash.toUpperCase() } },
  ],
  ['documents in English', { documentObject: { ...documentObject(), document_language: 'en' } }],
])('%s are taken', async (_what, structured_scope) => {
  expect((await ros({ structured_scope })).status).toBe(201)
})

test.each<[Record<string, unknown>, string]>([
  [{ max_age: undefined }, 'max_age is missing.'],
  [{ max_age: 0 }, 'max_age must be 1 or more.'],
  [{ max_age: 366 * 86_400 }, 'max_age must be 31536000 seconds or less'],
  [{ nonce: undefined }, 'nonce is missing.'],
  [{ acr_values: undefined }, 'acr_values is missing.'],
  [{ acr_values: 'loa4' }, 'acr_values: loa4 is not among loa2, loa3'],
  [
    { acr_values: 'loa2', structured_scope: { documentObject: documentObject() } },
    'acr_values must contain loa3 to sign a document',
  ],
  [{ response_type: 'token' }, 'response_type: token is not among code, code id_token, code id_token token'],
  [{ redirect_uri: 'https://evil.example/callback' }, 'redirect_uri is not registered for this client'],
  [{ iss: 'another' }, 'iss of the request object must be the client_id'],
  [{ exp: 1_000_000_000 }, 'exp is in the past: the request object has expired'],
  [{ structured_scope: {} }, 'structured_scope must have at least 1 member.'],
  [{ structured_scope: null }, 'structured_scope must be an object, but is null.'],
  [{ structured_scope: [] }, 'structured_scope must be an object, but is a list.'],
  [
    { structured_scope: { signObject: signObject(), paymentObject: {} } },
    'structured_scope.paymentObject is not a known member; known are signObject, documentObject, documentObjects.',
  ],
  [
    { structured_scope: { documentObjects: documentObjects(11) } },
    'structured_scope.documentObjects.documents must have at most 10 items.',
  ],
  [
    { structured_scope: { documentObjects: { ...documentObjects(1), envelope_name: undefined } } },
    'structured_scope.documentObjects.envelope_name is missing.',
  ],
  [
    { structured_scope: { documentObjects: { ...documentObjects(2), envelope_hash: sha512('') } } },
    'structured_scope/documentObjects/envelope_hash does not match the hashes of the documents',
  ],
  [
    { structured_scope: { signObject: { ...signObject(), signObject_hash: sha512('') } } },
    'structured_scope/signObject/signObject_hash does not match the fields',
  ],
  [
    { structured_scope: { documentObjects: withPriorities(undefined) } },
    'structured_scope.documentObjects.documents.0.document_priority is missing.',
  ],
  [
    { structured_scope: { documentObjects: withPriorities(null) } },
    'structured_scope.documentObjects.documents.0.document_priority must be a whole number, but is null.',
  ],
  [
    { structured_scope: { documentObjects: withPriorities(1) } },
    'structured_scope.documentObjects.documents has items with the same document_priority.',
  ],
  [
    { id_token_hint: 'eyJ.eyJ.x' },
    'id_token_hint is not an id_token that this bank issued to this client, plain or encrypted to the bank',
  ],
])('what is wrong is refused by name (%#)', async (changes, reason) => {
  expect(await refusal(changes)).toEqual([400, 'invalid_request_object', reason])
})

test('openid and authorization are asked of a person who is not known yet', async () => {
  expect(await refusal({ scope: 'openid' })).toEqual([
    400,
    'invalid_scope',
    'scope must contain authorization in a request without an access token',
  ])
  const { body: tokens } = await service.login(client, 'openid authorization')
  expect((await ros({ scope: '' }, { authorization: `Bearer ${tokens.access_token}` })).status).toBe(201)
  expect((await ros({ scope: '' }, { authorization: 'Bearer nobody-issued-this' })).status).toBe(401)
})

test('an access token without the scope authorization is not enough', async () => {
  const { body: tokens } = await service.login(client, 'openid profile.name')
  const answer = await ros({}, { authorization: `Bearer ${tokens.access_token}` })
  const error_description = 'the access token lacks the scope authorization'
  expect([answer.status, answer.body]).toEqual([403, { error: 'insufficient_scope', error_description }])
  expect(answer.get('www-authenticate')).toBe(
    `Bearer error="insufficient_scope", error_description="${error_description}"`,
  )
})

test("another client's access token is refused with a challenge", async () => {
  const { body: tokens } = await service.login(
    await service.client({ scope: 'openid authorization' }),
    'openid authorization',
  )
  const answer = await ros({}, { authorization: `Bearer ${tokens.access_token}` })
  const error_description = 'the access token does not belong to this client'
  expect([answer.status, answer.body]).toEqual([401, { error: 'invalid_token', error_description }])
  expect(answer.get('www-authenticate')).toBe(`Bearer error="invalid_token", error_description="${error_description}"`)
})

test('a client that is not registered for authorization cannot ask for it', async () => {
  const other = await service.client({ scope: 'openid profile.name' })
  const { status, body } = await service.registerRequestObject(requestClaims(other))
  const error_description = 'scope: authorization is not registered for this client'
  expect([status, body]).toEqual([400, { error: 'invalid_scope', error_description }])
})

test('a client whose jwks_uri has no key to encrypt to is told so before its person comes', async () => {
  const keys = (await service.publishedKeys()).filter(({ use }) => use !== 'enc')
  const server = await serveHttps(bank.identity.service.certificate, (_req, res) => {
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ keys }))
  })
  const jwks_uri = `${server.url}/jwks.json`
  const keyless = await service.client({
    jwks_uri,
    scope: 'openid authorization',
    userinfo_encrypted_response_alg: undefined,
  })
  const { status, body } = await service.registerRequestObject(requestClaims(keyless))
  const error_description = `jwks_uri ${jwks_uri} contains no key for RSA-OAEP-256 (use enc)`
  expect([status, body]).toEqual([400, { error: 'unauthorized_client', error_description }])
  await server.close()
})

describe("a request object that is signed by the service's own key", () => {
  const ownKey = () => bank.identity.service.jwks.keys.find(({ alg }) => alg === 'ES256') as JWK
  const send = async (to: TestService, key: JWK, owner: TestClient) => {
    const body = await to.encryptToBank(await signJws(requestClaims(owner), key))
    return to.http('post', '/ros', { mutualTls: true }).set('content-type', 'application/jwe').send(body)
  }

  test('is taken, one that is signed by any other is not', async () => {
    expect((await send(service, ownKey(), client)).status).toBe(201)
    const stranger = await toJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'ES256')
    for (const kid of [stranger.kid, String(ownKey().kid), String(service.requestKey.kid)]) {
      const { status, body } = await send(service, { ...stranger, kid }, client)
      expect([status, body.error]).toEqual([400, 'invalid_request_object'])
      expect(body.error_description).toMatch(/^the signature of the request object cannot be verified: /)
    }
  })

  test.each([
    ['client', 201, 400],
    ['service', 400, 201],
  ] as const)('is taken as the reading of AMB-72 says: %s', async (reading, client, service) => {
    const other = await bankForTest({ readings: { 'AMB-72': reading } })
    const owner = await other.service.client({ scope: 'openid authorization' })
    expect((await other.service.registerRequestObject(requestClaims(owner))).status).toBe(client)
    expect((await send(other.service, ownKey(), owner)).status).toBe(service)
  })
})

test('a client registered for a secret is refused', async () => {
  const other = await service.client({ token_endpoint_auth_method: 'client_secret_post' })
  const { body } = await service.registerRequestObject(requestClaims(other))
  expect(body.error).toBe('unauthorized_client')
})

test('what is not encrypted, or not signed with ES256 or PS256, is refused', async () => {
  const send = (body: string) =>
    service.http('post', '/ros', { mutualTls: true }).set('content-type', 'application/jwe').send(body)
  const plain = (header: object) =>
    `${[header, requestClaims(client)].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
  expect((await send(plain({ alg: 'none' }))).body.error_description).toMatch(/^the request object is not encrypted/)
  for (const alg of ['none', 'RS256', 'PS512']) {
    const { body } = await send(await service.encryptToBank(`${plain({ alg })}AAAA`))
    expect(body.error_description).toBe(`alg of the request object: ${alg} is not among PS256, ES256`)
  }
})

test('a client certificate is required', async () => {
  const encrypted = await service.signAndEncryptRequestObject(requestClaims(client))
  const answer = await service.http('post', '/ros').set('content-type', 'application/jwe').send(encrypted)
  expect([answer.status, answer.body.error, answer.get('www-authenticate')]).toEqual([401, 'invalid_client', 'Bearer'])
})

describe('an EC key below 256 bits', () => {
  test('REG-20[client-auth=certificate]: as key of the client certificate is refused', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp224r1' })
    const cert = await issueCertificate(bank.identity.authority, privateKey, {
      commonName: 'weak',
      usages: ['client'],
    })
    const calling = request(bank.issuer)
      .post('/ros')
      .ca(bank.identity.authority.cert)
      .cert(cert)
      .key(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
      .send('x')
    // The TLS library does not even let it in; where one would, the bank's own check stands.
    await expect(calling).rejects.toThrow(/EPROTO|ECONNRESET|alert/)
    const certificate = { certificate: new X509Certificate(cert), thumbprint: '', trusted: true }
    await expect(runChecks(callerChecks, { certificate }, withoutFaults())).rejects.toThrow(
      'the EC key of the client certificate has 224 bits; it must have 256 or more',
    )
  })

  test('REG-20[part=signature]: as key of an assertion is refused', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp224r1' })
    const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-56)
    const [x, y] = [point.subarray(0, 28), point.subarray(28)].map((half) => half.toString('base64url'))
    const jwk = { kty: 'EC', crv: 'P-224', x, y, kid: 'weak', alg: 'ES256', use: 'sig' }
    const server = await serveHttps(bank.identity.service.certificate, (_req, res) => {
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify({ keys: [jwk] }))
    })
    const weak = await service.client({
      jwks_uri: `${server.url}/jwks.json`,
      userinfo_encrypted_response_alg: undefined,
    })
    const now = nowSeconds()
    const claims = { iss: weak.client_id, sub: weak.client_id, aud: `${bank.issuer}/token`, iat: now, exp: now + 60 }
    const input = [
      { alg: 'ES256', kid: 'weak' },
      { ...claims, jti: randomUUID() },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const answer = await service
      .http('post', '/token')
      .type('form')
      .send({
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: weak.redirect_uri,
        client_assertion_type: assertionType,
        client_assertion: `${input}.${signature.toString('base64url')}`,
      })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client'])
    await server.close()
  })
})
