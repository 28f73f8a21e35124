import { BankFailure, doubtOf, Skip, StepFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import {
  type Authorization,
  authorization,
  codeOf,
  complete,
  type LoginOptions,
  loginKey,
  type Parameters,
  parameterOf,
  verifierOf,
} from './authorization.js'
import { type ClientRequest, sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { outOfDress } from './dress.js'
import { operation } from './operation.js'
import { type Client, client } from './registration.js'
import type { SeenAnswer, SeenKind } from './seen-answers.js'
import type { SeenTokens } from './seen-tokens.js'
import { inStep } from './steps.js'

/** A login that gave an access token. */
export interface Login {
  client: Client
  authorization: Authorization
  /** The answer of the token endpoint. */
  response: HttpResponse
  accessToken: string
}

/** A login that gave a refresh token too. */
export interface OfflineLogin extends Login {
  refreshToken: string
  /** The scopes asked for. */
  scopes: string[]
}

/** A good exchange of a code ("Exposed by the bank" 7). */
async function exchangeOf(
  conversation: Conversation,
  owner: Client,
  code: string,
  verifier?: string,
): Promise<ClientRequest> {
  return {
    client: owner,
    endpoint: await (await discover(conversation)).endpoint('token_endpoint'),
    form: { grant_type: 'authorization_code', code, redirect_uri: owner.redirectUri, code_verifier: verifier },
    authentication: {},
  }
}

/**
 * POST /token with an authorization code, whatever comes of it.
 * @param verifier code_verifier (RFC 7636 section 4.5)
 */
export async function exchangeCode(
  conversation: Conversation,
  owner: Client,
  code: string,
  verifier?: string,
): Promise<HttpResponse> {
  const request = await exchangeOf(conversation, owner, code, verifier)
  return inStep('codeExchange', () => sendClientRequest(conversation, request))
}

/** What tokens are asked for. */
export interface TokenOptions extends LoginOptions {
  /** One of the rule's own that ended with a code, in place of a new one. */
  authorization?: Authorization
}

/** The exchange of an authorization's code. */
export interface CodeExchange extends ClientRequest {
  authorization: Authorization
}

/** POST /token with the code of an authorization ("Exposed by the bank" 7), and the login that it gives. */
export const token = operation({
  step: 'codeExchange',
  async key(conversation, { authorization: given, ...options }: TokenOptions) {
    return given ? `login by ${parameterOf(given, 'code')}` : loginKey('login', await complete(conversation, options))
  },
  async prepare(conversation, { authorization: given, ...options }, basis): Promise<CodeExchange> {
    const authorize = basis === 'shared' ? authorization : authorization.fresh
    const authorized = given ?? (await authorize(conversation, options))
    const code = await codeOf(authorized)
    const request = await exchangeOf(conversation, authorized.client, code, verifierOf(authorized))
    return { ...request, authorization: authorized }
  },
  async send(conversation, request) {
    const response = await sendClientRequest(conversation, request)
    const { client: owner, authorization: asked } = request
    if (owner.clientId === asked.client.clientId)
      conversation.run.seenTokens.noteGrant({ of: 'code', client: owner, response, asked })
    return response
  },
  read(conversation, response, { client: owner, authorization: authorized }): Login {
    const accessToken = accessTokenOf(conversation, response)
    if (accessToken) return { client: owner, authorization: authorized, response, accessToken }
    const sentence = `POST /token gave no access token for the code (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  },
})

/** The access token of a token response, which is taken into the run's sample; undefined when there is none. */
export function accessTokenOf({ run }: Conversation, response: HttpResponse): string | undefined {
  const token = response.member('access_token')
  if (response.status >= 300 || typeof token !== 'string' || token === '') return undefined
  run.accessTokens.push(token)
  return token
}

/** Every access token that has come in this run so far. */
export function accessTokens({ run }: Conversation): readonly string[] {
  return [...run.accessTokens]
}

/** The answers of this run so far that gave tokens, and what was told of these. */
export function seenTokens({ run }: Conversation): SeenTokens {
  return run.seenTokens
}

/** The answers of this run so far of which nothing is told apart, once each. */
export function seenAnswers({ run }: Conversation, kind: SeenKind): readonly SeenAnswer[] {
  return run.seen.of(kind)
}

/** The scopes that a token response lists. @throws StepFailure when it lists none */
export function grantedScopes(
  response: HttpResponse,
  step: 'scopeListed' | 'signedScopes' = 'scopeListed',
): Promise<string[]> {
  return inStep(step, async () => {
    const scope = response.member('scope')
    if (typeof scope === 'string' && scope !== '') return scope.split(' ')
    throw new BankFailure({ sentence: 'the token response lists no scopes', evidence: response.evidence })
  })
}

/** The id_token of a token response, as it came. @throws StepFailure when there is none */
export function idTokenOf(response: HttpResponse): Promise<string> {
  return inStep('codeExchange', async () => {
    const token = response.member('id_token')
    if (typeof token === 'string' && token !== '') return token
    throw new BankFailure({ sentence: 'the token response has no id_token', evidence: response.evidence })
  })
}

const hasRefreshToken = ({ response }: Login) => response.member('refresh_token') !== undefined

/**
 * What a login for offline access asks beside its scope: prompt=consent where the bank gives a refresh token so, and not otherwise (OpenID
 * Connect Core section 11), found out once in a run.
 */
export function offlineParameters(conversation: Conversation): Promise<Parameters> {
  // A dress asks for consent by itself: who logs in in it may ask otherwise.
  return outOfDress(() =>
    conversation.shared('offline parameters', async (own) => {
      const parameters = { prompt: 'consent' }
      try {
        const plain = await offlineScopes(own, {})
        if (hasRefreshToken(await token(own, plain))) return {}
        return hasRefreshToken(await token(own, { ...plain, parameters })) ? parameters : {}
      } catch (error) {
        // That such a login fails, or cannot be asked for, those say who log in so.
        const failed = error instanceof StepFailure && doubtOf(error) === undefined
        if (failed || error instanceof Skip) return {}
        throw error
      }
    }),
  )
}

/** The options of a login that gives a refresh token. @throws Skip when the client could not be registered for it */
async function offline(conversation: Conversation, options: LoginOptions): Promise<LoginOptions & { scope: string }> {
  const chosen = await offlineScopes(conversation, options)
  return { ...chosen, parameters: { ...(await offlineParameters(conversation)), ...options.parameters } }
}

/** The same with its scopes alone: openid, up to two data scopes and offline_access. */
async function offlineScopes(
  conversation: Conversation,
  options: LoginOptions,
): Promise<LoginOptions & { scope: string }> {
  const { metadata, dataScopes } = await client(conversation, options.clientMetadata)
  const registered = String(metadata.scope).split(' ').includes('offline_access')
  if (!registered || ![metadata.grant_types].flat().includes('refresh_token')) {
    throw new Skip('the bank does not declare grant refresh_token and scope offline_access')
  }
  return { scope: ['openid', ...dataScopes.slice(0, 2), 'offline_access'].join(' '), ...options }
}

function asOffline(login: Login, scope: string): Promise<OfflineLogin> {
  return inStep('refreshToken', async () => {
    const refreshToken = login.response.member('refresh_token')
    if (typeof refreshToken === 'string' && refreshToken !== '')
      return { ...login, refreshToken, scopes: scope.split(' ') }
    const sentence = 'the token response has no refresh_token, though offline_access was asked for'
    throw new BankFailure({ sentence, evidence: login.response.evidence })
  })
}

/** A login that gives a refresh token too, to look at. */
async function sharedOfflineToken(conversation: Conversation, options: LoginOptions = {}): Promise<OfflineLogin> {
  const chosen = await offline(conversation, options)
  return asOffline(await token(conversation, chosen), chosen.scope)
}

/** A login that gives a refresh token too; of one's own with `fresh`. @throws Skip when the bank declares no such thing */
export const offlineToken = Object.assign(sharedOfflineToken, {
  async fresh(conversation: Conversation, options: LoginOptions = {}): Promise<OfflineLogin> {
    const chosen = await offline(conversation, options)
    return asOffline(await token.fresh(conversation, chosen), chosen.scope)
  },
})
