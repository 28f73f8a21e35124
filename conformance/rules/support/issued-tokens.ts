import { createHash } from 'node:crypto'
import type { IdToken } from '../../bank/id-token.js'
import type { Client } from '../../bank/registration.js'
import { inStep } from '../../bank/steps.js'
import type { Expect } from '../../harness/expect.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { expectInteger, expectSeconds } from './integers.js'

/** Seconds for which access tokens and id_tokens have to be valid ("Token kinds and required minimum validity"). */
export const hourSeconds = 3600

/** Seconds for which a refresh token has to be valid. */
export const yearSeconds = 365 * 24 * hourSeconds

/** Seconds that may lie between the issue of an access token and that of the id_token beside it. */
const issuingSeconds = 10

/** Seconds by which what two answers say of one time may differ. */
const slackSeconds = 60

/** Seconds by which iat may differ from the time of the answer: clocks of a bank's machines differ, and where nobody tells its time, ours and its. */
const clockSeconds = { told: 300, untold: 24 * hourSeconds }

/** Ways in which the times of an id_token are wrong, in places: it was not issued then, or they are no whole numbers. */
export const ofTimes = ['iat value=below', 'exp value=other-type']

/** An access token, and the answer that it came with. */
export interface IssuedAccessToken {
  /** Such as "the access token of a refresh". */
  what: string
  client: Client
  response: HttpResponse
  accessToken: string
  /** Seconds, as that answer says. */
  expiresIn: unknown
}

/** An id_token, and the answer that it came with. */
export interface IssuedIdToken extends Pick<IdToken, 'claims' | 'header'> {
  /** Such as "the id_token of a refresh". */
  what: string
  client: Client
  response: HttpResponse
  /** What came beside it. */
  accessToken?: string
  expiresIn?: unknown
}

/** What introspection says of how long a token lives, in seconds. */
export async function lifetimeOf(expect: Expect, introspected: HttpResponse, token: string): Promise<number> {
  // What is missing altogether is INTR-1's.
  await inStep('introspection', async () =>
    expect(introspected.json, 'the introspection response', introspected).toHaveMembers(['exp', 'iat']),
  )
  const exp = expectInteger(expect, introspected.member('exp'), `exp of ${token}`, introspected)
  return exp - expectInteger(expect, introspected.member('iat'), `iat of ${token}`, introspected)
}

/** TOK-4: both that the answer tells an hour or more, and that the token has it. */
export async function expectAccessTokenLifetime(
  { bank, expect }: Tools,
  { what, client, response, accessToken, expiresIn }: IssuedAccessToken,
): Promise<void> {
  expect(expiresIn, `expires_in beside ${what}`, response).toBeAtLeast(hourSeconds, 's')
  const introspected = await bank.introspection.fresh({ client, token: accessToken })
  const lifetime = await lifetimeOf(expect, introspected, what)
  expect(lifetime, `exp - iat of ${what}`, introspected).toBeAtLeast(hourSeconds, 's')
  // In another unit, or of another token, it promises what the token does not keep.
  expect(expiresIn, `expires_in beside ${what}, whose exp - iat is ${lifetime} s`, response).toBeAtMost(
    lifetime + slackSeconds,
    's',
  )
}

/** TOK-6: before its nbf nobody takes it (RFC 7519 section 4.1.5). */
export function expectIdTokenLifetime(
  { expect }: Pick<Tools, 'expect'>,
  { what, claims, response, expiresIn }: Pick<IssuedIdToken, 'what' | 'claims' | 'response' | 'expiresIn'>,
): void {
  const exp = expectSeconds(expect, claims.exp, `exp of ${what}`, response)
  const iat = expectSeconds(expect, claims.iat, `iat of ${what}`, response)
  const isLater = typeof claims.nbf === 'number' && claims.nbf > iat
  const lifetime = exp - (isLater ? Number(claims.nbf) : iat)
  // What expires at the same time may have been issued later.
  const least = Math.max(hourSeconds, (Number(expiresIn) || 0) - issuingSeconds)
  expect(lifetime, `exp - ${isLater ? 'nbf' : 'iat'} of ${what}`, response).toBeAtLeast(least, 's')
}

/**
 * When an answer was made, in Unix seconds: as a control door tells the bank's time, else as its Date header says (RFC 9110 section 6.6.1);
 * undefined where nothing tells.
 */
function madeAt({ service }: Pick<Tools, 'service'>, response: HttpResponse): number | undefined {
  if (service.outbox) return response.cameAt
  const at = Date.parse(response.header('date')) / 1000
  return Number.isNaN(at) ? undefined : at
}

