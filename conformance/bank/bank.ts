import { hostsOf, shakeHands } from '../http/tls.js'
import { addressOf } from '../target/target.js'
import { agedSession } from './aged-session.js'
import { attested } from './attested.js'
import { authorization, authorizationRequest, wantedParameters } from './authorization.js'
import { type Bound, bind } from './bind.js'
import { claimUpdate, otherUpdate, refuseNotification } from './claim-update.js'
import { askToReturn, confirmedLogout } from './confirmed-logout.js'
import { consentBox, consentBoxes } from './consent-box.js'
import type { Conversation } from './conversation.js'
import { declinedLogin } from './declined-login.js'
import { departedClient } from './departed-client.js'
import { deviceCodes, deviceLogin } from './device.js'
import { discover, fetchDiscovery } from './discovery.js'
import { expired, nearYear } from './expired.js'
import { declaresFrontChannel, frontChannelLogin } from './front-channel.js'
import { furtherScope } from './further-scope.js'
import { fetchHealth, healthRecord } from './health.js'
import { hostCertificate, hostKeys } from './hosted-keys.js'
import { hybrid } from './hybrid.js'
import { examineIdToken, idTokenHint, openIdToken } from './id-token.js'
import { fetchKeySet } from './key-set.js'
import { laterLogins } from './later-logins.js'
import { laterRefreshes } from './later-refreshes.js'
import { logout } from './logout.js'
import { majorityUpdate } from './majority-update.js'
import { muchAsked } from './much-asked.js'
import { sideBySide, succession, successionOfLevels } from './one-browser.js'
import { anybody, hasBrowsers, people, person, preferably, somebodyElse } from './person.js'
import { get, post, send, sendCertified } from './plain-request.js'
import { refresh, refreshChain, refreshParameter } from './refresh.js'
import {
  assertionClaims,
  changeEncryptionKey,
  client,
  hasRegistered,
  hostKeysOfOne,
  registration,
  seenRecords,
} from './registration.js'
import { manage, readableClient, readUnknown, replaceableClient, replaceRecord } from './registration-management.js'
import { makeRequestObject, placeForRequestObject, placeRequestObject } from './request-object.js'
import { ownSectorDocument, sectorDocument } from './sector-document.js'
import { askedInSession, openSession, sessionToLookFrom, sharedSession, signsInAnew } from './session.js'
import { asSignIns } from './sign-in-pages.js'
import { readJwt, verifySignature } from './signature.js'
import { signingFlow } from './signing-flow.js'
import { findStandIn } from './stand-in.js'
import { knownSubjects, subjectInUserinfo, subjects } from './subjects.js'
import { accessTokens, exchangeCode, offlineParameters, offlineToken, seenAnswers, seenTokens, token } from './token.js'
import { introspection, revocation, tellsDeadTokens } from './token-state.js'
import { openKeys } from './unnamed-algorithms.js'
import { claimsIn, idTokenClaims, openUserData, userData } from './user-data.js'

/** What a bank publishes, and what it answers to whoever asks without being known. */
const documents = {
  /** Tries TLS handshakes, each on a connection of its own. */
  handshakes: shakeHands,
  hosts: hostsOf,
  get,
  post,
  send,
  sendCertified,
  /** The answer to the request for the discovery document, whatever it is, once in a run. */
  discoveryResponse: fetchDiscovery,
  /** @throws StepFailure when the bank has no discovery document */
  discovery: discover,
  /** The answer of jwks_uri, whatever it is, once in a run. */
  keySetResponse: fetchKeySet,
  /** The answer of /healthcheck, whatever it is, once in a run. */
  healthResponse: fetchHealth,
  healthRecord,
}

/** The clients registered at a bank, and what is hosted for them. */
const clients = {
  registration,
  client,
  hasRegistered,
  changeEncryptionKey,
  readableClient,
  readUnknown,
  manage,
  replaceRecord,
  replaceableClient,
  departedClient,
  seenRecords,
  assertionClaims,
  hostCertificate,
  hostKeys,
  hostKeysOfOne,
  openKeys,
  ownSectorDocument,
  sectorDocument,
  placeForRequestObject,
  placeRequestObject,
  makeRequestObject,
}

/** People on their way through a bank, and what comes of it later. */
const logins = {
  person,
  anybody,
  preferably,
  somebodyElse,
  findStandIn,
  people,
  session: openSession,
  sharedSession,
  agedSession,
  sessionToLookFrom,
  askedInSession,
  signsInAnew,
  hasBrowsers,
  asSignIns,
  consentBox,
  consentBoxes,
  authorization,
  authorizationRequest,
  wantedParameters,
  deviceCodes,
  deviceLogin,
  expired,
  nearYear,
  declaresFrontChannel,
  frontChannelLogin,
  declinedLogin,
  laterLogins,
  furtherScope,
  succession,
  successionOfLevels,
  sideBySide,
  muchAsked,
  hybrid,
  logout,
  confirmedLogout,
  askToReturn,
  claimUpdate,
  otherUpdate,
  majorityUpdate,
  refuseNotification,
}

/** What is done with codes and tokens. */
const tokens = {
  token,
  offlineToken,
  offlineParameters,
  exchangeCode,
  refresh,
  refreshChain,
  laterRefreshes,
  refreshParameter,
  introspection,
  tellsDeadTokens,
  revocation,
  accessTokens,
  seenAnswers,
  seenTokens,
}

/** What a bank says of people, and how it is encrypted. */
const personalData = {
  userData,
  idToken: openIdToken,
  hint: idTokenHint,
  examineIdToken,
  idTokenClaims,
  subjectInUserinfo,
  knownSubjects,
  subjects,
  /** Decrypts user data with the client's key; what is not encrypted is taken as it is. */
  open: openUserData,
  claimsIn,
  verify: verifySignature,
  read: readJwt,
}

const operations = {
  ...documents,
  ...clients,
  ...logins,
  ...tokens,
  ...personalData,
  signing: signingFlow,
  attested,
}

/** The bank under test, as a rule talks to it. What is done "once in a run" is shared by all rules that ask the same. */
export type Bank = Bound<typeof operations> & {
  readonly issuer: string
  /** What the paths of its endpoints follow. */
  readonly address: string
}

/** The bank as it is talked to in one conversation. */
export function bankIn(conversation: Conversation): Bank {
  const { target } = conversation.run
  return Object.assign(bind(conversation, operations), { issuer: target.issuer, address: addressOf(target) })
}
