import { authorizationFaults } from './authorization.js'
import { discoveryFaults } from './discovery.js'
import type { Fault } from './fault.js'
import { generalFaults } from './general.js'
import { healthFaults } from './health.js'
import { introspectionFaults } from './introspection.js'
import { keySetFaults } from './key-set.js'
import { registrationFaults } from './registration.js'
import { requestObjectFaults } from './request-object.js'
import { revocationFaults } from './revocation.js'
import { tlsFaults } from './tls.js'
import { tokenFaults } from './token.js'
import { tokenAssertionFaults } from './token-assertion.js'
import { tokenCodeFaults } from './token-code.js'
import { tokenIssueFaults } from './token-issue.js'
import { tokenRefreshFaults } from './token-refresh.js'
import { userinfoFaults } from './userinfo.js'

/** Every known deviation from the specification. */
export const faults: readonly Fault[] = [
  ...generalFaults,
  ...discoveryFaults,
  ...keySetFaults,
  ...healthFaults,
  ...registrationFaults,
  ...authorizationFaults,
  ...tokenFaults,
  ...tokenIssueFaults,
  ...tokenCodeFaults,
  ...tokenAssertionFaults,
  ...tokenRefreshFaults,
  ...introspectionFaults,
  ...revocationFaults,
  ...userinfoFaults,
  ...requestObjectFaults,
  ...tlsFaults,
]
