import type { Browser } from '../end-user/end-user.js'
import type { HttpResponse } from '../http/http.js'
import { missing } from '../target/needs.js'
import { personOf } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import { authorizeIn, complete, type LoginOptions } from './authorization.js'
import { changedClaims, changesOf, namesOf } from './claim-changes.js'
import { dataScopes, isObject, scopesTo, type UserData } from './claims.js'
import { declaredDataScopes, type Metadata } from './client-metadata.js'
import { consentBoxes } from './consent-box.js'
import type { Conversation, Run } from './conversation.js'
import { discover } from './discovery.js'
import { dressing } from './dressing.js'
import {
  type EventToken,
  eventAddress,
  hearAll,
  heardTokens,
  hearFurther,
  hearToken,
  type InTime,
  inTime,
  type Recipient,
  refuseOnce,
} from './event-token.js'
import { inTurn } from './in-turn.js'
import { claimsIn, type EventMembers, eventsIn, namesClient } from './notification-events.js'
import { publicSubjects } from './public-subjects.js'
import { refresh } from './refresh.js'
import { asOwn, client, hasRegistered, type OwnClient, registration } from './registration.js'
import { manage, replacement, replaceRecord } from './registration-management.js'
import { sectorDocument } from './sector-document.js'
import { inStep, unlessStopped } from './steps.js'
import { knownSubjects } from './subjects.js'
import { type Login, token } from './token.js'
import { userData } from './user-data.js'

/** By registering it a client asks for notifications ("Events" 1). */
export const notificationScope = 'notification.claims_updated'

/** Kind of the person whose data are changed; nobody else in a run looks at them. */
export const changedPerson = 'changing'

/** Kind of another such person, of whom one client hears that hears of the first as well. */
export const otherChangedPerson = 'second-changing'

/** Of the changed claims those of which one client alone hears. */
const furtherScopes = [
  ...['titles', 'gender', 'idcards', 'paymentAccounts', 'maritalstatus', 'zoneinfo', 'locale', 'legalstatus'],
].map((name) => `profile.${name}`)

/** How long is waited for what should not come once what should has, in milliseconds. */
export const quietPeriodMs = 500

/** A client at which the person logged in before the change. */
export interface Listener {
  recipient: Recipient
  /** The record of the client, and what was asked for there. */
  asked: { clientMetadata: Metadata; approved: string }
  login: Login
  /** What it knows the person by. */
  subjects: readonly unknown[]
  /** The scopes approved, and others that the bank says it granted. */
  scopes: readonly string[]
  /** The claims among those changed that its scopes reach. */
  claims: readonly string[]
}

/** A client that no event has to name. */
export interface Stranger {
  what: string
  recipient: Recipient
}

/** A client that was told before its address was changed, and what came when the change was taken back. */
export interface Readdressed {
  recipient: Recipient
  /** What came to that address. */
  token: EventToken | undefined
  /** What came of the same to the one before. */
  atFormer: readonly EventToken[]
}

