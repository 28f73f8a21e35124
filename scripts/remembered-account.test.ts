import { examine } from '../conformance/examine.js'
import { rememberedAccount } from './proof/fronts/remembered-account.js'
import { withBankOf } from './proof/shapes.js'

/** How the rule about a choice that is needed ends at a bank where a choice holds for the session. */
async function judged(faults: readonly string[], pages: 'all' | 'no account' = 'all') {
  const { results } = await withBankOf(
    { faults: [...faults] },
    { front: rememberedAccount, target: () => ({}) },
    (target) => {
      const known = [...target.pages].map(([name, page]) => [name === 'account' ? 'choice' : name, page] as const)
      const described = pages === 'all' ? target : { ...target, pages: new Map(known) }
      return examine({ target: described, only: ['authorization/prompt-none-accounts'] })
    },
  )
  return results.map(({ status, reason }) => ({ status, ...(reason && { reason }) }))
}

test('who has chosen an account in a session needs no choice: it is left where the choice is asked for', async () => {
  expect(await judged([])).toEqual([{ status: 'pass' }])
  expect(await judged(['authorization/account-selection-otherwise'])).toMatchObject([{ status: 'fail' }])
}, 60_000)

test('nothing is said where the page that asks for the account has another name', async () => {
  expect(await judged([], 'no account')).toMatchObject([
    { status: 'skip', reason: expect.stringMatching(/^an account once chosen holds for the session/) },
  ])
}, 60_000)
