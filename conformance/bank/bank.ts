import type { JWK, JWTPayload } from 'jose'
import type { Metadata } from './application-metadata.js'
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
} from './authorization.js'
import { type ClaimUpdate, claimUpdateOnce, type Redelivery, refuseNotification } from './claim-update.js'
import type { UserData } from './claims.js'
import { sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { type DeviceLogin, deviceLogin } from './device.js'
import { type Discovery, discover, fetchDiscovery } from './discovery.js'
import { expiredOnce } from './expired.js'
import { fetchHealth, healthRecord } from './health.js'
import { type HostedKeys, hostKeys } from './hosted-keys.js'
import type { HttpRequest, HttpResponse } from './http.js'
import { type IdToken, openIdToken } from './id-token.js'
import { fetchKeySet } from './key-set.js'
import { type Logout, logoutOnce } from './logout.js'
import { type Operation, sendInstead } from './operation.js'
import { type RefreshChain, type RefreshChanges, refresh, refreshChain, refreshParameter } from './refresh.js'
import {
  type Application,
  application,
  changeEncryptionKey,
  goodCall,
  type OwnApplication,
  ownApplication,
  type Registration,
  registerOnce,
} from './registration.js'
import { type ManagementRequest, type Managing, manage, readableApplication } from './registration-management.js'
import {
  makeRequestObject,
  placeForRequestObject,
  placeRequestObject,
  type RequestObjectOptions,
} from './request-object.js'
import { sectorDocument } from './sector-document.js'
import { openSession, type Session } from './session.js'
import { readJwt, type Verified, verifySignature } from './signature.js'
import { type Signing, signingIn } from './signing-flow.js'
import { type StatedByBank, statedIn } from './stated.js'
import { subjectInUserinfo, subjects } from './subjects.js'
import { type Person, personOf } from './target.js'
import { type Handshake, type Offer, shakeHands } from './tls.js'
import {
  codeExchangeOf,
  exchangeCode,
  freshLogin,
  freshOfflineLogin,
  type Login,
  loginOnce,
  type OfflineLogin,
  offlineLoginOnce,
  redeem,
} from './token.js'
import { introspect, introspected, type RequestChanges, revoke } from './token-state.js'
import {
  type Claims,
  fetchUserData,
  idTokenClaims,
  type OpenedUserData,
  openUserData,
  userDataOnce,
} from './user-data.js'

/** The bank under test, as a rule talks to it. What is called "once in a run" is shared by all rules that ask the same. */
export interface Bank {
  issuer: string
  signing: Signing
  stated: StatedByBank
  /** Tries TLS handshakes, each on a connection of its own. */
  handshakes(offers: readonly Offer[]): Promise<Handshake[]>
  /** GET without credentials, of an address or of a path below the issuer; asks for JSON. */
  get(addressOrPath: string): Promise<HttpResponse>
  /** POST of a form without credentials. */
  post(address: string, form: Record<string, string>): Promise<HttpResponse>
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
  /** The same, holding a record. @throws StepFailure when it holds none */
  healthRecord(): Promise<HttpResponse>
  /** The registration of an application with these changes of the default record, whatever came of it, once in a run. */
  registration(changes?: Metadata): Promise<Registration>
  /** An application with these changes of the default record, once in a run. @throws StepFailure when it was not registered */
  application(changes?: Metadata): Promise<Application>
  /** Changes the key that the bank has to encrypt to; gives the application with the new one. */
  changeEncryptionKey(application: Application): Promise<Application>
  /** An application of the rule's own, to be changed or deleted. @throws StepFailure when it was not registered */
  ownApplication(changes?: Metadata): Promise<OwnApplication>
  /** The same, seen to be read with its registration access token. @throws StepFailure when it was not */
  readableApplication(): Promise<OwnApplication>
  /** GET, PUT or DELETE /register/{client_id} as it should be, but for the steps replaced. */
  manage(method: Managing, application: OwnApplication, replace?: Partial<ManagementRequest>): Promise<HttpResponse>
  /** Hosts public keys of an application at an address of their own. */
  hostKeys(keys: readonly JWK[]): HostedKeys
  /** Hosts a document for sector_identifier_uri, at the same address for the same content. @returns its address */
  sectorDocument(content: unknown): Promise<string>
  /** Sees to it that the good request was seen to succeed in this run. */
  succeeds<Request extends object>(operation: Operation<Request>): Promise<unknown>
  /** Claims of a good RegistrationAuthJWT. */
  assertionClaims(): Promise<Record<string, unknown>>
  /** Sends the good request with steps replaced, after the good one was seen to succeed in this run. */
  instead<Request extends object>(
    operation: Operation<Request>,
    replace: (good: Request) => Partial<Request> | Promise<Partial<Request>>,
  ): Promise<HttpResponse>
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
  /** A browser that keeps its cookies, with a person in front of it. */
  session(options?: { client?: Metadata; person?: string }): Session
  /** The tokens of an authorization of the rule's own. @throws StepFailure when it gave no access token */
  redeem(authorization: Authorization): Promise<Login>
  /** An address at the service, to be registered as one of request_uris before anything lies there. */
  placeForRequestObject(): string
  /** Has a request object, or what should be one, lie at such an address. */
  placeRequestObject(place: string, body: string): void
  /** Signs a request object, and encrypts it where asked. */
  makeRequestObject(claims: JWTPayload, options: RequestObjectOptions): Promise<string>
  /** A login to look at, once in a run for the same options. @throws StepFailure when it gave no access token */
  login(options?: LoginOptions): Promise<Login>
  /** A login of the rule's own: one to revoke, refresh or log out. */
  freshLogin(options?: LoginOptions): Promise<Login>
  /** Prepares the good request of an operation once, to send it several times with steps replaced. */
  attempts<Request extends object>(
    operation: Operation<Request>,
  ): Promise<(replace?: (good: Request) => Partial<Request>) => Promise<HttpResponse>>
  /** What has expired since it was seen to be good, once in a run. Needs `clock`. */
  expired(): Promise<{ login: Login; exchange(): Promise<HttpResponse> }>
  /** A login by the device authorization grant. @throws BankFailure when it gave no codes, or Skip */
  deviceLogin(scope: string): Promise<DeviceLogin>
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
  /** POST /revoke in the name of an application, whatever comes of it. */
  revoke(application: Application, token: string, changes?: RequestChanges): Promise<HttpResponse>
  /** The id_token of a token response, decrypted, its signature verified. */
  idToken(response: HttpResponse, application: Application): Promise<IdToken>
  /** Every access token that has come in this run so far. */
  accessTokens(): readonly string[]
  /** A login at two applications in one browser, and its logout, once in a run. */
  logout(): Promise<Logout>
  /** A change of what the bank knows of a person, and what applications heard of it, once in a run. */
  claimUpdate(): Promise<ClaimUpdate>
  /** Another change of that person, of which the notification is answered with 503. */
  refuseNotification(): Promise<Redelivery>
  /** The person of a kind as the target file describes them. Default: full. */
  person(kind?: string): Person
  /** A login of the rule's own up to the answer of POST /token, whatever that is. */
  exchangeOfOwn(options: LoginOptions): Promise<HttpResponse>
  /** POST /token with an authorization code, whatever comes of it. */
  exchange(application: Application, code: string, verifier?: string): Promise<HttpResponse>
  /** GET /userinfo or /profile with the login's access token. */
  userData(
    endpoint: UserData,
    login: Pick<Login, 'accessToken'>,
    headers?: Record<string, string>,
  ): Promise<HttpResponse>
  /** The claims there, once in a run for each login. @throws StepFailure when there are none */
  claims(endpoint: UserData, login: Login): Promise<Claims>
  /** The claims of the login's id_token. @throws StepFailure when there are none */
  idTokenClaims(login: Login): Promise<Record<string, unknown>>
  /** The sub that userinfo gives of a login. @throws StepFailure when userinfo gives no claims */
  subjectInUserinfo(login: Login): Promise<string>
  /** The sub that each other declared source gives of a login, by the source's name. */
  subjects(login: Login): Promise<Record<string, unknown>>
  /** Decrypts user data with the application's key; what is not encrypted is taken as it is. */
  open(endpoint: UserData, response: HttpResponse, application: Application): Promise<OpenedUserData>
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
    stated: statedIn(conversation),
    handshakes: (offers) => shakeHands(conversation, offers),
    get: (addressOrPath) =>
      conversation.send({
        method: 'GET',
        url: addressOrPath.startsWith('/') ? `${issuer}${addressOrPath}` : addressOrPath,
        headers: { accept: 'application/json' },
      }),
    post: (address, form) =>
      conversation.send({
        method: 'POST',
        url: address,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams(form).toString(),
      }),
    discoveryResponse: () => fetchDiscovery(conversation),
    send: (request) => conversation.send(request),
    discovery: () => discover(conversation),
    keySetResponse: () => fetchKeySet(conversation),
    healthResponse: () => fetchHealth(conversation),
    healthRecord: () => healthRecord(conversation),
    registration: (changes) => registerOnce(conversation, changes),
    application: (changes) => application(conversation, changes),
    changeEncryptionKey: (owner) => changeEncryptionKey(conversation, owner),
    ownApplication: (changes) => ownApplication(conversation, changes),
    readableApplication: () => readableApplication(conversation),
    manage: (method, own, replace) => manage(conversation, method, own, replace),
    hostKeys: (keys) => hostKeys(conversation, keys),
    sectorDocument: (content) => sectorDocument(conversation, content),
    succeeds: (operation) => operation.succeeds(conversation),
    assertionClaims: async () => {
      const endpoint = await (await discover(conversation)).registrationEndpoint()
      return goodCall(conversation, endpoint).claims
    },
    instead: (operation, replace) => sendInstead(conversation, operation, replace),
    authorization: async (options = {}) => authorizeOnce(conversation, await complete(conversation, options)),
    tryAuthorization: (options) => tryAuthorization(conversation, options),
    authorizationRequest: (options) => prepareAuthorization(conversation, options),
    sendAuthorization: (request) => authorizationRequest.send(conversation, request),
    wantedParameters: () => wantedParameters(conversation),
    session: (options = {}) => openSession(conversation, options),
    redeem: (authorization) => redeem(conversation, authorization),
    placeForRequestObject: () => placeForRequestObject(conversation),
    placeRequestObject: (place, body) => placeRequestObject(conversation, place, body),
    makeRequestObject: (claims, options) => makeRequestObject(conversation, claims, options),
    login: (options = {}) => loginOnce(conversation, options),
    freshLogin: (options = {}) => freshLogin(conversation, options),
    async attempts(operation) {
      await operation.succeeds(conversation)
      const good = await operation.prepare(conversation)
      return (replace) => operation.send(conversation, { ...good, ...replace?.(good) })
    },
    async expired() {
      const { login, unused } = await expiredOnce(conversation)
      return { login, exchange: () => sendClientRequest(conversation, unused) }
    },
    deviceLogin: (scope) => deviceLogin(conversation, scope),
    offlineLogin: (options = {}) => offlineLoginOnce(conversation, options),
    freshOfflineLogin: (options = {}) => freshOfflineLogin(conversation, options),
    refresh: (login, changes) => refresh(conversation, login, changes),
    refreshChain: () => refreshChain(conversation),
    refreshParameter: () => refreshParameter(conversation),
    introspect: (owner, token, changes) => introspect(conversation, owner, token, changes),
    introspected: (owner, token) => introspected(conversation, owner, token),
    revoke: (owner, token, changes) => revoke(conversation, owner, token, changes),
    idToken: (response, owner) => openIdToken(conversation, response, owner),
    accessTokens: () => [...conversation.run.accessTokens],
    logout: () => logoutOnce(conversation),
    claimUpdate: () => claimUpdateOnce(conversation),
    refuseNotification: () => refuseNotification(conversation),
    person(kind = 'full') {
      const person = personOf(conversation.run.target.people, kind)
      if (person) return person
      throw new Error(`a rule about a person of kind ${kind} has to need one`)
    },
    async exchangeOfOwn(options) {
      const { prepare, send } = codeExchangeOf(options)
      return send(conversation, await prepare(conversation))
    },
    exchange: (owner, code, verifier) => exchangeCode(conversation, owner, code, verifier),
    userData: (endpoint, login, headers) => fetchUserData(conversation, endpoint, login, headers),
    claims: (endpoint, login) => userDataOnce(conversation, endpoint, login),
    idTokenClaims: (login) => idTokenClaims(conversation, login),
    subjectInUserinfo: (login) => subjectInUserinfo(conversation, login),
    subjects: (login) => subjects(conversation, login),
    open: (endpoint, response, owner) => openUserData(conversation, endpoint, response, owner),
    verify: (jws, what, response) => verifySignature(conversation, jws, what, response),
    read: (jwt, what, response) => readJwt(conversation, jwt, what, response),
  }
}
