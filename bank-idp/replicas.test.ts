import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import pg from 'pg'
import type { Response } from 'supertest'
import { deviceGrant } from './capabilities.js'
import { run, startBank } from './testing/command.js'
import type { Cookies } from './testing/pages.js'
import { TestPostgres } from './testing/postgres.js'
import { TestReplicas } from './testing/replicas.js'
import { requestClaims } from './testing/request-objects.js'
import type { TestClient } from './testing/service.js'

const scope = 'openid profile.name profile.email offline_access'
const approval = { action: 'approve', scope: scope.split(' ') }
const all = [0, 1, 2]

let postgres: TestPostgres
let store: string
let replicas: TestReplicas
let client: TestClient

beforeAll(async () => {
  postgres = await TestPostgres.start()
  store = await postgres.database()
  replicas = await TestReplicas.start(store, 3)
  client = await replicas.via().client({
    scope: `${scope} authorization`,
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
  })
  const { client_id, redirect_uri } = client
  query = { client_id, redirect_uri, response_type: 'code', scope, state: 's', nonce: 'n' }
})
afterAll(async () => {
  await replicas.stop()
  await postgres.stop()
})

let query: Record<string, string>

/** The tokens of a login, each request of which comes to the next replica. */
async function tokens(person = 'jana'): Promise<{ access_token: string; refresh_token: string; id_token: string }> {
  const { status, body } = await replicas.via().login(client, scope, person)
  expect(status).toBe(200)
  return body
}

async function userinfo(replica: number, token: string): Promise<Response> {
  return replicas.via(replica).http('get', '/userinfo').set('authorization', `Bearer ${token}`)
}

/** What each replica says. */
const ofAll = <Answer>(ask: (replica: number) => Promise<Answer>) => Promise.all(all.map(ask))

const published = async (replica: number): Promise<string[]> => {
  const { body } = await replicas.via(replica).http('get', '/.well-known/jwks.json')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

/** How often each status came of a use 20 times at once, over all replicas. */
async function race(use: () => Promise<{ status: number }>): Promise<number[]> {
  replicas.via()
  // All over connections that are made for it: over one that is there a request is answered before the others have theirs.
  replicas.service.hangUp()
  const answers = await Promise.all(Array.from({ length: 20 }, use))
  return answers.map(({ status }) => status).toSorted((a, b) => a - b)
}

test('three that start at once on an empty store are one bank: keys, authority, control token', async () => {
  const sets = [await published(0), await published(1), await published(2)]
  expect(new Set(sets.map(String)).size).toBe(1)
  for (const file of ['ca.pem', 'ca-key.pem', 'service/jwks.json', 'control.token']) {
    const copies = all.map((replica) => readFileSync(join(replicas.data(replica), file), 'utf8'))
    expect([file, new Set(copies).size]).toEqual([file, 1])
  }
})

test('a login begins at one, goes on at another and ends at a third, and who goes back is told so by each', async () => {
  const cookies: Cookies = new Map()
  const pages: string[] = []
  const first = await replicas.via(0).http('get', '/auth').query(query)
  replicas.via()
  const seen = ({ text }: Response) => pages.push(String(/action="([^"]+)"/.exec(text)?.[1]))
  const { code } = await replicas.service.follow(first, client.redirect_uri, [{ person: 'jana' }, approval], {
    cookies,
    seen,
  })
  const { status } = await replicas.service.redeem(client, String(code))
  expect([status, pages.length]).toEqual([200, 2])
  const again = await Promise.all(
    pages.map(async (path) => {
      const { text } = await replicas.service
        .http('get', path)
        .set({ cookie: [...cookies.values()].join('; '), 'accept-language': 'cs' })
      return /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1]
    }),
  )
  expect(again).toEqual(['Zde už jste se přihlásili', 'Zde už jste udělili souhlas'])
})

