import type { Metadata } from './application-metadata.js'
import { type Authorization, authorizeOnce, complete, type LoginOptions } from './authorization.js'
import type { Conversation } from './conversation.js'
import { type Discovery, discover, fetchDiscovery } from './discovery.js'
import { fetchHealth } from './health.js'
import type { HttpRequest, HttpResponse } from './http.js'
import { type IdToken, openIdToken } from './id-token.js'
import { fetchKeySet } from './key-set.js'
import { type Operation, sendInstead } from './operation.js'
import { type RefreshChain, type RefreshChanges, refresh, refreshChain, refreshParameter } from './refresh.js'
import { type Application, application, type Registration, registerOnce } from './registration.js'
import { type Signing, signingIn } from './request-object.js'
import { type Handshake, type Offer, shakeHands } from './tls.js'
import { freshLogin, freshOfflineLogin, type Login, loginOnce, type OfflineLogin, offlineLoginOnce } from './token.js'
import { introspect, introspected, isActive, type RequestChanges, revoke } from './token-state.js'
import {
  fetchUserinfo,
  type OpenedUserData,
  openUserData,
  readJwt,
  type Verified,
  verifySignature,
} from './user-data.js'

/** The bank under test, as a rule talks to it. What is called "once in a run" is shared by all rules that ask the same. */
export interface Bank {
  issuer: string
  signing: Signing
  /** Tries TLS handshakes, each on a connection of its own. */
  handshakes(offers: readonly Offer[]): Promise<Handshake[]>
  /** GET without credentials, of an address or of a path below the issuer; asks for JSON. */
  get(addressOrPath: string): Promise<HttpResponse>
  /** The answer to the request for the discovery document, whatever it is, once in a run. */
  discoveryResponse(): Promise<HttpResponse>
  /** Any request, as it is. */
  send(request: HttpRequest): Promise<HttpResponse>
  /** @throws StepFailure when the bank has no discovery document */
  discovery(): Promise<Discovery>
  /** The answer of jwks_uri, whatever it is, once in a run. */
  keySetResponse(): Promise<HttpResponse>
  /** The answer of /healthcheck, whatever it is, once in a run. */
  healthResponse(): Promise<HttpResponse>
  /** The registration of an application with these changes of the default record, whatever came of it, once in a run. */
  registration(changes?: Metadata): Promise<Registration>
  /** An application with these changes of the default record, once in a run. @throws StepFailure when it was not registered */
  application(changes?: Metadata): Promise<Application>
  /** Sends the good request with steps replaced, after the good one was seen to succeed in this run. */
  instead<Request extends object>(
    operation: Operation<Request>,
    replace: (good: Request) => Partial<Request>,
  ): Promise<HttpResponse>
  /** A person's way through /auth and back, once in a run for the same options. Its code belongs to `login`. */
  authorization(options?: LoginOptions): Promise<Authorization>
  /** A login to look at, once in a run for the same options. @throws StepFailure when it gave no access token */
  login(options?: LoginOptions): Promise<Login>
  /** A login of the rule's own: one to revoke, refresh or log out. */
  freshLogin(options?: LoginOptions): Promise<Login>
  /** Sees to it, once in a run, that the bank takes the good request of an operation. @throws StepFailure when it does not */
  succeeds<Request extends object>(operation: Operation<Request>): Promise<unknown>
  /** Prepares the good request of an operation once, to send it several times with steps replaced. */
  attempts<Request extends object>(
    operation: Operation<Request>,
  ): Promise<(replace?: (good: Request) => Partial<Request>) => Promise<HttpResponse>>
  /** A login that gave a refresh token, to look at. @throws Skip when the bank declares no such thing */
  offlineLogin(options?: LoginOptions): Promise<OfflineLogin>
  /** A login with a refresh token of the rule's own. */
  freshOfflineLogin(options?: LoginOptions): Promise<OfflineLogin>
  /** POST /token with the login's refresh token, whatever comes of it. */
  refresh(login: OfflineLogin, changes?: RefreshChanges): Promise<HttpResponse>
  /** One login refreshed three times, to look at, once in a run. */
  refreshChain(): Promise<RefreshChain>
  /** The parameter in which the bank takes the refresh token (AMB-4). */
  refreshParameter(): Promise<string>
  /** POST /token-info in the name of an application, whatever comes of it. */
  introspect(application: Application, token: string, changes?: RequestChanges): Promise<HttpResponse>
  /** What /token-info tells of a live token. @throws StepFailure when it does not call it active */
  introspected(application: Application, token: string): Promise<HttpResponse>
  /** Whether /token-info calls a token active. */
  isActive(application: Application, token: string): Promise<boolean>
  /** POST /revoke in the name of an application, whatever comes of it. */
  revoke(application: Application, token: string, changes?: RequestChanges): Promise<HttpResponse>
  /** The id_token of a token response, decrypted, its signature verified. */
  idToken(response: HttpResponse, application: Application): Promise<IdToken>
  /** Every access token that has come in this run so far. */
  accessTokens(): readonly string[]
  userinfo(login: Pick<Login, 'accessToken'>): Promise<HttpResponse>
  /** Decrypts user data with the application's key; what is not encrypted is taken as it is. */
  open(response: HttpResponse, application: Application): Promise<OpenedUserData>
  /** Verifies a JWS with the bank's published keys; `what` names it in messages. */
  verify(jws: string, what: string, response: HttpResponse): Promise<Verified>
  /** What a JWS or an unsigned JWT says, whoever signed it; `what` names it in messages. */
  read(jwt: string, what: string, response: HttpResponse): Verified
}

