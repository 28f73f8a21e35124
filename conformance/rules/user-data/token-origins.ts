import { parameterOf } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import { mayLeadToNothing, type UserData } from '../../bank/claims.js'
import { dressNow } from '../../bank/dress.js'
import type { AskedLogin } from '../../bank/later-logins.js'
import { inStep } from '../../bank/steps.js'
import { grantedScopes, type Login } from '../../bank/token.js'
import type { Claims } from '../../bank/user-data.js'
import { BankFailure } from '../../evidence/failure.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { type Need, toLogIn, toRegister, toSign } from '../../target/needs.js'

/** Access tokens by how they came to be. */

/** An access token that did not come from a code, and the login that it came of. */
export interface OtherToken extends Pick<Login, 'client' | 'accessToken'> {
  what: string
  /** Its data scopes. */
  scopes: string[]
  /** Kind of the person whom the data are about, where it is not whoever does what anybody may do. */
  person?: string
  /** The sub of an id_token for the same person at the client; absent where it is not compared. */
  sub?: unknown
  /** How the data under it are asked for, where that is not as usual. */
  ask?(endpoint: UserData): Promise<HttpResponse>
}

/** The answer to a request for the data under a token, whatever it is. */
export function replyUnder({ bank }: Tools, token: OtherToken, endpoint: UserData): Promise<HttpResponse> {
  return token.ask ? token.ask(endpoint) : bank.userData[endpoint].try(token)
}

/** The data under a token. @throws StepFailure when there are none */
export async function dataUnder({ bank }: Tools, token: OtherToken, endpoint: UserData): Promise<Claims> {
  return token.ask ? bank.claimsIn(endpoint, await token.ask(endpoint), token.client) : bank.userData[endpoint](token)
}

