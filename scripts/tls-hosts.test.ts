import { examine } from '../conformance/examine.js'
import { withBank } from './bundled-bank.js'

/** What is wrong with TLS, by the rule that is to find it at the address that asks for client certificates. */
const wrong = [
  ['tls/permitted-suites-only', 'tls/static-rsa-suite'],
  ['tls/no-older-version', 'tls/version-1-1'],
  ['tls/permitted-suite', 'tls/other-suites-only'],
] as const

describe('TLS-1[host=mutual_tls] TLS-2[host=mutual_tls] TLS-3[host=mutual_tls] the other host of a bank', () => {
  test.each(wrong)('fails %s when it alone is wrong', async (rule, fault) => {
    await withBank({}, (right) =>
      withBank({ faults: [fault] }, async ({ issuer }) => {
        const { results } = await examine({ target: { ...right, mutualTls: issuer }, only: [rule] })
        expect(results).toMatchObject([{ rule, status: 'fail' }])
        const { results: atIssuer } = await examine({ target: right, only: [rule] })
        expect(atIssuer).toMatchObject([{ rule, status: 'pass' }])
      }),
    )
  })
})
