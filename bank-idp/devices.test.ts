import type { Bank } from './bank.js'
import type { DeviceAnswer } from './control/operations/devices.js'
import { cookieNames } from './cookie-names.js'
import { bankForTest } from './testing/banks.js'
import { door } from './testing/control-door.js'
import type { Cookies } from './testing/pages.js'
import type { TestClient, TestService } from './testing/service.js'

const scope = 'openid profile.name offline_access'

let bank: Bank
let service: TestService
let client: TestClient

beforeEach(async () => {
  // A logout leaves refresh tokens alone here; a security risk does not.
  const testBank = await bankForTest({ control: true, readings: { 'AMB-43': 'online-tokens' } })
  bank = testBank.bank
  service = testBank.service
  client = await service.client({
    scope,
    grant_types: ['authorization_code', 'refresh_token'],
    backchannel_logout_uri: `${service.url}/back-channel/logout`,
  })
})

const devices = async () => (await door<DeviceAnswer[]>(bank, '/devices')).body
const info = async (token: string) => (await service.post(client, '/token-info', { token })).body.active

async function login(cookies: Cookies, person = 'jana') {
  const consent = { action: 'approve', scope: scope.split(' ') }
  const { code } = await service.authorize(client, scope, [{ person }, consent], {}, cookies)
  return (await service.redeem(client, String(code))).body as { access_token: string; refresh_token: string }
}

test('TOK-11 a device that is blocked loses every login and token at once, and lets nobody in until it is unblocked', async () => {
  const [stolen, other]: Cookies[] = [new Map(), new Map()]
  const lost = await login(stolen as Cookies)
  const kept = await login(other as Cookies)
  expect(await devices()).toEqual(
    Array.from({ length: 2 }, () => ({
      device: expect.stringMatching(/^[0-9a-f-]{36}$/),
      people: [{ login: 'jana', signed_in: expect.any(String) }],
      blocked_since: null,
    })),
  )
  const device = String(stolen?.get(cookieNames.device)?.split('=')[1])
  expect((await devices()).map((one) => one.device)).toContain(device)

  const { status, body } = await door<DeviceAnswer>(bank, `/devices/${device}`, { blocked: true })
  expect([status, body.blocked_since]).toEqual([200, expect.any(String)])
  expect([await info(lost.access_token), await info(lost.refresh_token)]).toEqual([false, false])
  expect([await info(kept.access_token), await info(kept.refresh_token)]).toEqual([true, true])
  const [received] = await service.heard(1)
  expect(received?.path).toBe('/back-channel/logout')

  // Neither the session nor a new sign-in, by whomever, gets anybody in.
  expect(await service.authorize(client, scope, [], { prompt: 'none' }, stolen)).toMatchObject({
    error: 'login_required',
  })
  expect(await service.authorize(client, scope, [], {}, stolen)).toMatchObject({
    error: 'eid_doesnt_exist',
    error_description: 'User disabled authentication',
    state: 'S-1',
  })
  expect(await info((await login(new Map())).access_token)).toBe(true)

  expect((await door(bank, `/devices/${device}`, { blocked: false })).status).toBe(200)
  expect(await info((await login(stolen as Cookies, 'petr')).access_token)).toBe(true)
  expect(await info(lost.refresh_token)).toBe(false)
})

test('TOK-11 a person who is blocked loses what every device of theirs signed in to, and the clients are told', async () => {
  const lost = [await login(new Map()), await login(new Map())]
  const kept = await login(new Map(), 'petr')
  expect((await door(bank, '/people/jana', { blocked: true })).status).toBe(200)
  for (const { access_token, refresh_token } of lost) {
    expect([await info(access_token), await info(refresh_token)]).toEqual([false, false])
  }
  expect([await info(kept.access_token), await info(kept.refresh_token)]).toEqual([true, true])
  const received = await service.heard(2)
  expect(received.map(({ path }) => path)).toEqual(['/back-channel/logout', '/back-channel/logout'])
})

test('a login that is under way when its device is blocked ends without a token', async () => {
  const cookies: Cookies = new Map()
  await login(cookies)
  const device = String(cookies.get(cookieNames.device)?.split('=')[1])
  const { code } = await service.authorize(client, scope, [{ action: 'approve' }], { prompt: 'consent' }, cookies)
  await door(bank, `/devices/${device}`, { blocked: true })
  const { status, body } = await service.redeem(client, String(code))
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})

test('a login of a browser that keeps its name to itself is listed as a device of its own, and ends with it', async () => {
  class Forgetful extends Map<string, string> {
    override set(name: string, value: string): this {
      return name === cookieNames.device ? this : super.set(name, value)
    }
  }
  const tokens = await login(new Forgetful())
  const [known] = await devices()
  expect(known).toMatchObject({ device: expect.stringMatching(/^[0-9a-f-]{36}$/), people: [{ login: 'jana' }] })
  await door(bank, `/devices/${known?.device}`, { blocked: true })
  expect([await info(tokens.access_token), await info(tokens.refresh_token)]).toEqual([false, false])
})

test('a device that nobody signed in with is not known, and one that is blocked is listed with who used it', async () => {
  const cookies: Cookies = new Map()
  expect((await door(bank, '/devices/somebody', { blocked: true })).status).toBe(404)
  await login(cookies)
  const device = String(cookies.get(cookieNames.device)?.split('=')[1])
  expect((await door(bank, `/devices/${device}`, { blocked: 'yes' })).status).toBe(400)
  expect(await devices()).toHaveLength(1)
  await door(bank, `/devices/${device}`, { blocked: true })
  expect(await devices()).toMatchObject([{ device, people: [{ login: 'jana' }] }])
})
