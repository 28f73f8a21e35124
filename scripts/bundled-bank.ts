import { attestations } from '../bank-idp/attestations.js'
import { type Bank, type BankOptions, createBank } from '../bank-idp/bank.js'
import { loginPages, notExamined, targetPeople } from '../bank-idp/target-file.js'
import type { Target } from '../conformance/target/target.js'
import { freePort } from './free-port.js'

/** The bundled bank as the harness's target: what its target file says, read. */
export function targetOf(bank: Bank): Target {
  const { identity, control, config } = bank
  // Where the bank knows the service by an address of its own, the service has to be there.
  const url = config.service ?? 'https://localhost:{port}'
  const port = Number(new URL(config.service ?? 'https://localhost:0').port)
  return {
    issuer: bank.issuer,
    edition: config.edition,
    ca: identity.authority.cert,
    ...(control && { control: { url: control.url, token: control.token } }),
    keys: identity.service.jwks.keys,
    clientCertificate: identity.service.certificate,
    otherClientCertificate: identity.service.otherCertificate,
    server: { host: '127.0.0.1', port, url, certificate: identity.service.certificate },
    people: targetPeople(bank.people),
    pages: new Map(Object.entries(loginPages)),
    attestations: attestations(bank),
    notExamined,
    concurrency: 8,
    timeoutSeconds: 10,
  }
}

/** `{port}` in the service's address stands for a free one. */
export async function atFreePort(options: BankOptions): Promise<BankOptions> {
  const { service } = options
  return { ...options, service: service?.replace('{port}', String(await freePort())) }
}

/** Runs something against a bank of its own, in memory, and closes it whatever happens. @param options see {@link atFreePort} */
export async function withBank<Result>(
  options: BankOptions,
  use: (target: Target) => Promise<Result>,
): Promise<Result> {
  const bank = await createBank({ control: true, ...(await atFreePort(options)) })
  try {
    await bank.listen()
    return await use(targetOf(bank))
  } finally {
    await bank.close()
  }
}
