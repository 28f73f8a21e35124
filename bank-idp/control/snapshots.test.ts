import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { createBank } from '../bank.js'
import { sharedIdentity } from '../keys/identity-in-memory.js'
import type { LogEntry } from '../log.js'
import { bankForTest } from '../testing/banks.js'
import { door } from '../testing/control-door.js'
import { serveHttps } from '../testing/https-server.js'

const redirectUris = ['https://app.example/cb']
const app = { client_id: 'my-app', client_secret: 'my-secret', redirect_uris: redirectUris }

const bank = await createBank({ clients: [app], faults: ['health/up'] })
afterAll(() => bank.close())

const userinfo = async (token: string) =>
  (await request(bank.app).get('/userinfo').set('authorization', `Bearer ${token}`)).status

test('a reset bank is as new, at its address and with its keys', async () => {
  const { body: keys } = await request(bank.app).get('/.well-known/jwks.json')
  const client = await bank.registerClient({ redirectUris })
  const { claims, tokens } = await bank.login('my-app', 'jana')
  const { app: before } = bank
  await bank.setClaims('jana', { nickname: 'Jani' })
  bank.faults.on('token/scope-missing')
  await bank.reset()
  expect(bank.app).toBe(before)
  expect(bank.requests.list()).toEqual([])
  expect((await request(bank.app).get('/.well-known/jwks.json')).body).toEqual(keys)
  expect(bank.faults.list().map(({ fault }) => fault.id)).toEqual(['health/up'])
  expect(bank.people.byLogin('jana')?.claims.nickname).toBe('Janička')
  expect(await userinfo(tokens.access_token)).toBe(401)
  await expect(bank.login(client, 'jana')).rejects.toMatchObject({ code: 'not_found' })
  expect((await bank.login('my-app', 'jana')).claims.sub).toBe(claims.sub)
})

test('a snapshot is come back to, as often as wanted', async () => {
  const client = await bank.registerClient({ redirectUris })
  const { tokens } = await bank.login(client, 'jana')
  await bank.setClaims('karel', { nickname: 'Kaja' })
  bank.faults.on('token/scope-missing', client.client_id)
  const taken = await bank.snapshot()
  for (let times = 0; times < 2; times += 1) {
    await bank.reset()
    expect(await userinfo(tokens.access_token)).toBe(401)
    await bank.restore(taken)
    expect(await userinfo(tokens.access_token)).toBe(200)
    expect(bank.people.byLogin('karel')?.claims.nickname).toBe('Kaja')
    expect(bank.faults.list().map(({ fault, clientId }) => [fault.id, clientId])).toEqual([
      ['health/up', undefined],
      ['token/scope-missing', client.client_id],
    ])
    expect((await bank.login(client, 'jana')).tokens.scope).toBeUndefined()
  }
  await bank.reset()
  await expect(bank.restore({ id: 'none' })).rejects.toMatchObject({ code: 'not_found' })
})

test('the last ten snapshots are kept', async () => {
  const first = await bank.snapshot()
  const second = await bank.snapshot()
  for (let times = 0; times < 9; times += 1) await bank.snapshot()
  await expect(bank.restore(first)).rejects.toThrow('the last 10 are kept')
  await bank.restore(second)
})

test('requests that come meanwhile are answered, before or after', async () => {
  const { bank, service } = await bankForTest({ control: true })
  const asked = Array.from({ length: 20 }, () => service.http('get', '/healthcheck'))
  const done = Promise.all(asked)
  const resets = await Promise.all([door(bank, '/reset', {}), door(bank, '/reset', {})])
  expect(resets.map(({ status }) => status)).toEqual([200, 200])
  expect((await done).map(({ status }) => status)).toEqual(Array(20).fill(200))
  const client = await service.client()
  expect((await service.login(client, 'openid')).status).toBe(200)
})

