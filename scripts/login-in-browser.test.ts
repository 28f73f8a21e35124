import { examine } from '../conformance/examine.js'
import type * as bundle from '../conformance/index.js'
import type { Target } from '../conformance/target/target.js'
import { chromiumPath } from '../conformance/testing/chromium.js'
import { packageFile } from '../schemas/package-file.js'
import { withBank } from './bundled-bank.js'

/** Rules that use all that an end-user can do: see pages, refuse, deny a scope, keep a session, be another person, sign, log out. */
const only = [
  'authorization/code',
  'authorization/prompt-login',
  'authorization/prompt-none-accounts',
  'authorization/acr-out-of-reach',
  'callback/*',
  'consent/further-scope',
  'consent/approved-data',
  'logout/session',
  'signing/fields-shown',
  'signing/once',
  'signing/stepped-up',
]

/** The browser leaves the bank in this process little of a busy machine. */
const inBrowser = (target: Target): Target => ({
  ...target,
  timeoutSeconds: 60,
  login: { by: 'browser', browser: chromiumPath, pageSeconds: 60 },
})

test('the browser driver does all that rules ask of an end-user, with the results of forms over HTTP', async () => {
  const results = await withBank({}, (target) => examine({ target: inBrowser(target), only }))
  const others = results.results.filter(({ status }) => status !== 'pass')
  expect(others.map(({ rule, status, reason }) => [rule, status, reason])).toEqual([])
  expect(results.results.length).toBeGreaterThanOrEqual(only.length)
})

test('what the bundled harness hands to a browser as text needs nothing of the file that it came from', async () => {
  const bundled = (await import(packageFile('dist/bundled/examine.js'))) as typeof bundle
  await withBank({}, async (target) => {
    const run = await bundled.openExamination(inBrowser(target), { only: ['authorization/code'] })
    try {
      expect(await run.resultOf({ id: 'authorization/code' })).toMatchObject({ status: 'pass' })
    } finally {
      await run.close()
    }
  })
})
