import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import type { Claims } from '../../fixtures/people.js'
import type { RegistrationRecord } from '../client.js'
import { advanceClock, nowSeconds } from '../clock.js'
import { defaultLimits } from '../limits.js'
import { PostgresTrouble, storeTrouble } from '../store-trouble.js'
import { claims, decision, jwsOf, retention, undecided } from '../testing/audit-log.js'
import { TestPostgres } from '../testing/postgres.js'
import { AssertionIds } from './assertion-ids.js'
import { Audit } from './audit.js'
import { entriesAbout } from './audit-entry.js'
import { AuditSeal } from './audit-seal.js'
import { Blocks } from './blocks.js'
import { Clients } from './clients.js'
import { Consents } from './consents.js'
import { type Database, giveBackPages, inTransaction, openDatabase, toDisk } from './database.js'
import { Devices } from './devices.js'
import { EncryptedValues } from './encrypted-values.js'
import { Heartbeat } from './heartbeat.js'
import { KnownPeople, savePeople } from './known-people.js'
import { MadePeople } from './made-people.js'
import { Outages } from './outages.js'
import { Outbox, type OutboxItem } from './outbox.js'
import { PasswordTries } from './password-tries.js'
import { openPostgres } from './postgres.js'
import { endTokensIn, ProviderRecords } from './provider-records.js'
import { loadSecrets } from './secrets.js'
import { SigningRequests } from './signing-requests.js'
import { sweep } from './sweeper.js'
import { WaitingLogins } from './waiting-logins.js'

/** The store has one contract, whatever keeps it. */
const engines = ['SQLite', 'PostgreSQL'] as const

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await TestPostgres.start()
})
afterAll(() => postgres.stop())

/** What a test opened. */
let close: () => Promise<void>
afterEach(() => close())

async function opened(engine: (typeof engines)[number]): Promise<Database> {
  if (engine === 'SQLite') {
    const db = await openDatabase(':memory:')
    close = () => db.destroy()
    return db
  }
  const { db, release } = await openPostgres(await postgres.database(), 'one')
  close = async () => {
    await db.destroy()
    await release()
  }
  return db
}

/** Does something many times at once. */
const atOnce = <Result>(times: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)))

const record = (...redirect_uris: string[]) => ({ redirect_uris }) as unknown as RegistrationRecord

