import { bankForFile, bankForTest } from '../../testing/banks.js'
import type { Cookies } from '../../testing/pages.js'
import type { TestClient, TestService } from '../../testing/service.js'

const { service } = await bankForFile()

/** Logs Jana in and has her approve what the page shows, then asks again in her session, without a page. */
async function askAgain(there: TestService, client: TestClient, first: string, again: string) {
  const cookies: Cookies = new Map()
  const approve = { action: 'approve', scope: first.split(' ') }
  expect(await there.authorize(client, first, [{ person: 'jana' }, approve], {}, cookies)).toHaveProperty('code')
  return there.authorize(client, again, [], { prompt: 'none' }, cookies)
}

const offline = { grant_types: ['authorization_code', 'refresh_token'] }

test.each([
  ['registered for openid alone', { scope: 'openid' }, 'openid'],
  ['that asks for openid and offline_access', { scope: 'openid offline_access', ...offline }, 'openid offline_access'],
  [
    'that asks for offline_access without the grant for it',
    { scope: 'openid profile.name offline_access' },
    'openid offline_access',
  ],
  ['that asks for all that it registered', { scope: 'openid profile.name' }, 'openid profile.name'],
])('CONS-1: the consent to a client %s is remembered', async (_what, record, scope) => {
  const client = await service.client(record)
  expect(await askAgain(service, client, scope, scope)).toHaveProperty('code')
})

test('CONS-3: a request for openid alone is spared the page when all that the client registered was approved, and only then', async () => {
  const scope = 'openid profile.name profile.birthdate'
  const [whole, part] = [await service.client({ scope }), await service.client({ scope })]
  expect(await askAgain(service, whole, scope, 'openid')).toHaveProperty('code')
  expect(await askAgain(service, part, 'openid profile.name', 'openid')).toMatchObject({ error: 'consent_required' })
})

describe('where openid alone stands for itself', () => {
  const record = { scope: 'openid profile.name profile.birthdate' }

  test.each([
    ['openid', 'code'],
    ['openid profile.name profile.birthdate', 'code'],
    ['openid profile.name', 'error'],
  ])('it is asked for again after consent to %s: %s', async (first, answer) => {
    const { service: there } = await bankForTest({ readings: { 'AMB-33': 'sub-and-txn' } })
    expect(await askAgain(there, await there.client(record), first, 'openid')).toHaveProperty(answer)
  })
})
