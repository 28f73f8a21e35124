import { loginPages } from '../bank-idp/target-file.js'
import { examine } from '../conformance/examine.js'
import { withBank } from './bundled-bank.js'

/** What comes of a rule where the target file describes no such page. */
const without = (page: string, rule: string) =>
  withBank({}, async (target) => {
    const pages = new Map(Object.entries(loginPages).filter(([name]) => name !== page))
    const { results } = await examine({ target: { ...target, pages, timeoutSeconds: 30 }, only: [rule] })
    return results[0]
  })

test.each([
  ['sign-in', 'authorization/code'],
  ['consent', 'authorization/code'],
  ['log-out', 'logout/confirmed'],
  ['device-confirm', 'authorization/device-grant'],
])('that the page %s is not described is told of the target file, and not of the bank', async (page, rule) => {
  expect(await without(page, rule)).toMatchObject({
    rule,
    status: 'error',
    targetAtFault: true,
    reason: expect.stringMatching(
      /^the target file: login\.pages: no entry recognises the page of .*, which is a page titled "/,
    ),
  })
})