test('what is revoked, changed or removed at one holds at the others before its answer is out', async () => {
  const { access_token } = await tokens()
  const { service } = replicas
  for (const replica of all) expect((await userinfo(replica, access_token)).status).toBe(200)
  expect((await replicas.via(1).post(client, '/revoke', { token: access_token })).status).toBe(200)
  for (const replica of all) expect((await userinfo(replica, access_token)).status).toBe(401)

  const other = await replicas.via(0).client()
  const begun = (replica: number) =>
    replicas
      .via(replica)
      .http('get', '/auth')
      .query({ client_id: other.client_id, redirect_uri: other.redirect_uri, response_type: 'code', scope: 'openid' })
      .query({ state: 's', nonce: 'n' })
  for (const replica of all) expect((await begun(replica)).get('location')).toMatch(/\/interaction\//)
  const moved = { redirect_uris: [`${service.url}/elsewhere`] }
  expect((await replicas.via(1).replaceRegistration(other, service.record(moved))).status).toBe(200)
  for (const replica of all) expect((await begun(replica)).status).toBe(400)
  const removed = await replicas
    .via(2)
    .http('delete', `/register/${other.client_id}`, { mutualTls: true })
    .set(await service.registrationHeaders())
    .set('authorization', `Bearer ${other.registration_access_token}`)
  expect(removed.status).toBe(204)
  for (const replica of all) expect((await replicas.via(replica).readRegistration(other)).status).toBe(401)
})

test('keys that are rotated at one sign at the others', async () => {
  const before = await published(2)
  await replicas.door(0, '/keys/rotate', { alg: 'PS512' })
  const [after = []] = await ofAll(async (replica) => (replica === 0 ? published(1) : published(replica)))
  const fresh = after.filter((kid) => !before.includes(kid))
  expect(fresh.length).toBe(1)
  replicas.via(2)
  const { body } = await replicas.service.login(client, scope)
  expect(decodeProtectedHeader(body.id_token)).toMatchObject({ kid: fresh[0] })
  // Two who rotate at once do it one after the other, and each key has one successor.
  await Promise.all([1, 2].map((replica) => replicas.door(replica, '/keys/rotate', {})))
  const keys = await replicas.door<{ alg: string; retired: string | null }[]>(0, '/keys')
  const signing = keys.filter(({ retired }) => retired === null).map(({ alg }) => alg)
  expect(signing.length).toBe(new Set(signing).size)
})

test('people who are made, changed, blocked and removed at one are so at all', async () => {
  await replicas.door(0, '/people', { login: 'ota', like: 'jana' })
  const { access_token } = await tokens('ota')
  await replicas.door(1, '/people/ota', { claims: { nickname: 'Oto' } })
  const known = await ofAll((replica) => replicas.door<{ claims: { nickname: string } }>(replica, '/people/ota'))
  expect(known.map(({ claims }) => claims.nickname)).toEqual(['Oto', 'Oto', 'Oto'])
  // Changes side by side are both kept.
  const changes = [{ nickname: 'Otík' }, { middle_name: 'Karel' }, { email: 'ota@example.org' }]
  await Promise.all(changes.map((claims, replica) => replicas.door(replica, '/people/ota', { claims })))
  for (const replica of all)
    expect(await replicas.door(replica, '/people/ota')).toMatchObject({ claims: Object.assign({}, ...changes) })
  await replicas.door(2, '/people/ota', { blocked: true })
  for (const replica of [0, 1]) expect((await userinfo(replica, access_token)).status).toBe(401)
  replicas.via(0)
  const refused = await replicas.service.authorize(client, scope, [{ person: 'ota' }])
  expect(refused).toMatchObject({ error: 'eid_doesnt_exist' })
  await replicas.door(1, '/people/ota/delete', {})
  for (const replica of all) await expect(replicas.door(replica, '/people/ota')).rejects.toThrow('not_found')
  const made = await Promise.allSettled(all.map((replica) => replicas.door(replica, '/people', { login: 'iva' })))
  expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
})

test('faults, outages, outcomes and troubles of one are those of all, and each is had once', async () => {
  await replicas.door(0, '/faults', { id: 'token/scope-missing' })
  replicas.via(2)
  expect((await replicas.service.login(client, scope)).body).not.toHaveProperty('scope')
  await replicas.door(1, '/faults', { id: 'token/scope-missing', on: false })
  replicas.via(0)
  expect((await replicas.service.login(client, scope)).body).toHaveProperty('scope')

  await replicas.door(1, '/outages', { part: 'kyc', reason: 'why' })
  const kyc = (replica: number) => replicas.via(replica).http('get', '/healthcheck')
  for (const replica of all) expect((await kyc(replica)).body.details.kyc).toMatchObject({ description: 'why' })
  await replicas.door(2, '/outages/end', { part: 'kyc' })
  for (const replica of all) expect((await kyc(replica)).body.details.kyc).toMatchObject({ status: 'OK' })

  replicas.via()
  await replicas.door(2, '/outcomes', { client: client.client_id, outcome: 'not-eligible' })
  const begun = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const answer = await replicas.service.http('get', '/auth').query(query)
      const cookies: Cookies = new Map()
      return replicas.service
        .follow(answer, client.redirect_uri, [{ person: 'jana' }, approval], { cookies })
        .then(({ error }) => error)
    }),
  )
  expect(begun.filter((error) => error === 'eid_doesnt_exist').length).toBe(1)
  await replicas.door(0, '/people/jana/next-login', { claims: { nickname: 'Once' }, outcome: 'switched-off' })
  expect(await replicas.service.authorize(client, scope, [{ person: 'jana' }])).toMatchObject({
    error: 'eid_doesnt_exist',
  })
  expect(await replicas.door(1, '/people/jana/next-login')).toEqual({ claims: { nickname: 'Once' } })

  await replicas.door(0, '/troubles', { route: 'GET /.well-known/jwks.json', status: 418, times: 2 })
  const statuses = await race(async () => replicas.service.http('get', '/.well-known/jwks.json'))
  expect(statuses).toEqual([...Array(18).fill(200), 418, 418])
  expect(await replicas.door(1, '/troubles')).toEqual([])
})

