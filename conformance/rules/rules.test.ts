import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { examine } from '../examine.js'
import { bankForTest } from '../testing/banks.js'
import { changed, changedBody, changedRedirect, without } from '../testing/changed-answers.js'
import { html, json, type Replaced, type Route, type Routes } from '../testing/https-server.js'

const notFound = () => json({}, 404)

const document = 'GET /.well-known/openid-configuration'
const keySet = 'GET /.well-known/jwks.json'
const health = 'GET /healthcheck'
const register = 'POST /register'
const consent = 'POST /consent'
const token = 'POST /token'
const userinfo = 'GET /userinfo'

async function resultOf(id: string, wrong: Replaced) {
  const { target } = await bankForTest(wrong)
  const { results } = await examine({ target, only: [id] })
  return results[0]
}

describe('a bank that is wrong fails the rule about it', () => {
  test.each<[string, Replaced, string]>([
    ['discovery/document', changed(document, () => json({}, 401)), 'should have status 200, but has 401'],
    ['discovery/document', changed(document, () => html('<p>')), 'should be application/json, but is text/html'],
    ['discovery/document', changedBody(document, without('issuer')), 'issuer of the discovery document should be'],
    ['key-set/document', changedBody(keySet, ({ keys }) => keys), 'the key set should be a JSON object'],
    ['key-set/document', changedBody(keySet, () => ({ keys: [] })), 'should be a JSON array that is not empty'],
    ['key-set/document', changedBody(keySet, () => ({ keys: [{ kid: 'a' }] })), 'kty of keys[0] of the key set'],
    ['key-set/document', changed(keySet, notFound), 'should have status 200, but has 404'],
    ['health/record', changedBody(health, () => ({ up: true })), 'status of the health record should be'],
    ['health/record', changed(health, (answer) => ({ ...answer, status: 503 })), 'should have status 200, but has 503'],
    [
      'registration/create',
      changed(register, (answer) => ({ ...answer, status: 202 })),
      'should have status 200 or 201',
    ],
    [
      'registration/create',
      changedBody(register, without('client_id_issued_at')),
      'should have client_id_issued_at, but has only 27 others',
    ],
    [
      'registration/create',
      changedBody(register, without('redirect_uris', 'scope')),
      'should have redirect_uris, scope, but has only ',
    ],
    ['authorization/code', changedRedirect(consent, (url) => url.searchParams.delete('state')), 'but is []'],
    ['authorization/code', changedRedirect(consent, (url) => url.searchParams.append('state', 'b')), ',"b"]'],
    ['authorization/code', changedRedirect(consent, (url) => url.searchParams.delete('code')), 'but is null'],
    [
      'authorization/code',
      changedRedirect(consent, (url) => {
        url.hash = url.search.slice(1)
        url.search = ''
      }),
      'code in the query of the callback should be a non-empty string, but is null',
    ],
    ['authorization/code', changed(consent, (answer) => ({ ...answer, status: 303 })), 'status 302, but has 303'],
    ['token/code-exchange', changedBody(token, without('expires_in')), 'expires_in is missing.'],
    ['token/code-exchange', changed(token, (answer) => ({ ...answer, status: 201 })), 'status 200, but has 201'],
    ['token/scope-listed', changedBody(token, without('scope')), 'scope of the token response should be'],
    [
      'token/scope-listed',
      changedBody(token, (tokens) => ({ ...tokens, scope: 'openid profile.name' })),
      'profile.email',
    ],
    [
      'token/scope-listed',
      changedBody(token, (tokens) => ({ ...tokens, scope: 'openid openid' })),
      '["openid","openid"]',
    ],
    ['user-data/userinfo-needs-token', () => ({}), 'WWW-Authenticate should be a Bearer challenge, but is ""'],
    [
      'user-data/userinfo-needs-token',
      (own) => ({
        [userinfo]: async (request) => (request.headers.authorization ? (own[userinfo]?.(request) ?? 'cut') : json({})),
      }),
      'should have status 401 or 400, but has 200',
    ],
    ['profile/signed', () => ({}), 'the answer to GET /profile should have status 200, but has 404'],
    ['userinfo/signed', changed(userinfo, () => json({ sub: 'a' })), 'should be application/jwt'],
    [
      'userinfo/signed',
      changed(userinfo, (answer) => ({ ...answer, body: 'eyJhbGciOiJub25lIn0.e30.' })),
      'userinfo is not signed',
    ],
    [
      'userinfo/signed',
      changed(userinfo, (answer) => ({ ...answer, body: 'eyJhbGciOiJQUzUxMiIsImtpZCI6IngifQ.e30.c2ln' })),
      'userinfo is signed with key x, which the bank does not publish',
    ],
    [
      'userinfo/signed',
      changed(userinfo, (answer) => ({ ...answer, body: 'eyJhbGciOiJQUzUxMiIsImtpZCI6ImJhbmsifQ.e30.c2ln' })),
      'userinfo has a signature that the published key does not verify',
    ],
    [
      'userinfo/encrypted',
      changed(userinfo, (answer) => ({ ...answer, body: 'e30.e30.c2ln' })),
      'should be a compact JWE',
    ],
    [
      'userinfo/encrypted',
      changed(userinfo, (answer) => ({
        ...answer,
        body: answer.body?.replace(/[^.]+$/, 'AAAAAAAAAAAAAAAAAAAAAA') ?? '',
      })),
      "the JWE cannot be decrypted with the client's key",
    ],
  ])('%s', async (id, wrong, reason) => {
    const result = await resultOf(id, wrong)
    expect(result).toMatchObject({ status: 'fail', reason: expect.stringContaining(reason) })
  })

  test('registration/redirect-uri-not-https, whatever scheme is taken', async () => {
    const taking = (scheme: string) => (own: Routes) => ({
      [register]: (request: Parameters<Route>[0]) => {
        const record = JSON.parse(request.body)
        record.redirect_uris = record.redirect_uris.map((uri: string) => uri.replace(`${scheme}:`, 'https:'))
        return own[register]?.({ ...request, body: JSON.stringify(record) }) ?? 'cut'
      },
    })
    for (const scheme of ['http', 'com.example.app']) {
      expect(await resultOf('registration/redirect-uri-not-https', taking(scheme))).toMatchObject({
        status: 'fail',
        reason: `POST of a redirect URI of scheme ${scheme}: the answer to POST /register should have status 400, but has 200`,
      })
    }
  })
})

