import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { decodeJwt } from 'jose'
import type { Bank, BankOptions } from '../bank.js'
import { deviceGrant } from '../capabilities.js'
import { advanceClock } from '../clock.js'
import { bankForTest } from '../testing/banks.js'
import type { Cookies, Form } from '../testing/pages.js'
import { requestClaims } from '../testing/request-objects.js'
import type { TestClient, TestService } from '../testing/service.js'

const scope = 'openid profile.name offline_access'
const approval = { action: 'approve', scope: scope.split(' ') }

let bank: Bank
let service: TestService
let client: TestClient

async function start(options: BankOptions = {}) {
  ;({ bank, service } = await bankForTest(options))
}

const register = (grants: readonly string[] = ['authorization_code', 'refresh_token', deviceGrant]) =>
  service.client({ scope, grant_types: grants, client_name: 'The <Television>' })

const authorize = (parameters: Record<string, string> = { scope }) =>
  service.post(client, '/device_authorization', parameters)

const poll = (device_code: string) => service.post(client, '/token', { grant_type: deviceGrant, device_code })

const open = (address: string, language = 'en') =>
  service.http('get', address.slice(bank.issuer.length)).set('accept-language', language)

test('what a device asks for is no longer than what a browser can', async () => {
  await start()
  client = await register()
  expect((await authorize({ scope, nonce: 'n'.repeat(7_000) })).status).toBe(200)
  expect(await authorize({ scope, nonce: 'n'.repeat(9_000) })).toMatchObject({
    status: 413,
    body: { error: 'invalid_request', error_description: 'the request is longer than 8192 characters as an address' },
  })
})

test('a person signs in on a device: codes, confirmation, encrypted tokens, each code once', async () => {
  await start()
  client = await register()
  const { status, body: codes, headers } = await authorize()
  expect([status, headers['cache-control'], codes]).toEqual([
    200,
    'no-store',
    {
      device_code: expect.any(String),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${bank.issuer}/device`,
      verification_uri_complete: `${bank.issuer}/device?user_code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    },
  ])
  expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } })
  expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error: 'slow_down' } })

  const pages: string[] = []
  const typed = ` ${codes.user_code.replace('-', '').toLowerCase()} `
  const forms: Form[] = [{ user_code: typed }, { confirm: 'yes' }, { person: 'jana' }, approval]
  const done = await service.walk(await open(codes.verification_uri), forms, {
    seen: ({ text }) => pages.push(/<title>([^<]*) · /.exec(text)?.[1] ?? ''),
  })
  expect(pages).toEqual(['Sign in on a device', 'Sign in on a device', 'Sign in', 'Consent', 'You are signed in'])
  expect([done.status, done.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining("default-src 'none'"),
  ])

  advanceClock(11)
  const { status: answered, body: tokens } = await poll(codes.device_code)
  expect([answered, tokens]).toEqual([
    200,
    {
      access_token: expect.any(String),
      token_type: 'Bearer',
      refresh_token: expect.any(String),
      expires_in: 3600,
      scope,
      id_token: expect.any(String),
    },
  ])
  // What an id_token of the code flow holds, for the same person, but for the nonce of a redirect.
  const { nonce, ...byCode } = decodeJwt((await service.login(client, scope)).body.id_token)
  const byDevice = decodeJwt(tokens.id_token)
  expect([Object.keys(byDevice).sort(), byDevice.sub]).toEqual([Object.keys(byCode).sort(), byCode.sub])
  const userinfo = await service.http('get', '/userinfo').set('authorization', `Bearer ${tokens.access_token}`)
  expect(userinfo.status).toBe(200)
  expect((await service.refresh(client, tokens.refresh_token)).status).toBe(200)
  advanceClock(11)
  expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('the page shows the code of the address and asks before it is used, in Czech where that is preferred', async () => {
  await start()
  client = await register()
  const { body: codes } = await authorize()
  const first = await open(codes.verification_uri_complete, 'cs')
  expect(first.text).toContain('lang="cs"')
  expect(first.text).toContain(`value="${codes.user_code}"`)
  expect(first.text).not.toContain('<script')
  const cookies: Cookies = new Map()
  const confirmation = await service.walk(first, [{ user_code: codes.user_code }], { cookies })
  expect(confirmation.text).toContain('The &lt;Television>')
  expect(confirmation.text).toContain(codes.user_code)
  const stopped = await service.walk(confirmation, [{ abort: 'yes' }], { cookies })
  expect(stopped.text).toContain('The sign-in on the device was stopped.')
  expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error: 'access_denied' } })
})

