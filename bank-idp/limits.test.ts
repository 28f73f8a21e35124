import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Response } from 'supertest'
import { type Bank, type BankOptions, createBank } from './bank.js'
import { openSqlite } from './store/sqlite.js'
import { bankForFile, bankForTest } from './testing/banks.js'
import { clientBehindProxy, trustedProxies } from './testing/behind-proxy.js'
import { serveHttps } from './testing/https-server.js'
import type { Cookies, Form } from './testing/pages.js'
import type { TestClient, TestService } from './testing/service.js'

const { service, client } = await bankForFile()

function queryOf({ client_id, redirect_uri }: TestClient, changes: Record<string, string> = {}) {
  return { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's', nonce: 'n', ...changes }
}

const ask = (there: TestService, asking: TestClient, changes?: Record<string, string>): Promise<Response> =>
  there
    .http('get', '/auth')
    .query(queryOf(asking, changes))
    .then((answer) => answer)

const errorOf = ({ status, body }: Response) => [status, body.error, body.error_description]

describe('a request that is too long', () => {
  test('an address of 8,192 characters is taken, one of more is 414', async () => {
    const at = (length: number) => service.http('get', `/healthcheck?${'x'.repeat(length - '/healthcheck?'.length)}`)
    expect((await at(8_192)).status).toBe(200)
    expect(errorOf(await at(8_193))).toEqual([414, 'invalid_request', 'the address is longer than 8192 characters'])
  })

  test('headers of more than 16 KiB are 431', async () => {
    const status = (length: number) =>
      service
        .http('get', '/healthcheck')
        .set('x-long', 'x'.repeat(length))
        .then((answer) => answer.status)
    expect([await status(15_000), await status(16_384)]).toEqual([200, 431])
  })

  test('a state of 2,048 characters comes back whole, one of more is 414, and 413 in a form', async () => {
    const state = 'x'.repeat(2_048)
    const { headers } = await ask(service, client, { state, prompt: 'none' })
    expect(new URL(String(headers.location)).searchParams.get('state')).toBe(state)
    const why = 'state is longer than 2048 characters'
    const longer = queryOf(client, { state: `${state}x` })
    expect(errorOf(await ask(service, client, longer))).toEqual([414, 'invalid_request', why])
    const form = await service.http('post', '/auth').type('form').send(longer)
    expect(errorOf(form)).toEqual([413, 'invalid_request', why])
  })

  test('a form that asks for a login may be as long as an address', async () => {
    const form = (length: number) =>
      service
        .http('post', '/auth')
        .type('form')
        .send(queryOf(client, { nonce: 'x'.repeat(length) }))
    expect((await form(7_500)).status).toBe(302)
    expect(errorOf(await form(8_192))).toEqual([413, 'invalid_request', 'the form is too long'])
  })
})

