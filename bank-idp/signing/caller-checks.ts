import type { Check } from '../checks.js'
import { BankError } from '../errors.js'
import { type ClientCertificate, curveBits, minCurveBits } from './certificate.js'

/** Who calls POST /ros. */
export interface Caller {
  certificate?: ClientCertificate
}

/** The refusal of who calls. A 401 names a scheme that the endpoint takes (RFC 9110 section 15.5.2): an access token as Bearer. */
function refused(reason: string): BankError {
  return new BankError('invalid_client', reason, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
}

/** Who may call. Specification: "Authentication" 8 and 10: mutual TLS; "Limits": EC keys of 256 bits or more. */
export const callerChecks: readonly Check<Caller>[] = [
  {
    id: 'ros-caller/mutual-tls',
    check({ certificate }) {
      if (certificate?.trusted) return
      throw refused('a client certificate that the bank trusts is required')
    },
  },
  {
    id: 'ros-caller/certificate-key',
    check({ certificate }) {
      const bits = certificate && curveBits(certificate.certificate)
      if (bits === undefined || bits >= minCurveBits) return
      throw refused(`the EC key of the client certificate has ${bits} bits; it must have ${minCurveBits} or more`)
    },
  },
]