describe.each(engines)('a store on %s', (engine) => {
  let db: Database
  let encryptedValues: EncryptedValues
  beforeEach(async () => {
    db = await opened(engine)
    encryptedValues = new EncryptedValues(EncryptedValues.makeKey())
  })

  test('TOK-26 of uses at once one wins, and only what came of it is kept', async () => {
    const records = new ProviderRecords(db, 'key')
    for (let round = 0; round < 5; round += 1) {
      const code = `code-${round}`
      await records.upsert('AuthorizationCode', code, { grantId: 'g' }, 600)
      const won = await atOnce(20, (index) =>
        records.together(
          async () => {
            await records.use('AuthorizationCode', code)
            await records.upsert('AccessToken', `${code}-${index}`, {}, 3600)
          },
          () => true,
        ),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      const kept = await atOnce(20, (index) => records.find('AccessToken', 'id', `${code}-${index}`))
      expect(kept.map((token) => token !== undefined)).toEqual(won)
      expect(await records.find('AuthorizationCode', 'id', code)).toMatchObject({ consumed: expect.any(Number) })
      const ended = await atOnce(20, () => records.destroy('AuthorizationCode', code))
      expect(ended.filter(Boolean)).toHaveLength(1)
    }
  })

  test('records are found by each of their names, until they end', async () => {
    const records = new ProviderRecords(db, 'key')
    const payload = { uid: 'u', grantId: 'g', clientId: 'c', sessionUid: 's', accountId: 'p', userCode: 'ABCD-EFGH' }
    await records.upsert('DeviceCode', 'd', payload, 600)
    await records.upsert('DeviceCode', 'd', { ...payload, more: 'x' }, 600)
    for (const [by, value] of [
      ['id', 'd'],
      ['uid', 'u'],
      ['grant_id', 'g'],
      ['user_code', 'ABCD-EFGH'],
    ] as const)
      expect(await records.find('DeviceCode', by, value)).toMatchObject({ more: 'x' })
    expect(await records.ofClient('DeviceCode', 'c')).toHaveLength(1)
    await records.upsert('AccessToken', 'past', { exp: 1 }, 60)
    expect(await records.all('AccessToken')).toEqual([])
    await records.upsert('AccessToken', 'over', {}, -1)
    expect(await records.find('AccessToken', 'id', 'over')).toBeUndefined()
    await records.revokeGrant('DeviceCode', 'g')
    expect(await records.find('DeviceCode', 'id', 'd')).toBeUndefined()
  })

  test('what was used is known as long as what it gave can live', async () => {
    const records = new ProviderRecords(db, 'key')
    for (const [id, grantId, seconds] of [
      ['used', 'long', -1],
      ['unused', 'long', -1],
      ['ungranted', 'none', -1],
      ['short', 'over', 60],
    ] as const)
      await records.upsert('AuthorizationCode', id, { grantId }, seconds)
    await records.upsert('Grant', 'long', {}, 3600)
    await records.upsert('Grant', 'over', {}, 30)
    for (const id of ['used', 'ungranted', 'short']) expect(await records.use('AuthorizationCode', id)).toBe(true)
    await sweep(db)
    const found = async (id: string) => (await records.find('AuthorizationCode', 'id', id))?.consumed
    const used = expect.any(Number)
    expect([await found('used'), await found('unused'), await found('ungranted'), await found('short')]).toEqual([
      used,
      undefined,
      undefined,
      used,
    ])
    await records.revokeGrant('AuthorizationCode', 'long')
    expect(await found('used')).toBeUndefined()
  })

  test('a name with characters that no engine keeps is none, and fails nobody', async () => {
    const records = new ProviderRecords(db, 'key')
    await records.upsert('Interaction', 'i', { state: 'a\0b', uid: 'u\ud800' }, 60)
    expect(await records.find('Interaction', 'id', 'i')).toMatchObject({ state: 'a\0b' })
    expect(await records.find('Interaction', 'id', 'i\0')).toBeUndefined()
    expect(await (await Clients.open(db, encryptedValues)).find('\0')).toBeUndefined()
    expect(await new AssertionIds(db).firstUse('a\0', 'b\0', nowSeconds() + 60)).toBe(true)
    expect(await new AssertionIds(db).firstUse('a\0', 'b\0', nowSeconds() + 60)).toBe(false)
  })

  test('the tokens of a session end, and refresh tokens with what they rest on where these are to stay', async () => {
    const records = new ProviderRecords(db, 'key')
    const keep = async (grantId: string, ...models: string[]) => {
      for (const model of models) await records.upsert(model, `${model}-${grantId}`, { grantId, sessionUid: 's' }, 60)
      await records.upsert('Grant', grantId, {}, 60)
    }
    await keep('online', 'AccessToken')
    await keep('offline', 'AccessToken', 'RefreshToken')
    await inTransaction(db, (transaction) => endTokensIn(transaction, 's', 'online'))
    expect(await records.find('Grant', 'id', 'online')).toBeUndefined()
    expect(await records.find('Grant', 'id', 'offline')).toBeDefined()
    expect(await records.all('AccessToken')).toEqual([])
    expect(await records.all('RefreshToken')).toHaveLength(1)
    await inTransaction(db, (transaction) => endTokensIn(transaction, 's', 'all'))
    expect(await records.all('RefreshToken')).toEqual([])
  })

  test('what is given while a session ends ends with it', async () => {
    const records = new ProviderRecords(db, 'key')
    for (let round = 0; round < 10; round += 1) {
      const sessionUid = `s${round}`
      const codes = Array.from({ length: 10 }, (_, index) => `code-${round}-${index}`)
      for (const code of codes) await records.upsert('AuthorizationCode', code, { sessionUid }, 600)
      const exchanges = codes.map((code) =>
        records.together(
          async () => {
            await records.use('AuthorizationCode', code)
            await records.upsert('AccessToken', code, { sessionUid }, 3600)
          },
          () => true,
        ),
      )
      await Promise.all([...exchanges, inTransaction(db, (transaction) => endTokensIn(transaction, sessionUid, 'all'))])
      expect(await records.all('AccessToken')).toEqual([])
    }
  })

  test('of assertions with one jti that come at once one is the first', async () => {
    const ids = new AssertionIds(db)
    const first = await atOnce(20, () => ids.firstUse('client', 'jti', nowSeconds() + 60))
    expect(first.filter(Boolean)).toHaveLength(1)
  })

  test('of wrong passwords at once no more count than may', async () => {
    const tries = new PasswordTries(db, 'key', { ...defaultLimits, passwordPause: 60 })
    const counted = [
      { by: ['person', 'jana'], most: 5 },
      { by: ['address', '::1'], most: 8 },
    ]
    const waits = await atOnce(12, () => tries.take(counted, false))
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(5)
    expect(await tries.take([{ by: ['address', '::1'], most: 8 }], false)).toBeUndefined()
    expect(await tries.take(counted, true)).toBeGreaterThan(50)
    advanceClock(61_000)
    expect(await tries.take(counted, false)).toBeUndefined()
  })

  test('decisions at once are made once each, and follow one another in the log', async () => {
    const seal = new AuditSeal(encryptedValues)
    await seal.begin(db)
    const requests = new SigningRequests(db, retention, encryptedValues, seal)
    const add = () => {
      const asked = claims()
      return requests.add({ clientId: 'c-1', claims: asked, jws: jwsOf(asked), lifetime: 60 })
    }
    const made = await atOnce(5, add)
    const outcomes = await atOnce(20, (index) =>
      requests.decide(made[index % 5] as (typeof made)[number], decision, undecided, randomUUID()).then(
        () => 'decided',
        (error: Error) => error.message,
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'decided')).toHaveLength(5)
    expect(new Set(outcomes)).toEqual(new Set(['decided', 'decided before']))
    const audit = new Audit(db, { encryptedValues, seal })
    const { entries, verdict } = await audit.examine()
    expect(verdict).toMatchObject({ entries: 5, problems: [] })
    expect(entriesAbout(entries, String(made[0]?.claims.txn))).toHaveLength(1)
    expect(entriesAbout(entries, '%')).toEqual([])
    for (const change of ["update audit set acr = 'loa4'", 'delete from audit where sequence = 5'])
      await expect(sql.raw(change).execute(db)).rejects.toMatchObject({
        message: expect.stringMatching(/^entries of the audit log are/),
      })
    advanceClock(120_000)
    await requests.sweep()
    expect(await requests.ended(String(made[0]?.id))).toMatchObject({ clientId: 'c-1', state: 's' })
    advanceClock(retention * 1000)
    await requests.sweep()
    expect((await audit.examine()).verdict).toMatchObject({ entries: 0, problems: [], anchor: { sequence: 5 } })
    await requests.decide(await add(), decision, undecided)
    expect(await audit.examine()).toMatchObject({ entries: [{ sequence: 6 }], verdict: { problems: [] } })
  })

  test('what is to be told is told once, in the order of its line', async () => {
    const outbox = new Outbox(db)
    const item = (person: string, change: string): OutboxItem => ({
      receiver: 'https://a.example',
      clientId: 'c',
      personId: person,
      content: { kind: 'notification', change, at: '2026-01-01T00:00:00Z', sub: person, claims: ['name'] },
    })
    await atOnce(10, (index) => outbox.with(async () => [item(`p${index % 2}`, `change ${index}`)]))
    expect(await outbox.dueReceivers()).toEqual(['https://a.example'])
    const taken = await atOnce(5, () => outbox.take('https://a.example', () => Number.MAX_SAFE_INTEGER))
    const deliveries = taken.flatMap((delivery) => (delivery ? [delivery] : []))
    expect(deliveries).toHaveLength(1)
    expect(deliveries[0]?.items).toHaveLength(10)
    for (const delivery of deliveries) await outbox.failed(delivery, 'no answer', undefined)
    expect(await outbox.list()).toMatchObject([{ events: 10, given_up: true, problem: 'no answer' }])
    expect(await outbox.retry()).toBe(10)
    for (const delivery of deliveries) {
      await outbox.split(delivery, 'refused')
      await outbox.delivered(delivery)
    }
    expect(await outbox.list()).toHaveLength(2)
  })

  test('consents given at once are all kept', async () => {
    const consents = new Consents(db)
    const scopes = Array.from({ length: 10 }, (_, index) => `scope-${index}`)
    await Promise.all(scopes.map((scope) => consents.decide('p', 'c', { approved: [scope], refused: [] })))
    const { scopes: kept, openidAlone } = await consents.of('p', 'c')
    expect([kept.toSorted(), openidAlone]).toEqual([scopes, false])
    await consents.decide('p', 'c', { approved: [], refused: scopes })
    expect(await consents.of('p', 'c')).toEqual({ scopes: [], openidAlone: false })
    await consents.decide('q', 'c', { approved: ['openid'], refused: [] })
    expect(await consents.of('q', 'c')).toEqual({ scopes: ['openid'], openidAlone: true })
    expect(await consents.withdraw('q', 'c')).toBe(true)
    expect(await consents.withdraw('q', 'c')).toBe(false)
  })

  test('a client is found by its redirect URIs as long as its record has them', async () => {
    const clients = await Clients.open(db, encryptedValues)
    const made = await clients.create(record('https://a.example/1', 'https://a.example/1', 'https://a.example/2'))
    const known = () => Promise.all([1, 2, 3].map((n) => clients.anyRegistered(`https://a.example/${n}`)))
    expect(await known()).toEqual([true, true, false])
    await clients.replace(made.clientId, record('https://a.example/3'))
    expect(await known()).toEqual([false, false, true])
    await clients.put(made.clientId, record('https://a.example/2'), 'chosen')
    expect(await known()).toEqual([false, true, false])
    expect(await clients.find(made.clientId)).toMatchObject({ clientSecret: 'chosen' })
    expect(await clients.authorizes(made.clientId, made.registrationAccessToken)).toBe(false)
    await clients.remove(made.clientId)
    expect(await known()).toEqual([false, false, false])
  })

  test('who is blocked loses what was given, and nobody else does', async () => {
    const [records, blocks] = [new ProviderRecords(db, 'key'), new Blocks(db)]
    for (const accountId of ['p', 'q']) await records.upsert('AccessToken', accountId, { accountId }, 60)
    await blocks.block(['p'])
    await blocks.block(['p'])
    expect([await blocks.isBlocked('p'), await blocks.isBlocked('q')]).toEqual([true, false])
    expect((await records.all('AccessToken')).map(({ accountId }) => accountId)).toEqual(['q'])
    await blocks.unblock(['p'])
    expect(await blocks.isBlocked('p')).toBe(false)
  })

  test('logins that wait make room for others, those first that came first', async () => {
    const limits = { ...defaultLimits, logins: 100, loginsOfClient: 3 }
    const [records, waiting] = [new ProviderRecords(db, 'key'), new WaitingLogins(db, 'key', limits)]
    const login = { clientId: 'c', caller: '::1', goneOn: false, expiresIn: 60 }
    for (const id of ['a', 'b', 'c', 'd']) {
      await records.upsert('Interaction', id, {}, 60)
      await waiting.keep({ ...login, id })
    }
    await waiting.keep({ ...login, id: 'd', goneOn: true })
    const found = await Promise.all(['a', 'b', 'c', 'd'].map((id) => records.find('Interaction', 'id', id)))
    expect(found.map((one) => one !== undefined)).toEqual([false, true, true, true])
    await waiting.end('b')
    await waiting.keep({ ...login, id: 'e' })
    expect(await records.find('Interaction', 'id', 'c')).toBeDefined()
  })

  test('what has expired is swept, and what lives is left', async () => {
    const records = new ProviderRecords(db, 'key')
    await atOnce(600, (index) => records.upsert('AccessToken', `dead-${index}`, {}, -1))
    await records.upsert('AccessToken', 'alive', { sessionUid: 's', exp: nowSeconds() + 60 }, 3600)
    const devices = new Devices(db)
    for (const session of ['s', 'over']) await devices.signedIn('device', session, 'p')
    expect(await sweep(db)).toBe(601)
    expect(await devices.sessionsOf('device')).toEqual(['s'])
    expect(await devices.all()).toMatchObject([{ device: 'device', people: [{ personId: 'p' }] }])
    await giveBackPages(db)
    await toDisk(db)
  })

  test('people, outages, secrets and the heartbeat are kept', async () => {
    const claims = { name: 'P' } as Claims
    const known = { personId: 'p', claims, verification: undefined, changes: {}, reckonedFrom: null }
    await savePeople(db, [known])
    await savePeople(db, [known, { ...known, personId: 'q' }])
    expect([...(await new KnownPeople(db).all()).keys()].toSorted()).toEqual(['p', 'q'])
    const many = Array.from({ length: 1_203 }, (_, i) => ({
      ...known,
      personId: `p-${i}`,
      claims: { name: `P ${i}` } as Claims,
      ...(i % 2 === 0 && { changes: { name: `P ${i}` }, reckonedFrom: { years: i, days: 1 } }),
    }))
    await savePeople(db, many)
    const all = await new KnownPeople(db).all()
    expect(many.filter((one) => !isDeepStrictEqual(all.get(one.personId), one))).toEqual([])
    expect(all.size).toBe(many.length + 2)
    const made = new MadePeople(db)
    await made.remove('jana', ['q'])
    expect(await made.all()).toEqual([['jana', null]])
    expect(await new KnownPeople(db).find('q')).toBeUndefined()
    const outages = await Outages.load(db)
    await outages.announce({ part: 'bank', from: nowSeconds(), until: null, reason: 'why' })
    expect((await Outages.load(db)).of('token')).toMatchObject({ reason: 'why' })
    const secrets = await loadSecrets(db, encryptedValues)
    expect(await loadSecrets(db, encryptedValues)).toEqual(secrets)
    await new Heartbeat(db).beat()
    await new Heartbeat(db).beat()
  })
})

test('banks on one store start one after the other, one does the jobs, and the next one finds what was kept', async () => {
  const url = await postgres.database()
  const first = await openPostgres(url, 'one')
  close = async () => {}
  expect(first.isFirst).toBe(true)
  await new Consents(first.db).decide('p', 'c', { approved: ['openid'], refused: [] })
  let hasStarted = false
  const starting = openPostgres(url, 'two').finally(() => {
    hasStarted = true
  })
  expect(await first.membership.hasJobs()).toBe(true)
  expect(hasStarted).toBe(false)
  await first.membership.started()
  const second = await starting
  expect([second.isFirst, await second.membership.hasJobs()]).toEqual([false, false])
  expect(await new Consents(second.db).of('p', 'c')).toMatchObject({ scopes: ['openid'] })
  const order: string[] = []
  await Promise.all(
    [first, second, first, second].map(({ turns }, index) =>
      turns.take('same', async () => {
        order.push(`begin ${index}`)
        await new Consents(second.db).of('p', 'c')
        order.push(`end ${index}`)
      }),
    ),
  )
  expect(order.filter((_, at) => at % 2 === 0).map((text) => text.replace('begin', 'end'))).toEqual(
    order.filter((_, at) => at % 2 === 1),
  )
  await first.db.destroy()
  await first.release()
  expect(await second.membership.hasJobs()).toBe(true)
  await second.db.destroy()
  await second.release()
})

test('a connection that ends while nothing is asked by it ends no more than what it was for', async () => {
  const db = await opened('PostgreSQL')
  const cut = inTransaction(db, async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 10000)`.execute(db)
    // An answer later the end has come here too.
    await sql`select 1`.execute(db)
    await sql`select 1`.execute(transaction)
  })
  await expect(cut).rejects.toBeInstanceOf(PostgresTrouble)
  expect((await sql<{ two: number }>`select 2 as two`.execute(db)).rows).toEqual([{ two: 2 }])
})

test.each([
  ['timeout exceeded when trying to connect', 'LATE', 'does PostgreSQL have more to do than it can?'],
  ['Query read timeout', 'LATE', 'does PostgreSQL have more to do than it can?'],
  ['Connection terminated unexpectedly', 'DISCONNECTED', 'does PostgreSQL run, and can it be reached?'],
])('what the driver says by words alone (%s) is told by a code (%s)', (said, code, advice) => {
  close = async () => {}
  expect(storeTrouble(PostgresTrouble.of(new Error(said)))).toBe(`the store cannot be used (${code}): ${advice}`)
})

test('a bank of an earlier version, which has a store alone, is not joined', async () => {
  const url = await postgres.database()
  close = async () => {}
  const earlier = new pg.Client({ connectionString: url })
  await earlier.connect()
  await earlier.query(`select pg_advisory_lock(hashtextextended('bank-idp', 0))`)
  await expect(openPostgres(url, 'one')).rejects.toThrow(
    /^a bank of an earlier version has the store postgres:\/\/127\.0\.0\.1:\d+\/bank\d+ alone: stop it, or give each a database of its own$/,
  )
  await earlier.end()
})

test('a store that cannot be used is told without its password', async () => {
  close = async () => {}
  const wrong = (await postgres.database()).replace('postgres@', 'postgres:secret@').replace(/bank\d+$/, 'none')
  await expect(openPostgres(wrong, 'one')).rejects.toThrow(
    /^the store postgres:\/\/127\.0\.0\.1:\d+\/none cannot be used: database "none" does not exist; does PostgreSQL run there, and may this user use the database\?$/,
  )
  await expect(openPostgres('postgres://u:secret@127.0.0.1:1/none', 'one')).rejects.toThrow(
    /^the store postgres:\/\/127\.0\.0\.1:1\/none cannot be used: /,
  )
})
