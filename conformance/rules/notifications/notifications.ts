import { formatViolation, validate } from '../../../schemas/index.js'
import {
  type ClaimUpdate,
  type Listener,
  type OtherUpdate,
  otherClaim,
  type Readdressed,
  whatOf,
} from '../../bank/claim-update.js'
import { dressNow } from '../../bank/dress.js'
import type { EventToken } from '../../bank/event-token.js'
import { claimsIn, type EventMembers, eventsIn } from '../../bank/notification-events.js'
import { inStep } from '../../bank/steps.js'
import type { Expect } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import { byKey } from '../../service/algorithms.js'
import { beyond, eventsFor, heardEvents, notHeard, toHearOfTwo, toHearUpdates } from '../support/heard-tokens.js'

/** The clients that have asked for notifications, and that the person approved it at. */
const listenersOf = ({ email, nickname, neighbour, ofPublic, sibling }: ClaimUpdate): [string, Listener][] => [
  ['the client of the e-mail address', email],
  ['the client of the nickname', nickname],
  ['the client at the address of the first', neighbour],
  ...ofPublic.map((one): [string, Listener] => ['a client of public subjects at the address of the first', one]),
  ['another client in the sector of the first', sibling],
]

export const sent = rule({
  id: 'notifications/sent',
  requirement: 'EVT-1',
  places: [
    'parameter=notification_token',
    'parameter=notification_token value=other-type',
    ...['email', 'nickname', 'addresses', 'nationalities', 'birthdate', 'age'].map((claim) => `claim=${claim}`),
    'claim=phone_number value=missing',
    'claim=email_verified',
    'claim=family_name value=upper-case',
    'claim=middle_name value=unknown',
    'use=second-client',
    'use=second-client value=repeated',
    'use=second-client member=sub value=repeated',
    'use=second-call',
    'use=after-put member=notification_uri',
    'use=after-put member=notification_uri value=encoded',
    'use=second-call member=notification_uri',
    'use=second-call member=notification_uri value=both',
  ],
  title:
    'Each change of a person is reported in notification tokens, posted as a form field, to every client that it reaches',
  needs: toHearUpdates,
  async check({ bank, expect, inVariation, note, reading }) {
    const update = await bank.claimUpdate()
    for (const [name, listener] of listenersOf(update)) {
      await inVariation(name, async () => {
        const events = await heardEvents(update, listener)
        const [event] = events
        if (!event) return
        const { mediaType, exchange, url } = event.token
        expect(mediaType, 'content type of the notification', exchange).toBe('application/x-www-form-urlencoded')
        for (const claim of listener.claims.filter((one) => update.names.includes(one)))
          expect<unknown>(
            claimsIn(events.map(({ members }) => members)),
            `affected_claims of the events that a client is told ${update.inTime}`,
            exchange,
          ).toContain(claim)
        reading('AMB-51', url === listener.recipient.uri ? 'registered-uri' : 'fixed-address')
      })
    }
    const { later, nickname, readdressed, tokens } = update
    const [first] = tokens
    await inVariation('a later change', async () =>
      expect(
        later && 'a notification_token',
        `what came to ${nickname.recipient.uri} ${update.inTime}`,
        first?.exchange,
      ).toBe('a notification_token'),
    )
    if (readdressed)
      await inVariation('a later change, told at another address', () => expectMoved(expect, update, readdressed))
    else if (dressNow() === undefined)
      note('the bank took no other notification_uri of a client that it had told of a change')
  },
})

/** That a client which was told before hears at the address that it has by now alone. */
async function expectMoved(
  expect: Expect,
  { inTime, sibling }: ClaimUpdate,
  { recipient, token, atFormer }: Readdressed,
): Promise<void> {
  const { response } = sibling.login
  expect(token && 'a notification_token', `what came to ${recipient.uri} ${inTime}`, token?.exchange ?? response).toBe(
    'a notification_token',
  )
  const [former] = atFormer
  expect(
    atFormer.map(({ url }) => url),
    'former addresses of the client to which the same came',
    former?.exchange ?? response,
  ).toEqual([])
}

export const redelivery = rule({
  id: 'notifications/redelivery',
  requirement: 'EVT-1',
  places: ['use=second-call'],
  title: 'A notification that the service could not take comes again',
  needs: toHearUpdates,
  waits: true,
  // How a bank delivers is not shown ("Events" 4): what is lost is told as a warning, and what comes as a token made anew as a note.
  async check({ bank, expect, note, warn }) {
    const { listener, refused, again, inTime } = await bank.refuseNotification()
    if (!refused) return inStep('notification', () => Promise.reject(notHeard(listener, inTime)))
    const jti = expect(refused.payload.jti, 'jti of the notification token', refused.exchange).toBeText()
    if (!again) warn(`a notification that was answered with 503 did not come again ${inTime}`)
    else if (again.payload.jti !== jti)
      note(`a notification came again with jti ${again.payload.jti} in place of ${jti}`)
  },
})

