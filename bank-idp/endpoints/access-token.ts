import type { Request } from 'express'
import type { Person } from '../../fixtures/people.js'
import { BankError } from '../errors.js'
import { type Readings, readingOf } from '../readings.js'
import type { Rooms } from '../rooms.js'
import type { Client } from '../store/clients.js'
import { words } from '../words.js'

/** Who a Bearer access token speaks for, and what it may see. */
export interface Access {
  client: Client
  person: Person
  scopes: string[]
  /** The person's sub at this application. */
  subject: string
}

/** What is wrong with the token of a request. */
type Flaw = 'missing' | 'unknown' | 'expired' | 'insufficient'

/**
 * A refusal for want of a good Bearer token, by the reading of AMB-32 in force. RFC 6750 section 3.1: without a token the challenge is
 * bare.
 */
export function bearerRefusal(readings: Readings, flaw: Flaw, reason: string): BankError {
  const reading = readingOf(readings, 'AMB-32')
  const code = flaw === 'insufficient' ? 'insufficient_scope' : reading === 4 ? 'invalid_request' : 'invalid_token'
  const challenge = flaw === 'missing' ? 'Bearer' : `Bearer error="${code}", error_description="${reason}"`
  return new BankError(code, reason, {
    headers: { 'www-authenticate': challenge },
    ...(reading === 2 && flaw === 'missing' && { withoutBody: true }),
    ...(reading === 3 && flaw === 'expired' && { status: 403 }),
  })
}

/**
 * The access token of a request, from the Authorization header alone.
 *
 * @throws {BankError} invalid_token (401) when it is missing, unknown, expired, or what it rests on is gone; AMB-32
 */
export async function requireAccessToken(
  { config, provider, clients, people, subjects }: Rooms,
  req: Request,
): Promise<Access> {
  const refuse = (flaw: Flaw, reason: string) => bearerRefusal(config.readings, flaw, reason)
  const value = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
  if (!value) throw refuse('missing', 'a Bearer access token is required')
  const token = await provider.AccessToken.find(value)
  if (!token?.clientId) throw refuse('unknown', 'the access token is unknown or revoked')
  if (token.isExpired) throw refuse('expired', 'the access token has expired')
  const [client, grant] = await Promise.all([clients.find(token.clientId), provider.Grant.find(String(token.grantId))])
  const person = people.byId(token.accountId)
  if (!client || !grant || !person) throw refuse('unknown', 'the access token is no longer valid')
  return { client, person, scopes: words(token.scope), subject: subjects.of(client.record, person.id) }
}
