import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import { validate } from '../../schemas/index.js'
import type { Bank, BankOptions } from '../bank.js'
import { bankForTest } from '../testing/banks.js'
import type { Cookies } from '../testing/pages.js'
import type { TestClient, TestService } from '../testing/service.js'

let bank: Bank
let service: TestService

async function start(options: BankOptions = {}) {
  ;({ bank, service } = await bankForTest(options))
}

const scope = 'openid profile.name'

function register(name: string, changes: Record<string, unknown> = {}) {
  return service.client({
    client_name: name,
    // Each has a sector of its own.
    redirect_uris: [`https://${name}.example/callback`],
    backchannel_logout_uri: `${service.url}/${name}/back-channel/logout`,
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid profile.name offline_access',
    ...changes,
  })
}

/** Logs jana in within a browser; later logins find the session. */
async function login(client: TestClient, cookies: Cookies, requested = scope) {
  const consent = { action: 'approve', scope: requested.split(' ') }
  const forms = cookies.size === 0 ? [{ person: 'jana' }, consent] : [consent]
  const { code } = await service.authorize(client, requested, forms, {}, cookies)
  const { body } = await service.redeem(client, String(code))
  return { ...body, claims: decodeJwt(body.id_token) } as {
    access_token: string
    refresh_token?: string
    id_token: string
    claims: ReturnType<typeof decodeJwt>
  }
}

function endSession(cookies: Cookies, parameters: Record<string, string> = {}) {
  return service
    .http('get', '/session/end')
    .query(parameters)
    .set('cookie', [...cookies.values()].join('; '))
}

const without = (client: TestClient, cookies: Cookies) =>
  service.authorize(client, scope, [], { prompt: 'none' }, cookies)

const info = async (client: TestClient, token: string) =>
  (await service.post(client, '/token-info', { token })).body.active

test('logout with the id_token ends the session and its tokens at once, and every client of it is told', async () => {
  await start()
  const cookies: Cookies = new Map()
  const clients = [await register('one'), await register('two'), await register('three')]
  const [one, two] = clients as [TestClient, TestClient]
  const logins: Awaited<ReturnType<typeof login>>[] = []
  for (const client of clients) logins.push(await login(client, cookies))
  const offline = await login(two, cookies, 'openid profile.name offline_access')
  const elsewhere = await login(one, new Map())
  const { status, text } = await endSession(cookies, { id_token_hint: logins[0]?.id_token ?? '' })
  expect([status, text.includes('You are logged out')]).toEqual([200, true])
  expect(await without(one, cookies)).toMatchObject({ error: 'login_required' })
  expect(await info(one, logins[0]?.access_token ?? '')).toBe(false)
  expect(await info(two, offline.access_token)).toBe(false)
  expect(await info(two, offline.refresh_token ?? '')).toBe(false)
  expect(await info(one, elsewhere.access_token)).toBe(true)

  const posted = await service.heard(3)
  const keys = createLocalJWKSet((await service.http('get', '/.well-known/jwks.json')).body as JSONWebKeySet)
  const received = await Promise.all(
    posted.map(async ({ path, form }) => {
      const { payload } = await jwtVerify(String(form.get('logout_token')), keys, { issuer: bank.issuer })
      expect([validate('logout-token', payload), [...form.keys()]]).toEqual([[], ['logout_token']])
      return [path, payload.aud, payload.sub, payload.sid]
    }),
  )
  expect(received.sort()).toEqual(
    clients
      .map(({ client_id, record }, index) => [
        `/${record.client_name}/back-channel/logout`,
        client_id,
        logins[index]?.claims.sub,
        logins[index]?.claims.sid,
      ])
      .sort(),
  )
  expect(new Set(received.map(([, , sub]) => sub)).size).toBe(3)
})

test('an id_token that is encrypted to the bank logs out as a plain one does', async () => {
  await start()
  const cookies: Cookies = new Map()
  const { id_token, access_token } = await login(await register('only'), cookies)
  const { status } = await endSession(cookies, { id_token_hint: await service.encryptToBank(id_token) })
  expect([
    status,
    (await service.http('get', '/userinfo').set('authorization', `Bearer ${access_token}`)).status,
  ]).toEqual([200, 401])
})