describe('logins that wait for their person', () => {
  const begin = async (limits: BankOptions['limits']) => {
    const { bank, service: there } = await bankForTest({ limits, trustedProxies })
    return { there, one: await clientBehindProxy(bank, there), other: await clientBehindProxy(bank, there) }
  }

  const backAt =
    ({ redirect_uri }: TestClient) =>
    (location: string) =>
      location.startsWith(redirect_uri)

  /** Begins a login from an address. @returns the browser that came to its page, and what comes of a form there */
  async function begun(there: TestService, asking: TestClient, address: string) {
    const cookies: Cookies = new Map()
    const first = await there.http('get', '/auth').query(queryOf(asking)).set('x-forwarded-for', address)
    const page = await there.walk(first, [], { cookies })
    expect([page.status, page.type]).toEqual([200, 'text/html'])
    return (form: Form) => there.walk(page, [form], { cookies, until: backAt(asking) })
  }

  const declined = async (press: Awaited<ReturnType<typeof begun>>) =>
    (await press({ action: 'decline' })).get('location')?.includes('error=') ?? false

  test.each([
    ['one client', { loginsOfClient: 4 }],
    ['all clients', { logins: 4 }],
  ])(
    'of %s: too many from one address end the oldest of that address, and nobody else is kept out',
    async (_of, limits) => {
      const { there, one } = await begin(limits)
      const person = await begun(there, one, '192.0.2.1')
      const left = []
      for (let count = 0; count < 8; count += 1) left.push(await begun(there, one, `2001:db8:0:1::${count}`))
      const another = await begun(there, one, '192.0.2.2')
      expect(await Promise.all([person, another].map(declined))).toEqual([true, true])
      expect(await Promise.all(left.map(declined))).toEqual([...Array.from({ length: 6 }, () => false), true, true])
    },
  )

  test('pages for the code of a device are bounded as they are, and no matter of a client', async () => {
    const { there, one } = await begin({ loginsOfClient: 4 })
    const open = async (address: string) => {
      const page = await there.http('get', '/device').set('x-forwarded-for', address)
      const cookies = [page.get('set-cookie') ?? []].flat()
      expect(cookies.length).toBeGreaterThan(0)
      const cookie = cookies.map((each) => each.replace(/;.*/, '')).join('; ')
      // Without a session it leads back to the page; with one it tells that the form is not the page's.
      return async () => (await there.http('post', '/device').set('cookie', cookie).type('form').send({})).status
    }
    const login = await begun(there, one, '192.0.2.1')
    const person = await open('192.0.2.1')
    const left = []
    for (let count = 0; count < 8; count += 1) left.push(await open(`2001:db8:0:1::${count}`))
    const another = await open('192.0.2.2')
    const statuses = []
    for (const ask of [person, another, ...left]) statuses.push(await ask())
    expect(statuses).toEqual([400, 400, ...Array.from({ length: 6 }, () => 303), 400, 400])
    expect(await declined(login)).toBe(true)
  })

  test('of one client too many are no matter of another', async () => {
    const { there, one, other } = await begin({ loginsOfClient: 2 })
    const elsewhere = await begun(there, other, '192.0.2.1')
    for (let count = 0; count < 4; count += 1) await begun(there, one, '192.0.2.1')
    expect(await declined(elsewhere)).toBe(true)
  })

  test('those that nobody went on with end first', async () => {
    const { there, one } = await begin({ loginsOfClient: 3 })
    const address = { 'x-forwarded-for': '192.0.2.1' }
    const cookies: Cookies = new Map()
    const first = await there
      .http('get', '/auth')
      .query(queryOf(one, { prompt: 'consent' }))
      .set(address)
    const consent = await there.walk(first, [{ person: 'jana' }], { cookies })
    for (let count = 0; count < 6; count += 1) await begun(there, one, '192.0.2.1')
    const approved = await there.walk(consent, [{ action: 'approve' }], { cookies, until: backAt(one) })
    expect(approved.get('location')).toContain('code=')
  })

  test('one that has begun comes to its end, and makes room', async () => {
    const { there, one } = await begin({ loginsOfClient: 1 })
    const scope = 'openid profile.name'
    const forms: Form[] = [{ person: 'jana' }, { action: 'approve', scope: ['profile.name'] }]
    const cookies: Cookies = new Map()
    expect(await there.authorize(one, scope, forms, {}, cookies)).toHaveProperty('code')
    // Somebody else signs in, which has what waits bound to another session.
    const [, consent] = forms as [Form, Form]
    const another = [{ person: 'petr' }, consent]
    expect(await there.authorize(one, scope, another, { prompt: 'login' }, cookies)).toHaveProperty('code')
  })
})

