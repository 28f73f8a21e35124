import { accountSubjectFaults } from './account-subjects.js'
import { assertionBesideFaults } from './assertion-beside.js'
import { assertionCheckFaults } from './assertion-checks.js'
import { assertionIdFaults } from './assertion-ids.js'
import { assertionValueFaults } from './assertion-values.js'
import { secondSightFaults } from './at-second-sight.js'
import { authorizationFaults } from './authorization.js'
import { authorizationBesidesFaults } from './authorization-besides.js'
import { authorizationErrorFaults } from './authorization-errors.js'
import { authorizationFormatFaults } from './authorization-formats.js'
import { authorizationLeniencyFaults } from './authorization-leniencies.js'
import { authorizationLookalikeFaults } from './authorization-lookalikes.js'
import { authorizationParameterFaults } from './authorization-parameters.js'
import { authorizationRefusalFaults } from './authorization-refusals.js'
import { authorizationResemblanceFaults } from './authorization-resemblances.js'
import { authorizationScopeFaults } from './authorization-scopes.js'
import { authorizationSpaceFaults } from './authorization-spaces.js'
import { bearerFaults } from './bearer.js'
import { besideOtherFaults } from './beside-others.js'
import { callerCircumstanceFaults } from './caller-circumstances.js'
import { clientAuthenticationFaults } from './client-authentication.js'
import { clientCredentialFaults } from './client-credentials.js'
import { clientRecordFaults } from './client-records.js'
import { clientStandingFaults } from './client-standing.js'
import { consentBoxFaults } from './consent-boxes.js'
import { consentDataFaults } from './consent-data.js'
import { consentMemoryFaults } from './consent-memory.js'
import { consentScopeFaults } from './consent-scopes.js'
import { declaredAlgorithmFaults, userinfoAlgorithmFault } from './declared-algorithms.js'
import { directErrorFaults } from './direct-errors.js'
import { discoveryFaults } from './discovery.js'
import { discoveryMemberFaults } from './discovery-members.js'
import { discoveryRealityFaults } from './discovery-reality.js'
import { encryptedIdTokenFaults } from './encrypted-id-token.js'
import { errorFormFaults } from './error-form.js'
import { errorOtherwiseFaults } from './errors-otherwise.js'
import type { Fault } from './fault.js'
import { flowCircumstanceFaults } from './flow-circumstances.js'
import { flowFaults } from './flows.js'
import { generalFaults } from './general.js'
import { healthFaults } from './health.js'
import { introspectionFaults } from './introspection.js'
import { introspectionMemberFaults } from './introspection-members.js'
import { keySetFaults } from './key-set.js'
import { laterRefreshFaults } from './later-refreshes.js'
import { leastClientFaults } from './least-client.js'
import { levelFaults } from './levels.js'
import { logoutFaults } from './logout.js'
import { logoutPageFaults } from './logout-pages.js'
import { logoutReachFaults } from './logout-reach.js'
import { logoutTokenFaults } from './logout-tokens.js'
import { namelessAssertionFaults } from './nameless-assertions.js'
import { notificationReachFaults } from './notification-reach.js'
import { notificationFaults } from './notifications.js'
import { oneBrowserFaults } from './one-browser.js'
import { limitedFaults } from './only-where.js'
import { pageLeftFaults } from './pages-left.js'
import { passedThroughFaults } from './passed-through.js'
import { personCircumstanceFaults } from './person-circumstances.js'
import { pkceFaults } from './pkce.js'
import { profilePersonFaults } from './profile-people.js'
import { profileShapeFaults } from './profile-shapes.js'
import { profileValueFaults } from './profile-values.js'
import { profileVerificationFaults } from './profile-verification.js'
import { promptFaults } from './prompts.js'
import { publicSubjectFaults } from './public-subjects.js'
import { readAgainFaults } from './read-again.js'
import { redirectUriComparisonFaults } from './redirect-uri-comparisons.js'
import { redirectUriFaults } from './redirect-uris.js'
import { registrationFaults } from './registration.js'
import { registrationBearerFaults } from './registration-bearers.js'
import { registrationCallFaults } from './registration-calls.js'
import { registrationComparisonFaults } from './registration-comparisons.js'
import { registrationIssuedFaults } from './registration-issued.js'
import { registrationLaterFaults } from './registration-later.js'
import { registrationLeftOutFaults } from './registration-left-out.js'
import { registrationMemberFaults } from './registration-members.js'
import { registrationMethodFaults } from './registration-methods.js'
import { registrationRecordFaults } from './registration-record.js'
import { registrationRefusalFaults } from './registration-refusals.js'
import { registrationReplacedFaults } from './registration-replaced.js'
import { registrationUntoldFaults } from './registration-untold.js'
import { registrationValueFaults } from './registration-values.js'
import { formerSecretFaults, replacedProofFaults } from './replaced-proofs.js'
import { requestObjectJudgementFaults } from './request-object-judgements.js'
import { requestObjectValueFaults } from './request-object-values.js'
import { requestObjectFaults } from './request-objects.js'
import { revocationFaults } from './revocation.js'
import { revocationReachFaults } from './revocation-reach.js'
import { rosFaults } from './ros.js'
import { rosTokenFaults } from './ros-tokens.js'
import { sectorRegistrationFaults } from './sector-registrations.js'
import { sectorFaults } from './sectors.js'
import { sepIdentifierFaults } from './sep-identifier.js'
import { serviceAssertionFaults } from './service-assertions.js'
import { sessionAgeFaults } from './session-age.js'
import { sessionCodeFaults } from './session-codes.js'
import { sessionLoginFaults } from './session-logins.js'
import { sessionRequestFaults } from './session-requests.js'
import { signingFaults } from './signing.js'
import { signingAssertionFaults } from './signing-assertions.js'
import { signingByRecordFaults } from './signing-by-record.js'
import { signingClaimFaults } from './signing-claims.js'
import { signingCredentialFaults } from './signing-credentials.js'
import { signingEligibilityFaults } from './signing-eligibility.js'
import { signingFailureFaults } from './signing-failures.js'
import { signingIdTokenFaults } from './signing-id-token.js'
import { signingLevelFaults } from './signing-levels.js'
import { signingObjectFaults } from './signing-objects.js'
import { signingPageFaults } from './signing-pages.js'
import { signingRedirectUriFaults } from './signing-redirect-uris.js'
import { signingRequestUriFaults } from './signing-request-uris.js'
import { signingResultFaults } from './signing-result.js'
import { signingReturnedFaults } from './signing-returned.js'
import { signingScopeFaults } from './signing-scopes.js'
import { signingUnaskedFault } from './signing-unasked.js'
import { signingWithTokenFaults } from './signing-with-token.js'
import { subjectFaults } from './subjects.js'
import { takenAwayFaults } from './taken-away.js'
import { throughoutFaults } from './throughout.js'
import { tlsFaults } from './tls.js'
import { tokenFaults } from './token.js'
import { tokenAssertionFaults } from './token-assertion.js'
import { tokenCallerFaults } from './token-callers.js'
import { tokenCircumstanceFaults } from './token-circumstances.js'
import { tokenCodeFaults } from './token-code.js'
import { tokenComparisonFaults } from './token-comparisons.js'
import { tokenHintFaults } from './token-hints.js'
import { tokenIdTokenFaults } from './token-id-tokens.js'
import { tokenIssueFaults } from './token-issue.js'
import { tokenLaterLoginFaults } from './token-later-logins.js'
import { tokenLifeFaults } from './token-lives.js'
import { tokenLookalikeFaults } from './token-lookalikes.js'
import { tokenOtherClientFaults } from './token-other-clients.js'
import { tokenOwnerFaults } from './token-owners.js'
import { tokenRaceFaults } from './token-races.js'
import { tokenRefreshFaults } from './token-refresh.js'
import { tokenRequestFaults } from './token-requests.js'
import { tokenResponseFaults } from './token-responses.js'
import { userDataAtTimesFaults } from './user-data-at-times.js'
import { userDataEmptyFaults } from './user-data-empty.js'
import { userDataEncryptionFaults } from './user-data-encryption.js'
import { userDataOriginFaults } from './user-data-origins.js'
import { userDataRefusalFaults } from './user-data-refusals.js'
import {
  plainProfileAcceptFault,
  profileAcceptFault,
  userDataSignatureFaults,
  userinfoAcceptFault,
} from './user-data-signature.js'
import { userDataStaleFaults } from './user-data-stale.js'
import { userDataSubjectFaults } from './user-data-subjects.js'
import { userDataSurplusFaults } from './user-data-surplus.js'
import { userDataTokenFaults } from './user-data-tokens.js'
import { userDataTransactionFaults } from './user-data-transactions.js'
import { userinfoValueFaults } from './userinfo-values.js'

