import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { validate } from '../../../schemas/index.js'
import { type ForeignBank, startForeignBank } from '../../testing/foreign-bank.js'
import { json, type Routes, type TestRequest } from '../../testing/https-server.js'
import { TestSimulator } from '../../testing/simulator.js'
import type { Entry } from './journal.js'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const open: { close(): Promise<void> }[] = []
const directories: string[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'simulator-'))
  directories.push(path)
  return path
}

async function start(replaced?: (own: Routes) => Routes, data?: string) {
  const bank = await startForeignBank(replaced)
  const service = await TestSimulator.start([bank], { ...(data !== undefined && { data }) })
  open.push(bank, service)
  service.simulator.journal.append({
    kind: 'application',
    issuer: bank.url,
    name: 'registered before',
    own: false,
    clientId: 'app-1',
    redirectUri: 'https://elsewhere.example/callback',
  })
  return { bank, service, journal: service.simulator.journal }
}

const seconds = () => Math.floor(Date.now() / 1000)

function logoutClaims(bank: ForeignBank, changes: Record<string, unknown> = {}): JWTPayload {
  const claims = { iss: bank.url, aud: 'app-1', sub: 'somebody', sid: 's-1', iat: seconds(), jti: 'jti-1' }
  return JSON.parse(JSON.stringify({ ...claims, events: { [logoutEvent]: {} }, ...changes }))
}

function updateOf(changes: Record<string, unknown> = {}) {
  return {
    type: 'claim_updated',
    original_event_at: '2026-01-01T10:00:00+01:00',
    sub: 'somebody',
    affected_client_ids: ['app-1'],
    affected_claims: ['email'],
    ...changes,
  }
}

function notificationClaims(bank: ForeignBank, changes: Record<string, unknown> = {}): JWTPayload {
  return JSON.parse(JSON.stringify({ iss: bank.url, iat: seconds(), jti: 'n-1', events: [updateOf()], ...changes }))
}

async function strange(claims: JWTPayload): Promise<string> {
  const { privateKey } = await generateKeyPair('PS512')
  return new SignJWT(claims).setProtectedHeader({ alg: 'PS512', kid: 'bank' }).sign(privateKey)
}

test('JWKS-7: the service publishes the public part of its key set at /.well-known/jwks.json', async () => {
  const { bank, service } = await start()
  const { status, json: set } = await service.send('GET', '/.well-known/jwks.json')
  const [key] = bank.target.keys ?? []
  expect(status).toBe(200)
  expect(set).toEqual({ keys: [{ kty: 'RSA', n: key?.n, e: 'AQAB', kid: 'service', use: 'sig', alg: 'PS512' }] })
  expect(
    validate('key-set', { keys: (set as { keys: object[] }).keys.map((one) => ({ ...one, key_ops: ['verify'] })) }),
  ).toEqual([])
})

