import type { Request } from 'express'
import { BankError } from '../errors.js'
import { findToken, type LiveToken } from '../provider/tokens.js'
import type { Rooms } from '../rooms.js'

/** RFC 6750 section 3.1: without a token the challenge is bare; AMB-32. */
function refusal(reason: string, presented: boolean): BankError {
  const challenge = presented ? `Bearer error="invalid_token", error_description="${reason}"` : 'Bearer'
  return new BankError('invalid_token', reason, { headers: { 'www-authenticate': challenge } })
}

/**
 * The access token of a request, from the Authorization header alone: who it speaks for, and what it may see.
 *
 * @throws {BankError} invalid_token (401) when it is missing, unknown, expired, or what it rests on is gone
 */
export async function requireAccessToken(rooms: Rooms, req: Request): Promise<LiveToken> {
  const value = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
  if (!value) throw refusal('a Bearer access token is required', false)
  const token = await findToken(rooms, value, ['access_token'])
  if (!token) throw refusal('the access token is unknown, expired or revoked', true)
  return token
}
