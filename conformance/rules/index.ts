import type { Rule } from '../harness/rule.js'
import * as attestations from './attestations/attestations.js'
import * as absentScopes from './authorization/absent-scopes.js'
import * as authorization from './authorization/authorization.js'
import * as besides from './authorization/besides.js'
import * as callbackMessages from './authorization/callback-messages.js'
import * as claimsByReference from './authorization/claims-by-reference.js'
import * as claimsParameter from './authorization/claims-parameter.js'
import * as consent from './authorization/consent.js'
import * as consentBoxes from './authorization/consent-boxes.js'
import * as consentData from './authorization/consent-data.js'
import * as consentMemory from './authorization/consent-memory.js'
import * as errorForm from './authorization/error-form.js'
import * as authorizationErrors from './authorization/errors.js'
import * as flows from './authorization/flows.js'
import * as levels from './authorization/levels.js'
import * as oneBrowser from './authorization/one-browser.js'
import * as authorizationParameters from './authorization/parameters.js'
import * as pkce from './authorization/pkce.js'
import * as prompts from './authorization/prompts.js'
import * as redirectUris from './authorization/redirect-uris.js'
import * as seenAnswers from './authorization/seen-answers.js'
import * as sessionAge from './authorization/session-age.js'
import * as sessionErrors from './authorization/session-errors.js'
import * as sessions from './authorization/sessions.js'
import * as loginsThroughout from './authorization/throughout.js'
import * as clientAuthentication from './client-authentication/client-authentication.js'
import * as clientCredentials from './client-authentication/credentials.js'
import * as foreignKeys from './client-authentication/foreign-keys.js'
import * as registeredMethod from './client-authentication/registered-method.js'
import * as secretJwt from './client-authentication/secret-jwt.js'
import * as algorithms from './discovery/algorithms.js'
import * as discovery from './discovery/discovery.js'
import * as discoveryReality from './discovery/reality.js'
import * as general from './general/general.js'
import * as sepIdentifier from './general/sep-identifier.js'
import * as tls from './general/tls.js'
import * as health from './health/health.js'
import * as clientEndpoints from './introspection/client-endpoints.js'
import * as introspectionHints from './introspection/hints.js'
import * as introspection from './introspection/introspection.js'
import * as introspectionThroughout from './introspection/throughout.js'
import * as introspectionTypes from './introspection/types.js'
import * as keySet from './key-set/key-set.js'
import * as frontChannelLogout from './logout/front-channel.js'
import * as logout from './logout/logout.js'
import * as logoutReturn from './logout/return.js'
import * as logoutToken from './logout/token.js'
import * as majority from './notifications/majority.js'
import * as notifications from './notifications/notifications.js'
import * as registrationAuthentication from './registration/authentication.js'
import * as registrationChange from './registration/change-in-use.js'
import * as changedAuthentication from './registration/changed-authentication.js'
import * as registeredDefaults from './registration/defaults.js'
import * as fullRecords from './registration/full-records.js'
import * as leftOutFields from './registration/left-out.js'
import * as leftOutInEffect from './registration/left-out-in-effect.js'
import * as registrationManagement from './registration/management.js'
import * as oddRecordValues from './registration/odd-values.js'
import * as registrationRecord from './registration/record.js'
import * as registration from './registration/registration.js'
import * as registrationReplacement from './registration/replacement.js'
import * as responseKeys from './registration/response-keys.js'
import * as registrationThroughout from './registration/throughout.js'
import * as requestObjectEncryption from './request-object/encryption.js'
import * as requestObjectKeys from './request-object/foreign-keys.js'
import * as objectsInside from './request-object/inside.js'
import * as objectValues from './request-object/object-values.js'
import * as references from './request-object/references.js'
import * as refusedObjects from './request-object/refused-objects.js'
import * as requestObjects from './request-object/request-objects.js'
import * as revocationHints from './revocation/hints.js'
import * as namelessAssertion from './revocation/nameless-assertion.js'
import * as revocation from './revocation/revocation.js'
import * as algorithmRefusals from './signing/algorithm-refusals.js'
import * as signingAlgorithms from './signing/algorithms.js'
import * as signingAssertionReplay from './signing/assertion-replay.js'
import * as signingRequests from './signing/authorize-requests.js'
import * as bearerRefusals from './signing/bearer-refusals.js'
import * as signingEligibility from './signing/eligibility.js'
import * as envelopeRefusals from './signing/envelope-refusals.js'
import * as exchangeRefusals from './signing/exchange-refusals.js'
import * as signingHints from './signing/hints.js'
import * as signingHolders from './signing/holder-of-key.js'
import * as kindRefusals from './signing/kind-refusals.js'
import * as signingLevels from './signing/levels.js'
import * as signingConsent from './signing/new-scopes.js'
import * as openClients from './signing/open-clients.js'
import * as signingPages from './signing/pages.js'
import * as redirectRefusals from './signing/redirect-refusals.js'
import * as signingRefusal from './signing/refused.js'
import * as responseTypes from './signing/response-types.js'
import * as signingResult from './signing/result.js'
import * as returned from './signing/returned.js'
import * as ros from './signing/ros.js'
import * as rosRefusals from './signing/ros-refusals.js'
import * as signingScopes from './signing/scopes.js'
import * as signing from './signing/signing.js'
import * as signingSubject from './signing/subject.js'
import * as signingThroughout from './signing/throughout.js'
import * as changedSectors from './subjects/changed-sectors.js'
import * as sectorDocuments from './subjects/sector-documents.js'
import * as subjects from './subjects/subjects.js'
import * as accessToken from './token/access-token.js'
import * as tokenAssertion from './token/assertion.js'
import * as tokenByReference from './token/by-reference.js'
import * as tokenCode from './token/code.js'
import * as codeUsedAgain from './token/code-used-again.js'
import * as tokenEncrypted from './token/encrypted.js'
import * as expiry from './token/expiry.js'
import * as tokenIssue from './token/issue.js'
import * as laterLogins from './token/later-logins.js'
import * as tokenRaces from './token/races.js'
import * as tokenRefresh from './token/refresh.js'
import * as refreshRefusals from './token/refresh-refusals.js'
import * as refreshScopes from './token/refresh-scopes.js'
import * as refreshed from './token/refreshed.js'
import * as tokenSigned from './token/signed.js'
import * as tokensThroughout from './token/throughout.js'
import * as token from './token/token.js'
import * as userDataBearer from './user-data/bearer.js'
import * as userDataChanges from './user-data/changes.js'
import * as userDataPeople from './user-data/people.js'
import * as profile from './user-data/profile.js'
import * as protectedReplies from './user-data/protected-replies.js'
import * as userDataThroughout from './user-data/throughout.js'
import * as userDataTokens from './user-data/tokens.js'
import * as transaction from './user-data/transaction.js'
import * as userData from './user-data/user-data.js'
import * as userinfo from './user-data/userinfo.js'