export function accessTokenIn(response: HttpResponse): Promise<string> {
  return inStep('refresh', async () => {
    const token = response.member('access_token')
    if (response.status < 300 && typeof token === 'string' && token !== '') return token
    const sentence = `POST /token gave no access token for the refresh token (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/** The scopes that no data stand behind; what no table names, such as a bank's own, may have some. */
const withoutData = ['openid', 'offline_access', 'authorization', 'notification.claims_updated']

const dataOf = (scopes: readonly string[]) => scopes.filter((scope) => !withoutData.includes(scope))

/** Those of a refresh with all scopes of the refresh token, and of one with fewer. */
export async function refreshed({ bank }: Tools): Promise<OtherToken[]> {
  const { login, subset, narrowed, whole, other, narrowedOtherwise } = await bank.refreshChain()
  const { sub } = await bank.idTokenClaims(login)
  const { client } = login
  return [
    { what: 'of a narrowed refresh', client, sub, scopes: dataOf(subset), accessToken: await accessTokenIn(narrowed) },
    {
      what: 'of a refresh narrowed to another scope',
      ...{ client, sub, scopes: dataOf(other), accessToken: await accessTokenIn(narrowedOtherwise) },
    },
    { what: 'of a refresh', client, sub, scopes: dataOf(login.scopes), accessToken: await accessTokenIn(whole) },
  ]
}

/** That of a refresh narrowed to openid, at which there is nothing but whom it is about, who said it and for whom. */
export async function narrowest({ bank }: Tools): Promise<OtherToken> {
  const { login, least } = await bank.refreshChain()
  const { sub } = await bank.idTokenClaims(login)
  const accessToken = await accessTokenIn(least)
  return { what: 'of a refresh narrowed to openid', client: login.client, sub, scopes: [], accessToken }
}

/** That of response_type token, in the fragment of the callback (AMB-11). */
async function frontChannel({ bank, skip }: Tools): Promise<OtherToken[]> {
  const declared = (await bank.discovery()).declared('response_types_supported') ?? []
  if (!declared.includes('token')) return skip('the bank does not declare response_type token')
  const clientMetadata = {
    client_name: 'Conformance, data by the front channel',
    response_types: ['code', 'token'],
    grant_types: ['authorization_code', 'implicit'],
  }
  const scopes = (await bank.client(clientMetadata)).dataScopes.slice(0, 2)
  const asked = await bank.authorization({
    clientMetadata,
    scope: ['openid', ...scopes].join(' '),
    parameters: { response_type: 'token' },
  })
  const accessToken = parameterOf(asked, 'access_token')
  if (accessToken === null) return skip('response_type token gives no access token (see AUTH-38)')
  // No id_token comes with it; one by a code, at the same client, names the person for it.
  const { sub } = await bank.idTokenClaims(await bank.token({ clientMetadata, scope: ['openid', ...scopes].join(' ') }))
  return [{ what: 'of the front channel', client: asked.client, sub, scopes, accessToken }]
}

/** Those of logins by the session of an earlier one, for fewer scopes and for the same. */
async function bySession({ bank }: Tools): Promise<OtherToken[]> {
  const { bySession: fewer, sameBySession } = await bank.laterLogins()
  return [
    await ofLogin(bank, 'of a login by session for fewer scopes', fewer),
    await ofLogin(bank, 'of a login by session for the same scopes', sameBySession),
  ]
}

/** Those of one person at two clients, of which each asks for scopes of its own. */
async function ofTwoClients({ bank }: Tools): Promise<OtherToken[]> {
  const { earliest, later } = await bank.laterLogins()
  const [first] = (await bank.client()).dataScopes
  const scopes = ['openid', ...(first ? [first] : [])]
  const atFirst = { scopes, login: await bank.token({ scope: scopes.join(' ') }) }
  return [
    await ofLogin(bank, 'of one client', atFirst),
    await ofLogin(bank, 'of another client', earliest),
    await ofLogin(bank, 'of another client for other scopes', later),
  ]
}

async function ofLogin(bank: Bank, what: string, { login, scopes }: AskedLogin): Promise<OtherToken> {
  const { sub } = await bank.idTokenClaims(login)
  return { what, client: login.client, sub, scopes: dataOf(scopes), accessToken: login.accessToken }
}

/** That of a signed document, in another dress of as many as there may be, which is for the scopes that documents need. */
async function ofSigning({ bank }: Tools): Promise<OtherToken[]> {
  const ofMost = dressNow() === 'another dress'
  const signed = await bank.signing.result(ofMost ? { kind: 'documents', count: 10 } : { kind: 'document' })
  const granted = await grantedScopes(signed.response, 'signedScopes')
  // By either name of it (AMB-8).
  const scopes = dataOf(granted).map((scope) => (scope === 'profile.address' ? 'profile.addresses' : scope))
  const { sub } = (await bank.signing.idToken(signed)).claims
  const ask = (endpoint: UserData) => bank.signing.userData(endpoint, signed)
  const { client, accessToken } = signed
  const person = 'full'
  return [{ what: 'of the signing flow', client, person, sub, scopes: [...new Set(scopes)], accessToken, ask }]
}

/** Looks at what each of some tokens gives at endpoints where one of its scopes has claims (else see DATA-8), or which is for openid alone. */
export async function forEach(
  tools: Tools,
  endpoints: readonly UserData[],
  tokens: (tools: Tools) => Promise<OtherToken[]>,
  look: (token: OtherToken, endpoint: UserData) => Promise<void>,
): Promise<void> {
  const pairs = (await tokens(tools)).flatMap((token) =>
    endpoints
      .filter((endpoint) => token.scopes.length === 0 || !mayLeadToNothing(endpoint, token.scopes))
      .map((endpoint) => ({ token, endpoint })),
  )
  if (pairs.length === 0) tools.skip(`the tokens have no scope with claims at ${endpoints.join(' or ')}`)
  for (const { token, endpoint } of pairs)
    await tools.inVariation(`an access token ${token.what} at ${endpoint}`, () => look(token, endpoint))
}

/** How tokens came to be. */
export interface Origin {
  slug: string
  words: string
  place: string
  needs: readonly Need[]
  tokens: (tools: Tools) => Promise<OtherToken[]>
}

/** Tokens that are not the first of a code. */
export const origins: readonly Origin[] = [
  {
    slug: 'refreshed',
    words: 'under a refreshed access token',
    place: 'token=access-of-refresh',
    needs: toLogIn,
    tokens: refreshed,
  },
  {
    slug: 'front-channel',
    words: 'under an access token of the front channel',
    place: 'token=access-of-front-channel',
    needs: [...toLogIn, ...toRegister, 'redirect'],
    tokens: frontChannel,
  },
  {
    slug: 'by-session',
    words: 'under an access token of a login by session',
    place: 'use=session-login',
    needs: [...toLogIn, ...toRegister],
    tokens: bySession,
  },
  {
    slug: 'second-client',
    words: 'under an access token of another client',
    place: 'use=second-client',
    needs: [...toLogIn, ...toRegister],
    tokens: ofTwoClients,
  },
  {
    slug: 'signing',
    words: 'under an access token of the signing flow',
    place: 'token=access-of-signing',
    needs: toSign,
    tokens: ofSigning,
  },
]
