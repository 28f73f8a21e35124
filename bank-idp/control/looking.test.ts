import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { assertionType } from '../provider/assertion.js'
import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'
import { requestClaims } from '../testing/request-objects.js'

const { bank, service, client: ofTheService } = await bankForFile({ control: true }, { scope: 'openid authorization' })
const client = await bank.registerClient({
  redirectUris: ['https://app.example/cb'],
  record: { id_token_encrypted_response_alg: 'RSA-OAEP-256' },
})
const { client_id } = client

interface Opened {
  client?: string
  refusal?: { error: string; error_description?: string; detail?: string }
  jwts: { at: string; key?: string; problem?: string; inside?: { key: string } }[]
  answer: { jwts: { at: string; key?: string; inside?: { key: string; claims: { sub: string } } }[] }
}

const opened = async (route: string) => (await door<Opened>(bank, `/requests/${bank.requests.last(route)?.id}`)).body

/** Asks /token with an assertion of the client, signed by a key. */
async function redeem(key: Parameters<SignJWT['sign']>[0], header: { alg: string; kid: string }): Promise<Opened> {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: client_id, sub: client_id, aud: `${bank.issuer}/token`, jti: randomUUID(), iat, exp: iat + 60 }
  await service
    .http('post', '/token')
    .type('form')
    .send({
      grant_type: 'authorization_code',
      code: 'no-code',
      redirect_uri: 'https://app.example/cb',
      client_id,
      client_assertion: await new SignJWT(claims).setProtectedHeader(header).sign(key),
      client_assertion_type: assertionType,
    })
  return opened('POST /token')
}

const [own] = client.private_jwks?.keys.filter(({ alg }) => alg === 'PS512') ?? []
const header = { alg: 'PS512', kid: String(own?.kid) }

test('whose key verifies an assertion is said, and what exactly was wrong with a code', async () => {
  const { refusal, jwts } = await redeem(await importJWK(own ?? {}, 'PS512'), header)
  expect(refusal).toEqual({
    error: 'invalid_grant',
    error_description: 'grant request is invalid',
    check: 'token-request/code-known',
    detail: 'authorization code not found',
  })
  expect(jwts).toEqual([expect.objectContaining({ at: 'client_assertion', key: 'client' })])
})

test.each([
  [header, 'client: signature verification failed'],
  [{ ...header, kid: 'another' }, 'client: no applicable key found in the JSON Web Key Set'],
])('an assertion that no key verifies is told why: %j', async (headerOfIt, problem) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { client: named, refusal, jwts } = await redeem(privateKey, headerOfIt)
  expect([named, refusal?.error, jwts[0]?.key]).toEqual([client_id, 'invalid_client', undefined])
  expect(jwts[0]?.problem).toContain(`no key verifies it (${problem}; bank: `)
})

test('an assertion by the secret is known as one', async () => {
  const { record } = client
  const key = new TextEncoder().encode(String(record.client_secret))
  const { jwts } = await redeem(key, { alg: 'HS512', kid: 'none' })
  expect(jwts[0]?.key).toBe('client_secret')
})

test('an id_token that is encrypted to a client that was made here is opened', async () => {
  const { claims } = await bank.login(client, 'jana')
  const { answer } = await opened('POST /token')
  const [token] = answer.jwts
  expect([token?.at, token?.key, token?.inside?.key, token?.inside?.claims.sub]).toEqual([
    'id_token',
    'client',
    'bank',
    claims.sub,
  ])
})

test('a request object that is encrypted to the bank is opened', async () => {
  await service.registerRequestObject(requestClaims(ofTheService))
  const { jwts } = await opened('POST /ros')
  expect(jwts.find(({ at }) => at === 'body')).toMatchObject({ key: 'bank', inside: { key: 'client' } })
})

