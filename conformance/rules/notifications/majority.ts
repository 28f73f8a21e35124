import type { Listener } from '../../bank/claim-update.js'
import type { MajorityUpdate } from '../../bank/majority-update.js'
import { claimsIn } from '../../bank/notification-events.js'
import { rule, type Tools } from '../../harness/rule.js'
import { beyond, eventsFor, heardEvents, toHearUpdates } from '../support/heard-tokens.js'

/** What was heard of somebody who came of age, or is under age again. @throws Skip where nobody can be */
async function ofMajority({ bank, skip }: Tools): Promise<MajorityUpdate> {
  return (
    (await bank.majorityUpdate()) ??
    skip(
      'no scopes lead to birthdate and majority, or the person of kind changing cannot be given the birthdate of a minor',
    )
  )
}

export const sentOfMajority = rule({
  id: 'notifications/sent-of-majority',
  requirement: 'EVT-1',
  places: ['claim=majority'],
  title: 'That somebody is of age, or no longer, by another birthdate is reported to a client that it reaches',
  needs: toHearUpdates,
  waits: true,
  async check(tools) {
    const update = await ofMajority(tools)
    const { legalStatus, names, inTime } = update
    if (!names.includes('majority'))
      return tools.skip(
        'the person of kind changing did not come of age, or cease to be, as far as the control door tells',
      )
    const events = eventsFor(update, legalStatus)
    tools
      .expect<unknown>(
        claimsIn(events.map(({ members }) => members)),
        `affected_claims of the events that a client is told ${inTime}`,
        events[0]?.token.exchange ?? legalStatus.login.response,
      )
      .toContain('majority')
  },
})

export const reachOfMajority = rule({
  id: 'notifications/reach-of-majority',
  requirement: 'EVT-8',
  places: ['claim=age', 'claim=majority'],
  title: 'Of a birthdate that makes somebody a minor, or of age, each client hears of what its scopes reach alone',
  needs: toHearUpdates,
  waits: true,
  async check(tools) {
    const update = await ofMajority(tools)
    const { birthdate, legalStatus, names } = update
    const told: [string, Listener, string][] = [
      ['the client of the birthdate', birthdate, 'birthdate'],
      ['the client of the legal status', legalStatus, 'majority'],
    ]
    for (const [name, listener, claim] of told) {
      await tools.inVariation(name, async () => {
        // Who hears nothing of it is EVT-1's.
        const events = names.includes(claim) ? await heardEvents(update, listener) : eventsFor(update, listener)
        const outside = beyond(claimsIn(events.map(({ members }) => members)), listener)
        const where = `claims outside the approved scopes told to ${listener.recipient.clientId}`
        tools.expect(outside, where, events[0]?.token.exchange ?? listener.login.response).toEqual([])
      })
    }
  },
})
