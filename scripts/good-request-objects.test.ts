import { examine } from '../conformance/examine.js'
import { withBank } from './bundled-bank.js'

/** What some banks ask of every request object: RFC 9101 sections 4 and 10.2, FAPI 2.0 message signing. */
const demanded = ['iss', 'aud', 'client_id', 'exp', 'iat', 'jti']

test.each([
  ['of the login', 'request-object/served'],
  ['to be authorized', 'signing/request-object'],
])('a good request object %s has whatever a bank may ask of it', async (_what, rule) => {
  const { results, evidence } = await withBank({}, (target) => examine({ target, only: [rule] }))
  expect(results).toMatchObject([{ rule, status: 'pass' }])
  const objects = evidence.filter((item) => item.kind === 'opened' && item.what === 'request object')
  expect(objects.length).toBeGreaterThan(0)
  for (const object of objects)
    expect(object).toMatchObject({ payload: Object.fromEntries(demanded.map((claim) => [claim, expect.anything()])) })
})