test('a snapshot is taken when what is under way is answered', async () => {
  const { bank, service } = await bankForTest({ control: true })
  const begun: (() => void)[] = []
  let came = () => {}
  const arrived = new Promise<void>((resolve) => {
    came = resolve
  })
  const server = await serveHttps(bank.identity.service.certificate, (_req, res) => {
    begun.push(() => res.end('none'))
    came()
  })
  const request_uri = `${server.url}/object`
  const { client_id, redirect_uri } = await service.client({ request_uris: [request_uri] })
  const query = { client_id, redirect_uri, request_uri, response_type: 'code', scope: 'openid', state: 's', nonce: 'n' }
  const asked = service.http('get', '/auth').query(query).then()
  await arrived
  const order: string[] = []
  const taken = bank.snapshot().then(() => order.push('snapshot'))
  await door(bank, '/clock')
  order.push('answer')
  for (const answer of begun) answer()
  await Promise.all([asked, taken])
  expect(order).toEqual(['answer', 'snapshot'])
  await server.close()
})

test('what a data directory keeps is not taken back', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  const kept = await createBank({ data })
  await expect(kept.reset()).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(kept.snapshot()).rejects.toThrow('start the bank in memory')
  await expect(kept.restore({ id: 'x' })).rejects.toThrow('start the bank in memory')
  await kept.close()
  rmSync(data, { recursive: true })
})

test('a bank that cannot be put together anew stays as it was', async () => {
  const { identity } = await sharedIdentity()
  const sector = await serveHttps(
    identity.service.certificate,
    (_req, res) => void res.end(JSON.stringify(redirectUris)),
  )
  const preset = { ...app, sector_identifier_uri: `${sector.url}/sector.json` }
  const { bank, service } = await bankForTest({ clients: [preset], faults: ['health/up'], control: true })
  const client = await service.client({
    scope: 'openid profile.name notification.claims_updated',
    notification_uri: `${service.url}/events`,
  })
  await service.login(client, 'openid profile.name notification.claims_updated')
  await bank.setClaims('karel', { nickname: 'Kaja' })
  bank.faults.on('token/scope-missing', client.client_id)
  await bank.endNextLogin(client.client_id, 'not-eligible')
  const taken = await bank.snapshot()
  await sector.close()
  await expect(bank.reset()).rejects.toThrow('option clients[0].sector_identifier_uri')
  await expect(bank.restore(taken)).rejects.toThrow('option clients[0].sector_identifier_uri')
  expect(await door(bank, '/reset', {})).toEqual({
    status: 503,
    body: {
      error: 'temporarily_unavailable',
      error_description: expect.stringContaining('the bank stays as it was: option clients[0].sector_identifier_uri'),
    },
  })
  expect(bank.faults.list().map(({ fault }) => fault.id)).toEqual(['health/up', 'token/scope-missing'])
  expect(bank.people.byLogin('karel')?.claims.nickname).toBe('Kaja')
  await expect(bank.login(client.client_id, 'jana')).rejects.toMatchObject({ code: 'eid_doesnt_exist' })
  await bank.setClaims('jana', { nickname: 'Jani' })
  expect((await service.heard(1)).map(({ path }) => path)).toEqual(['/events'])
})

test('so does one that fails in a way that nobody expected, and says how', async () => {
  let broken = false
  const person = {
    login: 'ota',
    get like() {
      if (broken) throw new Error('nobody knows whom ota is like')
      return 'jana'
    },
  }
  const entries: LogEntry[] = []
  const { bank: other } = await bankForTest({ control: true, morePeople: [person] }, (entry) => entries.push(entry))
  const { client_id } = await other.registerClient({ redirectUris })
  broken = true
  expect(await door(other, '/reset', {})).toEqual({
    status: 500,
    body: { error: 'server_error', error_description: 'the bank stays as it was: nobody knows whom ota is like' },
  })
  expect(entries).toContainEqual(expect.objectContaining({ event: 'error', message: 'nobody knows whom ota is like' }))
  await expect(other.mint(client_id, 'ota')).resolves.toMatchObject({ token_type: 'Bearer' })
})

test('of several at a time each is done as a whole, the last one last', async () => {
  const ids = () => bank.faults.list().map(({ fault }) => fault.id)
  await bank.reset()
  bank.faults.on('token/scope-missing')
  const taken = await bank.snapshot()
  await Promise.all([bank.restore(taken), bank.reset(), bank.restore(taken)])
  expect(ids()).toEqual(['health/up', 'token/scope-missing'])
  await Promise.all([bank.reset(), bank.restore(taken), bank.reset()])
  expect(ids()).toEqual(['health/up'])
})
