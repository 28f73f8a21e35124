import { formatViolation, validate } from '../../../schemas/index.js'
import type { EventToken } from '../../bank/event-token.js'
import { inStep } from '../../bank/steps.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import { eventsFor, heardEvents, notHeard, toHearUpdates } from '../support/heard-tokens.js'

export const sent = rule({
  id: 'notifications/sent',
  requirement: 'EVT-1',
  title: 'A change of a person is reported in notification tokens, posted as a form field',
  needs: toHearUpdates,
  async check({ bank, expect, inVariation, reading }) {
    const update = await bank.claimUpdate()
    for (const listener of [update.email, update.nickname]) {
      await inVariation(`client ${listener.recipient.clientId}`, async () => {
        const [event] = await heardEvents(update, listener)
        if (!event) return
        const { mediaType, exchange, url } = event.token
        expect(mediaType, 'content type of the notification', exchange).toBe('application/x-www-form-urlencoded')
        reading('AMB-51', url === listener.recipient.uri ? 'registered-uri' : 'fixed-address')
      })
    }
  },
})

export const redelivery = rule({
  id: 'notifications/redelivery',
  requirement: 'EVT-1',
  title: 'A notification that the service could not take comes again, as the same token: under the same jti',
  needs: toHearUpdates,
  waits: true,
  // How a bank delivers is not shown ("Events" 4): what is lost or comes as another token is told as a warning.
  async check({ bank, expect, warn }) {
    const { listener, refused, again } = await bank.refuseNotification()
    if (!refused) return inStep('notification', () => Promise.reject(notHeard(listener)))
    const jti = expect(refused.payload.jti, 'jti of the notification token', refused.exchange).toBeText()
    if (!again) warn('a notification that was answered with 503 did not come again within 10 s')
    else if (again.payload.jti !== jti)
      warn(`a notification came again with jti ${again.payload.jti} in place of ${jti}`)
  },
})

export const form = rule({
  id: 'notifications/form',
  requirement: 'EVT-2',
  title: 'The notification token carries iss, iat, jti and events, each event its five members',
  needs: toHearUpdates,
  async check({ bank, expect, inVariation, reading }) {
    const update = await bank.claimUpdate()
    for (const listener of [update.email, update.nickname]) {
      await inVariation(`client ${listener.recipient.clientId}`, async () => {
        for (const { token, members } of await heardEvents(update, listener)) {
          expectForm(expect, token)
          expect(token.payload.iss, 'iss of the notification token', token.exchange).toBe(bank.issuer)
          expect(members.original_event_at, 'original_event_at of the event', token.exchange).toSatisfy(
            (at) => Math.abs(Date.parse(String(at)) - update.at) < 60_000,
            `when the person was changed: less than 60 s from ${new Date(update.at).toISOString()}`,
          )
          reading('AMB-19', members.type === 'claims_updated' ? 'claims-updated' : 'claim-updated')
          reading('AMB-60', typeof token.payload.iat === 'string' ? 'iso-8601' : 'unix-seconds')
        }
      })
    }
  },
})

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
  title: 'The notification token is signed with a published key of the bank',
  needs: toHearUpdates,
  async check({ bank, expect }) {
    const update = await bank.claimUpdate()
    const events = [...(await heardEvents(update, update.email)), ...(await heardEvents(update, update.nickname))]
    for (const { token } of events) {
      const { payload } = await bank.verify(token.jwt, 'the notification token', token.exchange)
      expect(payload, 'what is signed', token.exchange).toBeObject()
    }
  },
})

export const optedIn = rule({
  id: 'notifications/opted-in',
  requirement: 'EVT-3',
  title: 'Only clients that registered the scope of notifications are named',
  needs: toHearUpdates,
  async check({ bank, expect, reading }) {
    const update = await bank.claimUpdate()
    await heardEvents(update, update.email)
    const [stray] = eventsFor(update, update.notRegistered)
    expect(stray?.members, 'an event for a client that did not register the scope', stray?.token.exchange).toBe(
      undefined,
    )
    reading('AMB-66', eventsFor(update, update.notApproved).length > 0 ? 'registered' : 'approved')
  },
})

export const allowed = rule({
  id: 'notifications/allowed-claims',
  requirement: 'EVT-6',
  title: 'affected_claims holds only allowed values',
  needs: toHearUpdates,
  async check({ bank, expect, inVariation }) {
    const update = await bank.claimUpdate()
    for (const listener of [update.email, update.nickname]) {
      await inVariation(`client ${listener.recipient.clientId}`, async () => {
        for (const { token } of await heardEvents(update, listener)) {
          const wrong = validate('notification-token', token.payload)
            .filter(({ path }) => /^\/events\/\d+\/affected_claims/.test(path))
            .map((violation) => formatViolation(violation, 'the whole'))
          expect(wrong, 'what is wrong with affected_claims', token.exchange).toEqual([])
        }
      })
    }
  },
})

export const subject = rule({
  id: 'notifications/subject',
  requirement: 'EVT-7',
  title: "An event's sub is the one that each client it names knows",
  needs: toHearUpdates,
  async check({ bank, expect }) {
    const update = await bank.claimUpdate()
    for (const listener of [update.email, update.nickname]) {
      for (const { token, members } of await heardEvents(update, listener)) {
        const where = `sub of the event for ${listener.recipient.clientId}`
        expect(members.sub, where, token.exchange).toBeOneOf(listener.subjects)
      }
    }
  },
})

export const reach = rule({
  id: 'notifications/reach',
  requirement: 'EVT-8',
  title: 'A client hears of the claims that its approved scopes reach, and of no other',
  needs: toHearUpdates,
  async check({ bank, expect }) {
    const update = await bank.claimUpdate()
    const changed = ['email', 'nickname']
    for (const listener of [update.email, update.nickname]) {
      const events = await heardEvents(update, listener)
      const claims = events.flatMap(({ members }) => [members.affected_claims].flat())
      const outside = changed.filter((claim) => !listener.claims.includes(claim) && claims.includes(claim))
      const where = `claims outside the approved scopes told to ${listener.recipient.clientId}`
      expect(outside, where, events[0]?.token.exchange).toEqual([])
    }
  },
})
