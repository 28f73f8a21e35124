import { notificationClaims, signedByUntrustedKey, updateOf } from '../testing/bank-messages.js'
import type { TestSimulator } from '../testing/simulator.js'
import { bankAndSimulator, simulatorForTest, temporary } from '../testing/simulator-for-test.js'

describe('POST /notify', () => {
  test('SVC-2[value=right]: takes a batch in whole and answers 200', async () => {
    const { bank, service, journal } = await bankAndSimulator()
    const events = [updateOf(), updateOf({ affected_claims: ['birthdate', 'age'] })]
    const notification_token = await bank.sign(notificationClaims(bank, { events }))
    expect(await service.form('/notify', { notification_token })).toMatchObject({ status: 200 })
    expect(journal.of('notification').map((entry) => entry.events)).toEqual([events])
    expect(service.lines).toEqual([
      'email of somebody changed at 2026-01-01T10:00:00+01:00, for app-1 (jti n-1)',
      'birthdate, age of somebody changed at 2026-01-01T10:00:00+01:00, for app-1 (jti n-1)',
    ])
  })

  test('SVC-2[use=second-call]: the same batch again is answered like the first and counts once, after a restart too', async () => {
    const data = temporary()
    const { bank, service } = await bankAndSimulator(undefined, data)
    const send = async (to: TestSimulator, changes = {}) =>
      (await to.form('/notify', { notification_token: await bank.sign(notificationClaims(bank, changes)) })).status
    expect(await send(service)).toBe(200)
    await service.close()
    const again = await simulatorForTest([bank], { data })
    expect([await send(again), await send(again, { events: [updateOf({ sub: 'another' })] })]).toEqual([200, 400])
    expect(again.simulator.journal.of('notification')).toHaveLength(1)
  })

  const refused: [string, Record<string, unknown>, RegExp][] = [
    ['without events', { events: [] }, /^events must not be empty/],
    [
      'with an unknown claim',
      { events: [updateOf(), updateOf({ affected_claims: ['salary'] })] },
      /^events.1.affected_claims.0 must be one of /,
    ],
    [
      'with a timestamp without offset',
      { events: [updateOf({ original_event_at: '2026-01-01T10:00:00' })] },
      /^events.0.original_event_at is not of the required form: .* with its offset/,
    ],
    [
      'for a client that the service does not have',
      { events: [updateOf(), updateOf({ affected_client_ids: ['app-1', 'app-9'] })] },
      /^events.1.affected_client_ids: the service has no client app-9/,
    ],
    ['from a leap second, years ago', { iat: '2016-12-31T23:59:60Z' }, /^iat: is no time that can be reckoned with/],
    ['from the future', { iat: new Date(Date.now() + 3_600_000).toISOString() }, /^iat: lies in the future/],
  ]
  test.each(refused)(
    'SVC-2[part=iat], SVC-2[member=events], SVC-2[member=affected_claims], SVC-2[member=original_event_at], SVC-2[member=affected_client_ids]: a batch %s is refused with 400, and nothing of it is taken in',
    async (_what, changes, reason) => {
      const { bank, service, journal } = await bankAndSimulator()
      const notification_token = await bank.sign(notificationClaims(bank, changes))
      const answer = await service.form('/notify', { notification_token })
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual({ error: 'invalid_request', error_description: expect.stringMatching(reason) })
      expect(journal.of('notification')).toEqual([])
    },
  )

  test('SVC-2[part=signature]: one signed by an untrusted key is refused', async () => {
    const { bank, service } = await bankAndSimulator()
    const notification_token = await signedByUntrustedKey(notificationClaims(bank))
    expect(await service.form('/notify', { notification_token })).toMatchObject({ status: 400 })
  })
})