test.each([['what is no form', 'application/json', '{}']])('%s is answered with a page', async (_name, type, body) => {
  await start()
  const displayed = await open(`${bank.issuer}/device`)
  const cookie = [displayed.get('set-cookie') ?? []].flat().map((one) => one.split(';')[0])
  const post = () => service.http('post', '/device').set('content-type', type)
  const answer = await post().set('cookie', cookie.join('; ')).send(body)
  expect([answer.status, answer.type]).toEqual([400, 'text/html'])
  expect(answer.text).toContain('This did not work. Enter the code once more.')
  const lost = await post().send(body)
  expect([lost.status, lost.get('location')]).toEqual([303, '/device'])
})

test.each(['__Host-session=of-a-login-that-is-over', '__Host-device=d', 'x='])(
  'with the cookie %s alone a form, and a login that goes on, lead back to the page',
  async (cookie) => {
    await start()
    const form = service.http('post', '/device').type('form').send({ user_code: 'BBBB-BBBB', xsrf: 'x' })
    for (const call of [form, service.http('get', '/device/of-a-login-that-is-over')]) {
      const answer = await call.set('cookie', cookie)
      expect([answer.status, answer.get('location')]).toEqual([303, '/device'])
    }
  },
)

test('a form that is too large is told so on a page, and the next one is read', async () => {
  await start()
  client = await register()
  const { body: codes } = await authorize()
  const shown = await open(codes.verification_uri)
  const cookie = [shown.get('set-cookie') ?? []].flat().map((one) => one.split(';')[0])
  const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(shown.text) ?? []
  const send = (user_code: string) =>
    service.http('post', '/device').set('cookie', cookie.join('; ')).type('form').send({ xsrf, user_code })
  for (const length of [20_480, 60_000]) {
    const { status, type, text: page } = await send('B'.repeat(length))
    expect([status, type]).toEqual([413, 'text/html'])
    expect(page).toContain('<h1>This form cannot be read</h1>')
  }
  const next = await send(codes.user_code)
  expect([next.status, next.text.includes('name="confirm"')]).toEqual([200, true])
})

test('a person who declines, or is not eligible, is told of as at /auth', async () => {
  await start()
  client = await register()
  for (const [form, error] of [
    [{ action: 'decline' }, 'access_denied'],
    [{ person: 'radek' }, 'eid_doesnt_exist'],
  ] as [Form, string][]) {
    const { body: codes } = await authorize()
    const forms: Form[] = [{ user_code: codes.user_code }, { confirm: 'yes' }, form]
    await service.walk(await open(codes.verification_uri), forms)
    expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error } })
  }
})

test('a request for codes cannot name what only the bank may say: the signing request or the sub of somebody else', async () => {
  await start()
  const signer = await service.client({
    scope: 'openid authorization profile.name',
    client_name: 'Whose document it is',
  })
  const { body: registered } = await service.registerRequestObject(requestClaims(signer, { acr_values: 'loa2' }))
  client = await register()
  const { body: codes } = await authorize({
    scope,
    signing_request: String(registered.request_uri).split('/').at(-1) ?? '',
    hinted_subject: 'somebody-else',
    claims: '{"id_token":{"address":null}}',
    resource: 'https://elsewhere.example',
  })
  const pages: string[] = []
  const forms: Form[] = [{ user_code: codes.user_code }, { confirm: 'yes' }, { person: 'jana' }, approval]
  await service.walk(await open(codes.verification_uri), forms, {
    seen: ({ text }) => pages.push(/<title>([^<]*) · /.exec(text)?.[1] ?? ''),
  })
  expect(pages).toEqual(['Sign in on a device', 'Sign in on a device', 'Sign in', 'Consent', 'You are signed in'])
  const { status, body: tokens } = await poll(codes.device_code)
  expect([status, tokens.scope]).toEqual([200, scope])
  const claims = decodeJwt(tokens.id_token)
  const byCode = decodeJwt((await service.login(client, scope)).body.id_token)
  expect([claims.sub, claims.acr, claims.structured_scope]).toEqual([byCode.sub, byCode.acr, undefined])
  // The object still waits for the person whom its own client sends.
  const signed: Form[] = [{ person: 'jana' }, { action: 'authorize' }]
  const callback = await service.authorizeObject(registered.request_uri, signer.redirect_uri, signed)
  expect(callback).toEqual({ code: expect.any(String), state: 'S-1', iss: bank.issuer })
})

