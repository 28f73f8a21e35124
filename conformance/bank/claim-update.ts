import { setTimeout } from 'node:timers/promises'
import type { HttpResponse } from '../http/http.js'
import { personOf } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import { isObject, type UserData } from './claims.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { type EventToken, eventAddress, heardTokens, hearToken, type Recipient, refuseOnce } from './event-token.js'
import { client } from './registration.js'
import { knownSubjects } from './subjects.js'
import { type Login, token } from './token.js'
import { userData } from './user-data.js'

/** By registering it a client asks for notifications ("Events" 1). */
export const notificationScope = 'notification.claims_updated'

/** Kind of the person whose data are changed; nobody else in a run looks at them. */
export const changedPerson = 'changing'

/** How long is waited for what should not come once what should has, in milliseconds. */
const quietPeriodMs = 500

/** A client at which the person logged in before the change. */
export interface Listener {
  recipient: Recipient
  login: Login
  /** What it knows the person by. */
  subjects: readonly unknown[]
  /** The claims among those changed that its scopes reach: the ones approved, and others that the bank says it granted. */
  claims: readonly string[]
}

/** A change of a person's e-mail address and nickname, and what was heard of it. */
export interface ClaimUpdate {
  /** E-mail approved: hears of that alone. */
  email: Listener
  /** In another sector, name approved: hears of the nickname alone. */
  nickname: Listener
  /** Everything approved, but the scope of notifications not registered. */
  notRegistered: Listener
  /** Everything registered, but the scope of notifications neither requested nor approved (AMB-66). */
  notApproved: Listener
  /** All tokens for any of them. */
  tokens: readonly EventToken[]
  /** What was known before, and what was put in its place; null: what is no longer known. */
  before: Record<string, unknown>
  changed: Record<string, unknown>
  /** The answers to `notApproved`, whose scopes reach all of it, after the change and once everything was as before again. */
  data: Readonly<Record<UserData, { changed: HttpResponse; restored: HttpResponse }>>
  /** When the change was made, in milliseconds since the epoch by the bank's clock. */
  at: number
}

/** Registers a client and logs the person in there. */
async function listener(
  conversation: Conversation,
  host: string,
  registered: string,
  approved: string,
): Promise<Listener> {
  const uri = eventAddress(conversation)
  const clientMetadata: Metadata = {
    redirect_uris: [`https://${host}.notification.example/callback`],
    notification_uri: uri,
    scope: registered,
  }
  const login = await token.fresh(conversation, { clientMetadata, scope: approved, person: changedPerson })
  const { clientId } = await client(conversation, clientMetadata)
  return {
    recipient: { clientId, uri },
    login,
    subjects: await knownSubjects(conversation, login),
    claims: reachedBy(approved, login),
  }
}

/** The claims that are changed, by the scope that leads to each. */
const changedClaims: Record<string, string> = { 'profile.email': 'email', 'profile.name': 'nickname' }

function reachedBy(approved: string, { response }: Login): string[] {
  const scopes = `${approved} ${response.member('scope') ?? ''}`.split(' ')
  return Object.entries(changedClaims).flatMap(([scope, claim]) => (scopes.includes(scope) ? [claim] : []))
}

/** Has the bank's control door change a person, and waits for what clients hear of it, once in a run. */
export function claimUpdate(conversation: Conversation): Promise<ClaimUpdate> {
  return conversation.shared('claim update', async (own) => {
    await discover(own)
    const data = 'openid profile.name profile.email'
    const all = `${data} ${notificationScope}`
    const email = await listener(own, 'one', all, `openid profile.email ${notificationScope}`)
    const nickname = await listener(own, 'two', all, `openid profile.name ${notificationScope}`)
    const notRegistered = await listener(own, 'one', data, data)
    const notApproved = await listener(own, 'two', all, data)

    const before = await people(own, 'GET')
    const word = own.name()
    const at = own.run.service.clock() * 1000
    const changed = { email: `${word.toLowerCase()}@conformance.example`, nickname: word }
    await people(own, 'POST', changed)
    const look = async () => ({
      userinfo: await userData.userinfo.try(own, notApproved.login),
      profile: await userData.profile.try(own, notApproved.login),
    })
    const afterwards = await look()
    const listeners = [email, nickname, notRegistered, notApproved]
    await Promise.all([email, nickname].map(({ recipient }) => hearToken(own, 'notification_token', recipient)))
    await setTimeout(quietPeriodMs)
    const recipients = listeners.map(({ recipient }) => recipient)
    const tokens = heardTokens(own, 'notification_token', recipients)
    await people(own, 'POST', { email: before.email ?? null, nickname: before.nickname ?? null })
    const again = await look()
    const seen = {
      userinfo: { changed: afterwards.userinfo, restored: again.userinfo },
      profile: { changed: afterwards.profile, restored: again.profile },
    }
    return { email, nickname, notRegistered, notApproved, tokens, before, changed, data: seen, at }
  })
}

/** A notification that was answered with 503. */
export interface Redelivery {
  listener: Listener
  refused: EventToken | undefined
  /** The token that carried the same event afterwards, when one came in time. */
  again: EventToken | undefined
}

/** Changes the person once more, and has the service be unavailable for the notification of it. */
export async function refuseNotification(conversation: Conversation): Promise<Redelivery> {
  const { email: listener } = await claimUpdate(conversation)
  const before = await people(conversation, 'GET')
  const email = `${conversation.name().toLowerCase()}@conformance.example`
  const cause = () => people(conversation, 'POST', { email })
  const { refused, again } = await refuseOnce(conversation, 'notification_token', listener.recipient, cause, sameEvent)
  await people(conversation, 'POST', { email: before.email ?? null })
  return { listener, refused, again }
}

/** Whether two notification tokens tell of one change: an event of both has the same time and the same person. */
function sameEvent(one: EventToken['payload'], other: EventToken['payload']): boolean {
  const changes = ({ events }: EventToken['payload']) =>
    (Array.isArray(events) ? events.filter(isObject) : []).map((event) => `${event.original_event_at} ${event.sub}`)
  const known = changes(one)
  return changes(other).some((change) => known.includes(change))
}

/** The person at the control door: reads their claims, or changes them. */
async function people(
  conversation: Conversation,
  method: 'GET' | 'POST',
  claims?: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { target } = conversation.run
  const person = personOf(target.people, changedPerson)
  if (!target.control || !person) throw new Error('a rule that changes a person has to need trigger and the person')
  const url = `${target.control.url}/people/${encodeURIComponent(person.login)}`
  const response = await conversation.send({
    method,
    url,
    headers: { authorization: `Bearer ${target.control.token}`, 'content-type': 'application/json' },
    ...(claims && { body: JSON.stringify({ claims }) }),
  })
  const known = response.member('claims')
  if (response.status < 300 && typeof known === 'object' && known !== null) return known as Record<string, unknown>
  throw new TargetError([`control.url: ${method} ${url} gives no claims (status ${response.status})`])
}
