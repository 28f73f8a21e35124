import { createHmac } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import request from 'supertest'
import { loadPeople } from '../fixtures/people.js'
import { packageFile } from '../schemas/package-file.js'
import { type Bank, createBank } from './bank.js'
import { makeAuthority, makeCertificate } from './keys/certificates.js'
import { openSqlite } from './store/sqlite.js'
import { run, startBank } from './testing/command.js'
import { door } from './testing/control-door.js'
import { bankAt, type KnownBank } from './testing/known-bank.js'
import { isOnDisk } from './testing/on-disk.js'
import { TestService } from './testing/service.js'

const day = 86_400_000

let kept: string

/** A data directory that a bank has used. */
beforeAll(async () => {
  kept = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  await (await createBank({ data: kept })).close()
})

function copy(): string {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  cpSync(kept, data, { recursive: true })
  return data
}

test.each<[string, (data: string) => void, string]>([
  [
    'a store that is no store',
    (data) => writeFileSync(join(data, 'bank.sqlite'), 'x'.repeat(8192)),
    'bank.sqlite cannot be opened: file is not a database; restore a copy of it, or choose another --data directory',
  ],
  [
    'a store with a damaged page',
    (data) => {
      const file = join(data, 'bank.sqlite')
      const content = readFileSync(file)
      content.fill(0xff, 4096 * 3, 4096 * 6)
      writeFileSync(file, content)
    },
    'bank.sqlite cannot be opened: ',
  ],
  [
    'a store of a newer version',
    (data) => {
      const store = openSqlite(join(data, 'bank.sqlite'))
      store.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2030-01-01')")
      store.close()
    },
    'was made by a newer version of bank-idp: use that version, or another --data directory',
  ],
  [
    'a certificate that is none',
    (data) => writeFileSync(join(data, 'ca.pem'), 'hello'),
    'ca.pem and ca-key.pem are not a certificate and its key (',
  ],
  [
    'a key of another certificate',
    (data) => cpSync(join(data, 'service/certificate-key.pem'), join(data, 'tls-key.pem')),
    'tls.pem and tls-key.pem are not a certificate and its key (the private key belongs to another certificate): remove both',
  ],
  [
    'a key set that is none',
    (data) => writeFileSync(join(data, 'service/jwks.json'), '{'),
    'service/jwks.json contains no key set: remove it, and the bank makes a new one',
  ],
  [
    'a directory in place of a file',
    (data) => cpSync(join(data, 'service'), join(data, 'control.token'), { recursive: true }),
    'control.token cannot be read: EISDIR',
  ],
])('%s is told in one line', async (_what, damage, message) => {
  const data = copy()
  damage(data)
  const { code, stderr, stdout } = await run('start', '--quiet', '--port', '0', '--data', data)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('a control port that is taken is told in one line', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const { code, stderr } = await run(
    'start',
    '--quiet',
    '--port',
    '0',
    '--data',
    copy(),
    '--control-port',
    String(port),
  )
  server.close()
  expect([code, stderr]).toEqual([
    2,
    `bank-idp: control port ${port}: the port is already in use; choose another with --control-port, or 0 for any free one\n`,
  ])
})

test('a control token that was emptied is made anew', async () => {
  const data = copy()
  writeFileSync(join(data, 'control.token'), '')
  const bank = await createBank({ data })
  await bank.listen()
  expect(bank.control?.token).toMatch(/^[\w-]{43}$/)
  expect(readFileSync(join(data, 'control.token'), 'utf8')).toBe(bank.control?.token)
  await bank.close()
})

test('a second bank on the same data directory is refused', async () => {
  const data = copy()
  const bank = await createBank({ data })
  await expect(createBank({ data })).rejects.toThrow(`another bank runs on the data directory ${data}: `)
  await bank.close()
  await (await createBank({ data })).close()
})

describe('certificates near their end', () => {
  let bank: Bank | undefined

  afterEach(() => bank?.close())

  /** Puts a TLS certificate into a data directory that ends so many days from now. */
  async function expiringIn(data: string, days: number): Promise<string> {
    const authority = {
      cert: readFileSync(join(data, 'ca.pem'), 'utf8'),
      key: readFileSync(join(data, 'ca-key.pem'), 'utf8'),
    }
    const from = Date.now() + (days - 825) * day
    const made = await makeCertificate(authority, {
      commonName: 'bank-idp',
      hosts: ['localhost', '127.0.0.1'],
      usages: ['server'],
      from,
    })
    writeFileSync(join(data, 'tls.pem'), made.cert)
    writeFileSync(join(data, 'tls-key.pem'), made.key)
    return made.cert
  }

  test.each([-3, 10])('one that ends in %i days is made anew at the start', async (days) => {
    const data = copy()
    const old = await expiringIn(data, days)
    const notices: string[] = []
    bank = await createBank({ data }, (entry) => {
      if (entry.event === 'notice' && entry.message.startsWith(data)) notices.push(entry.message)
    })
    expect(bank.identity.tls.cert).not.toBe(old)
    expect(readFileSync(join(data, 'tls.pem'), 'utf8')).toBe(bank.identity.tls.cert)
    expect(notices).toEqual([
      `${data}: tls.pem was about to expire, had expired, or was for other hosts, and was replaced`,
    ])
  })

  test('one that nears its end while the bank runs is made anew without a restart', async () => {
    const data = copy()
    bank = await createBank({ data, port: 0 })
    await bank.listen()
    const before = bank.identity.tls.cert
    await expiringIn(data, 10)
    await door(bank, '/clock', { advance_seconds: 1 })
    expect(bank.identity.tls.cert).not.toBe(before)
    await expectHealth(bank)
  })

  test('an authority that has ended is made anew, with all that it signed', async () => {
    const data = copy()
    const authority = await makeAuthority(Date.now() - 3660 * day)
    writeFileSync(join(data, 'ca.pem'), authority.cert)
    writeFileSync(join(data, 'ca-key.pem'), authority.key)
    bank = await createBank({ data, port: 0 })
    await bank.listen()
    await expectHealth(bank)
  })
})

test('a data directory of version 0.1.0 is migrated, and what was answered then still holds', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  cpSync(packageFile('fixtures/data-directories/0.1.0'), data, { recursive: true })
  const acknowledged = JSON.parse(readFileSync(join(data, 'acknowledged.json'), 'utf8'))
  const before = openSqlite(join(data, 'bank.sqlite'))
  const retire = before.prepare(
    "UPDATE keys SET retired_at = unixepoch() WHERE jwk ->> 'alg' = ? RETURNING jwk ->> 'd'",
  )
  const [signing, encryption] = ['PS512', 'RSA-OAEP-256'].map((alg) => String(retire.pluck().get(alg)))
  const secret = before.prepare('SELECT value FROM secrets WHERE name = ?').pluck()
  const [pairwise, cookies] = [secret.get('pairwise'), secret.get('cookies')]
  before.close()
  const bank = await startBank('--data', data)
  const service = await TestService.start(bankAt(bank.issuer, data))
  const registration = await service.readRegistration(acknowledged)
  expect(registration.body).toMatchObject({ client_id: acknowledged.client_id, client_name: 'Test application' })
  // By which clients know jana: in a new store it is a UUID.
  const { id_token } = (await service.login(await service.client(), 'openid')).body
  const jana = loadPeople().find(({ login }) => login === 'jana')
  const digest = createHmac('sha256', Buffer.from(String(pairwise), 'base64url')).update(`localhost\n${jana?.id}`)
  expect(decodeJwt(id_token).sub).toBe(digest.digest('base64url'))
  const { keys } = (await service.http('get', '/.well-known/jwks.json')).body as { keys: { alg: string }[] }
  expect(keys.map(({ alg }) => alg).sort()).toEqual([
    'ES256',
    'ES512',
    'PS512',
    'PS512',
    'RSA-OAEP-256',
    'RSA-OAEP-256',
  ])
  expect([signing, encryption, pairwise, cookies].map((text) => isOnDisk(data, String(text)))).toEqual(
    Array(4).fill(false),
  )
  await expectHealth(service.bank)
  await service.stop()
  await bank.stop()
})

/** The bank answers with the certificate that it made known. */
async function expectHealth({ issuer, identity }: KnownBank): Promise<void> {
  const { body } = await request(issuer).get('/healthcheck').ca(identity.authority.cert)
  expect(body.status).toBe('OK')
}