describe('a listed reading is recorded', () => {
  const secretPost = changedBody(document, (found) => ({
    ...found,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  }))
  const inTrouble = changedBody(health, (record) => ({ ...record, status: 'ERROR' }))

  test.each<[string, Replaced, string, string, string]>([
    [
      'registration/create',
      changed(register, (answer) => ({ ...answer, status: answer.status === 200 ? 201 : 400 })),
      'warn',
      'AMB-15',
      'created',
    ],
    [
      'registration/create',
      changedBody(register, without('client_secret')),
      'warn',
      'AMB-21',
      'unless-private-key-jwt',
    ],
    [
      'health/record',
      (own) => changed(health, (answer) => ({ ...answer, status: 503 }))(inTrouble(own)),
      'warn',
      'AMB-57',
      'service-unavailable',
    ],
    ['health/record', inTrouble, 'pass', 'AMB-57', 'ok'],
    ['userinfo/encrypted', () => ({}), 'pass', 'AMB-48', 'when-registered'],
  ])('%s', async (id, bank, status, ambiguity, reading) => {
    expect(await resultOf(id, bank)).toMatchObject({
      status,
      readings: expect.arrayContaining([expect.objectContaining({ ambiguity, reading })]),
    })
  })

  test('registration/create: client_secret may be absent for private_key_jwt alone', async () => {
    const secretless = (own: Routes) => ({
      ...secretPost(own),
      ...changedBody(register, without('client_secret'))(own),
    })
    expect(await resultOf('registration/create', secretless)).toMatchObject({
      status: 'fail',
      reason: expect.stringContaining('should have client_secret, but has only '),
    })
  })

  test('userinfo/encrypted: a registration without encryption may be refused', async () => {
    const refusing = (own: Routes) => ({
      [register]: (request: Parameters<Route>[0]) =>
        request.body.includes('userinfo_encrypted_response_alg')
          ? (own[register]?.(request) ?? 'cut')
          : json({ error: 'invalid_client_metadata', error_description: 'no encryption' }, 400),
    })
    expect(await resultOf('userinfo/encrypted', refusing)).toMatchObject({
      status: 'pass',
      readings: [expect.objectContaining({ ambiguity: 'AMB-48', reading: 'registration-required' })],
    })
  })
})

