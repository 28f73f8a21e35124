import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { schema } from '../../schemas/index.js'
import { fetchedDocuments, signed } from './fuzz-fetched.js'
import { jsonOf } from './fuzz-schemas.js'
import { anyBody, form, formType, headers, json, type Parameters, query } from './fuzz-shapes.js'
import { anyText, hostileJson, hostileJwt } from './fuzz-texts.js'
import type { Make, Values } from './fuzz-values.js'
import { requestClaims } from './request-object.js'

/** A registration record, with its members by our schema. */
const record = fc.tuple(jsonOf(schema('registration-request')), fc.boolean()).map(
  ([make, whole]) =>
    ({ live }: Values) =>
      make(whole ? live.record() : {}),
)

const register = fc
  .tuple(
    record,
    headers,
    fc.constantFrom('', '', `/${'x'}`, 'own'),
    fc.constantFrom('POST', 'POST', 'PUT', 'GET', 'DELETE'),
  )
  .map(
    ([body, odd, below, method]): Make =>
      async (values) => {
        const { client } = values.live
        // The client of the others is not taken away, nor changed into one that is good for nothing.
        const path =
          below === 'own' && method === 'GET'
            ? `/register/${client.client_id}`
            : `/register${below === 'own' ? '' : below}`
        const token = { authorization: `Bearer ${client.registration_access_token}` }
        return {
          method,
          path,
          headers: { ...(await values.live.registrationHeaders()), ...token, ...odd },
          ...(method === 'GET' ? {} : { body: body(values) }),
        }
      },
  )

/** A request object: of the service's, with claims by our schema; or signed and encrypted by nobody. */
const ros = fc
  .tuple(
    fc.oneof(hostileJwt, anyBody).map((body) => async () => body),
    jsonOf(schema('request-object')),
    fc.constantFrom('nobody', 'service', 'service', 'service'),
    fc.boolean(),
    headers,
  )
  .map(
    ([anything, claims, by, whole, odd]): Make =>
      async (values) => {
        const good = whole ? requestClaims(values.live, randomUUID()) : {}
        const body = await (by === 'nobody' ? anything() : values.requestObject(claims(good)))
        return { method: 'POST', path: '/ros', headers: { 'content-type': 'application/jwe', ...odd }, body }
      },
  )

/** Claims of a client assertion. */
const assertionSchema = {
  type: 'object',
  properties: Object.fromEntries(
    ['iss', 'sub', 'aud', 'jti', 'exp', 'iat', 'nbf', 'events', 'nonce'].map((name) => [name, { type: 'string' }]),
  ),
}

/** An assertion that its client signed, with claims of any kind, wherever one is taken. */
const assertion = fc
  .tuple(
    jsonOf(assertionSchema),
    fc.constantFrom('/token', '/token-info', '/revoke', '/device_authorization'),
    hostileJson,
  )
  .map(
    ([claims, path, kid]): Make =>
      async (values) => {
        const { issuer } = values.live.bank
        const { client_id } = values.live.client
        const now = Math.floor(Date.now() / 1000)
        const good = { iss: client_id, sub: client_id, aud: issuer + path, jti: randomUUID(), iat: now, exp: now + 60 }
        const header = kid.length % 3 === 0 ? `{"alg":"ES512","kid":"sig","typ":${kid}}` : '{"alg":"ES512","kid":"sig"}'
        const client_assertion = await signed(header, claims(good), values)
        const body = new URLSearchParams({
          client_id,
          client_assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          token: 'none',
          grant_type: 'authorization_code',
          code: 'none',
          redirect_uri: 'https://app.example/cb',
        })
        return { method: 'POST', path, headers: { 'content-type': formType }, body: body.toString() }
      },
  )