/** Seconds by which the bank's clock may differ from ours, and an event may lag. */
const clockSkewSeconds = 300

/** The same for the time of the change itself, which nothing delays. */
const eventSkewSeconds = 60

/** A time of the notification token in seconds (AMB-60); NaN where it is none. */
function secondsOf(time: unknown): number {
  return Number(time) || Date.parse(String(time)) / 1000
}

/** Whether a time, in seconds, is that of the change and of what was heard of it. */
function isDuring({ during: { from, to } }: ClaimUpdate, seconds: number, skew: number): boolean {
  return seconds >= from - skew && seconds <= to + skew
}

function timeInWords({ during: { from, to } }: ClaimUpdate, skew: number): string {
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
  return `when the person was changed: from ${iso(from)} to ${iso(to)}, give or take ${skew} s`
}

export const form = rule({
  id: 'notifications/form',
  requirement: 'EVT-2',
  places: [
    ...[
      ...['iss', 'iat', 'jti', 'events'],
      ...['type', 'original_event_at', 'sub', 'affected_client_ids', 'affected_claims'],
    ].map((member) => `member=${member}`),
    ...['other-type', 'other-unit'].map((value) => `member=original_event_at value=${value}`),
    'member=jti value=repeated',
    ...['exp', 'nbf'].map((member) => `member=${member}`),
    ...['events', 'affected_client_ids'].map((member) => `member=${member} value=missing`),
  ],
  title: 'The notification token carries iss, iat, jti and events, each event its five members',
  needs: toHearUpdates,
  async check({ bank, expect, inVariation, reading }) {
    const update = await bank.claimUpdate()
    // Whatever has come: where the events are not where they should be, they name nobody.
    const tokens = update.tokens.filter(({ jwt }) => jwt !== '')
    for (const token of tokens) expectForm(expect, token)
    for (const [name, listener] of listenersOf(update)) {
      await inVariation(name, async () => {
        for (const { token, members } of await heardEvents(update, listener)) {
          const { iss, iat, exp, nbf } = token.payload
          expect(iss, 'iss of the notification token', token.exchange).toBe(bank.issuer)
          expect(iat, 'iat of the notification token', token.exchange).toSatisfy(
            (at) => isDuring(update, secondsOf(at), clockSkewSeconds),
            timeInWords(update, clockSkewSeconds),
          )
          // Nobody takes it once it is over, or before it begins (RFC 7519 sections 4.1.4 and 4.1.5).
          const { from, to } = update.during
          if (exp !== undefined)
            expect(secondsOf(exp), 'exp of the notification token', token.exchange).toBeAtLeast(
              from - clockSkewSeconds,
              's',
            )
          if (nbf !== undefined)
            expect(secondsOf(nbf), 'nbf of the notification token', token.exchange).toBeAtMost(
              to + clockSkewSeconds,
              's',
            )
          expect(members.original_event_at, 'original_event_at of the event', token.exchange).toSatisfy(
            (at) => isDuring(update, Date.parse(String(at)) / 1000, eventSkewSeconds),
            timeInWords(update, eventSkewSeconds),
          )
          reading('AMB-19', members.type === 'claims_updated' ? 'claims-updated' : 'claim-updated')
          reading('AMB-60', typeof token.payload.iat === 'string' ? 'iso-8601' : 'unix-seconds')
        }
      })
    }
    // One that is sent again may be signed anew.
    const told = new Map(
      tokens.map((token) => [JSON.stringify({ ...token.payload, iat: undefined, exp: undefined }), token]),
    )
    const jtis = [...told.values()].map(({ payload }) => payload.jti)
    const repeated = jtis.filter((jti, index) => jtis.indexOf(jti) < index)
    expect(repeated, 'jti that several notification tokens have', tokens.at(-1)?.exchange).toEqual([])
  },
})

export const formOfOne = rule({
  id: 'notifications/form-of-one',
  requirement: 'EVT-2',
  places: ['member=affected_claims value=lower-bound'],
  title: 'The notification token of a change of one claim has the form of that of many',
  needs: toHearUpdates,
  waits: true,
  async check({ bank, expect }) {
    const { listener, refused, inTime } = await bank.refuseNotification()
    if (!refused) return inStep('notification', () => Promise.reject(notHeard(listener, inTime)))
    expectForm(expect, refused)
  },
})

