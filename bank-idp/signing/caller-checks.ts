import type { Check } from '../checks.js'
import { BankError } from '../errors.js'
import { type ClientCertificate, curveBits, minCurveBits } from './certificate.js'

/** Who calls POST /ros. */
export interface Caller {
  certificate?: ClientCertificate
}

/** Who may call. Specification: "Authentication" 8 and 10: mutual TLS; "Limits": EC keys of 256 bits or more. */
export const callerChecks: readonly Check<Caller>[] = [
  {
    id: 'ros-caller/mutual-tls',
    check({ certificate }) {
      if (certificate?.trusted) return
      throw new BankError('invalid_client', 'a client certificate that the bank trusts is required', { status: 401 })
    },
  },
  {
    id: 'ros-caller/certificate-key',
    check({ certificate }) {
      const bits = certificate && curveBits(certificate.certificate)
      if (bits === undefined || bits >= minCurveBits) return
      const reason = `the EC key of the client certificate has ${bits} bits; it must have ${minCurveBits} or more`
      throw new BankError('invalid_client', reason, { status: 401 })
    },
  },
]