const everywhere: readonly Fault[] = [
  ...generalFaults,
  ...discoveryFaults,
  ...discoveryMemberFaults,
  ...discoveryRealityFaults,
  ...declaredAlgorithmFaults,
  userinfoAlgorithmFault,
  ...keySetFaults,
  ...healthFaults,
  ...readAgainFaults,
  ...registrationFaults,
  ...registrationRecordFaults,
  ...registrationCallFaults,
  ...serviceAssertionFaults,
  ...registrationComparisonFaults,
  ...registrationIssuedFaults,
  ...registrationReplacedFaults,
  ...registrationLaterFaults,
  ...registrationLeftOutFaults,
  ...registrationUntoldFaults,
  ...registrationMemberFaults,
  ...registrationMethodFaults,
  ...registrationBearerFaults,
  ...replacedProofFaults,
  ...formerSecretFaults,
  ...registrationRefusalFaults,
  ...registrationValueFaults,
  ...subjectFaults,
  ...sectorFaults,
  ...sectorRegistrationFaults,
  ...publicSubjectFaults,
  ...accountSubjectFaults,
  ...clientAuthenticationFaults,
  ...clientCredentialFaults,
  ...authorizationFaults,
  ...authorizationParameterFaults,
  ...authorizationResemblanceFaults,
  ...authorizationScopeFaults,
  ...authorizationBesidesFaults,
  ...besideOtherFaults,
  ...authorizationLeniencyFaults,
  ...authorizationLookalikeFaults,
  ...authorizationFormatFaults,
  ...authorizationSpaceFaults,
  ...authorizationRefusalFaults,
  ...authorizationErrorFaults,
  ...redirectUriFaults,
  ...redirectUriComparisonFaults,
  ...clientRecordFaults,
  ...promptFaults,
  ...leastClientFaults,
  ...levelFaults,
  ...sessionAgeFaults,
  ...errorOtherwiseFaults,
  ...consentDataFaults,
  ...consentMemoryFaults,
  ...oneBrowserFaults,
  ...signingByRecordFaults,
  ...consentBoxFaults,
  ...consentScopeFaults,
  ...sessionCodeFaults,
  ...sessionLoginFaults,
  ...sessionRequestFaults,
  ...errorFormFaults,
  ...directErrorFaults,
  ...pageLeftFaults,
  ...passedThroughFaults,
  ...flowCircumstanceFaults,
  ...flowFaults,
  ...personCircumstanceFaults,
  ...pkceFaults,
  ...requestObjectFaults,
  ...requestObjectValueFaults,
  ...requestObjectJudgementFaults,
  ...tokenFaults,
  ...tokenIssueFaults,
  ...tokenIdTokenFaults,
  ...encryptedIdTokenFaults,
  ...clientStandingFaults,
  ...secondSightFaults,
  ...tokenCodeFaults,
  ...tokenCircumstanceFaults,
  ...tokenAssertionFaults,
  ...assertionCheckFaults,
  ...assertionBesideFaults,
  ...assertionIdFaults,
  ...assertionValueFaults,
  ...tokenRaceFaults,
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
  ...callerCircumstanceFaults,
  ...tokenCallerFaults,
  ...tokenOtherClientFaults,
  ...tokenOwnerFaults,
  ...userDataSignatureFaults,
  userinfoAcceptFault,
  profileAcceptFault,
  plainProfileAcceptFault,
  ...userDataEncryptionFaults,
  ...userDataAtTimesFaults,
  ...userDataOriginFaults,
  ...userDataRefusalFaults,
  ...userDataSurplusFaults,
  ...userDataSubjectFaults,
  ...userDataEmptyFaults,
  ...userinfoValueFaults,
  ...profileShapeFaults,
  ...profileValueFaults,
  ...profilePersonFaults,
  ...profileVerificationFaults,
  ...userDataTokenFaults,
  ...userDataTransactionFaults,
  ...userDataStaleFaults,
  ...bearerFaults,
  ...sepIdentifierFaults,
  ...laterRefreshFaults,
  ...rosFaults,
  ...rosTokenFaults,
  ...signingFaults,
  ...signingFailureFaults,
  ...signingRequestUriFaults,
  ...signingRedirectUriFaults,
  ...signingCredentialFaults,
  ...signingPageFaults,
  signingUnaskedFault,
  ...signingEligibilityFaults,
  ...signingResultFaults,
  ...signingReturnedFaults,
  ...signingIdTokenFaults,
  ...signingAssertionFaults,
  ...signingClaimFaults,
  ...signingLevelFaults,
  ...signingObjectFaults,
  ...signingWithTokenFaults,
  ...signingScopeFaults,
  ...tlsFaults,
  ...throughoutFaults,
  ...takenAwayFaults,
  ...logoutFaults,
  ...logoutReachFaults,
  ...logoutTokenFaults,
  ...logoutPageFaults,
  ...notificationFaults,
  ...notificationReachFaults,
]

/** Every known deviation from the specification. */
export const faults: readonly Fault[] = [...everywhere, ...limitedFaults(everywhere)]
