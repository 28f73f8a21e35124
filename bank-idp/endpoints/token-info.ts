import type { Router } from 'express'
import type { BankContext } from '../context.js'
import { readForm } from '../provider/client-authentication.js'
import { exactRouter } from '../router.js'
import { ownToken } from './token-callers.js'

/**
 * POST /token-info. Specification: "Exposed by the bank" 8, "Introspection response"; RFC 7662; cnf: RFC 8705 section 3.2. Of a token
 * that is not live, or not the caller's, no more is told than that.
 */
export function tokenInfo(
  context: Pick<
    BankContext,
    | 'assertionIds'
    | 'clientKeys'
    | 'clients'
    | 'config'
    | 'outbox'
    | 'people'
    | 'policy'
    | 'provider'
    | 'seams'
    | 'signingRequests'
    | 'subjects'
  >,
): Router {
  const { config } = context
  return exactRouter().post('/token-info', readForm, async (req, res) => {
    const { caller, token } = await ownToken(context, req, res.locals.form, '/token-info')
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