test('one request_uri is read a few times at once, and so many times in ten seconds', async () => {
  const { bank, service: there } = await bankForTest({ limits: { requestUriReads: 8 } })
  const { publicKey, privateKey } = await generateKeyPair('PS512')
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'PS512', kid: 'k' }]
  let reads = 0
  let object = ''
  let failing = false
  const server = await serveHttps(bank.identity.service.certificate, (req, res) => {
    if (req.url === '/object') reads += 1
    if (req.url === '/object' && failing) res.statusCode = 503
    res.end(req.url === '/object' ? object : JSON.stringify({ keys }))
  })
  try {
    const request_uri = `${server.url}/object`
    const asking = await there.client({
      jwks_uri: `${server.url}/jwks.json`,
      request_uris: [request_uri, `${request_uri}#new`],
    })
    object = await new SignJWT({ client_id: asking.client_id, aud: bank.issuer })
      .setProtectedHeader({ alg: 'PS512', kid: 'k' })
      .sign(privateKey)
    const together = await Promise.all(Array.from({ length: 20 }, () => ask(there, asking, { request_uri })))
    expect(together.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 302))
    expect(reads).toBeLessThanOrEqual(8)
    for (let count = 0; count < 10; count += 1) {
      expect((await ask(there, asking, { request_uri })).get('location')).toContain('/interaction/')
    }
    expect(reads).toBe(8)
    // Another fragment says that the object is another one.
    for (let count = 0; count < 2; count += 1) {
      const answer = await ask(there, asking, { request_uri: `${request_uri}#new` })
      expect(answer.get('location')).toContain('/interaction/')
      expect(reads).toBe(9 + count)
    }
    failing = true
    for (let count = 0; count < 6; count += 1) await ask(there, asking, { request_uri: `${request_uri}#new` })
    expect(reads).toBe(16)
    const after = await ask(there, asking, { request_uri: `${request_uri}#new` })
    expect(after.get('location')).toContain('/interaction/')
    expect(reads).toBe(16)
  } finally {
    await server.close()
  }
})

test.each<[string, BankOptions['readings'], object]>([
  ['missing (AMB-1)', { 'AMB-1': 'redirect' }, {}],
  ['unknown (AMB-2)', { 'AMB-2': 'redirect' }, { client_id: 'nobody' }],
])(
  'where a client that is %s is sent back, the address is one that is registered now',
  async (_which, readings, named) => {
    const { service: there } = await bankForTest({ readings })
    const asking = await there.client()
    const other = `${there.url}/other`
    const unknown = async (redirect_uri: string) => {
      const { client_id: _, ...query } = queryOf(asking)
      return (await there.http('get', '/auth').query({ ...query, ...named, redirect_uri })).status
    }
    expect([await unknown(asking.redirect_uri), await unknown(other)]).toEqual([302, 400])
    await there.replaceRegistration(asking, { ...there.record(), redirect_uris: [other] })
    expect([await unknown(asking.redirect_uri), await unknown(other)]).toEqual([400, 302])
  },
)

describe('the store', () => {
  let bank: Bank | undefined
  afterEach(() => bank?.close())

  /** Has a store grow by so many dead rows. */
  function fill(file: string): void {
    const sqlite = openSqlite(file)
    sqlite.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
      insert into provider_records (model, id, payload, expires_at) select 'AccessToken', i, json_object('x', hex(randomblob(250))), 1 from n`)
    sqlite.pragma('wal_checkpoint(truncate)')
    sqlite.close()
  }

  test.each([
    ['a new one', false],
    ['one of an earlier version', true],
  ])('gives back the disk of what was swept: %s', async (_which, earlier) => {
    const data = mkdtempSync(join(tmpdir(), 'bank-idp-disk-'))
    const file = join(data, 'bank.sqlite')
    bank = await createBank({ data })
    await bank.close()
    if (earlier) {
      const sqlite = openSqlite(file)
      sqlite.pragma('auto_vacuum = 0')
      sqlite.exec('vacuum')
      sqlite.close()
    }
    fill(file)
    const full = statSync(file).size
    expect(full).toBeGreaterThan(10_000_000)
    bank = await createBank({ data })
    // Its first turn sweeps.
    await bank.listen()
    await bank.close()
    bank = undefined
    expect(statSync(file).size).toBeLessThan(full / 4)
  })
})
