import { examine } from '../conformance/examine.js'
import { oneSession } from './proof/fronts/one-session.js'
import { withBankOf } from './proof/shapes.js'

test('a bank at which a sign-in ends the sessions in other browsers is examined as to logouts, one rule at a time', async () => {
  const { results } = await withBankOf(
    {},
    { front: oneSession, target: () => ({ concurrency: 1, timeoutSeconds: 30 }) },
    // What leads back after a logout has no session beside it.
    (target) => examine({ target, only: ['logout/*', '!logout/returned'] }),
  )
  const others = results.filter(({ status }) => status !== 'pass')
  expect(others.map(({ rule, status, reason }) => ({ rule, status, reason }))).toEqual(
    ['logout/other-session', 'logout/second'].map((rule) => ({
      rule,
      status: 'skip',
      reason: 'a person has one session at a time here',
    })),
  )
  expect(results.length).toBeGreaterThan(others.length)
})
