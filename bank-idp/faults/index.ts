import { assertionCheckFaults } from './assertion-checks.js'
import { assertionValueFaults } from './assertion-values.js'
import { authorizationFaults } from './authorization.js'
import { authorizationErrorFaults } from './authorization-errors.js'
import { authorizationFormatFaults } from './authorization-formats.js'
import { authorizationLeniencyFaults } from './authorization-leniencies.js'
import { authorizationParameterFaults } from './authorization-parameters.js'
import { authorizationRefusalFaults } from './authorization-refusals.js'
import { authorizationScopeFaults } from './authorization-scopes.js'
import { bearerFaults } from './bearer.js'
import { clientAuthenticationFaults } from './client-authentication.js'
import { clientCredentialFaults } from './client-credentials.js'
import { clientRecordFaults } from './client-records.js'
import { consentBoxFaults } from './consent-boxes.js'
import { consentMemoryFaults } from './consent-memory.js'
import { consentScopeFaults } from './consent-scopes.js'
import { declaredAlgorithmFaults, userinfoAlgorithmFault } from './declared-algorithms.js'
import { directErrorFaults } from './direct-errors.js'
import { discoveryFaults } from './discovery.js'
import { discoveryMemberFaults } from './discovery-members.js'
import { errorFormFaults } from './error-form.js'
import { errorOtherwiseFaults } from './errors-otherwise.js'
import type { Fault } from './fault.js'
import { flowFaults } from './flows.js'
import { generalFaults } from './general.js'
import { healthFaults } from './health.js'
import { introspectionFaults } from './introspection.js'
import { introspectionMemberFaults } from './introspection-members.js'
import { keySetFaults } from './key-set.js'
import { levelFaults } from './levels.js'
import { logoutFaults } from './logout.js'
import { logoutReachFaults } from './logout-reach.js'
import { namelessAssertionFaults } from './nameless-assertions.js'
import { notificationReachFaults } from './notification-reach.js'
import { notificationFaults } from './notifications.js'
import { pageLeftFaults } from './pages-left.js'
import { pkceFaults } from './pkce.js'
import { promptFaults } from './prompts.js'
import { redirectUriComparisonFaults } from './redirect-uri-comparisons.js'
import { redirectUriFaults } from './redirect-uris.js'
import { registrationFaults } from './registration.js'
import { registrationCallFaults } from './registration-calls.js'
import { registrationMemberFaults } from './registration-members.js'
import { registrationMethodFaults } from './registration-methods.js'
import { registrationRecordFaults } from './registration-record.js'
import { registrationValueFaults } from './registration-values.js'
import { requestObjectValueFaults } from './request-object-values.js'
import { requestObjectFaults } from './request-objects.js'
import { revocationFaults } from './revocation.js'
import { revocationReachFaults } from './revocation-reach.js'
import { rosFaults } from './ros.js'
import { sepIdentifierFaults } from './sep-identifier.js'
import { sessionAgeFaults } from './session-age.js'
import { sessionLoginFaults } from './session-logins.js'
import { sessionRequestFaults } from './session-requests.js'
import { signingFaults } from './signing.js'
import { signingClaimFaults } from './signing-claims.js'
import { signingEligibilityFaults } from './signing-eligibility.js'
import { signingPageFaults } from './signing-pages.js'
import { signingRequestFaults } from './signing-requests.js'
import { signingResultFaults } from './signing-result.js'
import { signingReturnedFaults } from './signing-returned.js'
import { signingScopeFaults } from './signing-scopes.js'
import { subjectFaults } from './subjects.js'
import { tlsFaults } from './tls.js'
import { tokenFaults } from './token.js'
import { tokenAssertionFaults } from './token-assertion.js'
import { tokenCallerFaults } from './token-callers.js'
import { tokenCodeFaults } from './token-code.js'
import { tokenComparisonFaults } from './token-comparisons.js'
import { tokenHintFaults } from './token-hints.js'
import { tokenIdTokenFaults } from './token-id-tokens.js'
import { tokenIssueFaults } from './token-issue.js'
import { tokenLaterLoginFaults } from './token-later-logins.js'
import { tokenLifeFaults } from './token-lives.js'
import { tokenLookalikeFaults } from './token-lookalikes.js'
import { tokenOwnerFaults } from './token-owners.js'
import { tokenRefreshFaults } from './token-refresh.js'
import { tokenRequestFaults } from './token-requests.js'
import { tokenResponseFaults } from './token-responses.js'
import { userDataFaults } from './user-data.js'
import { userDataClaimFaults } from './user-data-claims.js'
import { userDataTokenFaults } from './user-data-tokens.js'
import { userDataValueFaults } from './user-data-values.js'

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
  ...registrationMemberFaults,
  ...registrationMethodFaults,
  ...registrationValueFaults,
  ...subjectFaults,
  ...clientAuthenticationFaults,
  ...clientCredentialFaults,
  ...authorizationFaults,
  ...authorizationParameterFaults,
  ...authorizationScopeFaults,
  ...authorizationLeniencyFaults,
  ...authorizationFormatFaults,
  ...authorizationRefusalFaults,
  ...authorizationErrorFaults,
  ...redirectUriFaults,
  ...redirectUriComparisonFaults,
  ...clientRecordFaults,
  ...promptFaults,
  ...levelFaults,
  ...sessionAgeFaults,
  ...errorOtherwiseFaults,
  ...consentMemoryFaults,
  ...consentBoxFaults,
  ...consentScopeFaults,
  ...sessionLoginFaults,
  ...sessionRequestFaults,
  ...errorFormFaults,
  ...directErrorFaults,
  ...pageLeftFaults,
  ...flowFaults,
  ...pkceFaults,
  ...requestObjectFaults,
  ...requestObjectValueFaults,
  ...tokenFaults,
  ...tokenIssueFaults,
  ...tokenIdTokenFaults,
  ...tokenCodeFaults,
  ...tokenAssertionFaults,
  ...assertionCheckFaults,
  ...assertionValueFaults,
  ...tokenRefreshFaults,
  ...tokenLifeFaults,
  ...tokenLaterLoginFaults,
  ...tokenResponseFaults,
  ...tokenRequestFaults,
  ...tokenComparisonFaults,
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
  ...userDataValueFaults,
  ...userDataTokenFaults,
  ...bearerFaults,
  ...sepIdentifierFaults,
  ...rosFaults,
  ...signingFaults,
  ...signingRequestFaults,
  ...signingPageFaults,
  ...signingEligibilityFaults,
  ...signingResultFaults,
  ...signingReturnedFaults,
  ...signingClaimFaults,
  ...signingScopeFaults,
  ...tlsFaults,
  ...logoutFaults,
  ...logoutReachFaults,
  ...notificationFaults,
  ...notificationReachFaults,
]
