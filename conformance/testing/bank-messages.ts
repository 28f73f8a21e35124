import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { ForeignBank } from './foreign-bank.js'
import type { Answer, TestSimulator } from './simulator.js'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

export const seconds = () => Math.floor(Date.now() / 1000)

/** Claims of a logout_token that the service takes. */
export function logoutClaims(bank: ForeignBank, changes: Record<string, unknown> = {}): JWTPayload {
  const claims = { iss: bank.url, aud: 'app-1', sub: 'somebody', sid: 's-1', iat: seconds(), jti: 'jti-1' }
  return JSON.parse(JSON.stringify({ ...claims, events: { [logoutEvent]: {} }, ...changes }))
}

/** An event of a notification_token. */
export function updateOf(changes: Record<string, unknown> = {}) {
  return {
    type: 'claim_updated',
    original_event_at: '2026-01-01T10:00:00+01:00',
    sub: 'somebody',
    affected_client_ids: ['app-1'],
    affected_claims: ['email'],
    ...changes,
  }
}

/** Claims of a notification_token that the service takes. */
export function notificationClaims(bank: ForeignBank, changes: Record<string, unknown> = {}): JWTPayload {
  return JSON.parse(JSON.stringify({ iss: bank.url, iat: seconds(), jti: 'n-1', events: [updateOf()], ...changes }))
}

/** What an untrusted key signs, under the kid of the bank's key. */
export async function signedByUntrustedKey(claims: JWTPayload): Promise<string> {
  const { privateKey } = await generateKeyPair('PS512')
  return new SignJWT(claims).setProtectedHeader({ alg: 'PS512', kid: 'bank' }).sign(privateKey)
}

/** POST /user-stat-data in the name of a bank. */
export async function askStatistics(
  service: TestSimulator,
  bank: ForeignBank,
  body: unknown,
  claims: JWTPayload = {},
  idpId = 'idp-1',
): Promise<Answer> {
  const now = seconds()
  const assertion = { iss: idpId, sub: idpId, aud: `${service.simulator.url}/user-stat-data`, iat: now, exp: now + 60 }
  const jwt = await bank.sign(JSON.parse(JSON.stringify({ ...assertion, jti: `j-${Math.random()}`, ...claims })))
  return service.send('POST', '/user-stat-data', JSON.stringify(body), {
    authorization: `Bearer ${jwt}`,
    'content-type': 'application/json',
  })
}
