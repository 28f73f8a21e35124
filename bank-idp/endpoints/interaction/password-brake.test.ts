import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Response } from 'supertest'
import type { BankOptions } from '../../config.js'
import { bankForTest, type TestBank } from '../../testing/banks.js'
import { clientBehindProxy, serviceCertificate, trustedProxies } from '../../testing/behind-proxy.js'
import type { Cookies } from '../../testing/pages.js'
import { requestClaims } from '../../testing/request-objects.js'
import type { TestClient, TestService } from '../../testing/service.js'

const scope = 'openid profile.name'
const options: BankOptions = {
  trustedProxies,
  limits: { passwordTries: 3, passwordPause: 600 },
}

/** A browser at an address, at the page that asks for a password. */
class Visitor {
  readonly cookies: Cookies = new Map()
  #page: Response | undefined

  constructor(
    readonly service: TestService,
    public address: string,
  ) {}

  async open(client: TestClient, language = 'en'): Promise<this> {
    const { client_id, redirect_uri } = client
    const query = { client_id, redirect_uri, response_type: 'code', scope, state: 's', nonce: 'n', prompt: 'login' }
    const cookie = [...this.cookies.values()].join('; ')
    const first = await this.service
      .http('get', '/auth')
      .query({ ...query, ui_locales: language })
      .set('cookie', cookie)
    this.#page = await this.service.walk(first, [], { cookies: this.cookies })
    return this
  }

  async openObject(request_uri: string, redirect_uri: string): Promise<this> {
    const first = await this.service.http('get', '/authorize').query({ request_uri, redirect_uri })
    this.#page = await this.service.walk(first, [], { cookies: this.cookies })
    return this
  }

  send(form: Record<string, string>): Promise<Response> {
    return this.service
      .http('post', /action="([^"]+)"/.exec(this.#page?.text ?? '')?.[1] ?? '')
      .type('form')
      .set('cookie', [...this.cookies.values()].join('; '))
      .set('x-forwarded-for', this.address)
      .send(form)
      .then((answer) => answer)
  }

  try(login: string, password = 'wrong'): Promise<Response> {
    return this.send({ action: 'sign-in', login, password })
  }

  async statuses(times: number, login: string): Promise<number[]> {
    const statuses: number[] = []
    for (let count = 0; count < times; count += 1) statuses.push((await this.try(login)).status)
    return statuses
  }
}

async function begin(changes: BankOptions = {}): Promise<TestBank & { client: TestClient }> {
  const testBank = await bankForTest({ ...options, ...changes })
  const client = await clientBehindProxy(testBank.bank, testBank.service, { scope: `${scope} authorization` })
  return { ...testBank, client }
}

test.each([
  ['en', 'Too many wrong passwords. Try again in 10 min.'],
  ['cs', 'Heslo bylo příliš mnohokrát zadáno chybně. Zkuste to znovu za 10 min.'],
])(
  'wrong passwords are held back, a right one then as well; the page says for how long (%s)',
  async (language, text) => {
    const { service, client } = await begin()
    const visitor = await new Visitor(service, '192.0.2.1').open(client, language)
    expect(await visitor.statuses(3, 'jana')).toEqual([400, 400, 400])
    const right = await visitor.try('jana', 'jana-secret')
    expect([right.status, right.type, right.text.includes(text)]).toEqual([429, 'text/html', true])
    expect(Number(right.get('retry-after'))).toBeGreaterThan(590)
    expect(Number(right.get('retry-after'))).toBeLessThanOrEqual(600)
    // Who need not type a password is not held back.
    expect((await visitor.send({ person: 'jana' })).status).toBe(303)
  },
)

test('when the time is over, which what is held back does not make longer, the right password lets in', async () => {
  const { bank, service, client } = await begin()
  const visitor = await new Visitor(service, '192.0.2.1').open(client)
  await visitor.statuses(5, 'jana')
  await bank.clock.advance(601)
  expect((await visitor.try('jana', 'jana-secret')).status).toBe(303)
})

test('a person who does not exist is answered as one who does', async () => {
  const { service, client } = await begin()
  const said = async (login: string) => {
    const visitor = await new Visitor(service, '192.0.2.1').open(client)
    const answers: [number, string][] = []
    for (let count = 0; count < 4; count += 1) {
      const { status, text } = await visitor.try(login)
      answers.push([status, text.replace(/action="[^"]*"/, '')])
    }
    return answers
  }
  expect(await said('jana')).toEqual(await said('nobody'))
})

test('of passwords that are sent side by side no more are tried', async () => {
  const { service, client } = await begin()
  const visitors = await Promise.all([1, 2, 3, 4, 5, 6].map(() => new Visitor(service, '192.0.2.1').open(client)))
  const answers = await Promise.all(visitors.map((visitor) => visitor.try('jana')))
  expect(answers.map(({ status }) => status).sort()).toEqual([400, 400, 400, 429, 429, 429])
})

test('right passwords side by side are all taken, however many', async () => {
  const { service, client } = await begin()
  const visitors = await Promise.all([1, 2, 3, 4, 5, 6].map(() => new Visitor(service, '192.0.2.1').open(client)))
  const answers = await Promise.all(visitors.map((visitor) => visitor.try('jana', 'jana-secret')))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 303])
})

