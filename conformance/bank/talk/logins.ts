import type { HttpResponse } from '../../http/http.js'
import { type Person, personOf } from '../../target/target.js'
import {
  type Authorization,
  type AuthorizationRequest,
  authorizationRequest,
  authorizeOnce,
  complete,
  type LoginOptions,
  type Parameters,
  prepareAuthorization,
  tryAuthorization,
  wantedParameters,
} from '../authorization.js'
import { type ClaimUpdate, claimUpdateOnce, type Redelivery, refuseNotification } from '../claim-update.js'
import type { Metadata } from '../client-metadata.js'
import { sendClientRequest } from '../client-request.js'
import type { Conversation } from '../conversation.js'
import { type DeviceLogin, deviceLogin } from '../device.js'
import { expiredOnce } from '../expired.js'
import { type Logout, logoutOnce } from '../logout.js'
import { openSession, type Session } from '../session.js'
import {
  freshLogin,
  freshOfflineLogin,
  type Login,
  loginOnce,
  type OfflineLogin,
  offlineLoginOnce,
  redeem,
} from '../token.js'

/** People on their way through a bank: authorizations, logins, sessions, and what comes of them later. */
export interface Logins {
  /** The person of a kind as the target file describes them. Default: full. */
  person(kind?: string): Person
  /** A browser that keeps its cookies, with a person in front of it. */
  session(options?: { clientMetadata?: Metadata; person?: string }): Session
  /** A person's way through /auth and back, once in a run for the same options. Its code belongs to `login`. */
  authorization(options?: LoginOptions): Promise<Authorization>
  /** A way through /auth and back that may fail for what is in it, after a plain one was seen to succeed. */
  tryAuthorization(options: LoginOptions): Promise<Authorization>
  /** A good authorization request, not yet sent. */
  authorizationRequest(options?: LoginOptions): Promise<AuthorizationRequest>
  /** Sends an authorization request from a new browser, and leaves it at the first page: the last answer of the bank. */
  sendAuthorization(request: AuthorizationRequest): Promise<HttpResponse>
  /** What this bank wants in every authorization request beyond the required parameters, once in a run. */
  wantedParameters(): Promise<Parameters>
  /** A login to look at, once in a run for the same options. @throws StepFailure when it gave no access token */
  login(options?: LoginOptions): Promise<Login>
  /** A login of the rule's own: one to revoke, refresh or log out. */
  freshLogin(options?: LoginOptions): Promise<Login>
  /** The tokens of an authorization of the rule's own. @throws StepFailure when it gave no access token */
  redeem(authorization: Authorization): Promise<Login>
  /** A login by the device authorization grant. @throws BankFailure when it gave no codes, or Skip */
  deviceLogin(scope: string): Promise<DeviceLogin>
  /** A login that gave a refresh token, to look at. @throws Skip when the bank declares no such thing */
  offlineLogin(options?: LoginOptions): Promise<OfflineLogin>
  /** A login with a refresh token of the rule's own. */
  freshOfflineLogin(options?: LoginOptions): Promise<OfflineLogin>
  /** What has expired since it was seen to be good, once in a run. Needs `clock`. */
  expired(): Promise<{ login: Login; exchange(): Promise<HttpResponse> }>
  /** A login at two clients in one browser, and its logout, once in a run. */
  logout(): Promise<Logout>
  /** A change of what the bank knows of a person, and what clients heard of it, once in a run. */
  claimUpdate(): Promise<ClaimUpdate>
  /** Another change of that person, of which the notification is answered with 503. */
  refuseNotification(): Promise<Redelivery>
}

/** These calls in one conversation. */
export function loginsAt(conversation: Conversation): Logins {
  return {
    person(kind = 'full') {
      const person = personOf(conversation.run.target.people, kind)
      if (person) return person
      throw new Error(`a rule about a person of kind ${kind} has to need one`)
    },
    session: (options = {}) => openSession(conversation, options),
    authorization: async (options = {}) => authorizeOnce(conversation, await complete(conversation, options)),
    tryAuthorization: (options) => tryAuthorization(conversation, options),
    authorizationRequest: (options) => prepareAuthorization(conversation, options),
    sendAuthorization: (request) => authorizationRequest.send(conversation, request),
    wantedParameters: () => wantedParameters(conversation),
    login: (options = {}) => loginOnce(conversation, options),
    freshLogin: (options = {}) => freshLogin(conversation, options),
    redeem: (authorization) => redeem(conversation, authorization),
    deviceLogin: (scope) => deviceLogin(conversation, scope),
    offlineLogin: (options = {}) => offlineLoginOnce(conversation, options),
    freshOfflineLogin: (options = {}) => freshOfflineLogin(conversation, options),
    async expired() {
      const { login, unused } = await expiredOnce(conversation)
      return { login, exchange: () => sendClientRequest(conversation, unused) }
    },
    logout: () => logoutOnce(conversation),
    claimUpdate: () => claimUpdateOnce(conversation),
    refuseNotification: () => refuseNotification(conversation),
  }
}
