import { examine } from '../conformance/examine.js'
import { chromiumPath } from '../conformance/testing/chromium.js'
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

test('the browser driver does all that rules ask of an end-user, with the results of forms over HTTP', async () => {
  const results = await withBank({}, (target) =>
    // The browser leaves the bank in this process little of a busy machine.
    examine({
      target: { ...target, timeoutSeconds: 60, login: { by: 'browser', browser: chromiumPath, pageSeconds: 60 } },
      only,
    }),
  )
  const others = results.results.filter(({ status }) => status !== 'pass')
  expect(others.map(({ rule, status, reason }) => [rule, status, reason])).toEqual([])
  expect(results.results.length).toBeGreaterThanOrEqual(only.length)
}, 240_000)