test('another address is not held back, until so many have tried one person, nor another person, until an address has tried so many', async () => {
  const { service, client } = await begin({ limits: { passwordTries: 1 } })
  const at = (address: string) => new Visitor(service, address).open(client)
  const first = await at('192.0.2.1')
  expect(await first.statuses(2, 'jana')).toEqual([400, 429])
  // 10 of one person, from whatever address.
  const others = await Promise.all(Array.from({ length: 9 }, (_, host) => at(`198.51.100.${host}`)))
  for (const other of others) expect((await other.try('jana')).status).toBe(400)
  expect((await (await at('203.0.113.1')).try('jana')).status).toBe(429)
  // 10 from one address, of whatever person.
  const names = Array.from({ length: 9 }, (_, number) => `guess-${number}`)
  for (const name of names) expect((await first.try(name)).status).toBe(400)
  expect((await first.try('guess-9')).status).toBe(429)
  expect((await (await at('203.0.113.1')).try('guess-9')).status).toBe(400)
})

test('a /48 is held back as a whole, when a hundred times as many came from its networks', async () => {
  const { service, client } = await begin({ limits: { passwordTries: 1 } })
  const visitor = await new Visitor(service, '').open(client)
  const statusAt = async (address: string, login: string) => {
    visitor.address = address
    return (await visitor.try(login)).status
  }
  for (let count = 0; count < 100; count += 1) {
    expect(await statusAt(`2001:db8:1:${count}::1`, `guess-${count}`)).toBe(400)
  }
  expect(await statusAt('2001:db8:1:ffff::1', 'petr')).toBe(429)
  expect(await statusAt('2001:db8:2::1', 'petr')).toBe(400)
})

test('nobody is kept out of a browser that they signed in with before', async () => {
  const { service, client } = await begin({ limits: { passwordTries: 1 } })
  const own = await new Visitor(service, '192.0.2.1').open(client)
  expect((await own.try('jana', 'jana-secret')).status).toBe(303)
  await service.authorize(client, scope, [{ person: 'jana' }, { action: 'approve' }], { prompt: 'login' }, own.cookies)
  // Somebody else behind the same address, and many elsewhere.
  for (const address of ['192.0.2.1', ...Array.from({ length: 10 }, (_, host) => `198.51.100.${host}`)]) {
    await (await new Visitor(service, address).open(client)).try('jana')
  }
  expect((await (await new Visitor(service, '192.0.2.1').open(client)).try('jana', 'jana-secret')).status).toBe(429)
  await own.open(client)
  expect((await own.try('jana', 'jana-secret')).status).toBe(303)
})

test('the password that a request to sign asks for is one of the same tries', async () => {
  const { bank, service, client } = await begin()
  const { body } = await service.login(client, scope)
  const claims = requestClaims(client, { acr_values: 'loa2', id_token_hint: body.id_token })
  const { request_uri } = (await service.registerRequestObject(claims, serviceCertificate(bank))).body
  const visitor = await new Visitor(service, '192.0.2.1').openObject(request_uri, client.redirect_uri)
  const confirm = (password: string) => visitor.send({ action: 'confirm', password })
  expect([(await confirm('a')).status, (await confirm('b')).status]).toEqual([400, 400])
  const signIn = await new Visitor(service, '192.0.2.1').open(client)
  expect(await signIn.statuses(1, 'jana')).toEqual([400])
  const held = await confirm('jana-secret')
  expect([held.status, held.text.includes('Try again in 10 min.') || held.text.includes('znovu za 10 min.')]).toEqual([
    429,
    true,
  ])
})

test('what was tried is remembered over a restart', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-tries-'))
  const first = await begin({ data })
  await (await new Visitor(first.service, '192.0.2.1').open(first.client)).statuses(3, 'jana')
  await first.close()
  const second = await begin({ data })
  expect(await (await new Visitor(second.service, '192.0.2.1').open(second.client)).statuses(1, 'jana')).toEqual([429])
})

test('a bank without the brake takes any number, and a limit that is none is refused', async () => {
  const { service, client } = await begin({ limits: { passwordTries: 0 } })
  const visitor = await new Visitor(service, '192.0.2.1').open(client)
  expect(await visitor.statuses(12, 'jana')).toEqual(Array.from({ length: 12 }, () => 400))
  await expect(bankForTest({ limits: { passwordTries: -1 } })).rejects.toThrow(
    'option limits: passwordTries must be a whole number, 0 or more',
  )
  const unknown = { guesses: 1 } as BankOptions['limits']
  await expect(bankForTest({ limits: unknown })).rejects.toThrow("option limits: 'guesses' is not a limit")
})
