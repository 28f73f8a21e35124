import { examine } from '../examine.js'
import { bankForTest } from '../testing/banks.js'
import { changedBody } from '../testing/changed-answers.js'
import { redirect } from '../testing/https-server.js'
import { remarksOn } from './remarks.js'

/** What is remarked on a run about levels, at a bank that declares both and lets the person reach these. */
async function remarksWhere(reached: readonly string[]): Promise<string[]> {
  const declared = changedBody('GET /.well-known/openid-configuration', (document) => ({
    ...document,
    acr_values_supported: ['loa2', 'loa3'],
  }))
  const { target } = await bankForTest((own) => ({
    ...declared(own),
    'GET /auth': (request) => {
      const { acr_values = 'loa2', redirect_uri, state = '' } = Object.fromEntries(request.url.searchParams)
      if (reached.includes(acr_values)) return own['GET /auth']?.(request) ?? 'cut'
      return redirect(
        `${redirect_uri}?${new URLSearchParams({ error: 'access_denied', error_description: 'no', state })}`,
      )
    },
  }))
  return remarksOn(await examine({ target, only: ['authorization/acr-declared'] }))
}

test('a person of kind full who does not reach loa3 is named', async () => {
  expect(await remarksWhere(['loa2'])).toEqual([
    'The person of kind full does not reach loa3, which the bank declares (error of the callback should be null, but is "access_denied"): if they have no second factor, give the kind to somebody who has one, and describe its page under login.pages of the target file.',
  ])
})

test('nothing is said of a person who reaches it, or of a bank that lets nobody in', async () => {
  expect(await remarksWhere(['loa2', 'loa3'])).toEqual([])
  expect(await remarksWhere([])).toEqual([])
})
