import type { JWTPayload } from 'jose'
import {
  type Browser,
  type Callback,
  callbackOf,
  type PageActions,
  parameterIn,
  type Visit,
} from '../end-user/end-user.js'
import { BankFailure, Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { mutualTlsAddress, mutualTlsAudience } from '../target/mutual-tls.js'
import { originsOf, personOf } from '../target/target.js'
import { type ClientRequest, sendClientRequest } from './client-request.js'
import { type Conversation, keyOf } from './conversation.js'
import { discover } from './discovery.js'
import type { IdToken } from './id-token.js'
import { operation } from './operation.js'
import type { Client } from './registration.js'
import {
  authorizeAddress,
  expectServed,
  flowKey,
  type RegisteredObject,
  type RequestObjectOptions,
  requestObject,
  signingMetadata,
} from './ros.js'
import { isForTokens } from './seen-answers.js'
import { verifySignature } from './signature.js'
import { inStep } from './steps.js'
import { accessTokenOf, type Login, token } from './token.js'
import { type OpenedUserData, openJwe } from './user-data.js'

/** What is authorized, and by whom. */
export interface SigningOptions extends RequestObjectOptions {
  /** Kind of the person. Default: full. */
  person?: string
  /** What the person does where it is not the way on. */
  actions?: PageActions
  /** A browser that was used before, for an object of one's own; a new one when left out. */
  browser?: Browser
}

/** Who comes to GET /authorize, and how. */
export interface AuthorizeOptions {
  person?: string
  actions?: PageActions
  /** Scopes that the person does not approve. */
  denyScopes?: readonly string[]
  /** A browser that was used before; a new one when left out. */
  browser?: Browser
  /** Parameters of the query in place of request_uri and redirect_uri; undefined leaves one out. */
  query?: Record<string, string | undefined>
  /** Where a visit was left, to go on from there. */
  from?: string
  /** Whether the way leads back to the service, or nothing has come of it; wherever it ends when left out. */
  expectCallback?: boolean
}

/** An object that came back authorized. */
export interface Signed {
  object: RegisteredObject
  client: Client
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

/** Sends a person to authorize an object, wherever that ends. */
export async function visitAuthorize(
  conversation: Conversation,
  object: RegisteredObject,
  {
    person = 'full',
    actions,
    denyScopes,
    browser = conversation.run.endUser.open(),
    query,
    from,
    expectCallback = false,
  }: AuthorizeOptions = {},
): Promise<Visit> {
  const { run } = conversation
  const user = personOf(run.target.people, person)
  if (!user) throw new Error(`a rule in which ${person} signs has to need it`)
  const url = from ?? authorizeAddress(conversation, object, query)
  const registered = object.request.client.metadata.redirect_uris
  const task = {
    url,
    redirectUris: Array.isArray(registered) ? registered.map(String) : [],
    origins: originsOf(run.target, url),
    person: user,
    endsAnywhere: !expectCallback,
    ...(actions && { actions }),
    ...(denyScopes && { denyScopes, knownScopes: object.request.client.dataScopes }),
  }
  const visited = await browser.visit(task, conversation)
  const response = visited.callback?.response
  if (response?.location !== undefined) {
    const { request_uri = object.requestUri } = query ?? {}
    // Nobody knows the state of an object that there is not, and who refuses an object need not believe what it says.
    const isTaken = request_uri === object.requestUri && !refusesObject(response.location)
    const state = isTaken ? object.request.claims.state : undefined
    run.seen.note({
      kind: 'callback',
      response,
      ...(typeof state === 'string' && { state }),
      forTokens: isForTokens(object.request.claims.response_type),
    })
  }
  return visited
}

/** Whether a bank that opens objects when their person comes refuses the object as such. */
function refusesObject(callback: string): boolean {
  return new URL(callback).searchParams.get('error') === 'invalid_request_object'
}

/** GET /authorize with an object that the bank took, which its person authorizes. */
export const signing = operation({
  step: 'authorizeObject',
  key: (_conversation, options: SigningOptions) => keyOf('signing', keyed(options)),
  async prepare(conversation, { person, actions, browser, ...options }) {
    return {
      object: await requestObject.fresh(conversation, options),
      expectCallback: true,
      ...(person && { person }),
      ...(actions && { actions }),
      ...(browser && { browser }),
    }
  },
  send: (conversation, { object, ...way }) => visitAuthorize(conversation, object, way),
  read({ run }, visit, { object }) {
    expectServed('signing.authorize', run.target.signing?.authorize, visit.response)
    return signedOf(object, visit)
  },
})

function signedOf(object: RegisteredObject, visit: Visit): Signed {
  const callback = callbackOf(visit)
  const given = (name: string) => parameterIn(callback, name)
  const code = given('code')
  if (code) return { object, client: object.request.client, callback, code, pages: visit.pages }
  const error = given('error') ?? 'no code'
  const description = given('error_description') ?? 'no description'
  const sentence = `the authorization of the object ended with ${error} (${description})`
  throw new BankFailure({ sentence, evidence: callback.response.evidence })
}

function keyed(options: SigningOptions): object {
  return {
    ...options,
    clientMetadata: keyOf('', options.clientMetadata ?? {}),
    claims: keyOf('', options.claims ?? {}),
  }
}

/** A good exchange of the code of an authorized object ("Authentication" 10). */
export async function prepareSignedExchange(
  conversation: Conversation,
  { client, code, object }: Pick<Signed, 'client' | 'code' | 'object'>,
): Promise<ClientRequest> {
  const signed = object.request.signer
  if (typeof signed === 'string') throw new Error('what is not signed cannot be authorized')
  const signer = flowKey(client, signed.alg)
  if (!signer) throw new Skip(`the given client has no key for ${signed.alg}`)
  const bySecret = String(client.metadata.token_endpoint_auth_method).startsWith('client_secret')
  const declared = await (await discover(conversation)).endpoint('token_endpoint')
  return {
    client,
    endpoint: mutualTlsAddress(conversation.run.target, declared),
    audience: mutualTlsAudience(conversation.run.target, declared),
    form: { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri },
    authentication: bySecret ? {} : { signer },
    certificate: true,
  }
}

/** The exchange of the code of an authorized object. */
export interface SignedExchange extends ClientRequest {
  signed: Signed
}

/** POST /token with the code of an authorized object, and what comes of it. */
export const signingResult = operation({
  step: 'signedExchange',
  key: (_conversation, options: SigningOptions) => keyOf('signing result', keyed(options)),
  async prepare(conversation, options): Promise<SignedExchange> {
    const signed = await signing.fresh(conversation, options)
    return { ...(await prepareSignedExchange(conversation, signed)), signed }
  },
  async send(conversation, request) {
    const response = await sendClientRequest(conversation, request)
    conversation.run.seenTokens.noteGrant({ of: 'signing', client: request.client, response })
    return response
  },
  read(conversation, response, { signed }): Result {
    const accessToken = accessTokenOf(conversation, response)
    if (accessToken) return { ...signed, response, accessToken }
    const sentence = `POST /token gave no access token for the authorized object (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  },
})

/** What came of an authorized object, and for whom. */
export type Answered = Pick<Result, 'client' | 'response'>

/** The id_token of a result, taken out of its encryption, its signature unseen. @throws BankFailure when it cannot be decrypted */
export function openResult(conversation: Conversation, { response, client }: Answered): Promise<OpenedUserData> {
  return openJwe(conversation, String(response.member('id_token') ?? ''), 'id_token', response, client)
}

/** The same of an id_token that came in front of the user. */
export function openFront(
  conversation: Conversation,
  { idToken, response, client }: Answered & { idToken: string },
): Promise<OpenedUserData> {
  return openJwe(conversation, idToken, 'id_token', response, client)
}

/**
 * The id_token of a result, decrypted, with its signature verified whatever the client registered for its logins.
 * @throws StepFailure when it cannot be decrypted, or its signature does not hold
 */
export function signedIdToken(conversation: Conversation, answered: Answered): Promise<IdToken> {
  return inStep('signedIdToken', async () => {
    const { encryption, content } = await openResult(conversation, answered)
    const { header, payload } = await verifySignature(conversation, content, 'id_token', answered.response)
    return { ...(encryption && { encryption }), header, claims: payload as JWTPayload }
  })
}

/** A login at the client that signs, whose access token is good for POST /ros: it has scope authorization ("access token with granted scope"). */
export async function signerLogin(conversation: Conversation): Promise<Login> {
  const clientMetadata = await signingMetadata(conversation)
  // Whoever signs in every dress: not everybody may sign documents.
  return token(conversation, { clientMetadata, scope: 'openid authorization', person: 'full' })
}
