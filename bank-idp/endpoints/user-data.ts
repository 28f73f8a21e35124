import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import type { JWTPayload } from 'jose'
import { claimsFor, claimTable, type UserData } from '../provider/claims.js'
import { seal } from '../provider/sealing.js'
import type { LiveToken } from '../provider/tokens.js'
import { readingOf } from '../readings.js'
import type { Rooms } from '../rooms.js'
import { bearerRefusal, requireAccessToken } from './access-token.js'

/** The access of a request for user data. @throws {BankError} when the token is not good for it (AMB-32) */
export async function userDataAccess(
  rooms: Rooms,
  endpoint: UserData,
  req: Request,
  res: Response,
): Promise<LiveToken> {
  const access = await requireAccessToken(rooms, req)
  res.locals.client = access.client.clientId
  const { readings } = rooms.config
  const table = claimTable(endpoint, readings)
  const data = access.scopes.filter((scope) => scope.startsWith('profile.'))
  if (readingOf(readings, 'AMB-32') === 3 && data.length > 0 && !data.some((scope) => table[scope]?.length)) {
    throw bearerRefusal(readings, 'insufficient', `no granted scope has claims at /${endpoint}`)
  }
  return access
}

/** Answers with what the granted scopes reach, signed and encrypted. Specification: "User data scopes and claims". */
export async function sendUserData(
  rooms: Rooms,
  endpoint: UserData,
  { client, person, scopes, subject }: LiveToken,
  res: Response,
  about: JWTPayload = {},
): Promise<void> {
  const claims = {
    sub: subject,
    ...about,
    // Published: a UUID and the scopes used in the call.
    txn: [randomUUID(), ...scopes].join(':'),
    ...claimsFor(person, endpoint, scopes, rooms.config.readings),
  }
  const sealed = await seal(rooms, endpoint, client, claims)
  res.set('cache-control', 'no-store').type('application/jwt').send(Buffer.from(sealed))
}