/** What the control door takes, by path: the members of its bodies. */
const doorBodies: Record<string, [good: object, ...names: string[]]> = {
  '/clock': [{ advance_seconds: 0.001 }, 'now'],
  '/people/jana': [{ claims: { name: 'Jana' } }, 'claims', 'blocked'],
  '/people/__proto__': [{ claims: {} }, 'claims', 'blocked'],
  '/faults': [{}, 'id', 'on', 'faults', 'fault', 'clients', 'client'],
  '/keys/rotate': [{ alg: 'none' }, 'alg'],
  '/outages': [{ part: 'revoke', until: '2000-01-01T00:00:00Z' }, 'part', 'from', 'until', 'reason'],
  '/outages/end': [{ part: 'revoke' }, 'part', 'from'],
  '/outbox': [{ retry: 'x' }, 'retry'],
  '/outcomes': [{ client: 'x', outcome: null }, 'client', 'outcome'],
  '/devices/x': [{ blocked: true }, 'blocked'],
  '/clients': [{ redirect_uris: ['http://app.example/cb'] }, 'redirect_uris', 'scope', 'jwks_uri', 'record'],
  '/logins': [{ client_id: 'x', login: 'jana' }, 'client_id', 'login', 'scope', 'private_jwks', 'claims', 'consent'],
  '/tokens': [{ client_id: 'x', login: 'jana' }, 'client_id', 'login', 'scope', 'expires_in'],
  '/clients/x/remove': [{}, 'client_id'],
  '/tokens/end': [{ family: 'x' }, 'family'],
  '/sessions/end': [{ session: 'x' }, 'session'],
  '/consents/withdraw': [{ login: 'jana', client: 'x' }, 'login', 'client'],
  '/requests': [{}, 'route'],
  '/requests/1': [{}, 'id'],
  '/snapshots/restore': [{ id: 'x' }, 'id'],
  '/troubles': [{ route: 'GET /nowhere', status: 500 }, 'client', 'times', 'body', 'delay_seconds'],
  '/stats': [{}, 'from', 'to', 'client_id', 'clientId', 'dateFrom', 'dateTo'],
}

/** Values by which the door would put the whole bank out of order, as it is asked to. */
const harmful = /"(part|until|from|advance_seconds|alg)":|^\[|"bank"/

const door = fc
  .constantFrom(...Object.entries(doorBodies))
  .chain(([path, [good, ...names]]) =>
    fc.tuple(
      fc.constant(path),
      json(() => good, [...names, ...Object.keys(good), '__proto__']),
      fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT'),
    ),
  )
  .map(
    ([path, body, method]): Make =>
      (values) => {
        const text = body(values)
        const ends = path === '/outages' && !harmful.test(text) ? '/outages/end' : path
        return {
          door: true,
          method,
          path: ends,
          headers: { 'content-type': 'application/json' },
          ...(method === 'GET' ? {} : { body: text }),
        }
      },
  )

const anyPath = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'),
    fc.oneof(
      fc.webPath(),
      fc.constantFrom(
        '/auth/x',
        '/auth/%00',
        '/device/x',
        '/interaction/%ff',
        '/interaction/x/document/-1',
        '/register/%2e%2e',
        '/.well-known/oauth-authorization-server',
        '/%',
        '//',
        '/device_authorization',
        '/policy',
        '/terms',
        '/documentation',
        '/healthcheck',
        '/.well-known/jwks.json',
        '/.well-known/openid-configuration',
      ),
    ),
    headers,
  )
  .map(
    ([method, path, odd]): Make =>
      () => ({
        method,
        path: path.startsWith('/') ? path : `/${path}`,
        headers: odd,
        ...(method === 'POST' ? { body: 'a=b' } : {}),
      }),
  )

const authorizationParameters: Parameters = {
  client_id: ({ live }) => live.client.client_id,
  redirect_uri: ({ live }) => `${live.url}/callback`,
  response_type: () => 'code',
  scope: () => 'openid profile.name',
  state: () => 'S-1',
  nonce: () => 'N-1',
  prompt: () => 'login',
  max_age: () => '10',
  display: () => 'page',
  ui_locales: () => 'cs',
  acr_values: () => 'loa2',
  claims: () => '{"userinfo":{"name":null}}',
  code_challenge: () => 'x'.repeat(43),
  code_challenge_method: () => 'S256',
  login_hint: () => 'jana',
  id_token_hint: ({ tokens }) => tokens.id_token,
}

