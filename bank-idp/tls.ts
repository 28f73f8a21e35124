import type { SecureContextOptions } from 'node:tls'
import type { Policy } from './policy.js'
import type { Seams } from './seams.js'

/** The permitted suites, ECDHE first. Specification: "Authentication" 8. */
const suites = [
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'DHE-RSA-AES128-GCM-SHA256',
  'DHE-RSA-AES256-GCM-SHA384',
]

/** The strong suites of TLS 1.3, where the bank offers it (AMB-25). */
const newerSuites = ['TLS_AES_256_GCM_SHA384', 'TLS_AES_128_GCM_SHA256']

/** Which versions and suites the bank agrees to. */
export function tlsOptions(policy: Pick<Policy, 'tlsVersions'>, seams: Pick<Seams, 'tls'>): SecureContextOptions {
  const newer = policy.tlsVersions === 'tls13-too'
  return seams.tls({
    minVersion: 'TLSv1.2',
    maxVersion: newer ? 'TLSv1.3' : 'TLSv1.2',
    ciphers: [...(newer ? newerSuites : []), ...suites].join(':'),
    dhparam: 'auto',
    honorCipherOrder: true,
  })
}