test('what is wrong with a request for codes is said before there are any', async () => {
  await start()
  client = await register()
  for (const [parameters, error] of [
    [{}, 'invalid_request'],
    [{ scope: 'profile.name' }, 'invalid_scope'],
    [{ scope: 'openid profile.email' }, 'invalid_scope'],
    [{ scope: 'openid profile.titles' }, 'invalid_scope'],
    [{ scope, acr_values: 'loa9' }, 'invalid_request'],
    [{ scope, max_age: 'soon' }, 'invalid_request'],
  ] as [Record<string, string>, string][]) {
    expect([parameters, await authorize(parameters)]).toMatchObject([parameters, { status: 400, body: { error } }])
  }
  const twice = { ...(await service.clientAssertion(client.client_id, {}, '/device_authorization')) }
  const repeated = await service
    .http('post', '/device_authorization')
    .type('form')
    .send(`${new URLSearchParams(twice)}&scope=openid&scope=openid+profile.name`)
  expect([repeated.status, repeated.body]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'scope is given more than once' },
  ])
  const nobody = await service.http('post', '/device_authorization').type('form').send({ scope })
  expect([nobody.status, nobody.body.error]).toEqual([400, 'invalid_client'])
  client = await register(['authorization_code'])
  expect(await authorize()).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
})

test('a code of another client, an unknown and an expired one are refused', async () => {
  await start()
  const owner = await register()
  client = owner
  const { body: codes } = await authorize()
  client = await register()
  expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await poll('unknown')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  client = owner
  advanceClock(601)
  expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error: 'expired_token' } })
  const late = await service.walk(await open(codes.verification_uri), [{ user_code: codes.user_code }])
  expect(late.text).toContain('was already used, or is too old')
})

test('who tries codes is held back for a while', async () => {
  await start()
  client = await register()
  for (let tries = 0; tries < 10; tries += 1) {
    const { status, text } = await service.walk(await open(`${bank.issuer}/device`), [
      { user_code: `BBBB-BBB${tries}` },
    ])
    expect([status, text.includes('This code does not exist')]).toEqual([200, true])
  }
  const throttled = await open(`${bank.issuer}/device`)
  expect([throttled.status, throttled.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d{3}$/)])
  expect(throttled.text).toContain('Too many wrong codes')
  advanceClock(601)
  expect((await open(`${bank.issuer}/device`)).status).toBe(200)
})

/** Opens pages, and sends a wrong code from each side by side. @returns how many were looked up, and how many were not */
async function tryCodes(count: number, forwardedFor = ''): Promise<{ lookedUp: number; throttled: number }> {
  const from = { 'x-forwarded-for': forwardedFor }
  const pages = await Promise.all(Array.from({ length: count }, () => service.http('get', '/device').set(from)))
  const answers = await Promise.all(
    pages.map((page, i) => {
      const cookie = [page.get('set-cookie') ?? []].flat().map((one) => one.split(';')[0])
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
      const form = { xsrf, user_code: `BBBB-BB${String(i).padStart(2, 'B')}` }
      return service
        .http('post', '/device')
        .type('form')
        .set({ ...from, cookie: cookie.join('; ') })
        .send(form)
    }),
  )
  const said = (text: string) => answers.filter((answer) => answer.text.includes(text)).length
  return { lookedUp: said('code does not exist'), throttled: said('Too many wrong codes') }
}

test('of many codes that are tried side by side no more are looked up than one after the other', async () => {
  await start()
  expect(await tryCodes(30)).toEqual({ lookedUp: 10, throttled: 20 })
})

