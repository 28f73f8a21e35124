import type { Request } from 'express'
import type { Person } from '../../fixtures/people.js'
import { BankError } from '../errors.js'
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

/** RFC 6750 section 3.1: without a token the challenge is bare; AMB-32. */
function refusal(reason: string, presented: boolean): BankError {
  const challenge = presented ? `Bearer error="invalid_token", error_description="${reason}"` : 'Bearer'
  return new BankError('invalid_token', reason, { headers: { 'www-authenticate': challenge } })
}

/**
 * The access token of a request, from the Authorization header alone.
 *
 * @throws {BankError} invalid_token (401) when it is missing, unknown, expired, or what it rests on is gone
 */
export async function requireAccessToken(
  { provider, clients, people, subjects }: Rooms,
  req: Request,
): Promise<Access> {
  const value = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
  if (!value) throw refusal('a Bearer access token is required', false)
  const token = await provider.AccessToken.find(value)
  if (!token?.isValid || !token.clientId) throw refusal('the access token is unknown, expired or revoked', true)
  const [client, grant] = await Promise.all([clients.find(token.clientId), provider.Grant.find(String(token.grantId))])
  const person = people.byId(token.accountId)
  if (!client || !grant || !person) throw refusal('the access token is no longer valid', true)
  return { client, person, scopes: words(token.scope), subject: subjects.of(client, person.id) }
}
