import { deviceGrant } from './capabilities.js'
import type { LogEntry } from './log.js'
import { bankForFile, bankForTest } from './testing/banks.js'
import type { Form } from './testing/pages.js'

const entries: LogEntry[] = []

const { service } = await bankForFile({}, {}, (entry) => entries.push(entry))

/** Lets a request that needs the client's keys wait for them. */
function holdKeys(held: typeof service): { requested: Promise<void>; release(): void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const requested = new Promise<void>((resolve) => {
    held.beforeKeys = () => {
      resolve()
      return released
    }
  })
  return { requested, release }
}

test('each request has one line: method, path, status, milliseconds, client, trace id', async () => {
  const client = await service.client()
  entries.length = 0
  const { body } = await service.login(client, 'openid profile.name')
  await service.http('get', '/userinfo').set({ authorization: `Bearer ${body.access_token}`, 'x-b3-traceid': 'trace7' })
  const lines = entries.map((entry) =>
    entry.event === 'request' ? `${entry.method} ${entry.path} ${entry.status} ${entry.client}` : entry.event,
  )
  const { client_id } = client
  expect(lines).toEqual([
    `GET /auth 302 ${client_id}`,
    `GET /interaction/* 200 ${client_id}`,
    `POST /interaction/* 303 ${client_id}`,
    `GET /auth/* 302 ${client_id}`,
    `GET /interaction/* 200 ${client_id}`,
    `POST /interaction/* 303 ${client_id}`,
    `GET /auth/* 302 ${client_id}`,
    `POST /token 200 ${client_id}`,
    `GET /userinfo 200 ${client_id}`,
  ])
  expect(entries.at(-1)).toMatchObject({ trace: 'trace7', milliseconds: expect.any(Number) })
  const made = { trace: expect.stringMatching(/^[0-9a-f]{32}$/), milliseconds: expect.any(Number) }
  for (const entry of entries.slice(0, -1)) expect(entry).toMatchObject(made)
})

/** The lines of refusals, when the last one is there: what was asked, the status, the error and the check that refused. */
async function refusalsUntil(last: string): Promise<string[]> {
  const lines = () =>
    entries.flatMap((entry) => {
      if (entry.event !== 'request' || entry.error === undefined) return []
      return `${entry.method} ${entry.path} ${entry.status} ${entry.error} ${entry.check}`
    })
  while (!lines().at(-1)?.startsWith(last)) await new Promise((resolve) => setImmediate(resolve))
  return lines()
}

test('a refusal is logged with its code, and the name of the check that refused', async () => {
  const client = await service.client()
  const query = { client_id: client.client_id, redirect_uri: client.redirect_uri, response_type: 'code', state: 'S-1' }
  entries.length = 0
  await service.http('get', '/auth').query(query)
  await service.http('get', '/auth').query({ ...query, redirect_uri: 'https://evil.test/cb' })
  await service.http('post', '/token').type('form').send({ grant_type: 'x', client_id: 'nobody' })
  await service.http('post', '/token').type('form').send('grant_type=x&grant_type=y')
  await service.post(client, '/token', { grant_type: 'refresh_token', refresh_token: 'x' })
  await service.http('get', '/userinfo').set('authorization', 'Bearer x')
  await service.http('get', '/userinfo')
  await service.http('post', '/userinfo').type('form').set('authorization', 'Bearer x').send('access_token=x')
  await service.http('post', '/userinfo').type('form').send('access_token=x&access_token=y')
  await service.http('get', '/nowhere')
  await service.http('get', '/session/end').query({ client_id: 'nobody' })
  await service.http('get', '/interaction/nobody')
  expect(await refusalsUntil('GET /interaction/* ')).toEqual([
    'GET /auth 302 invalid_request authorization/nonce',
    'GET /auth 400 invalid_request authorization/redirect-uri-registered',
    'POST /token 400 invalid_client client-authentication/client-known',
    'POST /token 400 invalid_request form/repeated',
    'POST /token 400 unauthorized_client token-request/grant-registered',
    'GET /userinfo 401 invalid_token access-token/known',
    'GET /userinfo 401 invalid_token access-token/present',
    'POST /userinfo 400 invalid_request access-token/once',
    'POST /userinfo 400 invalid_request access-token/once',
    'GET /nowhere 404 invalid_request path/served',
    'GET /session/end 400 invalid_request end-session/client-known',
    'GET /interaction/* 400 invalid_request interaction/open',
  ])
})

