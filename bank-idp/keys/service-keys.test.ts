import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { createBank } from '../bank.js'
import { bankForTest } from '../testing/banks.js'
import { serveHttps } from '../testing/https-server.js'
import type { TestService } from '../testing/service.js'
import { sharedIdentity } from './identity-in-memory.js'
import { publicJwk } from './jwk.js'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bank-idp-'))
})

afterEach(() => rmSync(directory, { recursive: true }))

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES512', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: 'ES512', use: 'sig' }
}

/** The status of a registration whose RegistrationAuthJWT a key signed. */
async function registering(service: TestService, key: JWK, claims = service.registrationClaims()): Promise<number> {
  const { client_assertion_type } = await service.registrationHeaders()
  const header = { alg: 'ES512', kid: key.kid }
  const client_assertion = await new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key, 'ES512'))
  const call = service.http('post', '/register', { mutualTls: true })
  const { status } = await call
    .set({ client_assertion, client_assertion_type: String(client_assertion_type) })
    .send(service.record())
  return status
}

test("the service's keys are those of a file, which is read again when a key is not known", async () => {
  const [first, second] = [await newKey('first'), await newKey('second')]
  const file = join(directory, 'service.json')
  const publish = (...keys: JWK[]) => writeFileSync(file, JSON.stringify({ keys: keys.map(publicJwk) }))
  publish(first)
  const { service } = await bankForTest({ serviceKeys: file })
  expect(await registering(service, first)).toBe(200)
  expect(await registering(service, second)).toBe(401)
  publish(second)
  expect(await registering(service, second)).toBe(200)
  writeFileSync(file, 'no key set')
  expect(await registering(service, await newKey('third'))).toBe(401)
  expect(await registering(service, second)).toBe(200)
})

test("the service's keys are those of a jwks_uri, which is fetched again when a key is not known", async () => {
  const [first, second] = [await newKey('first'), await newKey('second')]
  let published = [first]
  const { identity } = await sharedIdentity()
  const server = await serveHttps(identity.service.certificate, (_req, res) => {
    res.end(JSON.stringify({ keys: published.map(publicJwk) }))
  })
  const { service } = await bankForTest({ serviceKeys: `${server.url}/jwks.json` })
  expect(await registering(service, first)).toBe(200)
  expect(await registering(service, second)).toBe(401)
  published = [first, second]
  expect(await registering(service, second)).toBe(200)
  await server.close()
})

test('a file that holds no key set is told when the bank starts', async () => {
  const file = join(directory, 'service.json')
  writeFileSync(file, '[]')
  await expect(createBank({ serviceKeys: file })).rejects.toThrow(`option serviceKeys: ${file} contains no JWK set`)
})

test('a RegistrationAuthJWT that was used before a restart is refused after it', async () => {
  const key = await newKey('first')
  const file = join(directory, 'service.json')
  writeFileSync(file, JSON.stringify({ keys: [publicJwk(key)] }))
  const data = join(directory, 'data')
  const before = await bankForTest({ serviceKeys: file, data, control: false, port: 0 })
  const port = Number(new URL(before.bank.issuer).port)
  const claims = before.service.registrationClaims()
  expect(await registering(before.service, key, claims)).toBe(200)
  await before.close()
  const { service: after } = await bankForTest({ serviceKeys: file, data, control: false, port })
  expect(await registering(after, key, claims)).toBe(401)
  expect(await registering(after, key)).toBe(200)
})
