import { authorizationFaults } from './authorization.js'
import { authorizationErrorFaults } from './authorization-errors.js'
import { authorizationParameterFaults } from './authorization-parameters.js'
import { clientAuthenticationFaults } from './client-authentication.js'
import { discoveryFaults } from './discovery.js'
import type { Fault } from './fault.js'
import { generalFaults } from './general.js'
import { healthFaults } from './health.js'
import { introspectionFaults } from './introspection.js'
import { introspectionMemberFaults } from './introspection-members.js'
import { keySetFaults } from './key-set.js'
import { logoutFaults } from './logout.js'
import { logoutReachFaults } from './logout-reach.js'
import { namelessAssertionFaults } from './nameless-assertions.js'
import { notificationReachFaults } from './notification-reach.js'
import { notificationFaults } from './notifications.js'
import { registrationFaults } from './registration.js'
import { registrationCallFaults } from './registration-calls.js'
import { registrationRecordFaults } from './registration-record.js'
import { requestObjectFaults } from './request-objects.js'
import { revocationFaults } from './revocation.js'
import { revocationReachFaults } from './revocation-reach.js'
import { rosFaults } from './ros.js'
import { sepIdentifierFaults } from './sep-identifier.js'
import { consentFaults, sessionFaults } from './sessions.js'
import { signingFaults } from './signing.js'
import { signingEligibilityFaults } from './signing-eligibility.js'
import { signingPageFaults } from './signing-pages.js'
import { signingRequestFaults } from './signing-requests.js'
import { signingResultFaults } from './signing-result.js'
import { subjectFaults } from './subjects.js'
import { tlsFaults } from './tls.js'
import { tokenFaults } from './token.js'
import { tokenAssertionFaults } from './token-assertion.js'
import { tokenCallerFaults } from './token-callers.js'
import { tokenCodeFaults } from './token-code.js'
import { tokenHintFaults } from './token-hints.js'
import { tokenIssueFaults } from './token-issue.js'
import { tokenLookalikeFaults } from './token-lookalikes.js'
import { tokenOwnerFaults } from './token-owners.js'
import { tokenRefreshFaults } from './token-refresh.js'
import { userDataFaults } from './user-data.js'
import { userDataClaimFaults } from './user-data-claims.js'

/** Every known deviation from the specification. */
export const faults: readonly Fault[] = [
  ...generalFaults,
  ...discoveryFaults,
  ...keySetFaults,
  ...healthFaults,
  ...registrationFaults,
  ...registrationRecordFaults,
  ...registrationCallFaults,
  ...subjectFaults,
  ...clientAuthenticationFaults,
  ...authorizationFaults,
  ...authorizationParameterFaults,
  ...authorizationErrorFaults,
  ...sessionFaults,
  ...consentFaults,
  ...requestObjectFaults,
  ...tokenFaults,
  ...tokenIssueFaults,
  ...tokenCodeFaults,
  ...tokenAssertionFaults,
  ...tokenRefreshFaults,
  ...introspectionFaults,
  ...introspectionMemberFaults,
  ...revocationFaults,
  ...revocationReachFaults,
  ...namelessAssertionFaults,
  ...tokenLookalikeFaults,
  ...tokenHintFaults,
  ...tokenCallerFaults,
  ...tokenOwnerFaults,
  ...userDataFaults,
  ...userDataClaimFaults,
  ...sepIdentifierFaults,
  ...rosFaults,
  ...signingFaults,
  ...signingRequestFaults,
  ...signingPageFaults,
  ...signingEligibilityFaults,
  ...signingResultFaults,
  ...tlsFaults,
  ...logoutFaults,
  ...logoutReachFaults,
  ...notificationFaults,
  ...notificationReachFaults,
]
