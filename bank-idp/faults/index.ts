import { authorizationFaults } from './authorization.js'
import { authorizationErrorFaults } from './authorization-errors.js'
import { discoveryFaults } from './discovery.js'
import type { Fault } from './fault.js'
import { generalFaults } from './general.js'
import { healthFaults } from './health.js'
import { keySetFaults } from './key-set.js'
import { registrationFaults } from './registration.js'
import { requestObjectFaults } from './request-objects.js'
import { consentFaults, sessionFaults } from './sessions.js'
import { tlsFaults } from './tls.js'
import { tokenFaults } from './token.js'
import { userinfoFaults } from './userinfo.js'

/** Every known deviation from the specification. */
export const faults: readonly Fault[] = [
  ...generalFaults,
  ...discoveryFaults,
  ...keySetFaults,
  ...healthFaults,
  ...registrationFaults,
  ...authorizationFaults,
  ...authorizationErrorFaults,
  ...sessionFaults,
  ...consentFaults,
  ...requestObjectFaults,
  ...tokenFaults,
  ...userinfoFaults,
  ...tlsFaults,
]
