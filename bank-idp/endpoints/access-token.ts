import type { Request } from 'express'
import { runChecks } from '../checks.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import type { Policy } from '../policy.js'
import { findToken, type LiveToken } from '../provider/tokens.js'
import { certificateOf } from '../signing/certificate.js'
import { bearerToken } from './bearer-token.js'

/** What is wrong with the token of a request. */
type Flaw = 'missing' | 'repeated' | 'unknown' | 'expired' | 'insufficient'

/**
 * A refusal for want of a good Bearer token, by the reading of AMB-32 in force. RFC 6750 section 3.1: without a token the challenge is
 * bare; a token that is sent twice is 400 invalid_request.
 */
export function bearerRefusal(policy: Pick<Policy, 'credentialRefusal'>, flaw: Flaw, reason: string): BankError {
  const { credentialRefusal } = policy
  const code =
    flaw === 'insufficient'
      ? 'insufficient_scope'
      : flaw === 'repeated' || credentialRefusal === 'bad-request'
        ? 'invalid_request'
        : 'invalid_token'
  const challenge = flaw === 'missing' ? 'Bearer' : `Bearer error="${code}", error_description="${reason}"`
  return new BankError(code, reason, {
    headers: { 'www-authenticate': challenge },
    ...(credentialRefusal === 'challenge-only' && flaw === 'missing' && { withoutBody: true }),
    ...(credentialRefusal === 'forbidden' && flaw === 'expired' && { status: 403 }),
  })
}

/**
 * The access token of a request, from the Authorization header alone: who it speaks for, and what it may see.
 *
 * @param place what the checks are named after: `access-token` where the token gives access, `token-caller` where it says which client asks
 * @throws {BankError} invalid_token (401) when it is missing, unknown, expired, or what it rests on is gone; AMB-32
 */
export async function requireAccessToken(
  context: Pick<
    BankContext,
    'clients' | 'config' | 'outbox' | 'people' | 'policy' | 'provider' | 'seams' | 'signingRequests' | 'subjects'
  >,
  req: Request,
  place: 'access-token' | 'token-caller' = 'access-token',
): Promise<LiveToken> {
  const { policy, seams, provider } = context
  const refuse = (flaw: Flaw, reason: string) => bearerRefusal(policy, flaw, reason)
  const value = bearerToken(req)
  if (!value) throw refuse('missing', 'a Bearer access token is required').refusedBy(`${place}/present`)
  const token = await findToken(context, value)
  if (!token) {
    const late = (await provider.AccessToken.find(value, { ignoreExpiration: true }))?.isExpired
    throw late
      ? refuse('expired', 'the access token has expired').refusedBy(`${place}/expired`)
      : refuse('unknown', 'the access token is unknown').refusedBy(`${place}/known`)
  }
  const isAccessToken = {
    id: `${place}/kind`,
    check: ({ kind }: LiveToken) => {
      if (kind !== 'access_token') throw refuse('unknown', 'the token is not an access token')
    },
  }
  // Tokens of the signing flow are bound to a client certificate (RFC 8705 section 3; AMB-65).
  const presented = certificateOf(req)?.thumbprint
  const hasCertificate = {
    id: `${place}/certificate-present`,
    check: ({ certificate }: LiveToken) => {
      if (certificate === undefined || presented !== undefined) return
      throw refuse('unknown', 'the access token is bound to a client certificate, and came without one')
    },
  }
  const isHolder = {
    id: `${place}/certificate`,
    check: ({ certificate }: LiveToken) => {
      if (certificate === undefined || presented === undefined || presented === certificate) return
      throw refuse('unknown', 'the access token is bound to another client certificate')
    },
  }
  await runChecks([isAccessToken, hasCertificate, isHolder], token, seams, token.client.clientId)
  return token
}
