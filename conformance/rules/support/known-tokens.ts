import type { Bank } from '../../bank/bank.js'
import { anotherClient, authenticatedBy } from '../../bank/client-metadata.js'
import { nextRefreshToken } from '../../bank/refresh.js'
import type { Client } from '../../bank/registration.js'
import { inStep } from '../../bank/steps.js'
import type { Login, OfflineLogin, TokenOptions } from '../../bank/token.js'
import { BankFailure } from '../../evidence/failure.js'
import type { HttpResponse } from '../../http/http.js'
import type { TokenOfClient } from './token-state.js'

/** A live token, with what is known of it from elsewhere than introspection. */
export interface KnownToken extends TokenOfClient {
  /** Names it in messages. */
  what: string
  type: 'access_token' | 'refresh_token'
  /** What its client knows the person by. */
  subjects: readonly unknown[]
  /** Its scopes, space-separated; undefined where its answer lists none. */
  scope: unknown
}

/** Whether the bank gives refresh tokens to the default client. */
export async function givesRefreshTokens(bank: Bank): Promise<boolean> {
  const { metadata } = await bank.client()
  return String(metadata.scope).split(' ').includes('offline_access')
}

/** Why nothing is looked at of what a bank without refresh tokens has not. */
export const givesNone = 'the bank does not declare grant refresh_token and scope offline_access'

/** A member of a refresh response. @throws StepFailure when the refresh gave no access token */
function accessTokenOf(response: HttpResponse): Promise<string> {
  return inStep('refresh', async () => {
    const token = response.member('access_token')
    if (typeof token === 'string' && token !== '') return token
    const sentence = `POST /token gave no access token for the refresh token (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/** A login whose refresh token gave a further access token. */
export interface Refreshed {
  client: Client
  /** Of the code. */
  first: string
  /** Of the refresh. */
  second: string
  /** The refresh token as it is then: a new one, or the first. */
  refreshToken: string
}

/** Refreshes a login's tokens. @param scope of the access token; the login's when left out @throws StepFailure when the bank does not do it */
export async function refreshed(bank: Bank, login: OfflineLogin, scope?: string): Promise<Refreshed> {
  const response = await bank.refresh.try({ login, ...(scope !== undefined && { form: { scope } }) })
  return {
    client: login.client,
    first: login.accessToken,
    second: await accessTokenOf(response),
    refreshToken: nextRefreshToken(response, login.refreshToken),
  }
}

/** The access token of a login that is only looked at. */
export async function tokenOfCode(bank: Bank, options: TokenOptions = {}): Promise<KnownToken> {
  return ofLogin(bank, await bank.token(options), 'an access token of a code')
}

async function ofLogin(bank: Bank, login: Login, what: string): Promise<KnownToken> {
  const { client, accessToken: token, response } = login
  const subjects = await bank.knownSubjects(login)
  return { what, type: 'access_token', client, token, subjects, scope: response.member('scope') }
}

/** A client besides the default one, at which others log in as well. */
export async function tokenOfSecondClient(bank: Bank): Promise<KnownToken> {
  const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
  const byPost = authenticatedBy('client_secret_post')
  const bySecret = declared.includes('client_secret_post') && bank.client.canBe(byPost)
  const clientMetadata = bySecret ? byPost : anotherClient
  return tokenOfCode(bank, { clientMetadata })
}

/** The refresh token of a login that is only looked at; the first one, which no refresh gave. */
export async function firstRefreshToken(bank: Bank): Promise<KnownToken> {
  const login = await bank.offlineToken()
  const { refreshToken: token } = login
  return { ...(await ofLogin(bank, login, 'a refresh token')), type: 'refresh_token', token }
}

/** What a chain of refreshes gave: the access tokens of the first two, narrowed to less and to least, and the refresh token that is left. */
export async function refreshedTokens(bank: Bank): Promise<KnownToken[]> {
  const { login, subset, narrowed, least, refreshTokens } = await bank.refreshChain()
  const known = await ofLogin(bank, login, 'an access token of a refresh')
  const left = refreshTokens.at(-1) ?? login.refreshToken
  return [
    { ...known, token: await accessTokenOf(narrowed), scope: subset.join(' ') },
    { ...known, what: 'an access token of a second refresh', token: await accessTokenOf(least), scope: 'openid' },
    {
      ...known,
      what: 'a refresh token of a refresh',
      type: 'refresh_token',
      token: left,
      scope: login.scopes.join(' '),
    },
  ]
}

/** Whether the bank declares response_type token, with the grant that goes with it (AMB-11). */
export function declaresFrontChannel(bank: Bank): Promise<boolean> {
  return bank.declaresFrontChannel()
}

/** The access token of response_type token; undefined where the bank does not declare it. */
export async function tokenOfFrontChannel(bank: Bank): Promise<KnownToken | undefined> {
  const login = await bank.frontChannelLogin()
  if (!login) return undefined
  const { client, accessToken: token, fragment } = login
  const { claims } = await bank.userData.userinfo({ client, accessToken: token })
  const scope = fragment.get('scope') ?? undefined
  return {
    what: 'an access token of the front channel',
    type: 'access_token',
    client,
    token,
    subjects: [claims.sub],
    scope,
  }
}

/** The access token of an authorized object. */
export async function tokenOfSigning(bank: Bank): Promise<KnownToken> {
  const signed = await bank.signing.result()
  const { client, accessToken: token, response } = signed
  const { claims } = await bank.signing.idToken(signed)
  const what = 'an access token of the signing flow'
  return { what, type: 'access_token', client, token, subjects: [claims.sub], scope: response.member('scope') }
}