test('a login on a device that is under way goes on when others at the same address try codes', async () => {
  await start()
  client = await register()
  const { body: codes } = await authorize()
  const cookies: Cookies = new Map()
  const forms: Form[] = [{ user_code: codes.user_code }, { confirm: 'yes' }]
  const signIn = await service.walk(await open(codes.verification_uri), forms, { cookies })
  expect(await tryCodes(11)).toEqual({ lookedUp: 10, throttled: 1 })
  expect((await service.walk(signIn, [{ person: 'jana' }, approval], { cookies })).text).toContain('id="device-done"')
})

test('behind a reverse proxy who tries codes is held back, and nobody else; without one the header is not believed', async () => {
  await start({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] })
  expect(await tryCodes(11, '198.51.100.7, 203.0.113.5, 10.0.0.3')).toEqual({ lookedUp: 10, throttled: 1 })
  expect(await tryCodes(1, '198.51.100.8, 203.0.113.5')).toEqual({ lookedUp: 0, throttled: 1 })
  expect(await tryCodes(1, '203.0.113.6')).toEqual({ lookedUp: 1, throttled: 0 })
  expect(await tryCodes(11, '2001:db8:0:1::1')).toEqual({ lookedUp: 10, throttled: 1 })
  expect(await tryCodes(1, '2001:db8:0:1:ffff::2')).toEqual({ lookedUp: 0, throttled: 1 })
  expect(await tryCodes(1, '2001:db8:0:2::1')).toEqual({ lookedUp: 1, throttled: 0 })
  await service.stop()
  await bank.close()
  await start()
  expect(await tryCodes(10, '203.0.113.5')).toEqual({ lookedUp: 10, throttled: 0 })
  expect(await tryCodes(1, '203.0.113.6')).toEqual({ lookedUp: 0, throttled: 1 })
})

/** Sends forms to /device in one write on one connection, so that the bank has all of them before it answers any. @returns the answers */
async function sendTogether(forms: { cookies: Cookies; form: Record<string, string> }[]): Promise<string[]> {
  const { port } = new URL(bank.issuer)
  const socket = connect({ port: Number(port), host: 'localhost', ca: bank.identity.authority.cert })
  const requests = forms.map(({ cookies, form }, i) => {
    const body = new URLSearchParams(form).toString()
    const close = i === forms.length - 1 ? 'connection: close\r\n' : ''
    return `POST /device HTTP/1.1\r\nhost: localhost:${port}\r\naccept-language: en\r\ncookie: ${[...cookies.values()].join('; ')}\r\n${close}content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  })
  await once(socket, 'secureConnect')
  socket.write(requests.join(''))
  return (await text(socket)).split(/(?=HTTP\/1\.1 \d{3} )/)
}

test('of browsers that confirm one code in the same moment exactly one goes on to sign the device in', async () => {
  await start()
  client = await register()
  const { body: codes } = await authorize()
  const forms = Array.from({ length: 6 }, async () => {
    const cookies: Cookies = new Map()
    const entered = [{ user_code: codes.user_code }]
    const page = await service.walk(await open(codes.verification_uri), entered, { cookies })
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    return { cookies, form: { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), confirm: 'yes' } }
  })
  const answers = await sendTogether(await Promise.all(forms))
  const results = answers.map((answer) =>
    /^HTTP\/1.1 302 .*\r\nlocation: \/interaction\//is.test(answer)
      ? 'sign in'
      : /was already used, or is too old/.exec(answer)?.[0],
  )
  expect(results.sort()).toEqual(['sign in', ...Array(5).fill('was already used, or is too old')])
})

test('AMB-34: by the other readings the endpoint answers and the grant is refused, or there is none', async () => {
  await start({ readings: { 'AMB-34': 'grant-refused' } })
  expect((await service.register({ grant_types: ['authorization_code', deviceGrant] })).status).toBe(400)
  client = await register(['authorization_code', 'refresh_token'])
  expect(await authorize()).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  expect(await poll('any')).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  await service.stop()
  await bank.close()
  await start({ readings: { 'AMB-34': 'undeclared' } })
  const { body: document } = await service.http('get', '/.well-known/openid-configuration')
  expect(document.device_authorization_endpoint).toBe(undefined)
  expect(document.grant_types_supported).not.toContain(deviceGrant)
  for (const [method, path] of [
    ['get', '/device'],
    ['post', '/device_authorization'],
  ] as const) {
    expect((await service.http(method, path)).status).toBe(404)
  }
})
