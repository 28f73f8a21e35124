import { randomUUID } from 'node:crypto'
import { decodeJwt, type JWTPayload } from 'jose'
import { logoutClaims, notificationClaims, seconds } from '../testing/bank-messages.js'
import type { ForeignBank } from '../testing/foreign-bank.js'
import type { Route, Routes } from '../testing/https-server.js'
import type { TestSimulator } from '../testing/simulator.js'
import { bankAndSimulator } from '../testing/simulator-for-test.js'

/** Claims, and the typ that says what they are for. */
type Jwt = [claims: JWTPayload, typ?: string]

/** What a bank signs, by one key, each as like the others as it can be. */
function kinds(bank: ForeignBank, service: TestSimulator): Record<string, Jwt> {
  const dated = { iat: seconds(), exp: seconds() + 60, jti: randomUUID() }
  const person = { iss: bank.url, aud: 'app-1', sub: 'somebody' }
  const address = `${service.simulator.url}/user-stat-data`
  return {
    id_token: [{ ...dated, ...person, nonce: 'N', auth_time: seconds() }],
    'user data': [{ ...person, txn: `${randomUUID()}:openid`, name: 'Jana' }],
    'access token': [{ ...dated, ...person, client_id: 'app-1' }, 'at+jwt'],
    'logout token': [logoutClaims(bank)],
    'notification token': [notificationClaims(bank)],
    'assertion of the bank': [{ ...dated, iss: 'idp-1', sub: 'idp-1', aud: address }],
  }
}

const json = { 'content-type': 'application/json' }

/** Where a bank sends a JWT, the types that it may have, and how the service answers one of another kind. */
const places = {
  '/back-channel/logout': {
    takes: 'logout token',
    typ: ['JWT', 'logout+jwt', 'application/logout+jwt'],
    foreign: 'nonce',
    present: (service: TestSimulator, jwt: string) => service.form('/back-channel/logout', { logout_token: jwt }),
    refused: [400, 'invalid_request'],
  },
  '/notify': {
    takes: 'notification token',
    typ: ['JWT', 'secevent+jwt'],
    foreign: 'nonce',
    present: (service: TestSimulator, jwt: string) => service.form('/notify', { notification_token: jwt }),
    refused: [400, 'invalid_request'],
  },
  '/user-stat-data': {
    takes: 'assertion of the bank',
    typ: ['JWT', 'client-authentication+jwt'],
    foreign: 'events',
    present: (service: TestSimulator, jwt: string) =>
      service.send('POST', '/user-stat-data', '{"idpSub":"somebody"}', { ...json, authorization: `Bearer ${jwt}` }),
    refused: [401, 'invalid_token'],
  },
} as const

const rows = Object.entries(places)

test.each(rows)(
  'SVC-1, SVC-2, SVC-3: %s takes the JWT that was made for it, and none of another kind',
  async (_path, place) => {
    const { bank, service } = await bankAndSimulator()
    for (const [kind, [claims, typ]] of Object.entries(kinds(bank, service))) {
      const { status, json } = await place.present(service, await bank.sign(claims, typ))
      const right = kind === place.takes ? [200, undefined] : place.refused
      expect([kind, status, (json as { error?: string } | undefined)?.error]).toEqual([kind, ...right])
    }
  },
)

test.each(rows)(
  '%s takes one with the typ of its kind, or of any JWT, and none with that of another',
  async (_path, place) => {
    const { bank, service } = await bankAndSimulator()
    const present = async (typ: string, further: JWTPayload = {}) => {
      const [claims] = kinds(bank, service)[place.takes] as Jwt
      const { status } = await place.present(
        service,
        await bank.sign({ ...claims, jti: randomUUID(), ...further }, typ),
      )
      return [typ, status]
    }
    for (const typ of place.typ) expect(await present(typ)).toEqual([typ, 200])
    for (const typ of ['at+jwt', 'oauth-authz-req+jwt']) expect(await present(typ)).toEqual([typ, place.refused[0]])
    expect(await present('JWT', { [place.foreign]: 'x' })).toEqual(['JWT', place.refused[0]])
  },
)

describe('a login ends without the person being logged in', () => {
  /** Signs what the bank answers with once more, changed. */
  async function outcome(route: string, change: (claims: JWTPayload) => Jwt) {
    const replaced = (own: Routes) => {
      const changed: Route = async (request) => {
        const answer = await own[route]?.(request)
        if (typeof answer !== 'object' || answer.status !== 200) return answer ?? 'cut'
        const body = JSON.parse(answer.body ?? '{}')
        return {
          ...answer,
          body: JSON.stringify({ ...body, id_token: await bank.sign(...change(decodeJwt(body.id_token))) }),
        }
      }
      const signed: Route = async () => ({
        status: 200,
        headers: { 'content-type': 'application/jwt' },
        body: await bank.sign(...change({ sub: 'somebody' })),
      })
      return { [route]: route === 'POST /token' ? changed : signed }
    }
    const { bank, service, journal } = await bankAndSimulator(replaced)
    const { status, text } = await service.login()
    return { status, text, logins: journal.of('login').length }
  }

  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }

  test.each<[string, string, (claims: JWTPayload) => Jwt, RegExp]>([
    ['an id_token with the typ of a logout token', 'POST /token', (id) => [id, 'logout+jwt'], /its typ is logout\+jwt/],
    ['an id_token with events', 'POST /token', (id) => [{ ...id, events }], /it carries events/],
    ['user data with the typ of an access token', 'GET /userinfo', (data) => [data, 'at+jwt'], /its typ is at\+jwt/],
    [
      'user data with the nonce of an id_token',
      'GET /userinfo',
      (data) => [{ ...data, nonce: 'n' }],
      /it carries nonce/,
    ],
    ['user data for another client', 'GET /userinfo', (data) => [{ ...data, aud: 'app-2' }], /aud of userinfo/],
    [
      'user data of another issuer',
      'GET /userinfo',
      (data) => [{ ...data, iss: 'https://b.example' }],
      /iss of userinfo/,
    ],
  ])('on %s', async (_what, route, change, reason) => {
    expect(await outcome(route, change)).toEqual({ status: 502, text: expect.stringMatching(reason), logins: 0 })
  })

  test.each<[string, (claims: JWTPayload) => Jwt]>([
    ['POST /token', (claims) => [claims, 'JWT']],
    ['GET /userinfo', (claims) => [claims, 'JWT']],
  ])('but not where %s gives a JWT that says that it is one', async (route, change) => {
    expect(await outcome(route, change)).toMatchObject({ status: 200, logins: 1 })
  })
})