test('REV-2: revoking a refresh token ends the login, and tells the other clients of it; their tokens stay', async () => {
  await start()
  const cookies: Cookies = new Map()
  const [one, two] = [await register('one'), await register('two')]
  const revoked = await login(one, cookies, 'openid profile.name offline_access')
  const other = await login(two, cookies)
  await service.post(one, '/revoke', { token: revoked.refresh_token ?? '' })
  expect(await without(two, cookies)).toMatchObject({ error: 'login_required' })
  expect([await info(one, revoked.access_token), await info(two, other.access_token)]).toEqual([false, true])
  const [posted] = await service.heard(1)
  expect(posted?.path).toBe('/two/back-channel/logout')
  expect(decodeJwt(String(posted?.form.get('logout_token')))).toMatchObject({
    aud: two.client_id,
    sub: other.claims.sub,
    sid: other.claims.sid,
  })
})

test('a logout token and a reply with user data are no id_token_hint: they end no session', async () => {
  await start()
  const cookies: Cookies = new Map()
  const [one, two] = [await register('one'), await register('two')]
  const ended = await login(one, cookies, 'openid profile.name offline_access')
  await login(two, cookies)
  await service.post(one, '/revoke', { token: ended.refresh_token ?? '' })
  const [posted] = await service.heard(1)
  const live = await login(two, new Map())
  const reply = await service.http('get', '/userinfo').set('authorization', `Bearer ${live.access_token}`)
  const userinfo = reply.text
  const replies = [userinfo.split('.').length === 5 ? await service.decrypt(userinfo) : userinfo]
  for (const hint of [String(posted?.form.get('logout_token')), ...replies]) {
    expect(decodeJwt(hint).iss).toBe(bank.issuer)
    const { status, text } = await endSession(cookies, { id_token_hint: hint })
    expect([status, text]).toEqual([400, expect.stringContaining('id_token_hint')])
  }
  expect(await info(two, live.access_token)).toBe(true)
})