export const timeOfRedelivered = rule({
  id: 'notifications/time-of-redelivered',
  requirement: 'EVT-2',
  places: ['use=second-call member=original_event_at'],
  title: 'A notification that comes again tells the same time of the change as before',
  needs: toHearUpdates,
  waits: true,
  async check({ bank, expect, skip }) {
    const { listener, refused, again, inTime } = await bank.refuseNotification()
    if (!refused) return inStep('notification', () => Promise.reject(notHeard(listener, inTime)))
    if (!again) return skip(`a notification that was answered with 503 did not come again ${inTime}`)
    const before = eventsIn(refused.payload)
    for (const event of eventsIn(again.payload)) {
      // A batch may hold other events by then.
      const same = before.filter((one) => whatOf(one) === whatOf(event))
      if (same.length > 0)
        expect(instantOf(event), 'original_event_at of an event that came again', again.exchange).toBeOneOf(
          same.map(instantOf),
        )
    }
  },
})

/** When the claim of an event changed, however that is written; as it is where it is no time. */
function instantOf({ original_event_at: time }: EventMembers): string {
  const instant = Date.parse(String(time))
  return Number.isNaN(instant) ? String(time) : new Date(instant).toISOString()
}

/** The schema, but for the values of affected_claims, which are another rule's. */
function expectForm(expect: Expect, { payload, exchange }: EventToken): void {
  const violations = validate('notification-token', payload)
    .filter(({ path }) => !/^\/events\/\d+\/affected_claims\/\d+$/.test(path))
    .map((violation) => formatViolation(violation, 'the whole'))
  expect(violations, 'what is wrong with the notification token', exchange).toEqual([])
}

export const signed = rule({
  id: 'notifications/signed',
  requirement: 'EVT-5',
  places: ['part=signature', 'part=alg'],
  title: 'The notification token is signed with a published key of the bank',
  needs: toHearUpdates,
  async check({ bank, expect }) {
    const update = await bank.claimUpdate()
    const events = await Promise.all(listenersOf(update).map(([, listener]) => heardEvents(update, listener)))
    for (const { token } of events.flat()) {
      const { header } = await bank.read(token.jwt, 'the notification token', token.exchange)
      expect<unknown>(header.alg, 'alg of the notification token', token.exchange).toBeOneOf(byKey)
      await bank.verify(token.jwt, 'the notification token', token.exchange)
    }
  },
})

export const optedIn = rule({
  id: 'notifications/opted-in',
  requirement: 'EVT-3',
  places: [
    'scope=notification.claims_updated value=missing',
    'member=notification_uri value=missing',
    'use=after-put member=notification_uri value=missing',
    ...['uninvolved', 'after-put', 'after-deletion'].map((use) => `use=${use}`),
    'use=uninvolved member=affected_client_ids',
  ],
  title: 'Only clients of the person are named that have registered the scope of notifications and a notification_uri',
  needs: toHearUpdates,
  async check({ bank, expect, inVariation, reading }) {
    const update = await bank.claimUpdate()
    await heardEvents(update, update.email)
    const others = [{ what: 'a client that did not register the scope', ...update.notRegistered }, ...update.strangers]
    for (const { what, recipient } of others) {
      await inVariation(what, async () => {
        const [stray] = eventsFor(update, { recipient })
        expect(stray?.members, `an event for ${what}`, stray?.token.exchange).toBe(undefined)
      })
    }
    await inVariation('a client at which the person never logged in, beside others', async () =>
      expect(
        update.unknowing,
        'clients that know nobody, in affected_client_ids',
        update.tokens.at(-1)?.exchange,
      ).toEqual([]),
    )
    reading('AMB-66', eventsFor(update, update.notApproved).length > 0 ? 'registered' : 'approved')
  },
})

/** Claims that one client alone hears of. */
const furtherClaims = [
  ...['title_prefix', 'title_suffix', 'idcards', 'maritalstatus', 'zoneinfo', 'locale', 'pep'],
  ...['given_name', 'preferred_username', 'birthplace', 'limited_legal_capacity'],
  ...['name', 'gender', 'paymentAccounts', 'primary_nationality'],
]

export const allowed = rule({
  id: 'notifications/allowed-claims',
  requirement: 'EVT-6',
  places: ['email', 'addresses', ...furtherClaims].map((claim) => `claim=${claim}`),
  title: 'affected_claims holds only allowed values',
  needs: toHearUpdates,
  async check({ bank, expect, inVariation }) {
    const update = await bank.claimUpdate()
    for (const [name, listener] of listenersOf(update)) {
      await inVariation(name, async () => {
        for (const { token } of await heardEvents(update, listener)) expectAllowed(expect, token)
      })
    }
  },
})

