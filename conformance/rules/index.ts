import type { Rule } from '../harness/rule.js'
import * as accessToken from './access-token.js'
import * as algorithms from './algorithms.js'
import * as authorization from './authorization.js'
import * as authorizationErrors from './authorization-errors.js'
import * as authorizationParameters from './authorization-parameters.js'
import * as callbackMessages from './callback-messages.js'
import * as clientAuthentication from './client-authentication.js'
import * as consent from './consent.js'
import * as discovery from './discovery.js'
import * as discoveryReality from './discovery-reality.js'
import * as expiry from './expiry.js'
import * as flows from './flows.js'
import * as general from './general.js'
import * as health from './health.js'
import * as introspection from './introspection.js'
import * as keySet from './key-set.js'
import * as logout from './logout.js'
import * as notifications from './notifications.js'
import * as profile from './profile.js'
import * as registeredDefaults from './registered-defaults.js'
import * as registration from './registration.js'
import * as registrationAuthentication from './registration-authentication.js'
import * as registrationManagement from './registration-management.js'
import * as registrationRecord from './registration-record.js'
import * as requestObjectSealing from './request-object-sealing.js'
import * as requestObjects from './request-objects.js'
import * as responseKeys from './response-keys.js'
import * as revocation from './revocation.js'
import * as ros from './ros.js'
import * as sepIdentifier from './sep-identifier.js'
import * as sessions from './sessions.js'
import * as signing from './signing.js'
import * as signingEligibility from './signing-eligibility.js'
import * as signingPages from './signing-pages.js'
import * as signingRequests from './signing-requests.js'
import * as signingResult from './signing-result.js'
import * as statements from './statements.js'
import * as subjects from './subjects.js'
import * as tls from './tls.js'
import * as token from './token.js'
import * as tokenAssertion from './token-assertion.js'
import * as tokenCode from './token-code.js'
import * as tokenIssue from './token-issue.js'
import * as tokenRefresh from './token-refresh.js'
import * as userData from './user-data.js'
import * as userinfo from './userinfo.js'

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
  requestObjectSealing,
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
  expiry,
  userinfo,
  ros,
  signing,
  signingRequests,
  signingPages,
  signingEligibility,
  signingResult,
  profile,
  userData,
  logout,
  notifications,
  tls,
  statements,
].flatMap((topic) => Object.values<Rule | readonly Rule[]>(topic).flat())
