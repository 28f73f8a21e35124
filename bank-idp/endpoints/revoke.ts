import { type Response, Router } from 'express'
import type { BankContext } from '../context.js'
import { readForm } from '../provider/client-authentication.js'
import { readingOf } from '../readings.js'
import { ownToken } from './token-callers.js'

/** The answer of success by the readings of AMB-69, in their order. */
const answers: readonly ((res: Response) => unknown)[] = [
  (res) => res.end(),
  (res) => res.json({}),
  (res) => res.status(204).end(),
]

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
    | 'provider'
    | 'seams'
    | 'signingRequests'
    | 'subjects'
  >,
): Router {
  const answer = answers[readingOf(context.config.readings, 'AMB-69') - 1]
  return Router().post('/revoke', ...readForm, async (req, res) => {
    const { caller, token } = await ownToken(context, req, res.locals.form, '/revoke')
    res.locals.client = caller.clientId
    await token?.revoke()
    answer?.(res.set('cache-control', 'no-store'))
  })
}