test('an at_hash under an alg that names no hash is not judged', async () => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'ed', alg: 'EdDSA', use: 'sig' }
  const edwards = (own: Routes): Routes => ({
    [keySet]: () => json({ keys: [jwk] }),
    [token]: async (request) => {
      const answer = await own[token]?.(request)
      if (typeof answer !== 'object') return 'cut'
      const tokens = JSON.parse(answer.body ?? '')
      const claims = { ...decodeJwt(tokens.id_token), at_hash: 'any' }
      const id_token = await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid: 'ed' }).sign(privateKey)
      return json({ ...tokens, id_token })
    },
  })
  expect(await resultOf('token/access-token-hash', edwards)).toMatchObject({
    status: 'skip',
    notes: ['at_hash cannot be judged: alg EdDSA of the id_token names no hash'],
  })
})

test('an at_hash is looked at under an alg that names a hash, where one is declared', async () => {
  const algorithms = ['EdDSA', 'ES512', 'PS512']
  const declaring = changedBody(document, (body) => ({ ...body, id_token_signing_alg_values_supported: algorithms }))
  const registered: unknown[] = []
  const watched = (own: Routes): Routes => ({
    ...declaring(own),
    [register]: (request) => {
      registered.push(JSON.parse(request.body).id_token_signed_response_alg)
      return own[register]?.(request) ?? 'cut'
    },
  })
  await resultOf('token/access-token-hash-es512', watched)
  expect(registered).not.toContain('EdDSA')
})

test('an id_token may give its times in fractions of seconds (RFC 7519 section 2)', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES512', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'own', alg: 'ES512', use: 'sig' }
  const fractions = (own: Routes): Routes => ({
    [keySet]: () => json({ keys: [jwk] }),
    [token]: async (request) => {
      const answer = await own[token]?.(request)
      if (typeof answer !== 'object') return 'cut'
      const tokens = JSON.parse(answer.body ?? '')
      const { exp = 0, iat = 0, ...claims } = decodeJwt(tokens.id_token)
      const times = { iat: iat + 0.25, exp: exp + 0.5 }
      const signed = new SignJWT({ ...claims, ...times }).setProtectedHeader({ alg: 'ES512', kid: 'own' })
      return json({ ...tokens, id_token: await signed.sign(privateKey) })
    },
  })
  expect(await resultOf('token/id-token-lifetime', fractions)).toMatchObject({ status: 'pass' })
})

describe('what is not there is no failure of a rule about what it is like', () => {
  test.each<[string, Replaced, string, object]>([
    ['key-set/certificates', () => ({}), 'skip', { reason: 'no key has x5c' }],
    [
      'registration/further-scopes',
      (own) => ({ ...own, [register]: notFound }),
      'blocked',
      { blockedBy: 'registration/create' },
    ],
  ])('%s', async (id, bank, status, more) => {
    expect(await resultOf(id, bank)).toMatchObject({ status, ...more })
  })
})

test('a page in place of every document is not served alike with X-Sep-identifier', async () => {
  const pages = () => ({ [document]: () => html('<p>Hello</p>'), [keySet]: () => html('<p>Hello</p>') })
  expect(await resultOf('general/sep-identifier-documents', pages)).toMatchObject({
    status: 'blocked',
    blockedBy: 'discovery/document',
  })
})

describe('a bank that leaves out, or writes, what it may is not failed', () => {
  const declaring = (found: object, ...left: string[]) =>
    changedBody(document, (own) => ({ ...without(...left)(own), ...found }))
  test.each<[string, string, Replaced, string]>([
    [
      'no algorithm of keys where secrets alone sign',
      'discovery/client-authentication',
      (own) => ({
        ...declaring({
          token_endpoint_auth_methods_supported: ['client_secret_jwt'],
          token_endpoint_auth_signing_alg_values_supported: ['HS512'],
        })(own),
        [register]: (request) =>
          JSON.parse(request.body).token_endpoint_auth_method === 'client_secret_jwt'
            ? (own[register]?.(request) ?? 'cut')
            : json({ error: 'invalid_client_metadata', error_description: 'not supported' }, 400),
      }),
      'warn',
    ],
    [
      'a type of JSON for health',
      'health/record',
      changed(health, (answer) => ({
        ...answer,
        headers: { ...answer.headers, 'content-type': 'application/health+json' },
      })),
      'pass',
    ],
    [
      'a grant that needs more than its name to be registered',
      'authorization/declared-flows',
      (own) => ({
        ...declaring({
          grant_types_supported: ['authorization_code', 'urn:openid:params:grant-type:ciba'],
          backchannel_token_delivery_modes_supported: ['poll'],
        })(own),
        [register]: (request) => {
          const { grant_types, backchannel_token_delivery_mode: mode } = JSON.parse(request.body)
          return grant_types.length > 1 && mode !== 'poll'
            ? json({ error: 'invalid_client_metadata', error_description: 'no mode' }, 400)
            : (own[register]?.(request) ?? 'cut')
        },
      }),
      'pass',
    ],
  ])('%s: %s', async (_what, id, bank, status) => {
    expect(await resultOf(id, bank)).toMatchObject({ status })
  })
})

