import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { validate } from '../../schemas/index.js'
import { packageFile } from '../../schemas/package-file.js'
import { type Bank, type BankOptions, createBank } from '../bank.js'
import { type Application, TestService } from '../testing/service.js'

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

async function change(login: string, claims: Record<string, unknown>): Promise<Response> {
  return fetch(`${bank.control?.url}/people/${login}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bank.control?.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ claims }),
  })
}

const scope = 'openid profile.name profile.email profile.birthdate notification.claims_updated'

const register = (name: string, changes: Record<string, unknown> = {}) =>
  service.application({
    client_name: name,
    redirect_uris: [`https://${name}.example/callback`],
    notification_uri: `${service.url}/${name}/notify`,
    scope,
    ...changes,
  })

async function knows(application: Application, asked = scope, person = 'jana'): Promise<string> {
  const { body } = await service.login(application, asked, person)
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

test('a changed person is told of to exactly the applications that opted in, as far as their approved scopes reach', async () => {
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
  expect(await response.json()).toMatchObject({ login: 'jana', claims: { email: 'jana.nova@example.org' } })
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

test('applications of one sector share an event, those of others know the person by another sub', async () => {
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
  await start({ readings: { 'AMB-66': 2 } })
  await knows(await register('not-approved'), 'openid profile.email')
  await change('jana', { email: 'jana.jina@example.org' })
  expect(await heard(1)).toMatchObject([{ path: '/not-approved/notify', events: [{ affected_claims: ['email'] }] }])
})

test('a change that makes no person is refused, and nobody is told', async () => {
  await start()
  await knows(await register('one'))
  expect((await change('nobody', { email: 'a@example.org' })).status).toBe(404)
  for (const claims of [{ email: 'no address' }, { salary: 1 }, { birthdate: null }]) {
    const response = await change('jana', claims)
    const { error_description } = (await response.json()) as { error_description: string }
    expect([response.status, error_description]).toEqual([400, expect.stringContaining(Object.keys(claims)[0] ?? '')])
  }
  expect(bank.people.byLogin('jana')?.claims.email).toMatch(/@/)
  expect(service.posted).toEqual([])
})

test('what was changed is kept, and a changed people directory is noticed at the next start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'claim-updates-'))
  try {
    const people = join(directory, 'people')
    const file = join(people, 'novotny.json')
    cpSync(packageFile('fixtures/people/jana.json'), file)
    const person = JSON.parse(readFileSync(file, 'utf8'))
    const write = (claims: object) =>
      writeFileSync(
        file,
        JSON.stringify({
          ...person,
          id: '0f3b1c2d-1111-4222-8333-444455556666',
          login: 'novotny',
          claims: { ...person.claims, ...claims },
        }),
      )
    write({})
    const options = { data: join(directory, 'data'), people, port: 0 }
    await start(options)
    await knows(await register('one'), scope, 'novotny')
    await change('novotny', { given_name: 'Alois' })
    await heard(1)
    await bank.close()
    write({ email: 'novy@example.org', given_name: 'Josef' })
    bank = await createBank({ control: true, ...options, issuer: bank.issuer, port: Number(new URL(bank.issuer).port) })
    await bank.listen()
    expect(bank.people.byLogin('novotny')?.claims).toMatchObject({ given_name: 'Alois', email: 'novy@example.org' })
    const posted = await service.heard(2)
    const { events } = decodeJwt<{ events: unknown[] }>(String(posted[1]?.form.get('notification_token')))
    expect(events).toMatchObject([{ affected_claims: ['email'] }])
  } finally {
    rmSync(directory, { recursive: true })
  }
})