describe('POST /back-channel/logout', () => {
  test('SVC-1: takes a logout_token in once, answers 200 and tells what it took in', async () => {
    const { bank, service, journal } = await start()
    const answer = await service.form('/back-channel/logout', { logout_token: await bank.sign(logoutClaims(bank)) })
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect(journal.of('logout')).toEqual([
      {
        kind: 'logout',
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        issuer: bank.url,
        jti: 'jti-1',
        clientIds: ['app-1'],
        sub: 'somebody',
        sid: 's-1',
      },
    ])
    expect(service.lines).toEqual(['logout at app-1: sub somebody, sid s-1 (jti jti-1)'])
  })

  const refused: [string, Record<string, unknown>, RegExp][] = [
    ['of another issuer', { iss: 'https://other.example' }, /^iss of logout_token is no bank/],
    ['for another audience', { aud: 'app-2' }, /^aud: names no application/],
    ['without events', { events: undefined }, /events/],
    ['with another event', { events: { 'https://example.org/event': {} } }, /events/],
    ['with a nonce', { nonce: 'n' }, /nonce/],
    ['with neither sub nor sid', { sub: undefined, sid: undefined }, /sub or sid/],
    ['without iat', { iat: undefined }, /iat/],
    ['without jti', { jti: undefined }, /jti/],
    ['from the future', { iat: seconds() + 3600 }, /^iat: lies in the future/],
    ['made days ago', { iat: seconds() - 3 * 86_400 }, /^iat: is more than a day ago/],
    ['that has expired', { exp: seconds() - 3600 }, /exp/],
  ]
  test.each(refused)(
    'SVC-1: a logout_token %s is refused with 400, and nothing is taken in',
    async (_what, changes, reason) => {
      const { bank, service, journal } = await start()
      const answer = await service.form('/back-channel/logout', {
        logout_token: await bank.sign(logoutClaims(bank, changes)),
      })
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual({ error: 'invalid_request', error_description: expect.stringMatching(reason) })
      expect(journal.of('logout')).toEqual([])
    },
  )

  test('SVC-1: an unsigned one, one signed by a stranger and what is no JWT are refused', async () => {
    const { bank, service, journal } = await start()
    const claims = logoutClaims(bank)
    for (const logout_token of [new UnsecuredJWT(claims).encode(), await strange(claims), 'no-jwt']) {
      expect(await service.form('/back-channel/logout', { logout_token })).toMatchObject({ status: 400 })
    }
    expect(journal.of('logout')).toEqual([])
  })

  test('SVC-1: a jti that was received before is refused, after a restart too', async () => {
    const data = directory()
    const { bank, service } = await start(undefined, data)
    const logout_token = await bank.sign(logoutClaims(bank))
    expect(await service.form('/back-channel/logout', { logout_token })).toMatchObject({ status: 200 })
    await service.close()
    open.pop()
    const again = await TestSimulator.start([bank], { data })
    open.push(again)
    const answer = await again.form('/back-channel/logout', { logout_token })
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'jti: jti-1 was received before' },
    ])
    expect(again.simulator.journal.of('logout')).toHaveLength(1)
  })

  test('SVC-1: only the form field is taken: no JSON, no two tokens, no body without end', async () => {
    const { bank, service } = await start()
    const token = await bank.sign(logoutClaims(bank))
    const asJson = await service.send('POST', '/back-channel/logout', JSON.stringify({ logout_token: token }), {
      'content-type': 'application/json',
    })
    const twice = await service.form('/back-channel/logout', [
      ['logout_token', token],
      ['logout_token', token],
    ])
    const large = await service.form('/back-channel/logout', { logout_token: 'x'.repeat(300_000) })
    expect([asJson.status, twice.status, large.status]).toEqual([400, 400, 400])
    expect(asJson.json).toMatchObject({ error_description: expect.stringMatching(/x-www-form-urlencoded/) })
  })

  test('SVC-1: a bank whose keys cannot be read is told so with 500, for it to try again', async () => {
    const { bank, service, journal } = await start(() => ({ 'GET /.well-known/jwks.json': () => json({}, 500) }))
    const answer = await service.form('/back-channel/logout', { logout_token: await bank.sign(logoutClaims(bank)) })
    expect([answer.status, journal.of('logout')]).toEqual([500, []])
  })
})

