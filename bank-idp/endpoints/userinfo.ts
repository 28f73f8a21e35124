import { randomUUID } from 'node:crypto'
import { Router } from 'express'
import { claimsOfScopes, userinfoClaims } from '../provider/claims.js'
import { seal } from '../provider/sealing.js'
import type { Rooms } from '../rooms.js'
import { requireAccessToken } from './access-token.js'

/** GET /userinfo. Specification: "Exposed by the bank" 10, "User data scopes and claims". Bearer token per RFC 6750 section 2.1. */
export function userinfo(rooms: Rooms): Router {
  const { config } = rooms
  return Router().get('/userinfo', async (req, res) => {
    const { client, person, scopes, subject } = await requireAccessToken(rooms, req)
    res.locals.client = client.clientId
    const claims = {
      sub: subject,
      iss: config.issuer,
      aud: client.clientId,
      txn: [randomUUID(), ...scopes].join(':'),
      ...claimsOfScopes(userinfoClaims, scopes, person.claims),
    }
    const sealed = await seal(rooms, 'userinfo', client, claims)
    res.set('cache-control', 'no-store').type('application/jwt').send(sealed)
  })
}
