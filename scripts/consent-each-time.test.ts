import { examine } from '../conformance/examine.js'
import { consentEachTime } from './proof/fronts/consent-each-time.js'
import { withBankOf } from './proof/shapes.js'

/** How the rules about requests in a session end at a bank that keeps people signed in, and shows consent to each request. */
async function judged(faults: readonly string[], only: string) {
  const { results } = await withBankOf(
    { faults: [...faults] },
    { front: consentEachTime, target: () => ({}) },
    (target) => examine({ target, only: [only] }),
  )
  return results.map(({ rule, status, reason }) => ({ rule, status, ...(status !== 'pass' && { reason }) }))
}

test('requests in a session are looked at where none comes to a code without a page', async () => {
  const results = await judged([], 'authorization/*-in-session')
  expect(results.length).toBeGreaterThan(15)
  expect(results.filter(({ status }) => status !== 'pass')).toEqual([])
})

test('a request that is not refused there is seen', async () => {
  expect(await judged(['authorization/nonce-not-asked'], 'authorization/nonce-missing-in-session')).toMatchObject([
    { status: 'fail' },
  ])
})

test('what a logout leaves of a session is seen there', async () => {
  expect(await judged([], 'logout/code')).toEqual([{ rule: 'logout/code', status: 'pass' }])
  expect(await judged([], 'subjects/same-after-logout')).toMatchObject([{ status: 'pass' }])
  expect(await judged(['logout/code-stays'], 'logout/code')).toMatchObject([{ status: 'warn' }])
  const other = await judged(['subjects/other-after-logout'], 'subjects/same-after-logout')
  expect(other).toMatchObject([{ status: 'fail' }])
})
