import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validate } from '../schemas/index.js'
import type { Bank } from './bank.js'
import type { OutageAnswer } from './control/operations/outages.js'
import { openSqlite } from './store/sqlite.js'
import { bankForTest, type TestBank } from './testing/banks.js'
import { door } from './testing/control-door.js'
import type { TestService } from './testing/service.js'

let data: string
let testBank: TestBank
let bank: Bank
let service: TestService

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  testBank = await bankForTest({ data })
  bank = testBank.bank
  service = testBank.service
})

async function health() {
  const { status, body } = await service.http('get', '/healthcheck')
  expect([status, validate('health', body)]).toEqual([200, []])
  return body
}

const statuses = ({ details }: { details: Record<string, { status: string }> }) =>
  Object.fromEntries(Object.entries(details).map(([name, { status }]) => [name, status]))

test('HEALTH-7: an outage of one sub-system shows in details alone, and stops what it serves alone', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await door(bank, '/outages', { part: 'kyc', until, reason: 'údržba "jádra"' })
  const record = await health()
  expect(record).toMatchObject({ status: 'OK', outage_planned_until: null, outage_description: null })
  expect(statuses(record)).toEqual({ 'dynamic-registration': 'OK', 'oidc-core': 'OK', revoke: 'OK', kyc: 'ERROR' })
  expect(record.details.kyc.description).toBe(`údržba "jádra" until ${until.slice(0, 19)}.000Z`)

  const client = await service.client()
  const tokens = await service.login(client, 'openid')
  const userinfo = await service.http('get', '/userinfo').set('authorization', `Bearer ${tokens.body.access_token}`)
  expect([userinfo.status, userinfo.body]).toEqual([
    503,
    // An error_description is ASCII.
    { error: 'temporarily_unavailable', error_description: "udrzba 'jadra'" },
  ])
  await door(bank, '/outages/end', { part: 'kyc' })
  expect((await health()).details.kyc.status).toBe('OK')
})

test('HEALTH-7: a planned outage of the whole bank shows its end and its reason, and ends by itself', async () => {
  const until = new Date((Math.floor(Date.now() / 1000) + 3600) * 1000).toISOString()
  await door(bank, '/outages', { until, reason: 'maintenance' })
  expect(await health()).toMatchObject({
    status: 'ERROR',
    outage_planned_until: until,
    outage_description: 'maintenance',
    details: { 'oidc-core': { status: 'ERROR' } },
  })
  await door(bank, '/clock', { advance_seconds: 3600 })
  expect(await health()).toMatchObject({ status: 'OK', outage_planned_until: null, outage_description: null })
  expect((await door(bank, '/outages')).body).toEqual([])
})

test('an outage that is still to come stops nothing yet', async () => {
  const day = 86_400_000
  const from = new Date(Date.now() + day).toISOString()
  await door(bank, '/outages', { part: 'oidc-core', from, until: new Date(Date.now() + 2 * day).toISOString() })
  expect(statuses(await health())['oidc-core']).toBe('OK')
  await door(bank, '/clock', { advance_seconds: day / 1000 + 1 })
  expect(statuses(await health())['oidc-core']).toBe('ERROR')
})

describe('several outages of one part', () => {
  const hours = (count: number) => new Date((Math.floor(Date.now() / 1000) + count * 3600) * 1000).toISOString()
  async function announced(): Promise<unknown[][]> {
    const { body } = await door(bank, '/outages')
    return Object.values(body).map((outage) => {
      const { reason, until } = outage as OutageAnswer
      return [reason, until]
    })
  }

  test('one that is still to come leaves the one that runs, and each ends by itself', async () => {
    const [one, ten, eleven] = [hours(1), hours(10), hours(11)]
    await door(bank, '/outages', { part: 'kyc', until: one, reason: 'repair' })
    await door(bank, '/outages', { part: 'kyc', from: ten, until: eleven, reason: 'update' })
    expect(await announced()).toEqual([
      ['repair', one],
      ['update', eleven],
    ])
    expect((await health()).details.kyc.description).toBe(`repair until ${one}`)
    await door(bank, '/clock', { advance_seconds: 3601 })
    expect(statuses(await health()).kyc).toBe('OK')
    await door(bank, '/clock', { advance_seconds: 9 * 3600 })
    expect((await health()).details.kyc.description).toBe(`update until ${eleven}`)
  })

  test('one that begins now takes the place of the one that runs, and one that begins when another does, of that', async () => {
    const [one, two, ten, eleven, twelve] = [hours(1), hours(2), hours(10), hours(11), hours(12)]
    await door(bank, '/outages', { part: 'kyc', until: one, reason: 'repair' })
    await door(bank, '/outages', { part: 'kyc', from: ten, until: eleven, reason: 'update' })
    await door(bank, '/outages', { part: 'kyc', until: two, reason: 'longer' })
    await door(bank, '/outages', { part: 'kyc', from: ten, until: twelve, reason: 'greater' })
    expect(await announced()).toEqual([
      ['longer', two],
      ['greater', twelve],
    ])
  })

  test('of two that run at once the one that ends last is told', async () => {
    const [one, three] = [hours(1), hours(3)]
    await door(bank, '/outages', { part: 'kyc', reason: 'repair' })
    await door(bank, '/outages', { part: 'kyc', from: one, until: three, reason: 'update' })
    await door(bank, '/clock', { advance_seconds: 2 * 3600 })
    expect((await health()).details.kyc.description).toBe('repair')
  })

  test('the one that runs is ended first; one to come is taken back by its begin', async () => {
    const [ten, eleven, twenty, later] = [hours(10), hours(11), hours(20), hours(21)]
    await door(bank, '/outages', { part: 'kyc', reason: 'repair' })
    await door(bank, '/outages', { part: 'kyc', from: ten, until: eleven, reason: 'update' })
    await door(bank, '/outages', { part: 'kyc', from: twenty, until: later, reason: 'another' })
    await door(bank, '/outages/end', { part: 'kyc' })
    expect((await announced()).map(([reason]) => reason)).toEqual(['update', 'another'])
    await door(bank, '/outages/end', { part: 'kyc', from: twenty })
    expect((await announced()).map(([reason]) => reason)).toEqual(['update'])
    await door(bank, '/outages/end', { part: 'kyc' })
    expect(await announced()).toEqual([])
    expect(await door(bank, '/outages/end', { part: 'kyc', from: ten })).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: `no outage of kyc from ${ten} is announced` },
    })
    await door(bank, '/outages', { part: 'kyc', from: twenty })
    expect((await door(bank, '/outages/end', {})).body.error_description).toBe(
      `no outage of the whole bank is announced; there is one of kyc from ${twenty}`,
    )
  })
})

