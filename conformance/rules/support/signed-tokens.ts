import { userDataEndpoints } from '../../bank/claims.js'
import type { JwtKind } from '../../bank/jwt-kind.js'
import type { Login } from '../../bank/token.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { heardEvents, heardLogout } from './heard-tokens.js'
import { hasRefreshTokens } from './proof-endpoints.js'

/** A JWT that the bank made, taken out of its encryption. */
export interface SignedToken {
  what: string
  kind: JwtKind
  jwt: string
  response: HttpResponse
}

/** What the bank signs for a login, as far as it came: that something is missing is what other rules are about. */
export async function signedTokens(tools: Tools): Promise<SignedToken[]> {
  const { bank } = tools
  const found = await signedTokensOf(tools, await bank.token())
  if (!(await hasRefreshTokens(tools))) return found
  const { whole: response } = await bank.refreshChain()
  const jwt = response.member('id_token')
  // A bank need not give one on refresh (AMB-67).
  const refreshed = { what: 'the id_token of a refresh', kind: 'id_token' as const, jwt, response }
  return [...found, ...(jwt === undefined ? [] : jwts(tools, [refreshed]))]
}

/** The same of one login, without what a refresh gives. */
export async function signedTokensOf(tools: Tools, login: Login): Promise<SignedToken[]> {
  const { bank } = tools
  const idToken = { what: 'the id_token', kind: 'id_token' as JwtKind, jwt: login.response.member('id_token') }
  const found: Found[] = [{ ...idToken, response: login.response }]
  for (const endpoint of userDataEndpoints) {
    const response = await bank.userData[endpoint].try(login)
    const { content } = await bank.open(endpoint, response, login.client)
    found.push({ what: endpoint, kind: endpoint, jwt: content, response })
  }
  return jwts(tools, found)
}

type Found = Omit<SignedToken, 'jwt'> & { jwt: unknown }

/** What of it is a JWT. */
function jwts({ note }: Tools, found: readonly Found[]): SignedToken[] {
  return found.flatMap(({ what, kind, jwt, response }) => {
    if (typeof jwt === 'string' && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(jwt)) return [{ what, kind, jwt, response }]
    note(`${what} is not a JWT`)
    return []
  })
}

/** The id_token of an authorized object. */
export async function resultTokens({ bank }: Tools): Promise<SignedToken[]> {
  const signed = await bank.signing.result()
  const jwt = await bank.hint(signed)
  return [{ what: 'the id_token of the result', kind: 'id_token', jwt, response: signed.response }]
}

/** The id_token that comes with the callback. @throws Skip where the bank gives none there (AMB-13, AMB-61) */
export async function callbackTokens({ bank, expect }: Tools): Promise<SignedToken[]> {
  const { client, fragment, response } = await bank.hybrid()
  const given = expect(fragment.get('id_token') ?? '', 'id_token of the callback', response).toBeText()
  const jwt = await bank.hint({ client, response }, given)
  return [{ what: 'the id_token of the callback', kind: 'id_token', jwt, response }]
}

/** The logout tokens of a session, and that of the next one as far as it came. @throws StepFailure of the rule about that when one did not come */
export async function logoutTokens({ bank }: Tools): Promise<SignedToken[]> {
  const { clients, second } = await bank.logout()
  const tokens = await Promise.all(clients.map(heardLogout))
  const further = second?.token && second.token.jwt !== '' ? [second.token] : []
  return [...tokens, ...further].map(({ jwt, exchange }) => ({
    what: 'the logout_token',
    kind: 'logout_token',
    jwt,
    response: exchange,
  }))
}

/** The notification tokens of a changed person. @throws StepFailure of the rule about that when one did not come */
export async function notificationTokens({ bank }: Tools): Promise<SignedToken[]> {
  const update = await bank.claimUpdate()
  const { email, nickname, neighbour, sibling } = update
  const listeners = [email, nickname, neighbour, sibling]
  const events = await Promise.all(listeners.map((listener) => heardEvents(update, listener)))
  const tokens = new Set(events.flat().map(({ token }) => token))
  return [...tokens].map(({ jwt, exchange }) => ({
    what: 'the notification_token',
    kind: 'notification_token',
    jwt,
    response: exchange,
  }))
}