function expectAllowed(expect: Expect, { payload, exchange }: EventToken): void {
  const wrong = validate('notification-token', payload)
    .filter(({ path }) => /^\/events\/\d+\/affected_claims/.test(path))
    .map((violation) => formatViolation(violation, 'the whole'))
  expect(wrong, 'what is wrong with affected_claims', exchange).toEqual([])
}

export const subject = rule({
  id: 'notifications/subject',
  requirement: 'EVT-7',
  places: [
    'use=first',
    'use=second-client',
    'use=second-client value=repeated',
    'member=sector_identifier_uri',
    'member=subject_type',
  ],
  title: "An event's sub is the one that each client it names knows",
  needs: toHearUpdates,
  async check({ bank, expect }) {
    const update = await bank.claimUpdate()
    for (const [, listener] of listenersOf(update)) {
      for (const { token, members } of await heardEvents(update, listener)) {
        const where = `sub of the event for ${listener.recipient.clientId}`
        expect(members.sub, where, token.exchange).toBeOneOf(listener.subjects)
      }
    }
  },
})

/** What is seen of a second person. @throws Skip where the bank knows too little of them */
async function ofSecond({ bank, skip }: Tools): Promise<OtherUpdate> {
  return (
    (await bank.otherUpdate()) ??
    skip(`no scope leads to ${otherClaim}, or the bank does not know it of the person of kind second-changing`)
  )
}

export const sentOfSecond = rule({
  id: 'notifications/sent-of-second-person',
  requirement: 'EVT-1',
  places: ['use=second-person', `claim=${otherClaim}`],
  title: 'A change of a second person is reported to a client that knows both',
  needs: toHearOfTwo,
  async check(tools) {
    const { listener, heard, inTime } = await ofSecond(tools)
    const [first] = heard
    const { exchange } = first?.token ?? {}
    const { response } = listener.login
    const { expect } = tools
    expect(
      first && 'a notification_token',
      `what came to ${listener.recipient.uri} ${inTime}`,
      exchange ?? response,
    ).toBe('a notification_token')
    const claims = claimsIn(heard.map(({ members }) => members))
    expect<unknown>(claims, 'affected_claims of the events of a second person', exchange).toContain(otherClaim)
  },
})

export const allowedOfSecond = rule({
  id: 'notifications/allowed-claims-of-second-person',
  requirement: 'EVT-6',
  places: [`claim=${otherClaim}`],
  title: 'affected_claims of the events of a second person holds only allowed values',
  needs: toHearOfTwo,
  async check(tools) {
    for (const { token } of (await ofSecond(tools)).heard) expectAllowed(tools.expect, token)
  },
})

export const subjectOfSecond = rule({
  id: 'notifications/subject-of-second-person',
  requirement: 'EVT-7',
  places: ['use=second-person'],
  title: "The sub of a second person's event is that person's",
  needs: toHearOfTwo,
  async check(tools) {
    const { listener, heard } = await ofSecond(tools)
    for (const { token, members } of heard)
      tools
        .expect(members.sub, `sub of the event for ${listener.recipient.clientId}`, token.exchange)
        .toBeOneOf(listener.subjects)
  },
})

export const reach = rule({
  id: 'notifications/reach',
  requirement: 'EVT-8',
  places: [
    ...['email', 'nickname', 'addresses', 'updated_at'].map((claim) => `claim=${claim}`),
    'when=by-person value=subset',
    'member=affected_client_ids value=both',
  ],
  title: 'A client hears of the claims that its approved scopes reach, and of no other',
  needs: toHearUpdates,
  async check({ bank, expect }) {
    const update = await bank.claimUpdate()
    for (const [, listener] of listenersOf(update)) {
      const events = await heardEvents(update, listener)
      const outside = beyond(claimsIn(events.map(({ members }) => members)), listener)
      const where = `claims outside the approved scopes told to ${listener.recipient.clientId}`
      expect(outside, where, events[0]?.token.exchange).toEqual([])
    }
  },
})

export const reachOfSecond = rule({
  id: 'notifications/reach-of-second-person',
  requirement: 'EVT-8',
  places: ['use=second-person'],
  title: 'Of a second person a client hears of the claims that this one approved, whatever the first did',
  needs: toHearOfTwo,
  async check(tools) {
    const { listener, heard, inTime } = await ofSecond(tools)
    const [first] = heard
    if (!first) return inStep('notification', () => Promise.reject(notHeard(listener, inTime)))
    const outside = beyond(claimsIn(heard.map(({ members }) => members)), listener)
    const where = 'claims told of a second person outside the scopes that they approved'
    tools.expect(outside, where, first.token.exchange).toEqual([])
  },
})
