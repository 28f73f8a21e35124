import { type Browser, type Callback, callbackOf, type Deeds, type Visit } from '../end-user/end-user.js'
import { BankFailure } from '../harness/failure.js'
import type { Metadata } from './application-metadata.js'
import { type ClientRequest, sendClientRequest } from './client-request.js'
import { type Conversation, keyOf } from './conversation.js'
import { discover } from './discovery.js'
import type { ClientCertificate, HttpResponse } from './http.js'
import { type IdToken, openIdToken } from './id-token.js'
import type { Operation } from './operation.js'
import type { Application } from './registration.js'
import {
  prepareRequestObject,
  type RegisteredObject,
  type RequestObjectOptions,
  type RosRequest,
  registerObject,
  registerObjectOnce,
  sendRequestObject,
  signingMetadata,
} from './ros.js'
import { inStep } from './steps.js'
import { originsOf, personOf } from './target.js'
import { accessTokenOf, type Login } from './token.js'
import { openJwe } from './user-data.js'

/** What is authorized, and by whom. */
export interface SigningOptions extends RequestObjectOptions {
  /** Kind of the person. Default: full. */
  person?: string
  /** What the person does where it is not the way on. */
  deeds?: Deeds
}

/** Who comes to GET /authorize, and how. */
export interface Coming {
  person?: string
  deeds?: Deeds
  /** A browser that was used before; a new one when left out. */
  browser?: Browser
  /** Parameters of the query in place of request_uri and redirect_uri; undefined leaves one out. */
  query?: Record<string, string | undefined>
}

/** An object that came back authorized. */
export interface Signed {
  object: RegisteredObject
  application: Application
  callback: Callback
  code: string
  /** Names of the pages that were gone through, in order. */
  pages: readonly string[]
}

/** What the bank hands out for an authorized object. */
export interface Result extends Signed {
  response: HttpResponse
  accessToken: string
}

