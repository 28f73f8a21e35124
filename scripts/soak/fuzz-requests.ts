import fc from 'fast-check'
import type { LiveBank, Sent } from './live-bank.js'

/** Good values that requests are made of; they change while a fuzzing goes on. */
export interface Values {
  live: LiveBank
  code: string
  tokens: { access_token: string; refresh_token: string; id_token: string }
  interaction: string
  assertions: Map<string, Record<string, string>>
  registration: Record<string, string>
}

/** A request, once the good values are known. */
type Make = (values: Values) => Sent
type Text = fc.Arbitrary<(values: Values) => string>

const constant = (text: string) => fc.constant(() => text)
const deepJson = `${'['.repeat(5000)}${']'.repeat(5000)}`
const objects = '{"toString":1,"valueOf":1,"__proto__":{"x":1},"constructor":null}'

/** JSON that hardly any schema allows. */
const hostileJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    'null',
    '0',
    '""',
    '[]',
    '{}',
    '-1',
    '1e999',
    'true',
    '{',
    'NaN',
    objects,
    `[${objects}]`,
    `{"a":${objects}}`,
  ),
  fc.constant(deepJson),
)

const part = (text: fc.Arbitrary<string>) => text.map((json) => Buffer.from(json).toString('base64url'))

/** Something in the form of a JWT, signed by nobody. */
const hostileJwt = fc
  .tuple(
    part(
      fc.oneof(
        fc.constantFrom(
          '{"alg":"PS512"}',
          '{"alg":"none"}',
          '{"alg":"HS512","kid":"x"}',
          `{"alg":${objects}}`,
          `{"alg":"ES512","kid":${objects}}`,
          `{"alg":"ES512","crit":["b64"],"b64":false}`,
        ),
        hostileJson,
      ),
    ),
    part(
      fc.oneof(
        hostileJson,
        hostileJson.map((json) => `{"sub":${json},"iss":${json},"aud":${json},"jti":${json},"exp":${json}}`),
      ),
    ),
    fc.constantFrom('', 'AAAA', '!'),
    fc.constantFrom('', '', '', '.AAAA.AAAA'),
  )
  .map(([header, claims, signature, more]) => `${header}.${claims}.${signature}${more}`)

const hostileText: Text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => () => text),
  fc.string({ maxLength: 30 }).map((text) => () => text),
  constant(''),
  constant('x'.repeat(9_000)),
  constant(' '),
  constant('%00'),
  constant('\u202e\ud800'),
  constant('__proto__'),
  constant('constructor'),
  constant('-1'),
  constant('99999999999999999999'),
  constant("' or 1=1 --"),
  hostileJson.map((json) => () => json.slice(0, 20_000)),
  hostileJwt.map((jwt) => () => jwt),
)

/** Good values that may stand where they do not belong. */
const ownText: Text = fc.constantFrom<(values: Values) => string>(
  ({ live }) => live.client.client_id,
  ({ live }) => live.client.client_secret,
  ({ live }) => `${live.url}/callback`,
  ({ live }) => live.bank.issuer,
  ({ code }) => code,
  ({ tokens }) => tokens.access_token,
  ({ tokens }) => tokens.refresh_token,
  ({ tokens }) => tokens.id_token,
  ({ interaction }) => interaction.split('/').at(-1) ?? '',
  ({ assertions }) => String(assertions.get('/token')?.client_assertion),
)

const anyText = fc.oneof({ weight: 3, arbitrary: hostileText }, { weight: 2, arbitrary: ownText })

type Parameters = Record<string, (values: Values) => string>
type Pairs = (values: Values) => [string, string][]

const oddNames = [
  '__proto__',
  'toString',
  'request',
  'request_uri',
  'resource',
  'dpop',
  'signing_request',
  'hinted_subject',
  'claims',
  'registration',
  'id_token_hint',
  'user_code',
  'xsrf',
  '',
]

/** Good parameters, of which some are left out, given twice, or have another value; and some that nobody knows. */
function mutated(good: Parameters): fc.Arbitrary<Pairs> {
  const names = [...Object.keys(good), ...oddNames]
  const mutation = fc.tuple(fc.constantFrom(...names), fc.constantFrom('set', 'set', 'set', 'drop', 'twice'), anyText)
  return fc.array(mutation, { maxLength: 3 }).map((mutations) => (values) => {
    let pairs = Object.entries(good).map(([name, value]): [string, string] => [name, value(values)])
    for (const [name, how, value] of mutations) {
      if (how !== 'twice') pairs = pairs.filter(([other]) => other !== name)
      if (how !== 'drop') pairs.push([name, value(values)])
    }
    return pairs
  })
}

