import { examine } from '../conformance/examine.js'
import { noticePage, rememberedAccount, withNotice } from './proof/fronts/remembered-account.js'
import { withBankOf } from './proof/shapes.js'

/** How the rule about a choice that is needed ends at a bank where a choice holds for the session. */
async function judged(faults: readonly string[], pages: 'all' | 'no account' | 'notice' = 'all') {
  const { results } = await withBankOf(
    { faults: [...faults] },
    {
      front: () => (pages === 'notice' ? rememberedAccount().use('/interaction', withNotice) : rememberedAccount()),
      target: () => ({}),
    },
    (target) => {
      const known = [...target.pages].map(([name, page]) => [name === 'account' ? 'choice' : name, page] as const)
      const described = {
        all: target,
        'no account': { ...target, pages: new Map(known) },
        notice: { ...target, pages: new Map([...target.pages, ['notice', noticePage]]) },
      }[pages]
      return examine({ target: described, only: ['authorization/prompt-none-accounts'] })
    },
  )
  return results.map(({ status, reason }) => ({ status, ...(reason && { reason }) }))
}

test('who has chosen an account in a session needs no choice: it is left where the choice is asked for', async () => {
  expect(await judged([])).toEqual([{ status: 'pass' }])
  expect(await judged(['authorization/account-selection-otherwise'])).toMatchObject([{ status: 'fail' }])
})

test('nothing is said where the page that asks for the account has another name', async () => {
  expect(await judged([], 'no account')).toMatchObject([
    { status: 'skip', reason: expect.stringMatching(/^an account once chosen holds for the session/) },
  ])
})

test('a page that people of one account see as well is no choice', async () => {
  expect(await judged([], 'notice')).toEqual([{ status: 'pass' }])
  expect(await judged(['authorization/account-selection-otherwise'], 'notice')).toMatchObject([{ status: 'fail' }])
})
