import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import { claimsFor, claimTable, type UserData } from '../claims.js'
import type { BankContext } from '../context.js'
import { makeNestedJwt } from '../provider/nested-jwt.js'
import type { LiveToken } from '../provider/tokens.js'
import { bearerRefusal, requireAccessToken } from './access-token.js'

/** What the endpoints with user data use of the bank. */
export type UserDataContext = Pick<
  BankContext,
  | 'clientKeys'
  | 'clients'
  | 'config'
  | 'keys'
  | 'outbox'
  | 'people'
  | 'policy'
  | 'provider'
  | 'seams'
  | 'signingRequests'
  | 'subjects'
>

/** The access of a request for user data. @throws {BankError} when the token is not good for it (AMB-32) */
export async function userDataAccess(
  context: Pick<
    BankContext,
    'clients' | 'config' | 'outbox' | 'people' | 'policy' | 'provider' | 'seams' | 'signingRequests' | 'subjects'
  >,
  endpoint: UserData,
  req: Request,
  res: Response,
): Promise<LiveToken> {
  const access = await requireAccessToken(context, req)
  res.locals.client = access.client.clientId
  const { policy } = context
  const table = claimTable(endpoint, policy)
  const data = access.scopes.filter((scope) => scope.startsWith('profile.'))
  if (policy.credentialRefusal === 'forbidden' && data.length > 0 && !data.some((scope) => table[scope]?.length)) {
    throw bearerRefusal(policy, 'insufficient', `no granted scope has claims at /${endpoint}`).refusedBy(
      'access-token/scope',
    )
  }
  return access
}

/**
 * Answers with what the granted scopes reach, signed and encrypted. Specification: "User data scopes and claims". A signed answer names who
 * made it, and for whom (OpenID Connect Core section 5.3.2).
 */
export async function sendUserData(
  context: Pick<BankContext, 'clientKeys' | 'config' | 'keys' | 'policy' | 'seams'>,
  endpoint: UserData,
  { client, person, scopes, subject }: LiveToken,
  res: Response,
): Promise<void> {
  const claims = {
    sub: subject,
    iss: context.config.issuer,
    aud: client.clientId,
    // Published: a UUID and the scopes used in the call.
    txn: [randomUUID(), ...scopes].join(':'),
    ...claimsFor(person, endpoint, scopes, context.policy),
  }
  const jwt = await makeNestedJwt(context, endpoint, client, claims)
  res.set('cache-control', 'no-store').type('application/jwt').send(Buffer.from(jwt))
}