describe('POST /notify', () => {
  test('SVC-2: takes a batch in whole and answers 200', async () => {
    const { bank, service, journal } = await start()
    const events = [updateOf(), updateOf({ affected_claims: ['birthdate', 'age'] })]
    const notification_token = await bank.sign(notificationClaims(bank, { events }))
    expect(await service.form('/notify', { notification_token })).toMatchObject({ status: 200 })
    expect(journal.of('notification').map((entry) => entry.events)).toEqual([events])
    expect(service.lines).toEqual([
      'email of somebody changed at 2026-01-01T10:00:00+01:00, for app-1 (jti n-1)',
      'birthdate, age of somebody changed at 2026-01-01T10:00:00+01:00, for app-1 (jti n-1)',
    ])
  })

  test('SVC-2: the same batch again is answered like the first and counts once, after a restart too', async () => {
    const data = directory()
    const { bank, service } = await start(undefined, data)
    const send = async (to: TestSimulator, changes = {}) =>
      (await to.form('/notify', { notification_token: await bank.sign(notificationClaims(bank, changes)) })).status
    expect(await send(service)).toBe(200)
    await service.close()
    open.pop()
    const again = await TestSimulator.start([bank], { data })
    open.push(again)
    expect([await send(again), await send(again, { events: [updateOf({ sub: 'another' })] })]).toEqual([200, 400])
    expect(again.simulator.journal.of('notification')).toHaveLength(1)
  })

  const refused: [string, Record<string, unknown>, RegExp][] = [
    ['without events', { events: [] }, /^events: /],
    [
      'with an unknown claim',
      { events: [updateOf(), updateOf({ affected_claims: ['salary'] })] },
      /^events.1.affected_claims.0: /,
    ],
    [
      'with a timestamp without offset',
      { events: [updateOf({ original_event_at: '2026-01-01T10:00:00' })] },
      /original_event_at: /,
    ],
    [
      'for an application that the service does not have',
      { events: [updateOf(), updateOf({ affected_client_ids: ['app-1', 'app-9'] })] },
      /^events.1.affected_client_ids: the service has no app-9/,
    ],
    ['from the future', { iat: new Date(Date.now() + 3_600_000).toISOString() }, /^iat: lies in the future/],
  ]
  test.each(refused)(
    'SVC-2: a batch %s is refused with 400, and nothing of it is taken in',
    async (_what, changes, reason) => {
      const { bank, service, journal } = await start()
      const notification_token = await bank.sign(notificationClaims(bank, changes))
      const answer = await service.form('/notify', { notification_token })
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual({ error: 'invalid_request', error_description: expect.stringMatching(reason) })
      expect(journal.of('notification')).toEqual([])
    },
  )

  test('SVC-2: one signed by a stranger is refused', async () => {
    const { bank, service } = await start()
    const notification_token = await strange(notificationClaims(bank))
    expect(await service.form('/notify', { notification_token })).toMatchObject({ status: 400 })
  })
})

const day = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * day).toISOString()

function login(bank: ForeignBank, days: number, changes: Partial<Entry> = {}): Entry {
  const sepSub = '6c1a4a7e-5b7c-4f0e-9a51-0d6a2f5f0c01'
  const base = {
    kind: 'login',
    at: ago(days),
    issuer: bank.url,
    clientId: 'app-1',
    idpSub: 'somebody',
    sepSub,
    person: 'p',
  }
  return { ...base, ...changes } as Entry
}

async function ask(service: TestSimulator, bank: ForeignBank, body: unknown, claims: JWTPayload = {}, idpId = 'idp-1') {
  const now = seconds()
  const assertion = { iss: idpId, sub: idpId, aud: `${service.simulator.url}/user-stat-data`, iat: now, exp: now + 60 }
  const jwt = await bank.sign(JSON.parse(JSON.stringify({ ...assertion, jti: `j-${Math.random()}`, ...claims })))
  return service.send('POST', '/user-stat-data', JSON.stringify(body), {
    authorization: `Bearer ${jwt}`,
    'content-type': 'application/json',
  })
}

