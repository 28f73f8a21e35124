import { generateKeyPairSync } from 'node:crypto'
import type { JWK } from 'jose'
import { advanceClock, now, resetClock, setClock } from '../clock.js'
import { serveHttps, type TestServer } from '../testing/https-server.js'
import { withoutFaults } from '../testing/no-faults.js'
import { ClientKeys } from './client-keys.js'
import type { Identity } from './identity.js'
import { sharedIdentity } from './identity-in-memory.js'
import { Outbound } from './outbound.js'

const modulus = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' }).n ?? ''
const long = modulus(2048)
const short = modulus(1024)
const rsa = (kid: string, members: JWK = {}): JWK => ({ kty: 'RSA', n: long, e: 'AQAB', kid, ...members })

let identity: Identity
let server: TestServer
let outbound: Outbound
let keys: JWK[]
let cacheControl: string | undefined
let fetched: number

beforeAll(async () => {
  identity = (await sharedIdentity()).identity
  outbound = new Outbound({ ca: [identity.authority.cert], networks: ['loopback'] })
  server = await serveHttps(identity.tls, (_req, res) => {
    fetched += 1
    if (cacheControl !== undefined) res.setHeader('cache-control', cacheControl)
    res.end(JSON.stringify({ keys }))
  })
})

beforeEach(() => {
  fetched = 0
  cacheControl = undefined
})

afterAll(async () => {
  await outbound.close()
  await server.close()
})

const kidOf = async (clientKeys: ClientKeys) =>
  (await clientKeys.encryptionKey(`${server.url}/jwks.json`, 'RSA-OAEP-256', 'invalid_client_metadata')).kid

test('a key is chosen by its type, length, use and alg; one that says so before one that leaves them open', async () => {
  keys = [
    rsa('signs', { use: 'sig' }),
    rsa('other alg', { use: 'enc', alg: 'RSA-OAEP-512' }),
    rsa('short', { use: 'enc', alg: 'RSA-OAEP-256', n: short }),
    { kty: 'EC', kid: 'elliptic', use: 'enc' },
    rsa('open'),
    rsa('for encryption', { use: 'enc' }),
    rsa('right', { use: 'enc', alg: 'RSA-OAEP-256' }),
  ]
  expect(await kidOf(new ClientKeys(outbound, withoutFaults()))).toBe('right')
  keys.pop()
  expect(await kidOf(new ClientKeys(outbound, withoutFaults()))).toBe('for encryption')
  keys.pop()
  expect(await kidOf(new ClientKeys(outbound, withoutFaults()))).toBe('open')
  keys.pop()
  await expect(kidOf(new ClientKeys(outbound, withoutFaults()))).rejects.toMatchObject({
    code: 'invalid_client_metadata',
    status: 400,
  })
})

test.each([undefined, 'no-cache', 'no-store', 'private, max-age=0'])(
  'a change is followed at once after %s',
  async (value) => {
    cacheControl = value
    keys = [rsa('first')]
    const clientKeys = new ClientKeys(outbound, withoutFaults())
    expect(await kidOf(clientKeys)).toBe('first')
    keys = [rsa('second')]
    expect([await kidOf(clientKeys), fetched]).toEqual(['second', 2])
  },
)

test.each([
  ['max-age=20', 20],
  ['max-age=86400', 60],
])('after Cache-Control %s a change is followed in %d seconds', async (value, seconds) => {
  cacheControl = value
  keys = [rsa('first')]
  const clientKeys = new ClientKeys(outbound, withoutFaults())
  expect(await kidOf(clientKeys)).toBe('first')
  keys = [rsa('second')]
  advanceClock(seconds - 5)
  expect([await kidOf(clientKeys), fetched]).toEqual(['first', 1])
  advanceClock(6)
  expect([await kidOf(clientKeys), fetched]).toEqual(['second', 2])
})

test('what was read at a later time is read anew once the time was turned back', async () => {
  const clientKeys = new ClientKeys(outbound, withoutFaults())
  setClock(now() + 86_400_000)
  keys = [rsa('later', { use: 'enc' })]
  cacheControl = 'max-age=3600'
  expect(await kidOf(clientKeys)).toBe('later')
  resetClock()
  keys = [rsa('now', { use: 'enc' })]
  expect([await kidOf(clientKeys), fetched]).toEqual(['now', 2])
})