const formType = 'application/x-www-form-urlencoded'

const headers = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'authorization',
          'cookie',
          'accept-language',
          'x-forwarded-for',
          'x-b3-traceid',
          'client-cert',
          'dpop',
          'origin',
          'accept',
          'content-type',
          'content-encoding',
          'transfer-encoding',
          'forwarded',
        ),
        fc.oneof(
          fc.string({ maxLength: 40 }),
          fc.constantFrom(
            'Bearer',
            'Bearer ',
            'Basic :',
            'null',
            '*',
            'gzip',
            'a=b; ',
            'multipart/form-data; boundary=x',
            `${formType}; charset=utf-7`,
            'q'.repeat(5000),
          ),
          hostileJwt.map((jwt) => `Bearer ${jwt}`),
        ),
      )
      .map(([name, value]) => ({ [name]: value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?') })),
  },
)

const urlencoded = (pairs: [string, string][]) =>
  new URLSearchParams(pairs.map(([name, value]) => [name, value.replace(/\p{Cs}/gu, '?')])).toString()

/** A body that is no form at all. */
const anyBody = fc.oneof(
  hostileJson,
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('a=%', '&&&==', 'x'.repeat(60_000), '%u0000=1', 'a[b][c]=1&a=2'),
)

function form(
  path: (values: Values) => string,
  good: Parameters,
  more: (values: Values) => Record<string, string> = () => ({}),
): fc.Arbitrary<Make> {
  return fc
    .tuple(
      mutated(good),
      headers,
      fc.option(anyBody, { freq: 10 }),
      fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'HEAD'),
    )
    .map(([pairs, odd, body, method]) => (values) => ({
      method,
      path: path(values),
      headers: { 'content-type': formType, ...more(values), ...odd },
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: body ?? urlencoded(pairs(values)) }),
    }))
}

function query(
  path: string,
  good: Parameters,
  more: (values: Values) => Record<string, string> = () => ({}),
): fc.Arbitrary<Make> {
  return fc
    .tuple(
      mutated(good),
      headers,
      fc.option(fc.constantFrom('%', '%ff', '%00', '?', ';', '&&', '[]=1', '%c0%ae'), { freq: 10 }),
    )
    .map(([pairs, odd, raw]) => (values) => ({
      method: 'GET',
      path: `${path}?${urlencoded(pairs(values)).slice(0, 12_000)}${raw ?? ''}`,
      headers: { ...more(values), ...odd },
    }))
}

/** A JSON body: good members, of which some have another value. */
function json(good: (values: Values) => object, names: readonly string[]): fc.Arbitrary<(values: Values) => string> {
  const changes = fc.array(fc.tuple(fc.constantFrom(...names), hostileJson), { maxLength: 3 })
  return fc.oneof(
    { weight: 1, arbitrary: hostileJson.map((text) => () => text) },
    {
      weight: 6,
      arbitrary: changes.map((made) => (values: Values) => {
        const members = new Map(Object.entries(good(values)).map(([name, value]) => [name, JSON.stringify(value)]))
        for (const [name, text] of made) members.set(name, text)
        return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
      }),
    },
  )
}

const recordNames =
  'redirect_uris client_name jwks_uri scope grant_types response_types sector_identifier_uri token_endpoint_auth_method token_endpoint_auth_signing_alg request_uris post_logout_redirect_uris frontchannel_logout_uri backchannel_logout_uri notification_uri default_max_age default_acr_values require_auth_time contacts logo_uri subject_type application_type userinfo_encrypted_response_alg id_token_signed_response_alg request_object_signing_alg required_scope client_id client_secret __proto__'.split(
    ' ',
  )

const register = fc
  .tuple(
    json(({ live }) => live.record(), recordNames),
    headers,
    fc.constantFrom('', '', `/${'x'}`, 'own'),
    fc.constantFrom('POST', 'POST', 'PUT', 'GET', 'DELETE'),
  )
  .map(
    ([body, odd, below, method]): Make =>
      (values) => {
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
          headers: { ...values.registration, ...token, ...odd },
          ...(method === 'GET' ? {} : { body: body(values) }),
        }
      },
  )

/** A request object whose claims are anything, signed and encrypted by nobody. */
const ros = fc.tuple(fc.oneof(hostileJwt, anyBody), headers).map(
  ([body, odd]): Make =>
    () => ({
      method: 'POST',
      path: '/ros',
      headers: { 'content-type': 'application/jwe', ...odd },
      body,
    }),
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
  fc.constantFrom('_session', '_session.sig', '_interaction', '__Host-device', 'device'),
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
  door,
  'any path': anyPath,
}