describe('POST /user-stat-data', () => {
  const refused: [string, JWTPayload][] = [
    ['another issuer', { iss: 'idp-2' }],
    ['another subject', { sub: 'idp-2' }],
    ['another audience', { aud: 'https://service.example/user-stat-data' }],
    ['an expiry long past', { exp: seconds() - 3600 }],
    ['no exp', { exp: undefined }],
    ['no iat', { iat: undefined }],
    ['no jti', { jti: undefined }],
  ]
  test.each(refused)('SVC-3: an assertion with %s is 401', async (_what, claims) => {
    const { bank, service } = await start()
    const { status, headers, json: body } = await ask(service, bank, { idpSub: 'somebody' }, claims)
    expect([status, body]).toMatchObject([401, { error: 'invalid_token' }])
    expect(headers['www-authenticate']).toMatch(/^Bearer error="invalid_token"/)
  })

  test('SVC-3: an assertion serves once, and none is 401', async () => {
    const { bank, service } = await start()
    const twice = { jti: 'the-same' }
    expect(await ask(service, bank, { idpSub: 'somebody' }, twice)).toMatchObject({ status: 200 })
    expect(await ask(service, bank, { idpSub: 'somebody' }, twice)).toMatchObject({ status: 401 })
    const none = await service.send('POST', '/user-stat-data', '{"idpSub":"x"}', { 'content-type': 'application/json' })
    expect(none.status).toBe(401)
  })

  test('SVC-3: an assertion signed by a stranger is 401', async () => {
    const { bank, service } = await start()
    expect(await ask(service, { ...bank, sign: strange }, { idpSub: 'somebody' })).toMatchObject({ status: 401 })
  })

  test('SVC-4: without idpSub and sepSub the message says what is missing', async () => {
    const { bank, service } = await start()
    for (const body of [{ idp: true }, { idpSub: '', sepSub: '' }]) {
      const answer = await ask(service, bank, body)
      expect([answer.status, answer.json]).toEqual([
        400,
        {
          message: 'idpSub or sepSub must be filled',
          error: 'invalid_request',
          error_description: 'idpSub or sepSub must be filled',
        },
      ])
      expect(validate('user-stat-response', answer.json)).toEqual([])
    }
  })

  const mistaken: [string, unknown, RegExp][] = [
    ['a timestamp without offset', { idpSub: 'x', dateFrom: '2026-01-01T00:00:00' }, /dateFrom/],
    ['a sepSub that is no UUID', { sepSub: 'x' }, /sepSub/],
    ['an idp that is no boolean', { idpSub: 'x', idp: 'true' }, /idp/],
    ['an interval that ends before it begins', { idpSub: 'x', dateFrom: ago(1), dateTo: ago(2) }, /after dateTo/],
    ['an interval of more than 180 days', { idpSub: 'x', dateFrom: ago(181), dateTo: ago(0) }, /180 days/],
    ['no JSON object', [1], /JSON object/],
  ]
  test.each(mistaken)('SVC-4: %s is refused with 400', async (_what, body, reason) => {
    const { bank, service } = await start()
    const answer = await ask(service, bank, body)
    expect([answer.status, answer.json]).toMatchObject([400, { error_description: expect.stringMatching(reason) }])
  })

  test('SVC-5: the figures are of all logins of the person in the interval, across all banks', async () => {
    const [bank, other] = [await startForeignBank(), await startForeignBank()]
    const service = await TestSimulator.start([bank, other])
    open.push(bank, other, service)
    const { journal } = service.simulator
    journal.append({ kind: 'own-usage', issuer: bank.url, txn: 't-1' })
    const entries = [
      login(bank, 20, { txn: 't-1' }),
      login(other, 10, { idpSub: 'otherwise' }),
      login(bank, 5, { txn: 't-2' }),
      login(bank, 200),
      login(bank, 3, { idpSub: 'a-stranger', sepSub: '6c1a4a7e-5b7c-4f0e-9a51-0d6a2f5f0c02', person: 'q' }),
    ]
    for (const entry of entries) journal.append(entry)
    const at = entries.map((entry) => ('at' in entry ? entry.at : ''))
    const own = { authDateTime: at[0], idp: true }
    const all = [own, { authDateTime: at[1], idp: false }, { authDateTime: at[2], idp: false }]
    const whole = { firstAuth: at[0], lastAuth: at[2], numberOfRecords: 3, numberOfIdpRecords: 1, authHistory: all }
    const bySub = await ask(service, bank, { idpSub: 'somebody' })
    expect(bySub.json).toEqual(whole)
    expect(validate('user-stat-response', bySub.json)).toEqual([])
    const sepSub = '6c1a4a7e-5b7c-4f0e-9a51-0d6a2f5f0c01'
    expect((await ask(service, bank, { sepSub })).json).toEqual(whole)
    expect((await ask(service, bank, { idpSub: 'somebody', idp: true })).json).toEqual({
      firstAuth: at[0],
      lastAuth: at[0],
      numberOfRecords: 1,
      numberOfIdpRecords: 1,
      authHistory: [own],
    })
    expect((await ask(service, bank, { idpSub: 'somebody', dateFrom: ago(12), dateTo: ago(7) })).json).toMatchObject({
      firstAuth: at[1],
      lastAuth: at[1],
      numberOfRecords: 1,
    })
    // One bank's sub says nothing at another bank, and another bank's own usage is none of this one's.
    const nothing = { numberOfRecords: 0, numberOfIdpRecords: 0, authHistory: [], message: 'No records.' }
    expect((await ask(service, other, { idpSub: 'somebody' }, {}, 'idp-2')).json).toEqual(nothing)
    expect((await ask(service, other, { idpSub: 'otherwise' }, {}, 'idp-2')).json).toMatchObject({
      numberOfRecords: 3,
      numberOfIdpRecords: 0,
    })
  })
})

