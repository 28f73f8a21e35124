import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BankOptions, createBank } from './bank.js'
import { bankForTest } from './testing/banks.js'

const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
afterAll(() => rmSync(data, { recursive: true }))

test.each([
  ['with a data directory', { data }],
  ['in memory', {}],
])('a bank that others reach is ruled by nobody: %s', async (_name, options: BankOptions) => {
  const { bank, service, close } = await bankForTest({ ...options, public: true })
  try {
    expect(bank.control).toBeUndefined()
    expect(existsSync(join(data, 'control.json'))).toBe(false)
    const client = await service.client()
    const { body } = await service.login(client, 'openid')
    expect(body).toMatchObject({ token_type: 'Bearer' })
    const { client_id } = client
    await expect(bank.mint(client_id, 'jana')).rejects.toThrow('this bank is no bench: it mints no tokens')
    await expect(bank.trouble('POST /token', { status: 503 })).rejects.toThrow('this bank is no bench')
    expect(bank.requests.list()).toEqual([])
    expect((await service.http('get', '/').set('accept', 'text/html')).text).not.toContain('--bench-page')
  } finally {
    await close()
  }
})

test.each<[BankOptions, string]>([
  [{ control: true }, 'the control door'],
  [{ control: '127.0.0.1:9000' }, 'the control door'],
  [{ control: false, controlPort: 9000 }, 'a port of the control door'],
  [{ benchPage: true }, 'the bench'],
  [{ bench: true }, 'what helps with tests (bench)'],
  [{ headless: true }, 'logins without a page (headless)'],
])('nor may it be asked for: %j', async (options, named) => {
  await expect(createBank({ ...options, public: true })).rejects.toThrow(
    `option public: others reach the bank, and could rule it by ${named}: leave one of the two out`,
  )
})

test('to say that nobody reaches the bank changes nothing', async () => {
  const bank = await createBank({ public: false, headless: true, benchPage: true })
  expect([bank.config.control, bank.config.bench]).toEqual([true, true])
  await bank.close()
})
