import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { validate } from '../../schemas/index.js'
import { packageFile } from '../../schemas/package-file.js'
import { type Bank, type BankOptions, createBank } from '../bank.js'
import { advanceClock } from '../clock.js'
import { door } from '../testing/control-door.js'
import { type TestClient, TestService } from '../testing/service.js'

let bank: Bank
let service: TestService

async function start(options: BankOptions = {}) {
  bank = await createBank({ control: true, ...options })
  await bank.listen()
  service = await TestService.start(bank)
}

afterEach(async () => {
  await service.stop()
  await bank.close()
})

const change = (login: string, claims: Record<string, unknown>) => door(bank, `/people/${login}`, { claims })

const scope = 'openid profile.name profile.email profile.birthdate notification.claims_updated'

const register = (name: string, changes: Record<string, unknown> = {}) =>
  service.client({
    client_name: name,
    redirect_uris: [`https://${name}.example/callback`],
    notification_uri: `${service.url}/${name}/notify`,
    scope,
    ...changes,
  })

async function knows(client: TestClient, requested = scope, person = 'jana'): Promise<string> {
  const { body } = await service.login(client, requested, person)
  return String(decodeJwt(body.id_token).sub)
}

/** The events that came, by the path they came to, each token verified. */
async function heard(count: number) {
  const posted = await service.heard(count)
  const keys = createLocalJWKSet((await service.http('get', '/.well-known/jwks.json')).body as JSONWebKeySet)
  return Promise.all(
    posted.map(async ({ path, form }) => {
      const { payload } = await jwtVerify(String(form.get('notification_token')), keys, { issuer: bank.issuer })
      expect(validate('notification-token', payload)).toEqual([])
      return { path, events: (payload as JWTPayload & { events: Record<string, unknown>[] }).events }
    }),
  )
}

test('a changed person is told of to exactly the clients that opted in, as far as their approved scopes reach', async () => {
  await start()
  const one = await register('one')
  const [sub] = [await knows(one)]
  await knows(await register('unregistered', { scope: 'openid profile.email' }), 'openid profile.email')
  await knows(await register('without-address', { notification_uri: undefined }))
  await knows(await register('not-approved'), 'openid profile.email')
  await knows(await register('out-of-reach'), 'openid profile.birthdate notification.claims_updated')
  await knows(await register('another-person'), scope, 'petr')
  const response = await change('jana', { email: 'jana.nova@example.org', nickname: null, maritalstatus: 'MARRIED' })
  expect(response.status).toBe(200)
  expect(response.body).toMatchObject({ login: 'jana', claims: { email: 'jana.nova@example.org' } })
  expect(await heard(1)).toEqual([
    {
      path: '/one/notify',
      events: [
        {
          type: 'claim_updated',
          original_event_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
          sub,
          affected_client_ids: [one.client_id],
          affected_claims: ['email', 'nickname'],
        },
      ],
    },
  ])
  const { body } = await service.login(one, scope)
  expect(body.access_token).toEqual(expect.any(String))
  expect(service.posted).toHaveLength(1)
})

test('clients of one sector share an event, those of others know the person by another sub', async () => {
  await start()
  const shared = { notification_uri: `${service.url}/shared/notify` }
  const first = await register('one', shared)
  const second = await register('two', { ...shared, redirect_uris: ['https://one.example/another'] })
  const third = await register('three', shared)
  const subs = [await knows(first), await knows(second), await knows(third)]
  expect([subs[0] === subs[1], subs[0] === subs[2]]).toEqual([true, false])
  await change('jana', { given_name: 'Johana' })
  const [token] = await heard(1)
  expect(
    new Map(token?.events.map(({ sub, affected_client_ids }) => [sub, new Set(affected_client_ids as string[])])),
  ).toEqual(
    new Map([
      [subs[0], new Set([first.client_id, second.client_id])],
      [subs[2], new Set([third.client_id])],
    ]),
  )
})

test('AMB-66: by the other reading the registered scope is enough', async () => {
  await start({ readings: { 'AMB-66': 'registered' } })
  await knows(await register('not-approved'), 'openid profile.email')
  await change('jana', { email: 'jana.jina@example.org' })
  expect(await heard(1)).toMatchObject([{ path: '/not-approved/notify', events: [{ affected_claims: ['email'] }] }])
})