describe('a login', () => {
  /** Records what the bank is asked, with a txn and a profile that it has not by itself. */
  function recording(seen: TestRequest[], txn?: string) {
    return (own: Routes): Routes => {
      const routes: Routes = {
        ...own,
        'GET /userinfo': async (request) => {
          const answer = await own['GET /userinfo']?.(request)
          if (txn === undefined || typeof answer !== 'object' || answer.status !== 200) return answer ?? 'cut'
          return { ...answer, body: await bank.sign({ sub: 'somebody', txn, given_name: 'Jana' }) }
        },
      }
      return Object.fromEntries(
        Object.entries(routes).map(([name, route]) => [
          name,
          (request: TestRequest) => {
            seen.push(request)
            return route(request)
          },
        ]),
      )
    }
  }

  let bank: ForeignBank
  async function startRecording(txn?: string, replaced: Routes = {}) {
    const seen: TestRequest[] = []
    const started = await start((own) => recording(seen, txn)({ ...own, ...replaced }))
    bank = started.bank
    return { ...started, seen }
  }

  const details = (failing: Record<string, string>) => () =>
    json({
      status: 'OK',
      description: 'd',
      version: '1',
      time: '2026-01-01T00:00:00Z',
      poll_interval: 60_000,
      outage_description: 'maintenance',
      details: Object.fromEntries(
        Object.entries(failing).map(([name, status]) => [
          name,
          { status, description: 'd', version: '1', time: '2026-01-01T00:00:00Z' },
        ]),
      ),
    })

  test('ends on a page with the claims, and is kept', async () => {
    const { service, journal } = await startRecording()
    const answer = await service.login()
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<h1>Logged in</h1>')
    expect(journal.of('login')).toMatchObject([
      { idpSub: 'somebody', sepSub: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ])
    expect(answer.text).toContain('Bearer access_token:‹')
  })

  test('SVC-9: each /auth request carries redirect_uri, client_id, response_type, scope with openid, state and nonce', async () => {
    const { service, seen } = await startRecording()
    await service.login([['scope', 'profile.name']])
    await service.login()
    const asked = seen
      .filter(({ url }) => url.pathname === '/auth')
      .map(({ url }) => Object.fromEntries(url.searchParams))
    const long = expect.stringMatching(/^[\w-]{43}$/)
    const carried = {
      redirect_uri: `${service.simulator.url}/callback`,
      client_id: expect.stringMatching(/./),
      response_type: 'code',
      scope: 'openid profile.name',
      state: long,
      nonce: long,
    }
    expect(asked).toEqual([carried, { ...carried, scope: 'openid' }])
    expect(asked[0]?.state).not.toBe(asked[1]?.state)
  })

  test('GEN-1: whatever grants the application registered, every call is in the authorization-code flow', async () => {
    const { service, seen, bank } = await startRecording(undefined, {
      'GET /.well-known/openid-configuration': () =>
        json({
          issuer: bank.url,
          authorization_endpoint: `${bank.url}/auth`,
          token_endpoint: `${bank.url}/token`,
          userinfo_endpoint: `${bank.url}/userinfo`,
          jwks_uri: `${bank.url}/.well-known/jwks.json`,
          grant_types_supported: ['authorization_code', 'implicit', 'refresh_token'],
          response_types_supported: ['code', 'token'],
        }),
    })
    expect(await service.login()).toMatchObject({ status: 200 })
    const registered = JSON.parse(seen.find(({ url }) => url.pathname === '/register')?.body ?? '{}')
    expect(registered).toMatchObject({
      grant_types: ['authorization_code', 'implicit', 'refresh_token'],
      response_types: ['code', 'token'],
    })
    const flows = seen.flatMap(({ url, form }) => [url.searchParams.get('response_type'), form.get('grant_type')])
    expect(flows.filter(Boolean)).toEqual(['code', 'authorization_code'])
  })

  test('SVC-8: for an SLA customer each direct call and the /auth request name its organization, and none otherwise', async () => {
    const { service, seen } = await startRecording()
    await service.login({ sep_id: 'org-7' })
    const ofBrowser = (path: string) => ['/auth', '/login', '/consent'].includes(path)
    const direct = seen.filter(({ url }) => !ofBrowser(url.pathname) && url.pathname !== '/healthcheck')
    expect(direct.map(({ url }) => url.pathname)).toEqual(expect.arrayContaining(['/token', '/userinfo']))
    const byPath = direct.filter(({ url }) => ['/register', '/token', '/userinfo'].includes(url.pathname))
    expect(byPath.map(({ headers }) => headers['x-sep-identifier'])).toEqual(byPath.map(() => 'org-7'))
    expect(seen.find(({ url }) => url.pathname === '/auth')?.url.searchParams.get('sep_id')).toBe('org-7')
    seen.splice(0)
    await service.login()
    expect(seen.filter(({ headers, url }) => headers['x-sep-identifier'] ?? url.searchParams.get('sep_id'))).toEqual([])
  })

  test('SVC-10: what the bank does for itself is its own usage by the transaction number alone', async () => {
    const withNumber = await startRecording('11111111-2222-3333-4444-555555555555:openid')
    await withNumber.service.login({ own: 'yes' })
    expect((await ask(withNumber.service, withNumber.bank, { idpSub: 'somebody' })).json).toMatchObject({
      numberOfRecords: 1,
      numberOfIdpRecords: 1,
    })
    const without = await startRecording()
    await without.service.login({ own: 'yes' })
    expect((await ask(without.service, without.bank, { idpSub: 'somebody' })).json).toMatchObject({
      numberOfRecords: 1,
      numberOfIdpRecords: 0,
    })
    const third = await startRecording('11111111-2222-3333-4444-666666666666:openid')
    await third.service.login()
    expect((await ask(third.service, third.bank, { idpSub: 'somebody', idp: true })).json).toMatchObject({
      numberOfRecords: 0,
    })
  })

  test('SVC-7: while /auth and /token are down nobody is sent there, and health is read once', async () => {
    const { service, seen } = await startRecording(undefined, { 'GET /healthcheck': details({ 'oidc-core': 'ERROR' }) })
    const answers = [await service.login(), await service.login()]
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    expect(answers[0]?.text).toContain('maintenance')
    expect(seen.map(({ url }) => url.pathname)).toEqual(['/healthcheck'])
  })

  test('SVC-7: while registration is down, applications that are registered still log in', async () => {
    let status = 'OK'
    const { service, seen } = await startRecording(undefined, {
      'GET /healthcheck': () =>
        json({
          status: 'OK',
          description: 'd',
          version: '1',
          time: '2026-01-01T00:00:00Z',
          poll_interval: 0,
          details: { 'dynamic-registration': { status, description: 'd', version: '1', time: '2026-01-01T00:00:00Z' } },
        }),
    })
    expect(await service.login()).toMatchObject({ status: 200 })
    status = 'ERROR'
    expect(await service.login()).toMatchObject({ status: 200 })
    expect(await service.login({ provider: 'A new one' })).toMatchObject({ status: 503 })
    expect(seen.filter(({ url }) => url.pathname === '/register')).toHaveLength(1)
  })

  test('SVC-7: while profile data is down, only /profile is left out', async () => {
    for (const [status, calls] of [
      ['OK', 1],
      ['ERROR', 0],
    ] as const) {
      const { service, seen, bank } = await startRecording(undefined, {
        'GET /healthcheck': details({ kyc: status }),
        'GET /profile': async () => ({ status: 200, body: await bank.sign({ sub: 'somebody', age: 40 }) }),
        'GET /.well-known/openid-configuration': () =>
          json({
            issuer: bank.url,
            authorization_endpoint: `${bank.url}/auth`,
            token_endpoint: `${bank.url}/token`,
            userinfo_endpoint: `${bank.url}/userinfo`,
            profile_endpoint: `${bank.url}/profile`,
            jwks_uri: `${bank.url}/.well-known/jwks.json`,
          }),
      })
      expect(await service.login({ scope: 'profile.name' })).toMatchObject({ status: 200 })
      expect(seen.filter(({ url }) => url.pathname === '/profile')).toHaveLength(calls)
    }
  })

  test('by another browser, or with an error of the bank, ends without being counted', async () => {
    const { service, journal } = await startRecording(undefined, {
      'POST /token': () => json({ error: 'invalid_grant' }, 400),
    })
    expect(await service.login()).toMatchObject({ status: 502, text: expect.stringContaining('invalid_grant') })
    const begun = await service.form('/login', {})
    const state = new URL(String(begun.headers.location)).searchParams.get('state')
    expect(await service.send('GET', `/callback?state=${state}&code=c`)).toMatchObject({ status: 400 })
    const [cookie = ''] = String(begun.headers['set-cookie']).split(';')
    const declined = await service.send('GET', `/callback?state=${state}&error=access_denied`, undefined, { cookie })
    expect([declined.status, declined.text]).toEqual([200, expect.stringContaining('access_denied')])
    expect(journal.of('login')).toEqual([])
  })

  test('is ended by a logout of the bank', async () => {
    const { service, journal, bank } = await startRecording()
    await service.login()
    expect((await service.send('GET', '/')).text).toContain('somebody at Demo application')
    const [{ clientId } = { clientId: '' }] = journal.of('login')
    const logout_token = await bank.sign(logoutClaims(bank, { aud: clientId, sid: undefined }))
    expect(await service.form('/back-channel/logout', { logout_token })).toMatchObject({ status: 200 })
    expect((await service.send('GET', '/')).text).not.toContain('somebody at Demo application')
  })

  test('is taken from the service’s own pages alone', async () => {
    const { service } = await startRecording()
    expect(await service.form('/login', {}, { origin: 'https://evil.example' })).toMatchObject({ status: 400 })
  })
})

describe('a disturbance', () => {
  test('answers with a status as often as asked, and takes nothing in', async () => {
    const { bank, service, journal } = await start()
    expect(await service.form('/disturbances', { path: '/notify', status: '503', times: '2' })).toMatchObject({
      status: 302,
    })
    const send = async () =>
      (await service.form('/notify', { notification_token: await bank.sign(notificationClaims(bank)) })).status
    expect([await send(), await send(), journal.of('notification').length, await send()]).toEqual([503, 503, 0, 200])
  })

  test('answers late, until it is ended', async () => {
    const { service } = await start()
    await service.form('/disturbances', { path: '/.well-known/jwks.json', delay: '1' })
    const began = performance.now()
    await service.send('GET', '/.well-known/jwks.json')
    expect(performance.now() - began).toBeGreaterThan(900)
    await service.form('/disturbances', { path: '/.well-known/jwks.json', end: 'yes' })
    expect(service.simulator.disturbances.list()).toEqual([])
  })

  test('that makes no sense is refused with the field', async () => {
    const { service } = await start()
    const answer = await service.form('/disturbances', { path: '/notify', status: 'never' })
    expect([answer.status, answer.json]).toMatchObject([400, { error_description: expect.stringMatching(/^status: /) }])
  })
})

describe('the journal', () => {
  test('drops a line that a crash cut short', async () => {
    const data = directory()
    const { bank, service } = await start(undefined, data)
    await service.form('/back-channel/logout', { logout_token: await bank.sign(logoutClaims(bank)) })
    await service.close()
    open.pop()
    const file = join(data, 'journal.jsonl')
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, `${whole}{"kind":"logout","at":"20`)
    const again = await TestSimulator.start([bank], { data })
    open.push(again)
    expect(again.simulator.journal.of('logout')).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).toBe(whole)
  })

  test('that is damaged in its middle is told, and not overwritten', async () => {
    const data = directory()
    writeFileSync(join(data, 'journal.jsonl'), 'not json\n')
    const bank = await startForeignBank()
    open.push(bank)
    await expect(TestSimulator.start([bank], { data })).rejects.toThrow(`--data ${data}: `)
  })
})

test('the keys of applications are kept, for banks encrypt to what they fetched', async () => {
  const data = directory()
  const { service, bank } = await start(undefined, data)
  const before = await service.send('GET', '/applications/jwks.json')
  await service.close()
  open.pop()
  const again = await TestSimulator.start([bank], { data })
  open.push(again)
  expect((await again.send('GET', '/applications/jwks.json')).json).toEqual(before.json)
})