/** A change of a person, and what was heard of it. */
export interface ClaimUpdate {
  /** E-mail and telephone approved: hears of these alone. */
  email: Listener
  /** In another sector, name, addresses, nationality and the further scopes approved, and birthdate asked for and refused: hears of the first alone. */
  nickname: Listener
  /**
   * In the sector of its sector_identifier_uri, at the address of the first, with the same approved: hears of the same, of a person with
   * another sub.
   */
  neighbour: Listener
  /** Of public subjects, at the address of the first, with the same approved; none where the bank does not declare them. */
  ofPublic: readonly Listener[]
  /** In the sector of the first, where the person has the same sub, at an address that it has since a PUT: e-mail and birthdate approved. */
  sibling: Listener
  /** Everything approved, but the scope of notifications not registered. */
  notRegistered: Listener
  /** All data registered and approved, but the scope of notifications neither requested nor approved (AMB-66). */
  notApproved: Listener
  /** What has asked for notifications and has no part in this one. */
  strangers: readonly Stranger[]
  /** Clients that events name at which, in this run, that person was never logged in. */
  unknowing: readonly string[]
  /** All tokens for any of them. */
  tokens: readonly EventToken[]
  /** What was known before, and what was put in its place; null: what is no longer known. */
  before: Record<string, unknown>
  changed: Record<string, unknown>
  /** The claims that are others than before: those changed, and what follows from them. */
  names: readonly string[]
  /** The answers to `notApproved`, whose scopes reach all data, after the change and once everything was as before again. */
  data: Readonly<Record<UserData, { changed: HttpResponse; restored: HttpResponse }>>
  /** The answers to it after the change with the access token of a refresh then; none where it has no refresh token. */
  refreshed: Readonly<Partial<Record<UserData, HttpResponse>>>
  /** From before the first client that hears of it to after the last: what they hear of was made and told then. Seconds of the bank's clock. */
  during: { from: number; to: number }
  /** A login at `notApproved` between the change and that, in the browser of the one before, and what it knows the person by. */
  loggedInLater?: Pick<Listener, 'login' | 'subjects'>
  /** What the first client heard when the change was taken back. */
  later: EventToken | undefined
  /** The `sibling` where a PUT gave it another address once it had heard of the change; none in another dress, and where the bank took no PUT. */
  readdressed?: Readdressed
  /** In which time each of it had to come. */
  inTime: InTime
}

/** The record of a client that asks for notifications, or not; on a host of its own. */
function hearing(host: string, uri: string, registered: string): Metadata {
  return {
    redirect_uris: [`https://${host}.notification.example/callback`],
    notification_uri: uri,
    scope: registered,
  }
}

/** Logs a person in, in a browser that they use again. */
async function loginIn(own: Conversation, options: LoginOptions, browser: Browser): Promise<Login> {
  const authorization = await inStep('authorization', async () =>
    authorizeIn(own, await complete(own, options), browser),
  )
  return token.fresh(own, { authorization })
}

/**
 * Registers a client and logs the person in there.
 * @param refused scopes that are asked for, and that the person does not approve
 * @param browser in which; a new one when left out
 */
async function listener(
  conversation: Conversation,
  clientMetadata: Metadata,
  approved: string,
  person = changedPerson,
  refused: readonly string[] = [],
  browser = conversation.run.endUser.open(),
): Promise<Listener> {
  const scope = [approved, ...refused].join(' ')
  const login = await loginIn(conversation, { clientMetadata, scope, person, denyScopes: refused }, browser)
  const { clientId } = await client(conversation, clientMetadata)
  if (person === changedPerson) knowing(conversation).add(clientId)
  const scopes = `${approved} ${login.response.member('scope') ?? ''}`.split(' ')
  return {
    recipient: { clientId, uri: String(clientMetadata.notification_uri ?? '') },
    asked: { clientMetadata, approved },
    login,
    subjects: await knownSubjects(conversation, login),
    scopes,
    claims: Object.entries(changedClaims).flatMap(([scope, claims]) => (scopes.includes(scope) ? claims : [])),
  }
}

/** A listener at which the person is asked for one scope more and does not approve it, where the target file tells how, and no box stands for both. */
async function refusing(own: Conversation, metadata: Metadata, approved: string, refused: string): Promise<Listener> {
  const declared = declaredDataScopes(await discover(own))
  const [beside] = consentBoxes(own, [refused, ...approved.split(' ')])
  const isAlone = beside?.length === 1
  const isPossible = isAlone && declared.includes(refused) && missing('deny-scopes', own.run.target) === undefined
  const [partly] = isPossible ? await unlessStopped(listener(own, metadata, approved, changedPerson, [refused])) : []
  return partly ?? listener(own, metadata, approved)
}

