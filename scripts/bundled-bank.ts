import { type Bank, type BankOptions, createBank } from '../bank-idp/bank.js'
import { statements } from '../bank-idp/statements.js'
import { loginPages, notExamined, targetPeople } from '../bank-idp/target-file.js'
import type { Target } from '../conformance/bank/target.js'

/** The bundled bank as the harness's target: what its target file says, read. */
export function targetOf(bank: Bank): Target {
  const { identity, control } = bank
  return {
    issuer: bank.issuer,
    ca: identity.authority.cert,
    ...(control && { control: { url: control.url, token: control.token } }),
    keys: identity.service.jwks.keys,
    clientCertificate: identity.service.certificate,
    server: { host: '127.0.0.1', port: 0, url: 'https://localhost:{port}', certificate: identity.service.certificate },
    people: targetPeople(bank.people),
    pages: new Map(Object.entries(loginPages)),
    statements: statements(bank.config),
    notExamined,
    concurrency: 8,
    timeoutSeconds: 10,
  }
}

/** Runs something against a bank of its own, in memory, and closes it whatever happens. */
export async function withBank<Result>(
  options: BankOptions,
  use: (target: Target) => Promise<Result>,
): Promise<Result> {
  const bank = await createBank({ control: true, ...options })
  try {
    await bank.listen()
    return await use(targetOf(bank))
  } finally {
    await bank.close()
  }
}
