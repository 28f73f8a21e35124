import type { Rule } from '../harness/rule.js'
import * as attestations from './attestations/attestations.js'
import * as authorization from './authorization/authorization.js'
import * as callbackMessages from './authorization/callback-messages.js'
import * as consent from './authorization/consent.js'
import * as authorizationErrors from './authorization/errors.js'
import * as flows from './authorization/flows.js'
import * as authorizationParameters from './authorization/parameters.js'
import * as sessions from './authorization/sessions.js'
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
import * as introspection from './introspection/introspection.js'
import * as keySet from './key-set/key-set.js'
import * as logout from './logout/logout.js'
import * as notifications from './notifications/notifications.js'
import * as registrationAuthentication from './registration/authentication.js'
import * as registeredDefaults from './registration/defaults.js'
import * as registrationManagement from './registration/management.js'
import * as registrationRecord from './registration/record.js'
import * as registration from './registration/registration.js'
import * as responseKeys from './registration/response-keys.js'
import * as requestObjectEncryption from './request-object/encryption.js'
import * as requestObjects from './request-object/request-objects.js'
import * as revocation from './revocation/revocation.js'
import * as signingRequests from './signing/authorize-requests.js'
import * as signingCallers from './signing/bearer-callers.js'
import * as signingEligibility from './signing/eligibility.js'
import * as signingPages from './signing/pages.js'
import * as signingResult from './signing/result.js'
import * as ros from './signing/ros.js'
import * as rosRefusals from './signing/ros-refusals.js'
import * as signing from './signing/signing.js'
import * as subjects from './subjects/subjects.js'
import * as accessToken from './token/access-token.js'
import * as tokenAssertion from './token/assertion.js'
import * as tokenCode from './token/code.js'
import * as expiry from './token/expiry.js'
import * as tokenIssue from './token/issue.js'
import * as tokenRefresh from './token/refresh.js'
import * as token from './token/token.js'
import * as profile from './user-data/profile.js'
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
  registrationAuthentication,
  registrationManagement,
  subjects,
  clientAuthentication,
  clientCredentials,
  foreignKeys,
  registeredMethod,
  secretJwt,
  responseKeys,
  discoveryReality,
  authorization,
  algorithms,
  authorizationErrors,
  authorizationParameters,
  sessions,
  registeredDefaults,
  flows,
  requestObjects,
  requestObjectEncryption,
  callbackMessages,
  consent,
  token,
  accessToken,
  tokenIssue,
  tokenCode,
  tokenAssertion,
  tokenRefresh,
  introspection,
  revocation,
  clientEndpoints,
  expiry,
  userinfo,
  ros,
  rosRefusals,
  signing,
  signingRequests,
  signingPages,
  signingEligibility,
  signingResult,
  signingCallers,
  profile,
  userData,
  logout,
  notifications,
  tls,
  attestations,
].flatMap((topic) => Object.values<Rule | readonly Rule[]>(topic).flat())