/** TOK-34: iat is when the id_token was issued. That both times are whole numbers no document asks (RFC 7519 section 2): a bank is warned. */
export function expectIdTokenTimes(
  { expect, service, warn }: Pick<Tools, 'expect' | 'service' | 'warn'>,
  { what, claims: { exp, iat }, response }: Pick<IssuedIdToken, 'what' | 'claims' | 'response'>,
): void {
  const told = madeAt({ service }, response)
  const at = told ?? response.cameAt ?? service.clock()
  const tolerance = told === undefined ? clockSeconds.untold : clockSeconds.told
  expect(iat, `iat of ${what}`, response).toBeNear(at, tolerance, 's')
  for (const [name, seconds] of Object.entries({ exp, iat }))
    if (!Number.isInteger(seconds)) warn(`${name} of ${what} is ${seconds}: many clients read whole seconds alone`)
}

/** The left half of the hash that goes with an alg (OpenID Connect Core section 3.1.3.6); undefined where the alg names none. */
export function halfHash(value: string, alg: unknown): string | undefined {
  const [bits] = /(256|384|512)$/.exec(String(alg)) ?? []
  if (!bits) return undefined
  const digest = createHash(`sha${bits}`).update(value).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

/** TOK-8 */
export function expectAccessTokenHash(
  { expect, note }: Pick<Tools, 'expect' | 'note'>,
  { what, claims, header, response, accessToken }: Omit<IssuedIdToken, 'client'>,
): void {
  if (claims.at_hash === undefined || accessToken === undefined) {
    note(`${what} has no at_hash`)
    return
  }
  const half = halfHash(accessToken, header.alg)
  if (half === undefined) {
    note(`at_hash cannot be judged: alg ${header.alg} of ${what} names no hash`)
    return
  }
  expect<unknown>(claims.at_hash, `at_hash of ${what}`, response).toBe(half)
}

/** Of whom an id_token is, by whom and for whom. */
export function expectIdTokenParties(
  { bank, expect }: Pick<Tools, 'bank' | 'expect'>,
  {
    what,
    claims,
    client,
    response,
  }: Pick<IssuedIdToken, 'what' | 'claims' | 'response'> & { client: { clientId: string } },
): void {
  expect(claims.sub, `sub of ${what}`, response).toBeText()
  expect(claims.iss, `iss of ${what}`, response).toBe(bank.issuer)
  expect([claims.aud].flat(), `aud of ${what}`, response).toEqual([client.clientId])
}

/** TOK-34, save the nonce: what an id_token always carries. */
export async function expectIdTokenClaims(
  tools: Tools,
  { what, claims, client, response }: Pick<IssuedIdToken, 'what' | 'claims' | 'client' | 'response'>,
): Promise<void> {
  const { bank, expect, warn } = tools
  expectIdTokenParties(tools, { what, claims, client, response })
  expectSeconds(expect, claims.exp, `exp of ${what}`, response)
  expectIdTokenTimes(tools, { what, claims, response })
  if (claims.azp !== undefined && claims.azp !== client.clientId)
    warn(`azp of ${what} is ${JSON.stringify(claims.azp)}, which is not the client (OpenID Connect Core section 2)`)
  for (const claim of ['amr', 'jti'].filter((one) => claims[one] === undefined))
    warn(`${what} has no ${claim} (published)`)
  if (claims.jti !== undefined && typeof (claims.jti as unknown) !== 'string')
    warn(`jti of ${what} is ${JSON.stringify(claims.jti)}, which is no text (RFC 7519 section 4.1.7)`)
  judgeMethods(tools, what, claims.amr)
  const declared = (await bank.discovery()).declared('acr_values_supported') ?? ['loa2', 'loa3']
  if (claims.acr !== undefined && !declared.includes(String(claims.acr)))
    warn(`acr of ${what} is ${JSON.stringify(claims.acr)}, which is not among ${declared.join(', ')}`)
}

/** How people authenticate, as published. */
const methods = 'face fpt geo hwk iris kba mca mfa otp pin pwd rba retina sc sms swk tel user vbm wia'.split(' ')

/** amr, where there is one, is a list of texts (OpenID Connect Core section 2), and its values are those published: else a bank is warned. */
function judgeMethods({ warn }: Pick<Tools, 'warn'>, what: string, amr: unknown): void {
  const unknown = [amr ?? []].flat().filter((method) => !methods.includes(String(method)))
  if (amr !== undefined && !Array.isArray(amr)) warn(`amr of ${what} is ${JSON.stringify(amr)}, which is no list`)
  else if (unknown.length > 0) warn(`amr of ${what} holds ${JSON.stringify(unknown)}, which is not published`)
}

/** TOK-18; Pragma is RFC 6749's alone (section 5.1). */
export function expectNotStored(
  { expect, warn }: Pick<Tools, 'expect' | 'warn'>,
  what: string,
  response: HttpResponse,
): void {
  expect(response.header('cache-control'), `cache-control of ${what}`, response).toSatisfy(
    (directives) =>
      directives
        .toLowerCase()
        .split(/\s*,\s*/)
        .includes('no-store'),
    'a list with no-store',
  )
  const pragma = response.header('pragma')
  if (!/\bno-cache\b/i.test(pragma)) warn(`${what} has no Pragma: no-cache (RFC 6749 section 5.1)`)
}