test('what a person has already is no change, and is not told', async () => {
  await start()
  const all = `${scope} profile.updatedat`
  await knows(await register('one', { scope: all }), all)
  const { email, addresses } = structuredClone(bank.people.byLogin('jana')?.claims) ?? {}
  expect((await change('jana', { email, addresses })).status).toBe(200)
  expect((await change('jana', { email: 'jana.jina@example.org' })).status).toBe(200)
  expect(await heard(1)).toMatchObject([{ events: [{ affected_claims: ['email', 'updated_at'] }] }])
})

test('a change that makes no person is refused, and nobody is told', async () => {
  await start()
  await knows(await register('one'))
  expect((await change('nobody', { email: 'a@example.org' })).status).toBe(404)
  for (const claims of [{ email: 'no address' }, { salary: 1 }, { birthdate: null }, { updated_at: 5 }]) {
    const { status, body } = await change('jana', claims)
    expect([status, body.error_description]).toEqual([400, expect.stringContaining(Object.keys(claims)[0] ?? '')])
  }
  expect(bank.people.byLogin('jana')?.claims.email).toMatch(/@/)
  expect(service.posted).toEqual([])
})

/** The claims that the last token tells of, one list for each event. */
async function affected(count: number): Promise<unknown[]> {
  const form = (await service.heard(count)).at(-1)?.form
  const { events } = decodeJwt<{ events: { affected_claims: string[] }[] }>(String(form?.get('notification_token')))
  return events.map(({ affected_claims }) => affected_claims)
}

describe('with a people directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'claim-updates-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  /** Writes the file of the only person there, jana's but for some claims. */
  function write(folder: string, claims: object, verification: object = {}): string {
    const people = join(directory, folder)
    cpSync(packageFile('fixtures/people/jana.json'), join(people, 'novotny.json'))
    const person = JSON.parse(readFileSync(join(people, 'novotny.json'), 'utf8'))
    Object.assign(person, { id: '0f3b1c2d-1111-4222-8333-444455556666', login: 'novotny' })
    Object.assign(person.claims, claims)
    Object.assign(person.verified.verification, verification)
    writeFileSync(join(people, 'novotny.json'), JSON.stringify(person))
    return people
  }

  const optionsOf = (people: string) => ({ data: `${people}-data`, people, port: 0 })

  async function restart(people: string) {
    await bank.close()
    const same = { issuer: bank.issuer, port: Number(new URL(bank.issuer).port) }
    bank = await createBank({ control: true, ...optionsOf(people), ...same })
    await bank.listen()
  }

  test('what was changed is kept, and a changed file is noticed at the next start', async () => {
    const people = write('changed', {})
    await start(optionsOf(people))
    await knows(await register('one'), scope, 'novotny')
    await change('novotny', { given_name: 'Alois' })
    await service.heard(1)
    write('changed', { email: 'novy@example.org', given_name: 'Josef' })
    await restart(people)
    expect(bank.people.byLogin('novotny')?.claims).toMatchObject({ given_name: 'Alois', email: 'novy@example.org' })
    expect(await affected(2)).toEqual([['email']])
  })

  test('how the claims were checked is told to those whose scopes reach it', async () => {
    const people = write('verified', {})
    await start(optionsOf(people))
    const all = `${scope} profile.verification`
    await knows(await register('reaching', { scope: all }), all, 'novotny')
    await knows(await register('out-of-reach'), scope, 'novotny')
    write('verified', {}, { time: '2026-11-02T09:00:00+01:00', verification_process: '12345678' })
    await restart(people)
    expect(await heard(1)).toMatchObject([
      { path: '/reaching/notify', events: [{ affected_claims: ['time', 'verification_process'] }] },
    ])
  })

  test('the birthdate that a relative age comes to on another day is no change of the person; another age is', async () => {
    const born = (years: number) => ({ birthdate: { age: { years, days: 0 } }, birthnumber: { serial: 1 } })
    const people = write('relative', born(30))
    await start(optionsOf(people))
    await knows(await register('one'), scope, 'novotny')
    const before = bank.people.byLogin('novotny')?.claims.birthdate
    // The clock stays moved for as long as a bank of the process is open.
    const open = await createBank()
    advanceClock(2 * 86_400)
    await restart(people)
    expect(bank.people.byLogin('novotny')?.claims.birthdate).not.toBe(before)
    write('relative', { ...born(31), email: 'novy@example.org' })
    await restart(people)
    expect(await affected(1)).toEqual([['age', 'birthdate', 'email']])
    expect(service.posted).toHaveLength(1)
    await open.close()
  })
})
