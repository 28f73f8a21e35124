import { HttpResponse } from '../http/http.js'
import { HealthMonitor } from './health.js'

const time = '2026-01-01T00:00:00Z'

function monitor(record: Record<string, unknown> | undefined) {
  const state = { reads: 0, now: 0, record }
  const health = new HealthMonitor(
    async () => {
      state.reads += 1
      if (!state.record) throw new Error('unreachable')
      const text = JSON.stringify({ description: 'd', version: '1', time, poll_interval: 5000, ...state.record })
      return new HttpResponse({ method: 'GET', url: 'https://bank.example/healthcheck' }, 200, {}, text, 'e1')
    },
    () => state.now,
  )
  return { state, failing: async () => [...(await health.outage()).failing] }
}

const detail = (status: string) => ({ status, description: 'd', version: '1', time })

test('SVC-7[use=second-call]: health is read no more often than poll_interval, however often it is asked for', async () => {
  const { state, failing } = monitor({ status: 'OK' })
  await Promise.all([failing(), failing()])
  state.now = 4999
  await failing()
  expect(state.reads).toBe(1)
  state.now = 5000
  state.record = { status: 'ERROR' }
  expect([await failing(), state.reads]).toEqual([['dynamic-registration', 'oidc-core', 'revoke', 'kyc'], 2])
})

test('SVC-7[member=details value=missing]: what fails is the sub-system that says so; without details, all of the bank', async () => {
  expect(await monitor({ status: 'ERROR', details: { kyc: detail('ERROR'), revoke: detail('OK') } }).failing()).toEqual(
    ['kyc'],
  )
  expect(await monitor({ status: 'OK', details: { revoke: detail('ERROR') } }).failing()).toEqual(['revoke'])
  expect(await monitor({ status: 'OK' }).failing()).toEqual([])
})

test('SVC-7[value=unknown]: a bank whose health cannot be read, or is no health record, is taken to be up and asked again a minute later', async () => {
  const { state, failing } = monitor(undefined)
  expect(await failing()).toEqual([])
  state.now = 59_999
  await failing()
  expect(state.reads).toBe(1)
  state.now = 60_000
  state.record = { status: 'fine' }
  expect([await failing(), state.reads]).toEqual([[], 2])
})
