import { notificationClaims } from '../testing/bank-messages.js'
import { bankAndSimulator } from '../testing/simulator-for-test.js'

describe('a disturbance', () => {
  test('answers with a status as often as asked, and takes nothing in', async () => {
    const { bank, service, journal } = await bankAndSimulator()
    expect(await service.form('/disturbances', { path: '/notify', status: '503', times: '2' })).toMatchObject({
      status: 302,
    })
    const send = async () =>
      (await service.form('/notify', { notification_token: await bank.sign(notificationClaims(bank)) })).status
    expect([await send(), await send(), journal.of('notification').length, await send()]).toEqual([503, 503, 0, 200])
  })

  test('answers late, until it is ended', async () => {
    const { service } = await bankAndSimulator()
    await service.form('/disturbances', { path: '/.well-known/jwks.json', delay: '1' })
    const began = performance.now()
    await service.send('GET', '/.well-known/jwks.json')
    expect(performance.now() - began).toBeGreaterThan(900)
    await service.form('/disturbances', { path: '/.well-known/jwks.json', end: 'yes' })
    expect(service.simulator.disturbances.list()).toEqual([])
  })

  test('that makes no sense is refused with the field', async () => {
    const { service } = await bankAndSimulator()
    const answer = await service.form('/disturbances', { path: '/notify', status: 'never' })
    expect([answer.status, answer.json]).toMatchObject([400, { error_description: expect.stringMatching(/^status: /) }])
  })
})