test('GEN-9: what is in an outage answers 503 temporarily_unavailable as JSON, without a redirect', async () => {
  const client = await service.client()
  await door(bank, '/outages', {
    part: 'bank',
    reason: 'power cut',
    until: new Date(Date.now() + 60_000).toISOString(),
  })
  const { client_id, redirect_uri } = client
  const query = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 'S', nonce: 'N' }
  for (const answer of [
    await service.http('get', '/auth').query(query),
    await service.http('post', '/token').type('form').send({}),
    await service.http('post', '/register', { mutualTls: true }).send({}),
    await service.http('get', '/userinfo'),
    await service.http('post', '/revoke').type('form').send({}),
  ]) {
    expect([answer.status, answer.get('location')]).toEqual([503, undefined])
    expect(answer.get('content-type')).toMatch(/^application\/json\b/)
    expect(answer.body).toEqual({ error: 'temporarily_unavailable', error_description: 'power cut' })
    expect(Number(answer.get('retry-after'))).toBeGreaterThan(50)
  }
  for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
    expect((await service.http('get', path)).status).toBe(200)
  }
})

test('a health record that comes with 503 (AMB-57) says when to ask again, as every 503 does', async () => {
  const { bank, service } = await bankForTest({ control: true, readings: { 'AMB-57': 'service-unavailable' } })
  await door(bank, '/outages', { part: 'bank' })
  const { status, headers, body } = await service.http('get', '/healthcheck')
  expect([status, headers['retry-after'], body.poll_interval]).toEqual([503, '10', 10_000])
})

test('GEN-6: a failing store is told by health, and answered 500 server_error as JSON, without a redirect', async () => {
  const client = await service.client()
  const store = openSqlite(join(data, 'bank.sqlite'))
  for (const table of ['clients', 'provider_records', 'heartbeat']) store.exec(`DROP TABLE ${table}`)
  store.close()
  const { client_id, redirect_uri } = client
  const query = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 'S', nonce: 'N' }
  for (const answer of [
    await service.http('get', '/auth').query(query),
    await service.http('get', '/userinfo').set('authorization', 'Bearer some-token'),
  ]) {
    expect([answer.status, answer.get('location')]).toEqual([500, undefined])
    expect(answer.body).toMatchObject({ error: 'server_error', error_description: expect.any(String) })
    expect(answer.text).not.toContain('no such table')
  }
  expect(await health()).toMatchObject({ status: 'ERROR', outage_description: 'unplanned outage' })
})

test('an announced outage outlives the process', async () => {
  await door(bank, '/outages', { part: 'revoke' })
  await testBank.close()
  const { bank: again } = await bankForTest({ data })
  expect((await door(again, '/outages')).body).toEqual([
    { part: 'revoke', from: expect.any(String), until: null, reason: null },
  ])
})

test.each([
  [{ part: 'payments' }, 'part must be one of bank, dynamic-registration, oidc-core, revoke, kyc, null.'],
  [{ until: 'tomorrow' }, "until 'tomorrow' is not a time such as 2030-01-31T12:00:00Z"],
  [{ until: '+010000-01-01T00:00:00Z' }, "until '+010000-01-01T00:00:00Z' is not a time such as 2030-01-31T12:00:00Z"],
  [{ until: '2020-01-01T00:00:00Z' }, 'until must be after from, and in the future'],
])('an outage %j is refused', async (body, error_description) => {
  expect(await door(bank, '/outages', body)).toEqual({
    status: 400,
    body: { error: 'invalid_request', error_description },
  })
})