/** The address of GET /authorize for an object ("Signing / request-object flow" 2; as published, AMB-30). */
export function authorizeAddress(
  { run }: Conversation,
  { requestUri, request }: RegisteredObject,
  query: Coming['query'] = {},
): string {
  const url = new URL(run.target.signing?.authorize ?? `${run.target.issuer}/authorize`)
  const parameters = { request_uri: requestUri, redirect_uri: request.application.redirectUri, ...query }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** Sends a person to authorize an object, wherever that ends. */
export async function comeToAuthorize(
  conversation: Conversation,
  object: RegisteredObject,
  { person = 'full', deeds, browser = conversation.run.endUser.open(), query }: Coming = {},
): Promise<Visit> {
  const { run } = conversation
  const user = personOf(run.target.people, person)
  if (!user) throw new Error(`a rule in which ${person} signs has to need it`)
  const url = authorizeAddress(conversation, object, query)
  const registered = object.request.application.metadata.redirect_uris
  const task = {
    url,
    redirectUris: Array.isArray(registered) ? registered.map(String) : [],
    origins: originsOf(run.target, url),
    person: user,
    ...(deeds && { deeds }),
  }
  return browser.visit(task, conversation)
}

/** An object of its own that its person authorizes. @throws StepFailure when no code comes back */
export async function sign(
  conversation: Conversation,
  { person, deeds, ...options }: SigningOptions,
  browser?: Browser,
): Promise<Signed> {
  const object = await registerObject(conversation, options)
  return inStep('authorizeObject', async () => {
    const coming = { ...(person && { person }), ...(deeds && { deeds }), ...(browser && { browser }) }
    return signedOf(object, await comeToAuthorize(conversation, object, coming))
  })
}

function signedOf(object: RegisteredObject, visit: Visit): Signed {
  const callback = callbackOf(visit)
  const code = callback.query.get('code') ?? callback.fragment.get('code')
  if (code) return { object, application: object.request.application, callback, code, pages: visit.pages }
  const error = callback.query.get('error') ?? callback.fragment.get('error') ?? 'no code'
  const told = callback.query.get('error_description') ?? 'no description'
  const sentence = `the authorization of the object ended with ${error} (${told})`
  throw new BankFailure({ sentence, evidence: callback.response.evidence })
}

/** The same, once in a run for the same options. */
export function signOnce(conversation: Conversation, options: SigningOptions = {}): Promise<Signed> {
  return conversation.shared(keyOf('signing', keyed(options)), (own) => sign(own, options))
}

function keyed(options: SigningOptions): object {
  return { ...options, client: keyOf('', options.client ?? {}), claims: keyOf('', options.claims ?? {}) }
}

/** A good exchange of the code of an authorized object ("Authentication" 10). */
export async function exchangeOfSigned(
  conversation: Conversation,
  { application, code, object }: Signed,
): Promise<ClientRequest> {
  const { signer } = object.request
  if (signer === 'none') throw new Error('what is not signed cannot be authorized')
  return {
    application,
    endpoint: await (await discover(conversation)).endpoint('token_endpoint'),
    form: { grant_type: 'authorization_code', code, redirect_uri: application.redirectUri },
    authentication: { signer },
    certificate: true,
  }
}

async function redeemSigned(conversation: Conversation, signed: Signed): Promise<Result> {
  const request = await exchangeOfSigned(conversation, signed)
  return inStep('signedExchange', async () => {
    const response = await sendClientRequest(conversation, request)
    const accessToken = accessTokenOf(conversation, response)
    if (accessToken) return { ...signed, response, accessToken }
    const sentence = `POST /token gave no access token for the authorized object (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/** What comes of an object that its person authorizes, once in a run for the same options. */
export function signingResultOnce(conversation: Conversation, options: SigningOptions = {}): Promise<Result> {
  return conversation.shared(keyOf('signing result', keyed(options)), async (own) =>
    redeemSigned(own, await sign(own, options)),
  )
}

/** The id_token of a result, opened. */
export function signedIdToken(conversation: Conversation, { response, application }: Result): Promise<IdToken> {
  return openIdToken(conversation, response, application)
}

/** The exchange of the code of a freshly authorized object, to be replaced in one step. */
export const signedExchange: Operation<ClientRequest> = {
  succeeds: (conversation) => signingResultOnce(conversation),
  async prepare(conversation) {
    return exchangeOfSigned(conversation, await sign(conversation, {}))
  },
  send: sendClientRequest,
}

/** The id_token of a login as it can be sent back to the bank: decrypted. */
export async function hintOf(conversation: Conversation, { response, application }: Login): Promise<string> {
  const text = String(response.member('id_token') ?? '')
  const { content } = await inStep('idTokenDecryption', () =>
    openJwe(conversation, text, 'id_token', response, application),
  )
  return content
}

/** The signing flow, as a rule talks to the bank about it. */
export interface Signing {
  /** Whether the target file names addresses of the flow (AMB-30). */
  named: boolean
  /** Whether POST /ros is at another host than the rest of the bank (AMB-65). */
  ownHost: boolean
  /** The record's changes by which an application uses the flow. */
  metadata(changes?: Metadata): Promise<Metadata>
  /** A good request object, not sent. */
  request(options?: RequestObjectOptions): Promise<RosRequest>
  send(request: RosRequest): Promise<HttpResponse>
  /** A request object that the bank took, to look at, once in a run for the same options. */
  registered(options?: RequestObjectOptions): Promise<RegisteredObject>
  /** A request object of the rule's own that the bank took. */
  register(options?: RequestObjectOptions): Promise<RegisteredObject>
  /** GET /authorize as it is answered at once, by a browser without cookies. */
  authorize(object: RegisteredObject, query?: Coming['query']): Promise<HttpResponse>
  /** A person's way through /authorize, wherever it ends. */
  come(object: RegisteredObject, coming?: Coming): Promise<Visit>
  /** What comes of an authorized object, once in a run for the same options. */
  result(options?: SigningOptions): Promise<Result>
  /** The same of the rule's own, in a browser that was used before if one is given. */
  freshResult(options?: SigningOptions, browser?: Browser): Promise<Result>
  idToken(result: Result): Promise<IdToken>
  hint(login: Login): Promise<string>
  /** GET /userinfo with an access token of the flow. */
  userinfo(result: Result, certificate: boolean | ClientCertificate): Promise<HttpResponse>
  /** A browser without cookies. */
  browser(): Browser
}

export function signingIn(conversation: Conversation): Signing {
  const { issuer, signing } = conversation.run.target
  return {
    named: signing?.ros !== undefined,
    ownHost: signing?.ros !== undefined && new URL(signing.ros).host !== new URL(issuer).host,
    metadata: (changes) => signingMetadata(conversation, changes),
    request: (options) => prepareRequestObject(conversation, options),
    send: (request) => sendRequestObject(conversation, request),
    registered: (options) => registerObjectOnce(conversation, options),
    register: (options = {}) => registerObject(conversation, options),
    authorize: (object, query) =>
      conversation.send({
        method: 'GET',
        url: authorizeAddress(conversation, object, query),
        headers: { accept: 'text/html,application/json' },
      }),
    come: (object, coming) => comeToAuthorize(conversation, object, coming),
    result: (options) => signingResultOnce(conversation, options),
    freshResult: async (options = {}, browser) =>
      redeemSigned(conversation, await sign(conversation, options, browser)),
    idToken: (result) => signedIdToken(conversation, result),
    hint: (login) => hintOf(conversation, login),
    async userinfo({ accessToken }, certificate) {
      return conversation.send({
        method: 'GET',
        url: await (await discover(conversation)).endpoint('userinfo_endpoint'),
        headers: { accept: 'application/jwt', authorization: `Bearer ${accessToken}` },
        certificate,
      })
    },
    browser: () => conversation.run.endUser.open(),
  }
}
