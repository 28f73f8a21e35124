import type { Person } from '../../fixtures/people.js'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Provider } from './library.js'
import { endGrant, sessionByUid } from './patches.js'
import { endLogin } from './sessions.js'

/** A live token, with whom it was issued to and whom it speaks for. */
export interface LiveToken {
  kind: 'access_token' | 'refresh_token'
  client: Client
  person: Person
  scopes: string[]
  /** The person's sub at this client. */
  subject: string
  /** The authorization that it rests on. */
  grantId: string
  /** Thumbprint of the client certificate that it is bound to, in the signing flow (RFC 8705 section 3; AMB-65). */
  certificate?: string
  /** Seconds since the epoch. */
  issuedAt: number
  expiresAt: number
  /** Ends the token, and with a refresh token the session (AMB-44): all that was issued under it, and the login at the bank. */
  revoke(): Promise<void>
}

type Found = InstanceType<Provider['AccessToken']> | InstanceType<Provider['RefreshToken']>

/** The models of oidc-provider by what they are called on the wire. */
const models = {
  access_token: ({ AccessToken }: Provider): { find(value: string): Promise<Found | undefined> } => AccessToken,
  refresh_token: ({ RefreshToken }: Provider): { find(value: string): Promise<Found | undefined> } => RefreshToken,
}

/**
 * Looks a token up by its value.
 *
 * @param kinds where to look; a hint of the caller never decides (AMB-5)
 * @returns undefined when it is unknown, expired or revoked, or what it rests on is gone
 */
export async function findToken(
  context: Pick<
    BankContext,
    'clients' | 'config' | 'outbox' | 'people' | 'policy' | 'provider' | 'seams' | 'signingRequests' | 'subjects'
  >,
  value: string,
  kinds: readonly LiveToken['kind'][] = ['access_token', 'refresh_token'],
): Promise<LiveToken | undefined> {
  const { provider, clients, people, subjects, signingRequests } = context
  for (const kind of kinds) {
    const token: Found | undefined = await models[kind](provider).find(value)
    if (!token?.isValid || !token.clientId) continue
    const grant = provider.Grant.find(String(token.grantId))
    const [client, person] = [await clients.find(token.clientId), people.byId(token.accountId)]
    if (!client || !person || !(await grant)) continue
    const bound = await signingRequests.ofGrant(String(token.grantId))
    return {
      kind,
      client,
      person: people.nextLogins.toldBy(String(token.grantId), person),
      scopes: parseSpaceDelimited(token.scope),
      subject: subjects.of(client, person.id),
      grantId: String(token.grantId),
      ...(bound?.certificate !== undefined && { certificate: bound.certificate }),
      issuedAt: Number(token.iat),
      expiresAt: Number(token.exp),
      revoke: () => (kind === 'access_token' ? token.destroy() : endAuthorization(context, token, client)),
    }
  }
  return undefined
}

/** Ends a refresh token with all that was issued under it, and the login that it came of. */
async function endAuthorization(
  context: Pick<BankContext, 'clients' | 'config' | 'outbox' | 'policy' | 'provider' | 'seams' | 'subjects'>,
  token: Found,
  client: Client,
): Promise<void> {
  const { provider, policy } = context
  const grantId = String(token.grantId)
  await token.destroy()
  await endGrant(provider, grantId)
  if (policy.revocationEnds === 'grant-only') return
  const session = token.sessionUid && (await sessionByUid(provider, token.sessionUid))
  if (session) await endLogin(context, session, client)
}
