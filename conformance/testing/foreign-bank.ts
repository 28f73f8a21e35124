import { randomUUID } from 'node:crypto'
import { CompactEncrypt, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { Agent, request } from 'undici'
import type { Page } from '../target/login-settings.js'
import type { Target } from '../target/target.js'
import { certificates } from './certificates.js'
import {
  html,
  json,
  type Replaced,
  type Routes,
  redirect,
  serve,
  type TestAnswer,
  type TestServer,
} from './https-server.js'

/** The rules that are about what this bank does: those of a login and its user data. */
export const rulesKept = [
  'authorization/code',
  'discovery/document',
  'health/record',
  'key-set/document',
  'registration/create',
  'token/code-exchange',
  'token/scope-listed',
  'userinfo/encrypted',
  'userinfo/signed',
]

/** A bank of somebody else's making, small but whole enough for a login; every route can be replaced. */
export interface ForeignBank extends TestServer {
  /** It as a target; the person is jana with password jana-secret. */
  target: Target
  /** What is registered by now, by client_id. */
  clients: Map<string, Record<string, unknown>>
  /** Signs claims with the bank's key. @param typ of the header, which has none when it is left out */
  sign(claims: JWTPayload, typ?: string): Promise<string>
}

const bankKeys = generateKeyPair('PS512', { extractable: true })
const serviceKeys = generateKeyPair('PS512', { extractable: true })

const pages: Target['pages'] = new Map<string, Page>([
  [
    'sign-in',
    {
      when: '#sign-in',
      fill: { '[name=user]': '{login}', '[name=pin]': '{password}' },
      actions: { submit: '#sign-in button' },
    },
  ],
  ['consent', { when: '#consent', fill: {}, actions: { submit: '#consent button[value=yes]' } }],
])

const signInPage =
  '<title>Hello</title><form id="sign-in" method="post" action="/login"><input name="user"><input name="pin" type="password"><button>In</button></form>'
const consentPage =
  '<title>May we?</title><form id="consent" method="post" action="/consent"><button name="answer" value="yes">Yes</button></form>'

/** @param replaced routes in place of the bank's own */
export async function startForeignBank(replaced: Replaced = () => ({})): Promise<ForeignBank> {
  const clients = new Map<string, Record<string, unknown>>()
  const grants = new Map<string, URLSearchParams>()
  const routes: Routes = {}
  const server = await serve(routes)
  const issuer = server.url
  const { ca, localhost } = await certificates()
  const signing = await bankKeys

  const discovery = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: ['openid', 'profile.name', 'profile.email'],
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    userinfo_encryption_alg_values_supported: ['RSA-OAEP-256'],
    userinfo_encryption_enc_values_supported: ['A256GCM'],
  }
  const sign = (claims: JWTPayload, typ?: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'PS512', kid: 'bank', ...(typ !== undefined && { typ }) })
      .sign(signing.privateKey)
  const authorized = (headers: { authorization?: string }) => headers.authorization?.replace('Bearer ', '') ?? ''

  const own: Routes = {
    'GET /.well-known/openid-configuration': () => json(discovery),
    'GET /.well-known/jwks.json': async () =>
      json({ keys: [{ ...(await exportJWK(signing.publicKey)), kid: 'bank', use: 'sig', alg: 'PS512' }] }),
    'GET /healthcheck': () => json({ status: 'OK', description: '', version: '1', time: '2026-01-01T00:00:00Z' }),
    'POST /register': ({ body, certified }) => {
      if (!certified) return json({ error: 'invalid_client', error_description: 'no certificate' }, 401)
      const record = JSON.parse(body)
      if (!record.redirect_uris.every((uri: string) => uri.startsWith('https:'))) {
        return json({ error: 'invalid_redirect_uri', error_description: 'not https' }, 400)
      }
      const client_id = randomUUID()
      clients.set(client_id, record)
      return json({
        ...record,
        client_id,
        client_secret: randomUUID(),
        registration_access_token: `rat-${client_id}`,
        registration_client_uri: `${issuer}/register/${client_id}`,
        client_id_issued_at: Math.floor(Date.now() / 1000),
      })
    },
    'DELETE /register/*': ({ url, headers }) => {
      const clientId = url.pathname.split('/').at(-1) ?? ''
      if (authorized(headers) !== `rat-${clientId}`) return json({ error: 'invalid_token' }, 401)
      return { status: clients.delete(clientId) ? 204 : 401 }
    },
    'GET /auth': ({ url }) =>
      redirect('/login', 302, { 'set-cookie': `request=${encodeURIComponent(url.search)}; Path=/` }),
    'GET /login': () => html(signInPage),
    'POST /login': ({ form }) =>
      form.get('user') === 'jana' && form.get('pin') === 'jana-secret' ? redirect('/consent', 303) : html(signInPage),
    'GET /consent': () => html(consentPage),
    'POST /consent': ({ headers, form }) => {
      const wanted = new URLSearchParams(decodeURIComponent(headers.cookie?.replace('request=', '') ?? ''))
      const answer = new URLSearchParams({ state: wanted.get('state') ?? '' })
      if (form.get('answer') === 'yes') {
        const code = randomUUID()
        grants.set(code, wanted)
        answer.set('code', code)
      }
      return redirect(`${wanted.get('redirect_uri')}?${answer}`)
    },
    'POST /token': async ({ form }) => {
      const wanted = grants.get(form.get('code') ?? '')
      if (!wanted) return json({ error: 'invalid_grant', error_description: 'unknown code' }, 400)
      const access_token = randomUUID()
      grants.set(access_token, wanted)
      const { client_id, nonce } = Object.fromEntries(wanted)
      const now = Math.floor(Date.now() / 1000)
      return json({
        access_token,
        token_type: 'Bearer',
        expires_in: 3600,
        scope: wanted.get('scope'),
        id_token: await sign({
          iss: issuer,
          sub: 'somebody',
          aud: String(client_id),
          nonce: String(nonce),
          exp: now + 3600,
        }),
      })
    },
    'GET /userinfo': async ({ headers }) => {
      const client = clients.get(grants.get(authorized(headers))?.get('client_id') ?? '')
      if (!client) return json({ error: 'invalid_token', error_description: 'unknown token' }, 401)
      const jws = await sign({ sub: 'somebody' })
      return jwt(client.userinfo_encrypted_response_alg ? await encrypted(jws, String(client.jwks_uri), ca) : jws)
    },
  }
  Object.assign(routes, own, replaced(own))

  const serviceKey = await exportJWK((await serviceKeys).privateKey)
  const target: Target = {
    issuer,
    ca,
    keys: [{ ...serviceKey, kid: 'service', alg: 'PS512', use: 'sig' }],
    clientCertificate: localhost,
    server: { host: 'localhost', port: 0, url: 'https://localhost:{port}', certificate: localhost },
    people: [{ login: 'jana', password: 'jana-secret', kinds: ['full'] }],
    pages,
    concurrency: 8,
    timeoutSeconds: 5,
  }
  return { ...server, target, clients, sign }
}

