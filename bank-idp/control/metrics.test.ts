import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { type Bank, type BankOptions, createBank } from '../bank.js'
import { TestPostgres } from '../testing/postgres.js'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await TestPostgres.start()
})
afterAll(() => postgres.stop())

const open: Bank[] = []
afterEach(async () => {
  for (const bank of open.splice(0)) await bank.close()
})

async function listening(options: BankOptions = {}): Promise<Bank> {
  const bank = await createBank({ metrics: '127.0.0.1:0', ...options })
  open.push(bank)
  await bank.listen()
  return bank
}

/** The samples of a bank, by name and labels. */
async function samples({ metrics = '' }: Bank): Promise<Record<string, number>> {
  const text = await (await fetch(metrics)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.replace(/.* /, ''))]))
}

const onPostgres = async () => ({ data: mkdtempSync(join(tmpdir(), 'bank-idp-')), store: await postgres.database() })

test.each([
  ['SQLite', async () => ({})],
  ['PostgreSQL', onPostgres],
])('a bank on %s tells what it was asked, and what is in its store', async (_engine, options) => {
  const bank = await listening(await options())
  const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
  await bank.login(client, 'jana', { scope: 'openid profile.name' })
  await bank.endNextLogin(client, 'not-eligible')
  await bank.login(client, 'jana').catch(() => {})
  expect(await samples(bank)).toMatchObject({
    'bank_idp_requests_total{method="POST",route="/token",status="200",error=""}': 1,
    'bank_idp_request_duration_seconds_count{route="/token"}': 1,
    'bank_idp_logins_total{outcome="success"}': 1,
    'bank_idp_logins_total{outcome="eid_doesnt_exist"}': 1,
    'bank_idp_token_responses_total{grant_type="authorization_code"}': 1,
    bank_idp_failures_total: 0,
    'bank_idp_live_records{kind="AccessToken"}': 1,
    'bank_idp_outbox_events{state="waiting"}': 0,
    'bank_idp_rows{table="clients"}': 1,
    'bank_idp_rows{table="consents"}': 1,
  })
  expect(await samples(bank)).toHaveProperty('process_cpu_seconds_total')
})

test.each([
  ['SQLite', async () => ({})],
  ['PostgreSQL', onPostgres],
])('whoever asks beside others is told of all of the store on %s', async (_engine, options) => {
  const bank = await listening(await options())
  const missing = new Set<string>()
  for (let round = 0; round < 10; round += 1) {
    const told = await Promise.all(Array.from({ length: 8 }, async () => Object.keys(await samples(bank))))
    for (const table of ['clients', 'consents', 'signing_requests', 'waiting_logins', 'audit'])
      if (told.some((names) => !names.includes(`bank_idp_rows{table="${table}"}`))) missing.add(table)
  }
  expect([...missing]).toEqual([])
})

test('who asks for paths of their own makes no series of them, and a path before all others is none of a route', async () => {
  const bank = await listening({ issuer: 'https://bank.example/idp' })
  const paths = ['/one', '/two', '/interaction/x/y', '/idp/healthcheck', '/idp/interaction/someone']
  for (const path of paths) await request(bank.app).get(path)
  const found = Object.keys(await samples(bank)).filter((name) => name.startsWith('bank_idp_requests_total'))
  expect(found.sort()).toEqual([
    'bank_idp_requests_total{method="GET",route="/healthcheck",status="200",error=""}',
    'bank_idp_requests_total{method="GET",route="/interaction/:uid",status="400",error="invalid_request"}',
    'bank_idp_requests_total{method="other",route="other",status="404",error="invalid_request"}',
  ])
})

test('the metrics alone are told at their address, which the machine has to have room for', async () => {
  const bank = await listening()
  const answer = await fetch(String(bank.metrics))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  const nothing = await fetch(`${bank.metrics}/more`)
  expect([nothing.status, await nothing.json()]).toEqual([
    404,
    {
      error: 'not_found',
      error_description: 'there is nothing at GET /metrics/more: the metrics are at GET /metrics',
    },
  ])
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo
  await expect(listening({ metrics: `127.0.0.1:${port}` })).rejects.toThrow(
    `metrics at port ${port}: the port is already in use; choose another with --metrics, or 0 for any free one`,
  )
  taken.close()
  await expect(createBank({ metrics: '9464' })).rejects.toThrow(
    "option metrics: '9464' is no interface and port: give them such as 127.0.0.1:9464",
  )
})

test('nothing is told where nobody asked for it', async () => {
  const bank = await listening({ metrics: undefined })
  expect(bank.metrics).toBeUndefined()
})
