import type { Response, Router } from 'express'
import type { BankContext } from '../context.js'
import type { Policy } from '../policy.js'
import { readForm } from '../provider/client-authentication.js'
import { exactRouter } from '../router.js'
import { ownToken } from './token-callers.js'

/** The answer of success (AMB-69). */
const answers: Readonly<Record<Policy['revocationAnswer'], (res: Response) => unknown>> = {
  'ok-empty': (res) => res.end(),
  'ok-json': (res) => res.json({}),
  'no-content': (res) => res.status(204).end(),
}

/**
 * POST /revoke. Specification: "Exposed by the bank" 9, "States and transitions"; RFC 7009: a token that is unknown, or somebody
 * else's, is no error, and stays what it is.
 */
export function revoke(
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
  const answer = answers[context.policy.revocationAnswer]
  return exactRouter().post('/revoke', readForm, async (req, res) => {
    const { caller, token } = await ownToken(context, req, res.locals.form, '/revoke')
    res.locals.client = caller.clientId
    await token?.revoke()
    answer(res.set('cache-control', 'no-store'))
  })
}
