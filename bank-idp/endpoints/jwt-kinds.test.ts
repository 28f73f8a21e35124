import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import type { Response } from 'supertest'
import { sharedIdentity } from '../keys/identity-in-memory.js'
import { publicJwk } from '../keys/jwk.js'
import { assertionType } from '../provider/assertion.js'
import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'
import { serveHttps } from '../testing/https-server.js'
import type { Cookies } from '../testing/pages.js'
import { requestClaims } from '../testing/request-objects.js'
import type { TestClient } from '../testing/service.js'

/** What a JWT of the service's shows beside its own claims. */
interface Marks {
  typ?: string
  claims?: JWTPayload
}

// One key signs all that the service signs, whoever verifies it: nothing is refused for its signature.
const { privateKey } = await generateKeyPair('PS512', { extractable: true })
const serviceKey: JWK = { ...(await exportJWK(privateKey)), kid: 'one', use: 'sig' }
const encryption = await generateKeyPair('RSA-OAEP-256')
const encryptionKey: JWK = { ...(await exportJWK(encryption.publicKey)), kid: 'other', use: 'enc', alg: 'RSA-OAEP-256' }
/** What the bank posted, by the path that it was posted to. */
const posted = new Map<string, { body: string; authorization: string }>()
/** What lies at the request_uri. */
let object = ''

const { identity } = await sharedIdentity()
const server = await serveHttps(identity.service.certificate, async (req, res) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  if (req.method === 'POST') posted.set(String(req.url), { body, authorization: String(req.headers.authorization) })
  const statistics = JSON.stringify({ numberOfRecords: 0, numberOfIdpRecords: 0, authHistory: [], message: 'None.' })
  const texts = new Map([
    ['/jwks.json', JSON.stringify({ keys: [publicJwk(serviceKey), encryptionKey] })],
    ['/object', object],
    ['/user-stat-data', statistics],
  ])
  res.end(texts.get(String(req.url)))
})
const directory = mkdtempSync(join(tmpdir(), 'bank-idp-'))
const serviceKeys = join(directory, 'service.json')
writeFileSync(serviceKeys, JSON.stringify({ keys: [serviceKey, ...identity.service.jwks.keys].map(publicJwk) }))

// By this reading access tokens are JWTs too.
const { bank, service } = await bankForFile({ control: true, serviceKeys, readings: { 'AMB-14': 'jwt' } })
let client: TestClient
let cookies: Cookies
/** What the bank has signed. */
let signed: Record<string, string>

beforeAll(async () => {
  client = await service.client({
    jwks_uri: `${server.url}/jwks.json`,
    request_uris: [`${server.url}/object`],
    redirect_uris: ['https://app.example/callback'],
    backchannel_logout_uri: `${server.url}/logout`,
    notification_uri: `${server.url}/notify`,
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    scope: 'openid profile.name profile.email offline_access notification.claims_updated authorization',
    userinfo_encrypted_response_alg: undefined,
  })
  signed = await signedByTheBank()
})

afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

const seconds = () => Math.floor(Date.now() / 1000)

/** Whatever a JWT may carry to be told apart from others by its time alone. */
const dated = () => ({ iat: seconds(), exp: seconds() + 60, jti: randomUUID() })

async function sign(claims: JWTPayload, { typ, claims: further }: Marks, alg = 'PS512'): Promise<string> {
  const header = { alg, kid: 'one', ...(typ !== undefined && { typ }) }
  return new SignJWT({ ...claims, ...further }).setProtectedHeader(header).sign(await importJWK(serviceKey, alg))
}

