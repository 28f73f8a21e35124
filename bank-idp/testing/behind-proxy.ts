import { X509Certificate } from 'node:crypto'
import type { Bank, BankOptions } from '../bank.js'
import type { TestClient, TestService } from './service.js'

/** Has a bank believe tests that say, as a reverse proxy does, where a request comes from. */
export const trustedProxies: NonNullable<BankOptions['trustedProxies']> = ['127.0.0.0/8', '::1']

/** The service's certificate, as the proxy in front of the bank tells it. */
export function serviceCertificate({ identity }: Bank): Record<string, string> {
  const { raw } = new X509Certificate(identity.service.certificate.cert)
  return { 'client-cert': `:${raw.toString('base64')}:` }
}

/** Registers a client at a bank that trusts proxies, which takes no certificate but from one. */
export async function clientBehindProxy(
  bank: Bank,
  service: TestService,
  changes: Record<string, unknown> = {},
): Promise<TestClient> {
  const { body } = await service
    .http('post', '/register')
    .set(await service.registrationHeaders())
    .set(serviceCertificate(bank))
    .send(service.record(changes))
  return { ...body, record: body, redirect_uri: body.redirect_uris[0] }
}