test('the clock that is moved at one is moved at all', async () => {
  const { access_token } = await tokens()
  await replicas.door(0, '/clock', { advance_seconds: 86_400 })
  for (const replica of [2, 1]) {
    expect((await userinfo(replica, access_token)).status).toBe(401)
    expect((await replicas.door<{ offset_seconds: number }>(replica, '/clock')).offset_seconds).toBe(86_400)
  }
  await replicas.door(1, '/clock', { set: '2031-01-31T12:00:00Z' })
  await replicas.door(1, '/clock', { frozen: true })
  const stands = { frozen: true, now: expect.stringMatching(/^2031-01-31T12:00:0/) }
  expect(await ofAll((replica) => replicas.door(replica, '/clock'))).toEqual(
    Array(3).fill(expect.objectContaining(stands)),
  )
  await replicas.door(2, '/clock', { reset: true })
  for (const replica of all)
    expect(await replicas.door(replica, '/clock')).toMatchObject({ frozen: false, offset_seconds: 0 })
})

test('what is taken back at one is so at all where the number of a change is missing before it', async () => {
  await replicas.door(0, '/clock', { advance_seconds: 86_400 })
  await ofAll((replica) => replicas.door(replica, '/clock'))
  const connection = new pg.Client({ connectionString: store })
  await connection.connect()
  // A transaction that comes to nothing leaves a gap.
  await connection.query('begin')
  await connection.query("insert into changes (topic, name) values ('clients', 'nobody')")
  await connection.query('rollback')
  await connection.end()
  await replicas.door(1, '/clock', { reset: true })
  const offsets = await ofAll((replica) => replicas.door<{ offset_seconds: number }>(replica, '/clock'))
  expect(offsets.map(({ offset_seconds }) => offset_seconds)).toEqual([0, 0, 0])
})

test('TOK-26 races over three replicas have one winner', async () => {
  for (let round = 0; round < Number(process.env.RACES ?? 2); round += 1) {
    replicas.via()
    const { service } = replicas
    const { code } = await service.authorize(client, scope, [{ person: 'petr' }, approval])
    expect(await race(() => service.redeem(client, String(code)))).toEqual([200, ...Array(19).fill(400)])

    const { refresh_token } = await tokens('petr')
    const answers: Response[] = []
    await race(async () => {
      const answer = await service.refresh(client, refresh_token)
      answers.push(answer)
      return answer
    })
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners.length).toBe(1)
    // What was won lives, and a reuse, when all is over, ends it: at whatever replica.
    const won = winners[0]?.body
    expect((await userinfo(round % 3, won.access_token)).status).toBe(200)
    replicas.via()
    const { body: next } = await service.refresh(client, won.refresh_token)
    expect((await userinfo(0, next.access_token)).status).toBe(200)
    expect((await replicas.via(1).refresh(client, won.refresh_token)).status).toBe(400)
    for (const replica of all) expect((await userinfo(replica, next.access_token)).status).toBe(401)

    const assertion = await service.clientAssertion(client.client_id, {}, '/token-info')
    const form = { token: 'none', ...assertion }
    expect(await race(async () => service.http('post', '/token-info').type('form').send(form))).toEqual([
      200,
      ...Array(19).fill(401),
    ])
  }
})