describe('a bank that declares less', () => {
  test.each(['discovery/acr-values', 'discovery/scopes', 'discovery/claims'])(
    'is warned by %s when it refuses what it leaves out',
    async (id) => {
      const strict = (own: Routes) => ({
        ...changedBody(document, (found) => ({ ...found, acr_values_supported: ['loa2'], claims_supported: ['sub'] }))(
          own,
        ),
        [register]: (request: Parameters<Route>[0]) => {
          const record = JSON.parse(request.body)
          const odd = record.default_acr_values?.includes('loa3') || /gender|addresses/.test(record.scope)
          return odd || record.scope.split(' ').length < 3
            ? json({ error: 'invalid_client_metadata', error_description: 'not supported' }, 400)
            : (own[register]?.(request) ?? 'cut')
        },
      })
      expect(await resultOf(id, strict)).toMatchObject({
        status: 'warn',
        readings: expect.arrayContaining([expect.objectContaining({ ambiguity: 'AMB-35', reading: 'subset' })]),
      })
    },
  )

  test('is failed by discovery/acr-values when it takes what it leaves out', async () => {
    const lax = changedBody(document, (found) => ({ ...found, acr_values_supported: ['loa2'] }))
    expect(await resultOf('discovery/acr-values', lax)).toMatchObject({
      status: 'fail',
      reason:
        'acr_values_supported does not declare loa3, yet the bank registers a client with default_acr_values loa3',
    })
  })

  test('is not asked for encryption that it does not declare', async () => {
    const plain = changedBody(
      document,
      without('userinfo_encryption_alg_values_supported', 'userinfo_encryption_enc_values_supported'),
    )
    expect(await resultOf('userinfo/encrypted', plain)).toMatchObject({ status: 'skip' })
    expect(await resultOf('userinfo/signed', plain)).toMatchObject({ status: 'pass' })
  })

  test('is examined by the authentication method that it declares, and not by others', async () => {
    const basic = (own: Routes): Routes => ({
      ...changedBody(document, (found) => ({
        ...found,
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      }))(own),
      [token]: (request) =>
        request.headers.authorization?.startsWith('Basic ') && !request.form.has('client_secret')
          ? (own[token]?.(request) ?? 'cut')
          : json({ error: 'invalid_client', error_description: 'HTTP Basic alone' }, 401),
    })
    const { target } = await bankForTest(basic)
    const only = ['client-authentication/private-key-jwt', 'signing/request-object', 'token/code-exchange']
    const { results, agreed } = await examine({ target, only })
    const declared = 'token_endpoint_auth_methods_supported has client_secret_basic, not private_key_jwt'
    expect(results.map(({ status, reason }) => [status, reason])).toEqual([
      ['skip', declared],
      ['skip', `no signing flow: ${declared}`],
      ['pass', undefined],
    ])
    const [first] = agreed
    expect(first).toEqual({
      what: 'client authentication',
      value: 'client_secret_basic',
      preferred: 'private_key_jwt, PS512',
    })
  })

  test('is not asked for scopes that it does not declare', async () => {
    const few = changedBody(document, (found) => ({ ...found, scopes_supported: ['openid', 'profile.name'] }))
    expect(await resultOf('token/scope-listed', few)).toMatchObject({
      status: 'skip',
      reason: 'the bank declares fewer than two data scopes: two requests are compared',
    })
  })

  test('may serve its key set at jwks_uri alone', async () => {
    const elsewhere: Replaced = (own) => ({
      ...changedBody(document, (found) => ({ ...found, jwks_uri: `${found.issuer}/keys` }))(own),
      'GET /keys': own[keySet] ?? (() => 'cut' as const),
      [keySet]: notFound,
    })
    expect(await resultOf('key-set/document', elsewhere)).toMatchObject({
      status: 'pass',
      notes: [
        expect.stringMatching(/^jwks_uri is .*\/keys, and nothing is at \/\.well-known\/jwks\.json \(see GEN-7\)$/),
      ],
    })
  })
})