/** The bank as it is talked to in one conversation. */
export function bankIn(conversation: Conversation): Bank {
  const { issuer } = conversation.run.target
  return {
    issuer,
    signing: signingIn(conversation),
    handshakes: (offers) => shakeHands(conversation, offers),
    get: (addressOrPath) =>
      conversation.send({
        method: 'GET',
        url: addressOrPath.startsWith('/') ? `${issuer}${addressOrPath}` : addressOrPath,
        headers: { accept: 'application/json' },
      }),
    discoveryResponse: () => fetchDiscovery(conversation),
    send: (request) => conversation.send(request),
    discovery: () => discover(conversation),
    keySetResponse: () => fetchKeySet(conversation),
    healthResponse: () => fetchHealth(conversation),
    registration: (changes) => registerOnce(conversation, changes),
    application: (changes) => application(conversation, changes),
    instead: (operation, replace) => sendInstead(conversation, operation, replace),
    authorization: async (options = {}) => authorizeOnce(conversation, await complete(conversation, options)),
    login: (options = {}) => loginOnce(conversation, options),
    freshLogin: (options = {}) => freshLogin(conversation, options),
    succeeds: (operation) => operation.succeeds(conversation),
    async attempts(operation) {
      await operation.succeeds(conversation)
      const good = await operation.prepare(conversation)
      return (replace) => operation.send(conversation, { ...good, ...replace?.(good) })
    },
    offlineLogin: (options = {}) => offlineLoginOnce(conversation, options),
    freshOfflineLogin: (options = {}) => freshOfflineLogin(conversation, options),
    refresh: (login, changes) => refresh(conversation, login, changes),
    refreshChain: () => refreshChain(conversation),
    refreshParameter: () => refreshParameter(conversation),
    introspect: (owner, token, changes) => introspect(conversation, owner, token, changes),
    introspected: (owner, token) => introspected(conversation, owner, token),
    isActive: (owner, token) => isActive(conversation, owner, token),
    revoke: (owner, token, changes) => revoke(conversation, owner, token, changes),
    idToken: (response, owner) => openIdToken(conversation, response, owner),
    accessTokens: () => [...conversation.run.accessTokens],
    userinfo: (login) => fetchUserinfo(conversation, login),
    open: (response, owner) => openUserData(conversation, response, owner),
    verify: (jws, what, response) => verifySignature(conversation, jws, what, response),
    read: (jwt, what, response) => readJwt(conversation, jwt, what, response),
  }
}