test('so is what oidc-provider refuses, and how a login ended on a page', async () => {
  const client = await service.client({ grant_types: ['authorization_code', 'refresh_token', deviceGrant] })
  const { client_id, redirect_uri } = client
  const query = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 'S-1', nonce: 'N-1' }
  entries.length = 0
  await service.authorize(client, 'openid', [{ action: 'decline' }])
  await service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'refuse' }])
  await service.authorize(client, 'openid', [{ person: 'radek' }])
  await service.http('get', '/auth').query({ ...query, prompt: 'none' })
  await service.http('get', '/auth/nobody')
  await service.redeem(client, 'no-code')
  await service.post(client, '/token', { grant_type: 'refresh_token', refresh_token: 'no-token' })
  await service.post(client, '/token', { grant_type: deviceGrant, device_code: 'no-code' })
  const { body } = await service.post(client, '/device_authorization', { scope: 'openid' })
  await service.post(client, '/token', { grant_type: deviceGrant, device_code: body.device_code })
  expect(await refusalsUntil('POST /token 400 authorization_pending')).toEqual([
    'GET /auth/* 302 access_denied outcome/authentication-declined',
    'GET /auth/* 302 access_denied outcome/consent-declined',
    'GET /auth/* 302 eid_doesnt_exist outcome/not-eligible',
    'GET /auth 302 login_required prompt/no-session',
    'GET /auth/* 400 invalid_request library/session-not-found',
    'POST /token 400 invalid_grant token-request/code-known',
    'POST /token 400 invalid_grant token-request/refresh-token-known',
    'POST /token 400 invalid_grant token-request/device-code-known',
    'POST /token 400 authorization_pending library/authorization-pending',
  ])
})

test('a caller that goes away before there is an answer is not logged as served', async () => {
  const { service: slow } = await bankForTest({}, (entry) => entries.push(entry))
  const client = await slow.client()
  const keys = holdKeys(slow)
  entries.length = 0
  const form = { grant_type: 'refresh_token', ...(await slow.clientAssertion(client.client_id)) }
  const request = slow.http('post', '/token').type('form').send(form)
  request.end(() => {})
  await keys.requested
  request.abort()
  while (entries.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(entries).toMatchObject([{ event: 'request', path: '/token', status: 499 }])
  keys.release()
})

test('the way back from the pages to a device is logged without what identifies the sign-in', async () => {
  const grant_types = ['authorization_code', deviceGrant]
  const client = await service.client({ grant_types })
  const { body } = await service.post(client, '/device_authorization', { scope: 'openid profile.name' })
  entries.length = 0
  const consent = { action: 'approve', scope: ['openid', 'profile.name'] }
  const forms: Form[] = [{ user_code: body.user_code }, { confirm: 'yes' }, { person: 'jana' }, consent]
  await service.walk(await service.http('get', '/device'), forms)
  const paths = entries.map((entry) => (entry.event === 'request' ? entry.path : entry.event))
  expect(new Set(paths)).toEqual(new Set(['/device', '/interaction/*', '/device/*']))
})

test('no line carries a secret, a token or personal data', async () => {
  const client = await service.client({ token_endpoint_auth_method: 'client_secret_post' })
  const { code } = await service.authorize(client, 'openid profile.name', [
    { action: 'sign-in', login: 'jana', password: 'wrong-password' },
    { action: 'sign-in', login: 'jana', password: 'jana-secret' },
    { action: 'approve', scope: ['openid', 'profile.name'] },
  ])
  const { client_secret } = client.record as { client_secret: string }
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: client.client_id,
    client_secret,
    redirect_uri: client.redirect_uri,
  }
  const tokens = await service.http('post', '/token').type('form').send(form)
  const { access_token, id_token } = tokens.body
  await service.http('get', '/userinfo').set('authorization', `Bearer ${access_token}`)
  await service.readRegistration(client)
  const logged = JSON.stringify(entries)
  const kept = [code, client_secret, access_token, id_token, client.registration_access_token]
  for (const secret of [...kept, 'jana', 'wrong-password', 'Dvořáková', 'S-1', 'N-1']) {
    expect(typeof secret).toBe('string')
    expect(logged).not.toContain(secret)
  }
})

test('a graceful stop answers what is running, and takes nothing new', async () => {
  const { service: testBank, close } = await bankForTest()
  const client = await testBank.client()
  const { code } = await testBank.authorize(client, 'openid', [{ person: 'jana' }, { action: 'approve' }])
  // The token request waits for the client's keys, which come only when the bank has been told to stop.
  const keys = holdKeys(testBank)
  const answer = testBank.redeem(client, String(code))
  await keys.requested
  const closed = close()
  await expect(testBank.http('get', '/healthcheck')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/)
  keys.release()
  expect((await answer).status).toBe(200)
  await closed
})