test('why a request was refused is in its entry: as JSON, by a redirect, on a page', async () => {
  const query = { client_id, response_type: 'code', scope: 'openid', state: 's', nonce: 'n' }
  await service.http('get', '/auth').query({ ...query, redirect_uri: 'https://app.example/cb/' })
  expect(bank.requests.last()?.refusal).toEqual({
    error: 'invalid_request',
    error_description: 'redirect_uri is not registered for this client',
    check: 'authorization/redirect-uri-registered',
  })
  await service.http('get', '/auth').query({ ...query, redirect_uri: 'https://app.example/cb', scope: 'openid nope' })
  expect(bank.requests.last()?.refusal).toEqual({
    error: 'invalid_scope',
    error_description: 'scope nope is not supported',
    check: 'authorization/scope-registered',
  })
  await service.http('get', '/interaction/unknown')
  expect(bank.requests.last()?.refusal).toEqual({
    check: 'interaction/open',
    error: 'This sign-in is over',
    error_description:
      'It was left for too long, or opened in another browser. Go back to the application and start again.',
  })
  await service.http('get', '/healthcheck')
  expect(bank.requests.last()?.refusal).toBeUndefined()
})

test('a request that is not remembered is told so', async () => {
  expect(await door(bank, '/requests/999999')).toMatchObject({ status: 404, body: { error: 'not_found' } })
  expect(await door(bank, '/requests/x')).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})

test('clients, consents, tokens and sessions are there, and end', async () => {
  const made = await bank.registerClient({ redirectUris: ['https://app.example/cb'], clientName: 'Shop' })
  const { tokens } = await bank.login(made, 'eva', { scope: 'openid profile.name offline_access' })
  const id = made.client_id
  const list = async <Entry>(path: string) => (await door<Entry[]>(bank, path)).body
  const clients = await list<{ client_id: string; client_secret: string; record: object }>('/clients')
  expect(clients.find(({ client_id }) => client_id === id)).toMatchObject({
    client_secret: made.client_secret,
    record: { client_name: 'Shop', redirect_uris: ['https://app.example/cb'] },
  })
  expect(await list('/consents')).toContainEqual({
    login: 'eva',
    client: id,
    scopes: ['openid', 'profile.name', 'offline_access'],
  })
  const [session] = (await list<{ session: string; login: string }>('/sessions')).filter(({ login }) => login === 'eva')
  expect(session).toMatchObject({ acr: 'loa2', amr: ['pwd'], clients: [id] })
  const families = await list<{ client: string; family: string; tokens: { kind: string; used: boolean }[] }>('/tokens')
  const family = families.find((one) => one.client === id)
  expect(family).toMatchObject({ login: 'eva', session: session?.session })
  expect(family?.tokens.map(({ kind, used }) => [kind, used])).toEqual([
    ['code', true],
    ['access_token', false],
    ['refresh_token', false],
  ])
  const alive = async () =>
    (await service.http('get', '/userinfo').set('authorization', `Bearer ${tokens.access_token}`)).status
  expect(await alive()).toBe(200)
  expect((await door(bank, '/tokens/end', { family: family?.family })).status).toBe(200)
  expect(await alive()).toBe(401)
  expect((await door(bank, '/sessions/end', { session: session?.session })).status).toBe(200)
  expect(await list<{ login: string }>('/sessions')).not.toContainEqual(expect.objectContaining({ login: 'eva' }))
  expect((await door(bank, '/consents/withdraw', { login: 'eva', client: id })).status).toBe(200)
  expect(await list('/consents')).not.toContainEqual(expect.objectContaining({ login: 'eva' }))
  expect((await door(bank, `/clients/${id}/remove`, {})).status).toBe(200)
  for (const [path, body] of [
    ['/tokens/end', { family: family?.family }],
    ['/sessions/end', { session: session?.session }],
    ['/consents/withdraw', { login: 'eva', client: id }],
    [`/clients/${id}/remove`, {}],
  ] as const) {
    expect(await door(bank, path, body)).toMatchObject({ status: 404, body: { error: 'not_found' } })
  }
})