/** A listener whose client has another notification_uri since the login, by PUT; where the bank takes no PUT, the one it registered. */
async function moved(
  own: Conversation,
  metadata: Metadata,
  listen: (metadata: Metadata) => Promise<Listener>,
): Promise<Listener> {
  const before = await listen(metadata)
  // With a query, which is part of the address (RFC 3986 section 3.4).
  return { ...before, recipient: (await readdressed(own, before, `${eventAddress(own)}?of=moved`)) ?? before.recipient }
}

/** Puts another notification_uri in the record of a listener's client. @returns undefined where the bank takes no PUT */
async function readdressed(
  own: Conversation,
  { asked, recipient }: Pick<Listener, 'asked' | 'recipient'>,
  uri: string,
): Promise<Recipient | undefined> {
  const registered = await asOwn(await registration(own, asked.clientMetadata))
  const put = replaceRecord(own, registered, replacement(registered, { notification_uri: uri }))
  const [taken] = await unlessStopped(put.then(() => ({ ...recipient, uri })))
  return taken
}

/** A listener of public subjects, where the bank declares them; no rule looks at it that is done in another dress. */
async function hearingPublic(own: Conversation, metadata: Metadata, approved: string): Promise<readonly Listener[]> {
  const ofPublic = await publicSubjects(own)
  if (!ofPublic || dressing() !== undefined) return []
  return unlessStopped(listener(own, { ...metadata, ...ofPublic }, approved))
}

/** What is answered with the access token of a refresh; no rule looks at it that is done in another dress. */
async function refreshedData(own: Conversation, login: Login, scope: string): Promise<ClaimUpdate['refreshed']> {
  const { client: of, response } = login
  const refreshToken = response.member('refresh_token')
  if (typeof refreshToken !== 'string' || dressing() !== undefined) return {}
  const again = await refresh.try(own, { login: { client: of, refreshToken }, form: { scope } })
  const accessToken = again.member('access_token')
  if (typeof accessToken !== 'string') return {}
  const token = { client: of, accessToken }
  return { userinfo: await userData.userinfo.try(own, token), profile: await userData.profile.try(own, token) }
}

/** The clients that have asked for notifications, and are not to be named. @param all the scopes they register */
async function strangersTo(own: Conversation, all: string): Promise<Stranger[]> {
  const opted = (host: string) => hearing(host, eventAddress(own), all)
  const loggedIn = async (what: string, clientMetadata: Metadata, change?: (client: OwnClient) => Promise<unknown>) => {
    const { recipient } = await listener(own, clientMetadata, all)
    await change?.(await asOwn(await registration(own, clientMetadata)))
    return { what, recipient }
  }
  const withoutAddress = { ...opted('three'), notification_uri: undefined }
  const withoutScope = all.replace(` ${notificationScope}`, '')
  const uninvolved = opted('six')
  const { clientId } = await client(own, uninvolved)
  return [
    {
      what: 'a client at which the person never logged in',
      recipient: { clientId, uri: String(uninvolved.notification_uri) },
    },
    ...(await unlessStopped(loggedIn('a client without notification_uri', withoutAddress))),
    ...(await unlessStopped(
      loggedIn('a client that dropped the scope of notifications', opted('four'), (dropping) =>
        replaceRecord(own, dropping, replacement(dropping, { scope: withoutScope })),
      ),
    )),
    ...(await unlessStopped(
      loggedIn('a client that dropped its notification_uri', opted('eight'), (dropping) =>
        replaceRecord(own, dropping, replacement(dropping, { notification_uri: undefined })),
      ),
    )),
    ...(await unlessStopped(
      loggedIn('a client that was deleted', opted('five'), (deleting) => manage(own, 'DELETE', deleting)),
    )),
  ]
}

/** The clients at which the person who is changed was logged in, in each run. */
const clientsOfChanged = new WeakMap<Run, Set<string>>()

function knowing({ run }: Conversation): Set<string> {
  const known = clientsOfChanged.get(run) ?? new Set()
  clientsOfChanged.set(run, known)
  return known
}

