import { examine } from '../conformance/examine.js'
import { withBank } from './bundled-bank.js'

/** Rules that judge what somebody comes to in the signing flow, where the sign-in page would come back. */
const judging = [
  'authorization/code',
  'signing/fields-shown',
  'signing/language-order',
  'signing/languages',
  'signing/new-scopes-refused',
  'signing/once',
  'signing/refused',
  'signing/remote',
]

test('a wrong password in the target file is no verdict about the bank, good or bad', async () => {
  const { results } = await withBank({}, (target) => {
    const people = target.people.map((person) => ({ ...person, password: 'wrong' }))
    return examine({ target: { ...target, people }, only: judging })
  })
  expect(results.map(({ rule, status, targetAtFault }) => [rule, status, targetAtFault])).toEqual(
    judging.map((rule) => [rule, 'error', true]),
  )
  for (const { reason } of results)
    expect(reason).toContain('login.pages.sign-in: the bank showed the page again after it was submitted')
})