test('a request object is authorized once, over three replicas, and the audit log is whole', async () => {
  replicas.via()
  const { service } = replicas
  const { body } = await service.registerRequestObject(requestClaims(client, { acr_values: 'loa2' }))
  const decided = await Promise.all(
    Array.from({ length: 6 }, () =>
      service
        .authorizeObject(body.request_uri, client.redirect_uri, [{ person: 'jana' }, { action: 'authorize' }])
        .then(({ code }) => code !== undefined)
        .catch(() => false),
    ),
  )
  expect(decided.filter(Boolean).length).toBe(1)
  for (const replica of all) {
    const flags = replicas.flags(replicas.data(replica), 'x')
    const at = (name: string) => [name, String(flags[flags.indexOf(name) + 1])]
    const verdict = await run('audit', 'verify', ...at('--data'), ...at('--store'), ...at('--store-key-file'))
    expect(verdict).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 entries, none changed or removed/) })
  }
})

test('who asks too often is held back by all of them together', async () => {
  replicas.via()
  const { service } = replicas
  const { body } = await service.post(client, '/device_authorization', { scope })
  const poll = async (replica: number) => {
    const form = { grant_type: deviceGrant, device_code: body.device_code }
    return (await replicas.via(replica).post(client, '/token', form)).body.error
  }
  expect([await poll(0), await poll(1)]).toEqual(['authorization_pending', 'slow_down'])
  // A browser each, so that each begins a login of its own.
  replicas.via()
  const tries: number[] = []
  for (let count = 0; count < 12; count += 1) {
    const cookies: Cookies = new Map()
    const page = await service.http('get', '/auth').query(query)
    const last = await service.walk(page, [{ login: 'radek', password: 'wrong' }], { cookies })
    tries.push(last.status)
  }
  expect(tries.slice(-2)).toEqual([429, 429])
  expect(tries.slice(0, 10)).not.toContain(429)
})

test('what a replica remembers alone, its history, says whose it is', async () => {
  await replicas.via(1).post(client, '/token-info', { token: 'some' })
  const seen = await replicas.door<object[]>(1, '/requests?route=POST%20/token-info')
  expect(seen.at(-1)).toMatchObject({ replica: 'replica-1', form: { token: 'some' }, answer: { status: 200 } })
  const waiting = replicas.door(2, '/requests/wait', { route: 'GET /landing', timeout_seconds: 0 })
  await expect(waiting).rejects.toThrow('replica replica-2 remembers its own alone')
  await expect(replicas.door(0, '/reset', {})).rejects.toThrow('a data directory keeps what happened')
})

test('a replica that is killed is replaced: its jobs, what it was told, and its data directory', async () => {
  const holders = async () => {
    const { rows } = await postgres.query(
      store,
      `select application_name from pg_stat_activity join pg_locks using (pid) where locktype = 'advisory'
        and (classid::bigint << 32) | objid::bigint = hashtextextended('bank-idp jobs', 0)`,
    )
    return rows.map((row) => String(row.application_name))
  }
  await replicas.door(0, '/faults', { id: 'token/scope-missing' })
  const [holder = ''] = await holders()
  const killed = Number(holder.at(-1))
  const { access_token } = await tokens()
  await replicas.kill(killed)
  let [next] = await holders()
  for (let tries = 0; next === undefined || next === holder; tries += 1) {
    if (tries > 200) throw new Error('nobody took the jobs over')
    await new Promise((resolve) => setTimeout(resolve, 50))
    ;[next] = await holders()
  }
  expect(next).toMatch(/^bank-idp replica-\d$/)
  await replicas.begin(killed)
  expect((await userinfo(killed, access_token)).status).toBe(200)
  const faults = await replicas.door<{ id: string; on: boolean }[]>(killed, '/faults?about=token/scope-missing')
  expect(faults).toContainEqual(expect.objectContaining({ id: 'token/scope-missing', on: true }))
  await replicas.door(killed, '/faults', { id: 'token/scope-missing', on: false })
})

test('what is another bank does not join', async () => {
  const data = () => mkdtempSync(join(tmpdir(), 'bank-idp-'))
  const flags = replicas.flags(data(), 'other')
  const elsewhere = flags.map((flag) => (flag.startsWith('https://') ? 'https://localhost:1' : flag))
  await expect(startBank(...elsewhere)).rejects.toThrow(/--issuer: the other banks on this store are at https:/)
  const wrong = join(data(), 'store.key')
  writeFileSync(wrong, 'x'.repeat(42))
  const keyAt = flags.indexOf('--store-key-file') + 1
  await expect(startBank(...flags.with(keyAt, wrong))).rejects.toThrow(/the key has 256 bits/)
  writeFileSync(wrong, 'x'.repeat(43))
  await expect(startBank(...flags.with(keyAt, wrong))).rejects.toThrow(
    /restore the store\.key that belongs to this store/,
  )
})