/** Clients registered in this run that tokens name, and at which the person was not logged in: nobody knows of others who was. */
function unknowing(own: Conversation, tokens: readonly EventToken[]): string[] {
  const named = tokens
    .flatMap(({ payload }) => eventsIn(payload))
    .flatMap(({ affected_client_ids: ids }) => [ids].flat())
    .filter((id) => typeof id === 'string')
  return [...new Set(named)].filter((id) => hasRegistered(own, id) && !knowing(own).has(id))
}

/** Whether what a client heard, if anything names it, names every claim that it is to hear of: a bank may send a token for each. */
function isWhole(
  { recipient, claims }: Listener,
  changed: readonly string[],
  payloads: readonly EventToken['payload'][],
): boolean {
  const events = payloads.flatMap(eventsIn).filter((event) => namesClient(event, recipient.clientId))
  const told = claimsIn(events)
  return events.length === 0 || claims.every((claim) => !changed.includes(claim) || told.includes(claim))
}

/** Has the bank's control door change a person, once nobody else does (what is heard of one change is not to be taken for another's), and waits for what clients hear of it, once in a run. */
export function claimUpdate(conversation: Conversation): Promise<ClaimUpdate> {
  return conversation.shared('claim update', (own) => inTurn(own.run, () => update(own)))
}