test('without an id_token of the person the bank asks first, and a page of another cannot answer', async () => {
  await start()
  const cookies: Cookies = new Map()
  const client = await register('one')
  await login(client, cookies)
  const otherLogin = await login(await register('two'), new Map())
  // The first character of a signature carries six bits of it; the last one may carry fewer.
  const forged = otherLogin.id_token.replace(
    /\.(.)([^.]*)$/,
    (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`,
  )
  const attempts: Record<string, string>[] = [{}, { id_token_hint: forged }]
  for (const parameters of attempts) {
    const { status } = await endSession(cookies, parameters)
    expect([200, 400]).toContain(status)
    expect(await without(client, cookies)).toHaveProperty('code')
  }
  const page = await endSession(cookies)
  expect(page.text).toContain('Log out?')
  const post = (form: Record<string, string>) =>
    service
      .http('post', '/session/end')
      .type('form')
      .set('cookie', [...cookies.values()].join('; '))
      .send(form)
  expect((await post({ action: 'log-out', confirm: 'guessed' })).text).toContain('Log out?')
  const confirm = /name="confirm" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  expect((await post({ action: 'log-out', confirm })).text).toContain('You are logged out')
  expect(await without(client, cookies)).toMatchObject({ error: 'login_required' })
})

test('the person goes back to a registered address with state, and to no other', async () => {
  await start()
  const post_logout_redirect_uri = 'https://one.example/bye?a=one%20two'
  const client = await register('one', { post_logout_redirect_uris: [post_logout_redirect_uri] })
  const cookies: Cookies = new Map()
  const { id_token } = await login(client, cookies)
  const elsewhere = await endSession(cookies, {
    id_token_hint: id_token,
    post_logout_redirect_uri: 'https://evil.example',
  })
  expect([elsewhere.status, elsewhere.text.includes('post_logout_redirect_uri is not registered')]).toEqual([400, true])
  const twice = await endSession(cookies, { id_token_hint: id_token, client_id: 'another' })
  expect(twice.status).toBe(400)
  const back = await endSession(cookies, { id_token_hint: id_token, post_logout_redirect_uri, state: 's&t' })
  expect([back.status, back.get('location')]).toEqual([302, 'https://one.example/bye?a=one%20two&state=s%26t'])
})

test('the form leads a browser back by a page that goes on by itself, another program by a redirect', async () => {
  await start()
  const post_logout_redirect_uri = 'https://one.example/bye'
  const client = await register('one', { post_logout_redirect_uris: [post_logout_redirect_uri] })
  const { client_id } = client
  const logOut = async (headers: Record<string, string>) => {
    const cookies: Cookies = new Map()
    await login(client, cookies)
    const page = await endSession(cookies, { client_id, post_logout_redirect_uri })
    const confirm = /name="confirm" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const cookie = [...cookies.values()].join('; ')
    const post = service.http('post', '/session/end').set({ cookie, ...headers })
    return post.type('form').send({ client_id, post_logout_redirect_uri, confirm })
  }
  const shown = await logOut({ 'sec-fetch-mode': 'navigate' })
  expect([shown.status, shown.text.includes(`content="0;url=${post_logout_redirect_uri}"`)]).toEqual([200, true])
  const redirected = await logOut({})
  expect([redirected.status, redirected.get('location')]).toEqual([303, post_logout_redirect_uri])
})

test('a form too large to be read is answered with a page', async () => {
  await start()
  const answer = await service
    .http('post', '/session/end')
    .type('form')
    .send({ state: 'x'.repeat(51_200) })
  expect([answer.status, answer.type]).toEqual([413, 'text/html'])
  expect(answer.text).toContain('<h1>This form cannot be read</h1>')
})

test('LOGOUT-2: the page of a logout loads what clients registered, with iss and sid where they asked for them', async () => {
  await start()
  const cookies: Cookies = new Map()
  const one = await register('one', { frontchannel_logout_uri: 'https://one.example/front?x=1' })
  const two = await register('two', {
    frontchannel_logout_uri: 'https://two.example/front?y=a%20b',
    frontchannel_logout_session_required: true,
    post_logout_redirect_uris: ['https://two.example/bye'],
  })
  await login(one, cookies)
  const { id_token, claims } = await login(two, cookies)
  const { status, text, headers } = await endSession(cookies, {
    id_token_hint: id_token,
    post_logout_redirect_uri: 'https://two.example/bye',
  })
  expect(status).toBe(200)
  const frames = [...text.matchAll(/<iframe src="([^"]+)"/g)].map((found) => String(found[1]).replaceAll('&amp;', '&'))
  const session = new URLSearchParams({ iss: bank.issuer, sid: String(claims.sid) })
  expect(frames).toEqual(['https://one.example/front?x=1', `https://two.example/front?y=a%20b&${session}`])
  expect(headers['content-security-policy']).toContain('frame-src https://one.example https://two.example')
  expect(text).toContain('3;url=https://two.example/bye')
  const { body } = await service.http('get', '/.well-known/openid-configuration')
  expect(body).toMatchObject({ frontchannel_logout_supported: true, frontchannel_logout_session_supported: true })
})

test('AMB-43: by the other reading refresh tokens of offline access survive a logout', async () => {
  await start({ readings: { 'AMB-43': 'online-tokens' } })
  const cookies: Cookies = new Map()
  const client = await register('one')
  const { id_token, access_token, refresh_token } = await login(client, cookies, 'openid profile.name offline_access')
  await endSession(cookies, { id_token_hint: id_token })
  expect(await info(client, access_token)).toBe(false)
  expect((await service.refresh(client, refresh_token ?? '')).status).toBe(200)
})

test('AMB-52: by the other reading nothing of the front channel is registered, and the person stays on the page of the bank', async () => {
  await start({ readings: { 'AMB-52': 'not-offered' } })
  const back = 'https://one.example/goodbye'
  const one = await register('one', {
    post_logout_redirect_uris: [back],
    frontchannel_logout_uri: 'https://one.example/front',
  })
  const cookies: Cookies = new Map()
  const { id_token } = await login(one, cookies)
  const { status, text } = await endSession(cookies, { id_token_hint: id_token, post_logout_redirect_uri: back })
  expect([status, text.includes('You are logged out'), text.includes('one.example')]).toEqual([200, true, false])
})
