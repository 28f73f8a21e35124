import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from '../schemas/package-file.js'
import { createBank } from './bank.js'
import { DataDirectory } from './keys/data-directory.js'
import { EncryptedValues } from './store/encrypted-values.js'
import { openSqlite } from './store/sqlite.js'
import { door } from './testing/control-door.js'
import { isOnDisk } from './testing/on-disk.js'
import { TestService } from './testing/service.js'

/** A data directory that a bank has used. */
async function used(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  await (await createBank({ data })).close()
  return data
}

test('the target file, which holds passwords, is for its owner alone, also where it was not', async () => {
  const data = await used()
  writeFileSync(join(data, 'target.yaml'), '', { mode: 0o644 })
  const bank = await createBank({ data, port: 0 })
  await bank.listen()
  expect(statSync(join(data, 'target.yaml')).mode & 0o777).toBe(0o600)
  await bank.close()
})

test('no private key and no secret of the bank is on the disk as it is; of a key that signs no more nothing private', async () => {
  const data = await used()
  const bank = await createBank({ data, port: 0 })
  await bank.listen()
  const encryptedValues = new EncryptedValues(new DataDirectory(data).storeKey())
  const kept = () => {
    const store = openSqlite(join(data, 'bank.sqlite'), { readonly: true })
    const keys = store.prepare<[], { kid: string; jwk: string }>('SELECT kid, jwk FROM keys').all()
    const secrets = store.prepare<[], { name: string; value: string }>('SELECT name, value FROM secrets').all()
    store.close()
    return { keys, secrets }
  }
  const opened = ({ kid, jwk }: { kid: string; jwk: string }): { use: string; d?: string } =>
    JSON.parse(jwk.startsWith('{') ? jwk : encryptedValues.decrypt(jwk, `key ${kid}`))
  const { keys, secrets } = kept()
  const halves = keys.map((key) => String(opened(key).d))
  const plain = [...halves, ...secrets.map(({ name, value }) => encryptedValues.decrypt(value, `secret ${name}`))]
  expect([plain.length, plain.some((text) => text.length < 40)]).toEqual([keys.length + 3, false])
  expect(plain.filter((text) => isOnDisk(data, text))).toEqual([])
  const rotated = await door<object[]>(bank, '/keys/rotate', {})
  expect([rotated.status, rotated.body.length]).toEqual([200, 2 * keys.length])
  const retired = kept().keys.filter(({ kid }) => keys.some((key) => key.kid === kid))
  expect(retired.map((key) => opened(key)).map(({ use, d }) => [use, d !== undefined])).toEqual(
    retired.map((key) => [opened(key).use, opened(key).use === 'enc']),
  )
  // Nor is what was overwritten.
  expect(keys.filter(({ jwk }) => isOnDisk(data, jwk))).toEqual([])
  await bank.close()
})

/** What the store keeps of the secret of a client. */
function keptSecret(data: string, clientId: string): string {
  const store = openSqlite(join(data, 'bank.sqlite'), { readonly: true })
  const row = store.prepare('SELECT client_secret FROM clients WHERE client_id = ?').get(clientId)
  store.close()
  return (row as { client_secret: string }).client_secret
}

test('client secrets are encrypted in the store, those of an earlier version too, and told to their client', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  cpSync(packageFile('fixtures/data-directories/0.1.0'), data, { recursive: true })
  const old = JSON.parse(readFileSync(join(data, 'acknowledged.json'), 'utf8'))
  const plain = keptSecret(data, old.client_id)
  const bank = await createBank({ data })
  // Nothing is left of it as soon as the bank has started, should it never end in order.
  for (const file of readdirSync(data).filter((name) => name.startsWith('bank.sqlite'))) {
    expect([file, readFileSync(join(data, file)).includes(plain)]).toEqual([file, false])
  }
  await bank.listen()
  const service = await TestService.start(bank)
  expect((await service.readRegistration(old)).body.client_secret).toBe(plain)
  const fresh = await service.client()
  expect((await service.readRegistration(fresh)).body.client_secret).toBe(fresh.record.client_secret)
  await service.stop()
  await bank.close()
  for (const [clientId, secret] of [
    [old.client_id, plain],
    [fresh.client_id, String(fresh.record.client_secret)],
  ]) {
    // Initialization vector, ciphertext and tag, in base64url.
    const parts = keptSecret(data, clientId).split('.')
    expect(parts.map((part) => part.length)).toEqual([16, Math.ceil((secret.length * 4) / 3), 22])
    expect(parts.join('')).toMatch(/^[\w-]+$/)
    expect(readFileSync(join(data, 'bank.sqlite')).includes(secret)).toBe(false)
  }
  expect(statSync(join(data, 'store.key')).mode & 0o777).toBe(0o600)

  const key = readFileSync(join(data, 'store.key'))
  rmSync(join(data, 'store.key'))
  await expect(createBank({ data })).rejects.toThrow(/cannot be decrypted: restore the store.key/)
  writeFileSync(join(data, 'store.key'), 'short')
  await expect(createBank({ data })).rejects.toThrow(/store.key contains no key of 256 bits/)
  writeFileSync(join(data, 'store.key'), key)
  await (await createBank({ data })).close()
})