async function update(own: Conversation): Promise<ClaimUpdate> {
  const declared = declaredDataScopes(await discover(own))
  const ofData = (...scopes: string[]) => ['openid', ...scopes.filter((scope) => declared.includes(scope))].join(' ')
  const data = ofData(...Object.keys(changedClaims))
  const all = `${data} ${notificationScope}`
  const shared = eventAddress(own)
  const from = own.run.service.clock()
  const email = await listener(
    own,
    hearing('one', shared, all),
    `${ofData('profile.email', 'profile.phonenumber')} ${notificationScope}`,
  )
  const further = ofData('profile.name', 'profile.addresses', 'profile.birthplaceNationality', ...furtherScopes)
  const nickname = await refusing(
    own,
    hearing('two', eventAddress(own), all),
    `${further} ${notificationScope}`,
    'profile.birthdate',
  )
  const atSector = hearing('seven', shared, all)
  const neighbour = await listener(
    own,
    { ...atSector, sector_identifier_uri: await sectorDocument(own, atSector.redirect_uris) },
    `${ofData('profile.email', 'profile.phonenumber')} ${notificationScope}`,
  )
  const ofPublic = await hearingPublic(own, hearing('nine', shared, all), email.asked.approved)
  const sibling = await moved(own, hearing('one', eventAddress(own), all), (metadata) =>
    listener(own, metadata, `${ofData('profile.email', 'profile.birthdate')} ${notificationScope}`),
  )
  const notRegistered = await listener(own, hearing('one', eventAddress(own), data), data)
  const whole = ofData(...dataScopes)
  const browser = own.run.endUser.open()
  const offline = (await discover(own)).declared('grant_types_supported')?.includes('refresh_token') === true
  const lasting = offline ? `${whole} offline_access` : whole
  const everything = hearing('two', eventAddress(own), `${lasting} ${notificationScope}`)
  const notApproved = await listener(own, everything, lasting, changedPerson, [], browser)
  const strangers = await strangersTo(own, all)

  const look = async () => ({
    userinfo: await userData.userinfo.try(own, notApproved.login),
    profile: await userData.profile.try(own, notApproved.login),
  })
  // So that a bank shows which goes on with what it once gave.
  await look()
  const before = await people(own, 'GET')
  const changed = changesOf(before, own.name())
  const known = await people(own, 'POST', changed)
  const afterwards = await look()
  const refreshed = await refreshedData(own, notApproved.login, whole)
  const told = [email, nickname, neighbour, ...ofPublic, sibling]
  await Promise.all(
    told.map(({ recipient }) =>
      hearToken(
        own,
        'notification_token',
        recipient,
        told.map((one) => one.recipient).filter((one) => one !== recipient),
      ),
    ),
  )
  const names = namesOf(before, { ...known, ...changed })
  await hearAll(
    own,
    'notification_token',
    told.map(({ recipient }) => recipient),
    (payloads) => told.every((one) => isWhole(one, names, payloads)),
  )
  await own.run.service.wait(quietPeriodMs)
  const recipients = [...told, notRegistered, notApproved, ...strangers].map(({ recipient }) => recipient)
  const tokens = heardTokens(own, 'notification_token', recipients)
  const to = own.run.service.clock()
  // No rule looks at it that is done in another dress.
  const asked = { clientMetadata: everything, scope: whole, person: changedPerson }
  const [laterLogin] = dressing() === undefined ? await unlessStopped(loginIn(own, asked, browser)) : []
  const knownLater = laterLogin && (await knownSubjects(own, laterLogin))
  // No rule looks at it that is done in another dress.
  const elsewhere = dressing() === undefined ? await readdressed(own, sibling, eventAddress(own)) : undefined
  await people(own, 'POST', Object.fromEntries(Object.keys(changed).map((name) => [name, before[name] ?? null])))
  const again = await look()
  const hearOf = ({ recipient }: Pick<Listener, 'recipient'>, ...neighbours: Listener[]) =>
    hearFurther(
      own,
      'notification_token',
      recipient,
      tokens,
      neighbours.map((one) => one.recipient),
    )
  // That of the e-mail address as well, so that what comes next to its client comes of the next change.
  const [later, heardElsewhere] = await Promise.all([
    hearOf(nickname),
    elsewhere && hearOf({ recipient: elsewhere }),
    hearOf(email, neighbour, ...ofPublic),
  ])
  if (heardElsewhere) await own.run.service.wait(quietPeriodMs)
  const atFormer = heardTokens(own, 'notification_token', [sibling.recipient]).filter(
    ({ url, payload }) => heardElsewhere && url === sibling.recipient.uri && sameEvent(heardElsewhere.payload, payload),
  )
  return {
    email,
    nickname,
    neighbour,
    ofPublic,
    sibling,
    notRegistered,
    notApproved,
    strangers,
    unknowing: unknowing(own, tokens),
    tokens,
    before,
    changed,
    names,
    data: {
      userinfo: { changed: afterwards.userinfo, restored: again.userinfo },
      profile: { changed: afterwards.profile, restored: again.profile },
    },
    refreshed,
    during: { from, to },
    ...(laterLogin && knownLater && { loggedInLater: { login: laterLogin, subjects: knownLater } }),
    later,
    ...(elsewhere && { readdressed: { recipient: elsewhere, token: heardElsewhere, atFormer } }),
    inTime: inTime(own),
  }
}

/** A change of another person, and what the client of the e-mail address heard of it. */
export interface OtherUpdate {
  /** What the client knows that person by. */
  listener: Listener
  /** The events that name the client, and that person or no claim of which it heard for the first one. */
  heard: readonly { token: EventToken; members: EventMembers }[]
  inTime: InTime
}

/** The claim that is changed of the other person: none of those of the first. */
export const otherClaim = 'phone_number_verified'

/** What the first person approved at the client, and the other is not asked for: their e-mail address is changed as well. */
const notOfOther = 'profile.email'

/**
 * Has a claim of another person be changed of whom the client of the e-mail address knows as well, and puts it back, once in a run. What is
 * changed beside it is of no scope that this person approved.
 * @returns undefined where no scope of the client leads to that claim, or the bank does not know of them whether their telephone is verified
 */
