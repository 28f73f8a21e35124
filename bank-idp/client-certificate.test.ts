import { X509Certificate } from 'node:crypto'
import type { Bank } from './bank.js'
import { isAmong } from './client-certificate.js'
import { makeAuthority, makeCertificate } from './keys/certificates.js'
import { bankForTest } from './testing/banks.js'
import type { TestService } from './testing/service.js'

let bank: Bank
let service: TestService

async function start(trustedProxies: string[]): Promise<void> {
  ;({ bank, service } = await bankForTest({ trustedProxies }))
}

function header(cert: string): string {
  return `:${new X509Certificate(cert).raw.toString('base64')}:`
}

async function register(headers: Record<string, string>, { mutualTls = false } = {}): Promise<number> {
  const call = service.http('post', '/register', { mutualTls }).set(await service.registrationHeaders())
  return (await call.set(headers).send(service.record())).status
}

describe('a client certificate', () => {
  test('a certificate in a header is not believed, unless a proxy that is configured says so', async () => {
    await start([])
    const { cert } = bank.identity.service.certificate
    expect(await register({ 'client-cert': header(cert) })).toBe(401)
    expect(await register({ 'client-cert': header(cert) }, { mutualTls: true })).toBe(200)
  })

  test('behind a configured proxy the certificate is the one of the header', async () => {
    await start(['127.0.0.0/8'])
    const { cert } = bank.identity.service.certificate
    expect(await register({ 'client-cert': header(cert) })).toBe(200)
    expect(await register({}, { mutualTls: true })).toBe(401)
    const other = await makeCertificate(await makeAuthority(), { commonName: 'somebody', usages: ['client'] })
    expect(await register({ 'client-cert': header(other.cert) })).toBe(401)
    const from = Date.now() - 900 * 86_400_000
    const ended = await makeCertificate(bank.identity.authority, { commonName: 'service', usages: ['client'], from })
    expect(await register({ 'client-cert': header(ended.cert) })).toBe(401)
    expect(await register({ 'client-cert': 'none' })).toBe(401)
    expect(await register({ 'client-cert': header(bank.identity.tls.cert) })).toBe(401)
  })

  test('a client without a certificate is served where none is needed', async () => {
    await start([])
    expect((await service.http('get', '/healthcheck')).status).toBe(200)
    expect(await register({})).toBe(401)
  })
})

test.each([
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['::ffff:10.1.2.3', ['10.1.2.3'], true],
  ['10.1.2.3', ['fd00::/8', '10.1.2.4'], false],
  ['fd00::7', ['fd00::/8'], true],
])('%s is among %j: %s', (address, networks, expected) => {
  expect(isAmong(address, networks)).toBe(expected)
})
