import type { BankContext } from '../context.js'
import { receiverOf } from '../events/receivers.js'
import type { Client } from '../store/clients.js'
import type { OutboxItem } from '../store/outbox.js'
import { endLoginIn, endTokensIn } from '../store/provider-records.js'
import { type LoginSession, sessionByUid } from './patches.js'

/** A client that took part in a session. */
export interface Participant {
  client: Client
  /** The session's name at this client. */
  sid?: string
}

async function participantsOf({ clients }: BankContext, { authorizations = {} }: LoginSession): Promise<Participant[]> {
  const found = Object.entries(authorizations).map(async ([clientId, { sid }]) => {
    const client = await clients.find(clientId)
    return client ? [{ client, ...(sid !== undefined && { sid }) }] : []
  })
  return (await Promise.all(found)).flat()
}

/** OpenID Connect Back-Channel Logout 1.0 section 2.2. */
function logoutOf(
  { subjects, config, policy }: BankContext,
  personId: string,
  { client, sid }: Participant,
): OutboxItem[] {
  const receiver = receiverOf({ config, policy }, 'logout', client)
  if (receiver === undefined) return []
  const sub = subjects.of(client, personId)
  const content = { kind: 'logout' as const, sub, ...(sid !== undefined && { sid }) }
  return [{ receiver, clientId: client.clientId, personId, content }]
}

/** What the participants named have to be told of the end of a session. */
function logoutsOf(
  context: BankContext,
  { accountId }: LoginSession,
  participants: readonly Participant[],
): OutboxItem[] {
  const notified = participants.filter(({ client }) => !context.faults.leavesOut('logout/told', client.clientId))
  return accountId === undefined ? [] : notified.flatMap((participant) => logoutOf(context, accountId, participant))
}

/**
 * Ends a person's session at once: the login, every token of it ("Token kinds", rule 3; AMB-43) and, in the same transaction, what its
 * clients have to be told.
 *
 * @param asking the client that the person comes from, when it is known
 * @returns the clients that took part
 */
export async function endSession(context: BankContext, session: LoginSession, asking?: Client): Promise<Participant[]> {
  const { outbox, policy, faults } = context
  const participants = await participantsOf(context, session)
  const notified = participants.filter(
    ({ client }) => client.clientId === asking?.clientId || !faults.leavesOut('logout/others-told', client.clientId),
  )
  await outbox.with(async (db) => {
    if (!faults.leavesOut('logout/session')) await endLoginIn(db, session.jti)
    if (!faults.leavesOut('logout/tokens')) {
      await endTokensIn(db, session.uid, policy.logoutRevokes === 'online-tokens' ? 'online' : 'all')
    }
    return logoutsOf(context, session, notified)
  })
  return participants
}

/**
 * Ends the login of a session whose refresh token a client revoked (AMB-44), and tells the other clients that took part.
 * Their tokens rest on authorizations of their own, and stay.
 */
export async function endLogin(context: BankContext, session: LoginSession, revoking: Client): Promise<void> {
  const participants = await participantsOf(context, session)
  const others = participants.filter(({ client }) => client.clientId !== revoking.clientId)
  await context.outbox.with(async (db) => {
    await endLoginIn(db, session.jti)
    return logoutsOf(context, session, others)
  })
}

/**
 * Ends a session that came to be a security risk: the login, every token of it whatever AMB-43 says of a logout, and tells the
 * clients that took part.
 *
 * @param uid of the session, whose login may have ended before
 */
export async function endForSecurity(context: BankContext, uid: string): Promise<void> {
  const session = await sessionByUid(context.provider, uid)
  const participants = session ? await participantsOf(context, session) : []
  await context.outbox.with(async (db) => {
    if (session) await endLoginIn(db, session.jti)
    await endTokensIn(db, uid, 'all')
    return session ? logoutsOf(context, session, participants) : []
  })
}