export async function otherUpdate(conversation: Conversation): Promise<OtherUpdate | undefined> {
  const { email, names } = await claimUpdate(conversation)
  const approved = email.asked.approved.split(' ').filter((scope) => scope !== notOfOther)
  // A bank may declare fewer scopes (AMB-35).
  if (!scopesTo(otherClaim).some((scope) => approved.includes(scope))) return undefined
  return conversation.shared('claim update of another', (own) =>
    inTurn(own.run, async () => {
      const before = await people(own, 'GET', undefined, otherChangedPerson)
      const verified = before[otherClaim]
      if (typeof verified !== 'boolean') return undefined
      const { clientMetadata } = email.asked
      const other = await listener(own, clientMetadata, approved.join(' '), otherChangedPerson)
      const subjects = other.subjects.filter((one) => !email.subjects.includes(one))
      const isOther = (event: EventMembers) =>
        namesClient(event, email.recipient.clientId) &&
        (subjects.includes(event.sub) || !claimsIn([event]).some((one) => isOfFirst(one, names)))
      const address = typeof before.email === 'string' && { email: `${own.name().toLowerCase()}@conformance.example` }
      await people(own, 'POST', { [otherClaim]: !verified, ...address }, otherChangedPerson)
      await hearAll(own, 'notification_token', [email.recipient], (payloads) =>
        payloads.flatMap(eventsIn).some(isOther),
      )
      const tokens = heardTokens(own, 'notification_token', [email.recipient])
      const restored = { [otherClaim]: verified, ...(address && { email: before.email }) }
      await people(own, 'POST', restored, otherChangedPerson)
      await hearFurther(own, 'notification_token', email.recipient, tokens)
      const events = tokens.flatMap((token) => eventsIn(token.payload).map((members) => ({ token, members })))
      return { listener: other, heard: events.filter(({ members }) => isOther(members)), inTime: inTime(own) }
    }),
  )
}

/** Whether a claim is one that was changed of the first person alone: updated_at changes with each other. */
const isOfFirst = (claim: string, names: readonly string[]) => claim !== 'updated_at' && names.includes(claim)

/** A notification that was answered with 503. */
export interface Redelivery {
  listener: Listener
  refused: EventToken | undefined
  /** The token that carried the same event afterwards, when one came in time. */
  again: EventToken | undefined
  /** In which time each of both had to come. */
  inTime: InTime
}

/** Changes one claim of the person once more, and has the service be unavailable for the notification of it, once in a run. */
export async function refuseNotification(conversation: Conversation): Promise<Redelivery> {
  const { email: listener } = await claimUpdate(conversation)
  return conversation.shared('refused notification', (own) =>
    inTurn(own.run, async () => {
      const before = await people(own, 'GET')
      const email = `${own.name().toLowerCase()}@conformance.example`
      const cause = () => people(own, 'POST', { email })
      const { refused, again } = await refuseOnce(own, 'notification_token', listener.recipient, cause, sameEvent)
      await people(own, 'POST', { email: before.email ?? null })
      return { listener, refused, again, inTime: inTime(own) }
    }),
  )
}

/**
 * Whether two notification tokens tell of one change: an event of both has the same person and claims, and the same time, which may be in whole
 * seconds, unless the token is the same.
 */
function sameEvent(one: EventToken['payload'], other: EventToken['payload']): boolean {
  const isSameToken = one.jti !== undefined && one.jti === other.jti
  const changes = ({ events }: EventToken['payload']) =>
    (Array.isArray(events) ? events.filter(isObject) : []).map(
      (event) => `${isSameToken ? '' : event.original_event_at} ${whatOf(event)}`,
    )
  const known = changes(one)
  return changes(other).some((change) => known.includes(change))
}

/** Of whom an event tells, and which claims of theirs. */
export function whatOf({ sub, affected_claims }: EventMembers): string {
  return `${sub} ${[affected_claims].flat().map(String).sort()}`
}

/** The person at the control door: reads their claims, or changes them. */
export async function people(
  conversation: Conversation,
  method: 'GET' | 'POST',
  claims?: Record<string, unknown>,
  kind = changedPerson,
): Promise<Record<string, unknown>> {
  const { target } = conversation.run
  const person = personOf(target.people, kind)
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
