import { randomUUID } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { formatViolation, type SchemaName, validate } from '../../schemas/index.js'
import { now, nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { reasonOf } from '../keys/client-keys.js'
import type { Outbound } from '../keys/outbound.js'
import { isNestedTooDeeply } from '../nesting.js'

/** How long an assertion is good for, in seconds. */
const assertionLifetimeSeconds = 60

/** The longest interval that the service takes (published), in milliseconds. */
const longestIntervalMs = 180 * 86_400_000

/** A timestamp with offset of a moment, in milliseconds since the epoch. */
function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '+00:00')
}

/** The interval of a request: it ends now unless the request says otherwise, and lasts as long as the service takes. */
function interval({ dateFrom, dateTo }: Record<string, unknown>): { dateFrom: string; dateTo: string } {
  const to = dateTo === undefined ? now() : Date.parse(String(dateTo))
  return {
    dateFrom: String(dateFrom ?? timestamp(to - longestIntervalMs)),
    dateTo: String(dateTo ?? timestamp(to)),
  }
}

/**
 * Asks the service for a person's statistics. Specification: "User statistics", "Authentication" 6.
 *
 * @param request as schemas/user-stat-request.schema.json has it; without an interval, the last 180 days are asked for
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
  const issuedAt = nowSeconds()
  const claims = {
    iss: config.idpId,
    sub: config.idpId,
    aud: url,
    iat: issuedAt,
    exp: issuedAt + assertionLifetimeSeconds,
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
      body: JSON.stringify({ ...request, ...interval(request) }),
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
      const told: unknown = JSON.parse(text)
      if (isNestedTooDeeply(told)) throw new Error('nested too deeply')
      return told
    } catch {
      throw unavailable(`status ${response.status}, and the body is not JSON`)
    }
  })()
  const refusal = refusalIn(answer)
  if (refusal !== undefined) throw unavailable(`status ${response.status}, ${refusal}`)
  requireForm('user-stat-response', answer, (reason) => unavailable(`status ${response.status}; ${reason}`))
  return answer
}

/** What the service says against a request, by {error, error_description} as published; undefined when it says nothing. */
function refusalIn(answer: unknown): string | undefined {
  const { error, error_description: description } = (answer ?? {}) as Record<string, unknown>
  if (typeof error !== 'string') return undefined
  return typeof description === 'string' ? `${error}: ${description}` : error
}

function requireForm(name: SchemaName, value: unknown, refuse: (reason: string) => BankError): void {
  const [violation] = validate(name, value)
  if (violation) throw refuse(formatViolation(violation, 'the answer'))
}
