import request from 'supertest'
import { createBank } from '../bank.js'
import type { LogEntry } from '../log.js'

const redirectUris = ['https://app.example/cb?from=bank']
const preset = { client_id: 'my-app', client_secret: 'my-secret', redirect_uris: redirectUris }
const other = { ...preset, client_id: 'other-app' }

const bank = await createBank({ clients: [preset, other], headless: true })
const address = await bank.listen()
afterAll(() => bank.close())

const http = (method: 'get' | 'post', path: string, at = address) =>
  request(at)[method](path).ca(bank.identity.authority.cert)

/** What GET /auth is asked. */
const asked = (members: Record<string, string>) => ({
  client_id: 'my-app',
  redirect_uri: String(redirectUris[0]),
  response_type: 'code',
  scope: 'openid profile.name',
  state: 'S',
  nonce: 'N',
  ...members,
})

/** Where GET /auth leads, and the cookies that it sets. */
async function auth(
  members: Record<string, string>,
  cookies: readonly string[] = [],
): Promise<{ status: number; to: string; parameters: Record<string, string>; cookies: string[] }> {
  const { status, headers } = await http('get', '/auth').query(asked(members)).set('cookie', cookies.join('; '))
  const location = new URL(headers.location ?? 'about:blank', bank.issuer)
  const set = (headers['set-cookie'] as unknown as string[] | undefined) ?? []
  return {
    status,
    to: location.origin + location.pathname,
    parameters: Object.fromEntries(location.searchParams),
    cookies: set.map((cookie) => String(cookie.split(';')[0])),
  }
}

/** The sub of the tokens that a code gives. */
async function subOf(code: string | undefined): Promise<unknown> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUris[0] }
  const { status, body } = await http('post', '/token')
    .type('form')
    .send({ ...form, client_id: 'my-app', client_secret: 'my-secret' })
  expect([status, body.scope]).toEqual([200, 'openid profile.name'])
  return JSON.parse(Buffer.from(String(body.id_token.split('.')[1]), 'base64url').toString()).sub
}

test('whom login_hint names signs in and consents in one answer, without a page', async () => {
  const { status, to, parameters, cookies } = await auth({ login_hint: 'jana' })
  expect([status, to]).toEqual([302, 'https://app.example/cb'])
  expect(parameters).toEqual({ from: 'bank', code: expect.any(String), state: 'S', iss: bank.issuer })
  expect(cookies.map((cookie) => cookie.split('=')[0]).sort()).toEqual([
    '__Host-device',
    '__Host-session',
    '__Host-session.sig',
  ])
  expect(await subOf(parameters.code)).toBe((await bank.login('my-app', 'jana')).claims.sub)
  expect(bank.requests.last('GET /auth')?.answer?.status).toBe(302)
})

test('a second factor and the choice of an account are no page either', async () => {
  expect((await auth({ login_hint: 'jana', acr_values: 'loa3' })).parameters).toHaveProperty('code')
  expect((await auth({ login_hint: 'martin' })).parameters).toHaveProperty('code')
})

test.each([
  ['radek', { error: 'eid_doesnt_exist', error_description: 'User not eligible' }],
  ['simona', { error: 'eid_doesnt_exist', error_description: 'User disabled authentication' }],
])('%s ends as at the pages', async (login_hint, error) => {
  expect((await auth({ login_hint })).parameters).toEqual({ from: 'bank', ...error, state: 'S', iss: bank.issuer })
})

test('an outcome that is set is that of the next login', async () => {
  await bank.endNextLogin('my-app', 'consent-declined')
  expect((await auth({ login_hint: 'jana' })).parameters).toMatchObject({
    error: 'access_denied',
    error_description: 'User declined consent',
  })
  expect((await auth({ login_hint: 'jana' })).parameters).toHaveProperty('code')
})

test('who is signed in stays so, at another client too; somebody else gets a session of their own', async () => {
  const first = await auth({ login_hint: 'jana' })
  const second = await auth({ login_hint: 'jana', client_id: 'other-app' }, first.cookies)
  const silent = await auth({ prompt: 'none' }, second.cookies)
  expect(silent.parameters).toHaveProperty('code')
  const karel = await auth({ login_hint: 'karel' }, second.cookies)
  const subs = [await subOf(silent.parameters.code), await subOf(karel.parameters.code)]
  expect(subs).toEqual([expect.any(String), expect.not.stringContaining(String(subs[0]))])
})

test.each([
  ['jna', 'did you mean jana?'],
  ['somebody-quite-unknown', 'and others'],
])('%s is nobody, and the client is told', async (login_hint, advice) => {
  expect((await auth({ login_hint })).parameters).toEqual({
    from: 'bank',
    error: 'invalid_request',
    error_description: expect.stringMatching(`^login_hint: no person has the login name '${login_hint}': .*${advice}`),
    state: 'S',
    iss: bank.issuer,
  })
})

test('where nobody may be asked nobody signs in', async () => {
  expect((await auth({ login_hint: 'jana', prompt: 'none' })).parameters).toMatchObject({ error: 'login_required' })
})

test('a refusal is logged as any other, by the trace id of the request', async () => {
  const entries: LogEntry[] = []
  const logged = await createBank({ clients: [preset], headless: true }, (entry) => entries.push(entry))
  const place = await logged.listen()
  const requests: Record<string, string>[] = [{ nonce: '' }, { login_hint: 'radek' }, { client_id: 'my-ap' }, {}]
  for (const members of requests) {
    const query = asked({ login_hint: 'jana', ...members })
    const { headers } = await http('get', '/auth', place).query(query).set('x-b3-traceid', 'abc')
    expect(headers['x-b3-traceid']).toBe('abc')
  }
  await logged.close()
  expect(entries.flatMap((entry) => (entry.event === 'request' ? [entry] : []))).toMatchObject([
    { status: 302, client: 'my-app', error: 'invalid_request', check: 'authorization/nonce', trace: 'abc' },
    { status: 302, client: 'my-app', error: 'eid_doesnt_exist', check: 'outcome/not-eligible', trace: 'abc' },
    { status: 400, error: 'unauthorized_client', check: 'authorization/client-known', trace: 'abc' },
    { status: 302, client: 'my-app', trace: 'abc' },
  ])
})

test('an error that is not redirected is answered as it is', async () => {
  const query = asked({ login_hint: 'jana', redirect_uri: 'https://evil.test/cb' })
  const { status, body } = await http('get', '/auth').query(query)
  expect([status, body]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'redirect_uri is not registered for this client' },
  ])
})

test('a bank whose address has a path signs in as well', async () => {
  const other = await createBank({ clients: [preset], headless: true, issuer: 'https://bank.example/idp' })
  const query = asked({ login_hint: 'jana' })
  const { status, headers } = await request(other.app).get('/idp/auth').query(query)
  expect([status, headers.location]).toEqual([
    302,
    expect.stringMatching(/^https:\/\/app\.example\/cb\?from=bank&code=/),
  ])
  await other.close()
})

test('any other bank takes login_hint for what it is, a hint, and shows its page', async () => {
  const plain = await createBank({ clients: [preset] })
  const query = asked({ login_hint: 'jna' })
  const { status, headers } = await http('get', '/auth', await plain.listen()).query(query)
  expect([status, headers.location]).toEqual([302, expect.stringMatching(/^\/interaction\//)])
  await plain.close()
})

test('a bank whose logins count is not set up to be headless', async () => {
  const options = { headless: true, data: '/nowhere', control: false }
  await expect(createBank(options)).rejects.toThrow(
    'option headless: whoever knows a login name is let in: only a bank that keeps nothing, or whose control door is open, does that',
  )
})