/** Every rule, in the order the specification meets its topics: a rule, or a list of rules, is listed by being exported from its topic's file. */
export const rules: readonly Rule[] = [
  general,
  sepIdentifier,
  discovery,
  keySet,
  health,
  registration,
  registrationRecord,
  oddRecordValues,
  fullRecords,
  leftOutFields,
  registrationChange,
  changedAuthentication,
  registrationReplacement,
  leftOutInEffect,
  registrationAuthentication,
  registrationManagement,
  registrationThroughout,
  sectorDocuments,
  subjects,
  changedSectors,
  clientAuthentication,
  clientCredentials,
  foreignKeys,
  registeredMethod,
  secretJwt,
  responseKeys,
  discoveryReality,
  absentScopes,
  authorization,
  algorithms,
  authorizationErrors,
  errorForm,
  redirectUris,
  claimsParameter,
  authorizationParameters,
  sessions,
  loginsThroughout,
  sessionAge,
  seenAnswers,
  sessionErrors,
  levels,
  registeredDefaults,
  flows,
  pkce,
  prompts,
  requestObjects,
  objectsInside,
  references,
  objectValues,
  refusedObjects,
  requestObjectEncryption,
  requestObjectKeys,
  besides,
  callbackMessages,
  consent,
  consentData,
  consentMemory,
  oneBrowser,
  claimsByReference,
  tokenByReference,
  consentBoxes,
  token,
  accessToken,
  tokenIssue,
  tokenEncrypted,
  tokensThroughout,
  laterLogins,
  tokenCode,
  codeUsedAgain,
  tokenRaces,
  tokenAssertion,
  refreshScopes,
  tokenRefresh,
  refreshed,
  refreshRefusals,
  introspection,
  introspectionHints,
  introspectionTypes,
  introspectionThroughout,
  revocation,
  revocationHints,
  namelessAssertion,
  clientEndpoints,
  expiry,
  userinfo,
  ros,
  rosRefusals,
  redirectRefusals,
  kindRefusals,
  bearerRefusals,
  envelopeRefusals,
  algorithmRefusals,
  signing,
  signingRequests,
  signingHints,
  signingConsent,
  signingRefusal,
  signingPages,
  signingEligibility,
  signingResult,
  returned,
  signingAlgorithms,
  responseTypes,
  signingLevels,
  signingSubject,
  signingThroughout,
  signingScopes,
  exchangeRefusals,
  signingAssertionReplay,
  openClients,
  signingHolders,
  tokenSigned,
  profile,
  userData,
  userDataBearer,
  protectedReplies,
  userDataTokens,
  transaction,
  userDataThroughout,
  userDataPeople,
  userDataChanges,
  logout,
  logoutReturn,
  logoutToken,
  frontChannelLogout,
  notifications,
  majority,
  tls,
  attestations,
].flatMap((topic) => Object.values<Rule | readonly Rule[]>(topic).flat())
