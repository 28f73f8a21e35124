import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { type Bank, createBank } from '../bank.js'
import { TestService } from '../testing/service.js'
import { sharedIdentity } from './identity.js'
import { publicJwk } from './jwk.js'

let directory: string
let bank: Bank | undefined
let service: TestService | undefined

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bank-idp-'))
})

afterEach(async () => {
  await service?.stop()
  await bank?.close()
  service = undefined
  bank = undefined
  rmSync(directory, { recursive: true })
})

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES512', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: 'ES512', use: 'sig' }
}

async function start(options: Parameters<typeof createBank>[0]): Promise<TestService> {
  bank = await createBank(options)
  await bank.listen()
  service = await TestService.start(bank)
  return service
}

/** The status of a registration whose RegistrationAuthJWT a key signed. */
async function registering(played: TestService, key: JWK, claims = played.registrationClaims()): Promise<number> {
  const { client_assertion_type } = await played.registrationHeaders()
  const header = { alg: 'ES512', kid: key.kid }
  const client_assertion = await new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key, 'ES512'))
  const call = played.http('post', '/register', { mutualTls: true })
  const { status } = await call
    .set({ client_assertion, client_assertion_type: String(client_assertion_type) })
    .send(played.record())
  return status
}

test("the service's keys are those of a file, which is read again when a key is not known", async () => {
  const [first, second] = [await newKey('first'), await newKey('second')]
  const file = join(directory, 'service.json')
  const publish = (...keys: JWK[]) => writeFileSync(file, JSON.stringify({ keys: keys.map(publicJwk) }))
  publish(first)
  const played = await start({ serviceKeys: file })
  expect(await registering(played, first)).toBe(200)
  expect(await registering(played, second)).toBe(401)
  publish(second)
  expect(await registering(played, second)).toBe(200)
  writeFileSync(file, 'no key set')
  expect(await registering(played, await newKey('third'))).toBe(401)
  expect(await registering(played, second)).toBe(200)
})

test("the service's keys are those of a jwks_uri, which is fetched again when a key is not known", async () => {
  const [first, second] = [await newKey('first'), await newKey('second')]
  let published = [first]
  const { identity } = await sharedIdentity()
  const server = createServer(identity.service.certificate, (_req, res) => {
    res.end(JSON.stringify({ keys: published.map(publicJwk) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const played = await start({ serviceKeys: `https://localhost:${(server.address() as AddressInfo).port}/jwks.json` })
  expect(await registering(played, first)).toBe(200)
  expect(await registering(played, second)).toBe(401)
  published = [first, second]
  expect(await registering(played, second)).toBe(200)
  server.closeAllConnections()
  server.close()
})

test('a file that holds no key set is told when the bank starts', async () => {
  const file = join(directory, 'service.json')
  writeFileSync(file, '[]')
  await expect(createBank({ serviceKeys: file })).rejects.toThrow(`service-keys: ${file} holds no JWK set`)
})

test('a RegistrationAuthJWT that was used before a restart is refused after it', async () => {
  const key = await newKey('first')
  const file = join(directory, 'service.json')
  writeFileSync(file, JSON.stringify({ keys: [publicJwk(key)] }))
  const data = join(directory, 'data')
  const before = await start({ serviceKeys: file, data, control: false, port: 0 })
  const port = Number(new URL(before.bank.issuer).port)
  const claims = before.registrationClaims()
  expect(await registering(before, key, claims)).toBe(200)
  await before.stop()
  await bank?.close()
  const after = await start({ serviceKeys: file, data, control: false, port })
  expect(await registering(after, key, claims)).toBe(401)
  expect(await registering(after, key)).toBe(200)
})
