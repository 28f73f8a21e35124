import { Router } from 'express'
import { readForm } from '../provider/client-authentication.js'
import type { Rooms } from '../rooms.js'
import { ownToken } from './token-callers.js'

/**
 * POST /token-info. Specification: "Exposed by the bank" 8, "Introspection response"; RFC 7662; cnf: RFC 8705 section 3.2. Of a token
 * that is not live, or not the caller's, no more is told than that.
 */
export function tokenInfo(rooms: Rooms): Router {
  const { config } = rooms
  return Router().post('/token-info', ...readForm, async (req, res) => {
    const { caller, token } = await ownToken(rooms, req, res.locals.form, '/token-info')
    res.locals.client = caller.clientId
    res.set('cache-control', 'no-store').json(
      token
        ? {
            active: true,
            scope: token.scopes.join(' '),
            client_id: token.client.clientId,
            token_type: token.kind,
            exp: token.expiresAt,
            iat: token.issuedAt,
            sub: token.subject,
            aud: token.client.clientId,
            iss: config.issuer,
            ...(token.certificate !== undefined && { cnf: { 'x5t#S256': token.certificate } }),
          }
        : { active: false },
    )
  })
}
