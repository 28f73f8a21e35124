import { randomUUID } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { formatViolation, type SchemaName, validate } from '../../schemas/index.js'
import { nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { reasonOf } from '../keys/client-keys.js'
import type { Outbound } from '../keys/outbound.js'

/** How long an assertion is good for, in seconds. */
const assertionLifetimeSeconds = 60

/**
 * Asks the service for a person's statistics. Specification: "User statistics", "Authentication" 6.
 *
 * @param request as schemas/user-stat-request.schema.json has it
 * @param service the service's address, {base_url}
 * @returns the service's answer, which holds figures or a message
 * @throws {BankError} invalid_request naming the member, or temporarily_unavailable with what came instead of an answer
 */
export async function askStatistics(
  { config, keys }: Pick<BankContext, 'config' | 'keys'>,
  outbound: Outbound,
  service: string,
  request: Record<string, unknown>,
): Promise<unknown> {
  requireForm('user-stat-request', request, (reason) => new BankError('invalid_request', reason))
  const url = `${service}/user-stat-data`
  const key = keys.current('PS512')
  const now = nowSeconds()
  const claims = {
    iss: config.idpId,
    sub: config.idpId,
    aud: url,
    iat: now,
    exp: now + assertionLifetimeSeconds,
    jti: randomUUID(),
  }
  const assertion = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'PS512', kid: key.kid, typ: 'JWT' })
    .sign(await importJWK(key, 'PS512'))
  const unavailable = (reason: string) => new BankError('temporarily_unavailable', `POST ${url}: ${reason}`)
  const response = await outbound
    .fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${assertion}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request),
    })
    .catch((error: unknown) => {
      const reason = reasonOf(error)
      const hint = reason.includes('ECONNREFUSED')
        ? "; no server listens there ('conformance serve' plays the service)"
        : ''
      throw unavailable(`${reason}${hint}`)
    })
  const text = await response.text()
  const answer = (() => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw unavailable(`status ${response.status}, and the body is not JSON`)
    }
  })()
  if (response.status === 401) throw unavailable(`401, ${text.slice(0, 300)}`)
  requireForm('user-stat-response', answer, (reason) => unavailable(`status ${response.status}; ${reason}`))
  return answer
}

function requireForm(name: SchemaName, value: unknown, refuse: (reason: string) => BankError): void {
  const [violation] = validate(name, value)
  if (violation) throw refuse(formatViolation(violation, 'the answer'))
}
