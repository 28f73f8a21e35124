import { assertionCheckFaults } from './assertion-checks.js'
import { assertionValueFaults } from './assertion-values.js'
import { authorizationFaults } from './authorization.js'
import { authorizationErrorFaults } from './authorization-errors.js'
import { authorizationParameterFaults } from './authorization-parameters.js'
import { clientAuthenticationFaults } from './client-authentication.js'
import { clientCredentialFaults } from './client-credentials.js'
import { declaredAlgorithmFaults, userinfoAlgorithmFault } from './declared-algorithms.js'
import { discoveryFaults } from './discovery.js'
import { discoveryMemberFaults } from './discovery-members.js'
import type { Fault } from './fault.js'
import { generalFaults } from './general.js'
import { healthFaults } from './health.js'
import { introspectionFaults } from './introspection.js'
import { keySetFaults } from './key-set.js'
import { logoutFaults } from './logout.js'
import { notificationFaults } from './notifications.js'
import { registrationFaults } from './registration.js'
import { registrationCallFaults } from './registration-calls.js'
import { registrationRecordFaults } from './registration-record.js'
import { requestObjectFaults } from './request-objects.js'
import { revocationFaults } from './revocation.js'
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
import { tokenCodeFaults } from './token-code.js'
import { tokenIssueFaults } from './token-issue.js'
import { tokenRefreshFaults } from './token-refresh.js'
import { userDataFaults } from './user-data.js'
import { userDataClaimFaults } from './user-data-claims.js'

/** Every known deviation from the specification. */
export const faults: readonly Fault[] = [
  ...generalFaults,
  ...discoveryFaults,
  ...discoveryMemberFaults,
  ...declaredAlgorithmFaults,
  userinfoAlgorithmFault,
  ...keySetFaults,
  ...healthFaults,
  ...registrationFaults,
  ...registrationRecordFaults,
  ...registrationCallFaults,
  ...subjectFaults,
  ...clientAuthenticationFaults,
  ...clientCredentialFaults,
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
  ...assertionCheckFaults,
  ...assertionValueFaults,
  ...tokenRefreshFaults,
  ...introspectionFaults,
  ...revocationFaults,
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
  ...notificationFaults,
]