async function heard(path: string): Promise<{ body: string; authorization: string }> {
  for (let tries = 0; !posted.has(path); tries += 1) {
    if (tries > 1000) throw new Error(`nothing was posted to ${path} in 10 s`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return posted.get(path) as { body: string; authorization: string }
}

const scope = 'openid profile.name profile.email offline_access notification.claims_updated'

/** POST /token and its like, as the client. */
async function call(endpoint: string, form: Record<string, string>, assertion?: string): Promise<Response> {
  const client_assertion = assertion ?? (await kinds['client assertion']({}))
  return service
    .http('post', endpoint)
    .type('form')
    .send({ ...form, client_id: client.client_id, client_assertion, client_assertion_type: assertionType })
}

async function login(within: Cookies) {
  const approve = { action: 'approve', scope: scope.split(' ') }
  const { code = '' } = await service.authorize(client, scope, [{ person: 'jana' }, approve], {}, within)
  const { redirect_uri } = client
  return (await call('/token', { grant_type: 'authorization_code', code, redirect_uri })).body
}

function endSession(id_token_hint: string, within: Cookies) {
  const call = service.http('get', '/session/end').query({ id_token_hint })
  return call.set('cookie', [...within.values()].join('; '))
}

async function signedByTheBank(): Promise<Record<string, string>> {
  cookies = new Map()
  const ended: Cookies = new Map()
  await endSession((await login(ended)).id_token, ended)
  const { id_token, access_token } = await login(cookies)
  const get = async (path: string) =>
    (await service.http('get', path).set('authorization', `Bearer ${access_token}`)).text
  const [userinfo, profile] = [await get('/userinfo'), await get('/profile')]
  await door(bank, '/people/jana', { claims: { email: 'jana@example.org' } })
  await door(bank, '/stats', { service: server.url, request: { idpSub: 'somebody' } })
  const field = async (path: string, name: string) => String(new URLSearchParams((await heard(path)).body).get(name))
  return {
    id_token,
    'access token': access_token,
    userinfo,
    profile,
    'logout token': await field('/logout', 'logout_token'),
    'notification token': await field('/notify', 'notification_token'),
    'assertion of the bank': (await heard('/user-stat-data')).authorization.replace('Bearer ', ''),
  }
}

/** What the service signs, each of the audience that makes it as like the others as it can be. */
const kinds = {
  'client assertion': (marks: Marks) =>
    sign({ ...dated(), iss: client.client_id, sub: client.client_id, aud: bank.issuer }, marks),
  'assertion for /revoke': (marks: Marks) => sign({ ...dated(), aud: `${bank.issuer}/revoke` }, marks),
  RegistrationAuthJWT: (marks: Marks) => sign({ ...dated(), aud: `${bank.issuer}/register` }, marks),
  'request object': (marks: Marks) =>
    sign({ ...dated(), iss: client.client_id, aud: bank.issuer, client_id: client.client_id, prompt: 'login' }, marks),
  'request object of /ros': (marks: Marks) =>
    sign({ ...dated(), ...requestClaims(client), iss: client.client_id, aud: bank.issuer }, marks, 'PS256'),
}

type Kind = keyof typeof kinds

/** A place where a JWT is taken, how it answers one that is taken, and one that was made for another purpose. */
interface Place {
  takes: readonly string[]
  /** Values of typ that say so. */
  typ: readonly string[]
  present(jwt: string): Promise<[status: number, told: unknown]>
  taken: [status: number, told: unknown]
  refused: [status: number, told: unknown]
}

const told = ({ status, body }: Response): [number, unknown] => [status, body.error]

function clientPlace(endpoint: string, form: Record<string, string>, taken: Place['taken'], status: number): Place {
  return {
    takes: endpoint === '/revoke' ? ['client assertion', 'assertion for /revoke'] : ['client assertion'],
    typ: ['JWT', 'application/jwt', 'client-authentication+jwt'],
    present: async (jwt) => told(await call(endpoint, form, jwt)),
    taken,
    refused: [status, 'invalid_client'],
  }
}

function registrationPlace(method: 'post' | 'get', taken: Place['taken']): Place {
  return {
    takes: ['RegistrationAuthJWT'],
    typ: ['JWT', 'client-authentication+jwt'],
    async present(client_assertion) {
      const path = method === 'post' ? '/register' : `/register/${client.client_id}`
      const call = service
        .http(method, path, { mutualTls: true })
        .set({ client_assertion, client_assertion_type: assertionType })
      const own = `Bearer ${client.registration_access_token}`
      return told(await (method === 'post' ? call.send(service.record()) : call.set('authorization', own)))
    },
    taken,
    refused: [401, 'invalid_token'],
  }
}

const bearerPlace = (path: string): Place => ({
  takes: ['access token'],
  typ: [],
  present: async (jwt) => told(await service.http('get', path).set('authorization', `Bearer ${jwt}`)),
  taken: [200, undefined],
  refused: [401, 'invalid_token'],
})

async function askRos(jws: string): Promise<[number, unknown]> {
  const call = service.http('post', '/ros', { mutualTls: true }).set('content-type', 'application/jwe')
  return told(await call.send(await service.encryptToBank(jws)))
}

/** The error that GET /auth redirects with, or where it leads. */
async function askAuth(parameters: Record<string, string>, within: Cookies = new Map()): Promise<[number, unknown]> {
  const { client_id, redirect_uri } = client
  const query = { client_id, redirect_uri, response_type: 'code', scope, state: 's', nonce: 'n', ...parameters }
  const { status, headers } = await service
    .http('get', '/auth')
    .query(query)
    .set('cookie', [...within.values()].join('; '))
  const { pathname, searchParams } = new URL(String(headers.location), bank.issuer)
  return [status, searchParams.get('error') ?? (searchParams.has('code') ? 'code' : pathname.split('/')[1])]
}

const objectTypes = ['JWT', 'oauth-authz-req+jwt', 'application/oauth-authz-req+jwt']

const places: Record<string, Place> = {
  '/token': clientPlace(
    '/token',
    { grant_type: 'authorization_code', code: 'c', redirect_uri: 'r' },
    [400, 'invalid_grant'],
    400,
  ),
  '/token-info': clientPlace('/token-info', { token: 'none' }, [200, undefined], 401),
  '/revoke': clientPlace('/revoke', { token: 'none' }, [200, undefined], 401),
  '/device_authorization': clientPlace('/device_authorization', { scope: 'openid' }, [200, undefined], 400),
  'POST /register': registrationPlace('post', [200, undefined]),
  'GET /register/{client_id}': registrationPlace('get', [200, undefined]),
  '/ros': {
    takes: ['request object of /ros'],
    typ: objectTypes,
    present: askRos,
    taken: [201, undefined],
    refused: [400, 'invalid_request_object'],
  },
  'request_uri of /auth': {
    takes: ['request object'],
    typ: objectTypes,
    present(jwt) {
      object = jwt
      return askAuth({ request_uri: `${server.url}/object` })
    },
    taken: [302, 'interaction'],
    refused: [302, 'invalid_request_object'],
  },
  'id_token_hint of /auth': {
    takes: ['id_token'],
    typ: [],
    present: (id_token_hint) => askAuth({ prompt: 'none', id_token_hint }, cookies),
    taken: [302, 'code'],
    refused: [302, 'invalid_request'],
  },
  'id_token_hint of /ros': {
    takes: ['id_token'],
    typ: [],
    present: async (id_token_hint) => askRos(await kinds['request object of /ros']({ claims: { id_token_hint } })),
    taken: [201, undefined],
    refused: [400, 'invalid_request_object'],
  },
  '/userinfo': bearerPlace('/userinfo'),
  '/profile': bearerPlace('/profile'),
  // The last one, since it ends the session.
  'id_token_hint of /session/end': {
    takes: ['id_token'],
    typ: [],
    async present(id_token_hint) {
      const { status, text } = await endSession(id_token_hint, cookies)
      return [status, text.includes('You are logged out')]
    },
    taken: [200, true],
    refused: [400, false],
  },
}

/** Every kind that there is, made now. */
async function everyKind(): Promise<[kind: string, jwt: string][]> {
  const made = Object.entries(kinds).map(async ([kind, make]): Promise<[string, string]> => [kind, await make({})])
  return [...(await Promise.all(made)), ...Object.entries(signed)]
}

const rows = Object.entries(places)

test.each(rows)('%s takes the JWT that was made for it, and none of another kind', async (_name, place) => {
  const jwts = await everyKind()
  expect(jwts).toHaveLength(12)
  // The good one comes last: it may use something up.
  jwts.sort(([one], [other]) => Number(place.takes.includes(one)) - Number(place.takes.includes(other)))
  for (const [kind, jwt] of jwts) {
    const right = place.takes.includes(kind) ? place.taken : place.refused
    expect([kind, ...(await place.present(jwt))]).toEqual([kind, ...right])
  }
})

const ofTheService = rows.filter(([, { takes }]) => takes.some((kind) => kind in kinds))

test.each(ofTheService)(
  '%s takes one with the typ of its kind, or of any JWT, and none with that of another, or with events',
  async (_name, place) => {
    const [kind] = place.takes as [Kind]
    for (const typ of place.typ)
      expect([typ, ...(await place.present(await kinds[kind]({ typ })))]).toEqual([typ, ...place.taken])
    const others = [
      'logout+jwt',
      'at+jwt',
      'secevent+jwt',
      'dpop+jwt',
      'oauth-authz-req+jwt',
      'client-authentication+jwt',
    ]
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const wrong: Marks[] = [
      ...others.filter((typ) => !place.typ.includes(typ)).map((typ) => ({ typ })),
      { claims: { events } },
      { typ: 'JWT', claims: { events: [{ type: 'claim_updated' }] } },
    ]
    for (const marks of wrong)
      expect([marks, ...(await place.present(await kinds[kind](marks)))]).toEqual([marks, ...place.refused])
  },
)

test('an assertion for /revoke that names nobody is made out to /revoke: a request object is made out to the bank', async () => {
  for (const aud of [bank.issuer, `${bank.issuer}/token`]) {
    const { status, body } = await call(
      '/revoke',
      { token: 'none' },
      await kinds['assertion for /revoke']({ claims: { aud } }),
    )
    expect([status, body]).toEqual([
      401,
      { error: 'invalid_client', error_description: `aud of client_assertion must be ${bank.issuer}/revoke` },
    ])
  }
})