/** Its target file, in a target directory. */
export function targetFileOf({ target: { issuer, people, pages } }: ForeignBank) {
  const certificate = { cert: 'cert.pem', key: 'key.pem' }
  return {
    issuer,
    ca: 'ca.pem',
    service: {
      keys: 'jwks.json',
      client_certificate: certificate,
      server: { listen: 'localhost:0', url: 'https://localhost:{port}', ...certificate },
    },
    people,
    login: { pages: Object.fromEntries(pages) },
  }
}

function jwt(body: string): TestAnswer {
  return { status: 200, headers: { 'content-type': 'application/jwt' }, body }
}

async function encrypted(jws: string, jwksUri: string, ca: string): Promise<string> {
  const dispatcher = new Agent({ connect: { ca } })
  const { headers, body } = await request(jwksUri, { dispatcher })
  const { keys } = (await body.json()) as { keys: JWK[] }
  await dispatcher.close()
  // Not every bank reads a key set by the media type of its own.
  if (!/^application\/json\b/.test(String(headers['content-type'])))
    throw new Error('the key set of the client is no application/json')
  const key = keys.find(({ use }) => use === 'enc')
  if (!key) throw new Error('the client has no encryption key')
  return new CompactEncrypt(new TextEncoder().encode(jws))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', kid: key.kid ?? '' })
    .encrypt(await importJWK(key, 'RSA-OAEP-256'))
}
