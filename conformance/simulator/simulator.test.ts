import { validate } from '../../schemas/index.js'
import { bankAndSimulator, simulatorForTest, temporary } from '../testing/simulator-for-test.js'

test('JWKS-7: the service publishes the public part of its key set at /.well-known/jwks.json', async () => {
  const { bank, service } = await bankAndSimulator()
  const { status, json: set } = await service.send('GET', '/.well-known/jwks.json')
  const [key] = bank.target.keys ?? []
  expect(status).toBe(200)
  expect(set).toEqual({ keys: [{ kty: 'RSA', n: key?.n, e: 'AQAB', kid: 'service', use: 'sig', alg: 'PS512' }] })
  expect(
    validate('key-set', { keys: (set as { keys: object[] }).keys.map((one) => ({ ...one, key_ops: ['verify'] })) }),
  ).toEqual([])
})

test('the keys of clients are kept, for banks encrypt to what they fetched', async () => {
  const data = temporary()
  const { service, bank } = await bankAndSimulator(undefined, data)
  const before = await service.send('GET', '/clients/jwks.json')
  await service.close()
  const again = await simulatorForTest([bank], { data })
  expect((await again.send('GET', '/clients/jwks.json')).json).toEqual(before.json)
})

test('its paths are what they say', async () => {
  const { service } = await bankAndSimulator()
  const posted = ['/notify', '/back-channel/logout', '/user-stat-data', '/login', '/sign']
  const lookedAt = ['/.well-known/jwks.json', '/clients/jwks.json', '/front-channel/logout', '/callback']
  for (const [method, paths] of [
    ['POST', posted],
    ['GET', lookedAt],
  ] as const) {
    for (const path of paths) {
      expect([path, (await service.send(method, path)).status]).not.toEqual([path, 404])
      for (const other of [path.toUpperCase(), `${path}/`]) {
        expect([other, (await service.send(method, other)).status]).toEqual([other, 404])
      }
    }
  }
})