const clientForm = (path: string, own: Parameters) =>
  form(() => path, {
    ...own,
    client_assertion: ({ assertions }) => String(assertions.get(path)?.client_assertion),
    client_assertion_type: ({ assertions }) => String(assertions.get(path)?.client_assertion_type),
  })

const withCookie = ({ live }: Values) => ({ cookie: live.cookie })
const spoiltCookie = fc.tuple(
  fc.constantFrom('__Host-session', '__Host-session.sig', '__Secure-interaction', '__Host-device', 'device'),
  anyText,
)

/** What each endpoint is sent. */
export const endpoints: Record<string, fc.Arbitrary<Make>> = {
  '/auth': query('/auth', authorizationParameters, withCookie),
  'POST /auth': form(() => '/auth', authorizationParameters, withCookie),
  '/authorize': query('/authorize', {
    request_uri: ({ live }) => `${live.bank.issuer}/ros/x`,
    redirect_uri: ({ live }) => `${live.url}/callback`,
  }),
  '/token': clientForm('/token', {
    grant_type: () => 'authorization_code',
    code: ({ code }) => code,
    redirect_uri: ({ live }) => `${live.url}/callback`,
    code_verifier: () => 'x',
  }),
  '/token refresh': clientForm('/token', {
    grant_type: () => 'refresh_token',
    refresh_token: ({ tokens }) => tokens.refresh_token,
    scope: () => 'openid',
  }),
  '/token device': clientForm('/token', {
    grant_type: () => 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: () => 'x',
  }),
  '/token-info': clientForm('/token-info', {
    token: ({ tokens }) => tokens.access_token,
    token_type_hint: () => 'access_token',
  }),
  '/revoke': clientForm('/revoke', { token: () => 'none', token_type_hint: () => 'access_token' }),
  '/device_authorization': clientForm('/device_authorization', { scope: () => 'openid' }),
  '/device': form(
    () => '/device',
    { user_code: () => 'BCDF-GHJK', xsrf: () => 'x', confirm: () => 'yes', abort: () => 'yes' },
    withCookie,
  ),
  'GET /device': query('/device', { user_code: () => 'BCDF-GHJK' }, withCookie),
  '/interaction': form(
    ({ interaction }) => interaction,
    { person: () => 'nobody', action: () => 'approve', scope: () => 'profile.name', password: () => 'x' },
    withCookie,
  ),
  '/interaction cookies': fc
    .tuple(spoiltCookie, fc.constantFrom('/device', '/device/x', '/auth/x', '/interaction/x', '/session/end', 'own'))
    .map(
      ([[name, value], path]): Make =>
        (values) => ({
          method: 'GET',
          path: path === 'own' ? values.interaction : path,
          headers: {
            cookie: `${values.live.cookie}; ${name}=${encodeURIComponent(value(values).replace(/\p{Cs}/gu, '?')).slice(0, 4000)}`,
          },
        }),
    ),
  '/userinfo': fc.oneof(
    query('/userinfo', { access_token: ({ tokens }) => tokens.access_token }, ({ tokens }) => ({
      authorization: `Bearer ${tokens.access_token}`,
    })),
    form(() => '/userinfo', { access_token: ({ tokens }) => tokens.access_token }),
  ),
  '/profile': query('/profile', {}, ({ tokens }) => ({ authorization: `Bearer ${tokens.access_token}` })),
  '/session/end': query('/session/end', {
    id_token_hint: ({ tokens }) => tokens.id_token,
    post_logout_redirect_uri: ({ live }) => `${live.url}/out`,
    state: () => 's',
    client_id: ({ live }) => live.client.client_id,
  }),
  'POST /session/end': form(() => '/session/end', {
    id_token_hint: ({ tokens }) => tokens.id_token,
    client_id: ({ live }) => live.client.client_id,
  }),
  '/register': register,
  '/ros': ros,
  'client assertions': assertion,
  ...fetchedDocuments,
  door,
  'any path': anyPath,
  '/auth/:login': query('/auth/x', { ...authorizationParameters, response_mode: () => 'form_post' }, withCookie),
  '/device/:login': query('/device/x', authorizationParameters, withCookie),
}
