import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { receiverOf } from '../receivers.js'
import { runSteps, type Step } from '../steps.js'
import type { Database } from '../store/database.js'
import type { OutboxItem } from '../store/outbox.js'
import { endLoginIn, endTokensIn } from '../store/provider-records.js'
import { type LoginSession, sessionByUid } from './patches.js'

/** A client that took part in a session. */
export interface Participant {
  client: Client
  /** The session's name at this client. */
  sid?: string
}

/** What the end of a session has to do with. */
type SessionContext = Pick<BankContext, 'clients' | 'subjects' | 'config' | 'policy' | 'seams' | 'outbox'>

async function participantsOf(
  { clients }: Pick<BankContext, 'clients'>,
  { authorizations = {} }: LoginSession,
): Promise<Participant[]> {
  const found = Object.entries(authorizations).map(async ([clientId, { sid }]) => {
    const client = await clients.find(clientId)
    return client ? [{ client, ...(sid !== undefined && { sid }) }] : []
  })
  return (await Promise.all(found)).flat()
}

/** OpenID Connect Back-Channel Logout 1.0 section 2.2. */
function logoutOf(
  { subjects, config, policy }: Pick<BankContext, 'config' | 'policy' | 'subjects'>,
  personId: string,
  { client, sid }: Participant,
): OutboxItem[] {
  const receiver = receiverOf({ config, policy }, 'logout', client)
  if (receiver === undefined) return []
  const sub = subjects.of(client, personId)
  const content = { kind: 'logout' as const, sub, ...(sid !== undefined && { sid }) }
  return [{ receiver, clientId: client.clientId, personId, content }]
}

/** The end of a session while it is under way, in the transaction `db`. */
interface SessionEnd {
  db: Database
  session: LoginSession
  /** Which of its tokens end. */
  tokens: 'all' | 'online'
}

/** The steps of a logout. */
const sessionEndSteps: readonly Step<SessionEnd>[] = [
  { id: 'logout/session', run: ({ db, session }) => endLoginIn(db, session.jti) },
  { id: 'logout/tokens', run: ({ db, session, tokens }) => endTokensIn(db, session.uid, tokens) },
]

/** What one participant has to be told of the end of a session. */
interface Notice {
  logout: readonly OutboxItem[]
  /** Whether it is told. */
  wanted: boolean
  items: readonly OutboxItem[]
}

const tellOthers: Step<Notice> = {
  id: 'logout/others-told',
  run(notice) {
    notice.wanted = true
  },
}

const tell: Step<Notice> = {
  id: 'logout/told',
  run(notice) {
    if (notice.wanted) notice.items = notice.logout
  },
}

/**
 * What participants have to be told of the end of a session.
 *
 * @param isWanted whether a participant is told whatever `steps` say of the others
 */
async function logoutsOf(
  context: SessionContext,
  { accountId }: LoginSession,
  participants: readonly Participant[],
  steps: readonly Step<Notice>[] = [tell],
  isWanted: (clientId: string) => boolean = () => true,
): Promise<OutboxItem[]> {
  if (accountId === undefined) return []
  const items = participants.map(async (participant) => {
    const { clientId } = participant.client
    const logout = logoutOf(context, accountId, participant)
    const notice: Notice = { logout, wanted: isWanted(clientId), items: [] }
    await runSteps(steps, notice, context.seams, clientId)
    return notice.items
  })
  return [...context.seams.notices((await Promise.all(items)).flat())]
}

/**
 * Ends a person's session at once: the login, every token of it ("Token kinds", rule 3; AMB-43) and, in the same transaction, what its
 * clients have to be told.
 *
 * @param asking the client that the person comes from, when it is known
 * @returns the clients that took part
 */
export async function endSession(
  context: SessionContext,
  session: LoginSession,
  asking?: Client,
): Promise<Participant[]> {
  const { outbox, policy, seams } = context
  const participants = await participantsOf(context, session)
  const tokens = policy.logoutRevokes === 'online-tokens' ? 'online' : 'all'
  await outbox.with(async (db) => {
    await runSteps(sessionEndSteps, { db, session, tokens }, seams)
    return logoutsOf(context, session, participants, [tellOthers, tell], (clientId) => clientId === asking?.clientId)
  })
  return participants
}

/**
 * Ends the login of a session whose refresh token a client revoked (AMB-44), and tells the other clients that took part.
 * Their tokens rest on authorizations of their own, and stay.
 */
export async function endLogin(context: SessionContext, session: LoginSession, revoking: Client): Promise<void> {
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
export async function endForSecurity(
  context: SessionContext & Pick<BankContext, 'provider'>,
  uid: string,
): Promise<void> {
  const session = await sessionByUid(context.provider, uid)
  const participants = session ? await participantsOf(context, session) : []
  await context.outbox.with(async (db) => {
    if (session) await endLoginIn(db, session.jti)
    await endTokensIn(db, uid, 'all')
    return session ? logoutsOf(context, session, participants) : []
  })
}
