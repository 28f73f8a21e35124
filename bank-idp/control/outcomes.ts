import type { Router } from 'express'
import { callbackMessages, isLoginOutcome } from '../callback-messages.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { exactRouter } from '../router.js'
import { membersOf } from './members.js'

/** GET /outcomes; POST /outcomes {client, outcome}: how the next login of a client ends; null unsets it. */
export function outcomeControl({ clients, forcedOutcomes }: Pick<BankContext, 'clients' | 'forcedOutcomes'>): Router {
  return exactRouter()
    .get('/outcomes', (_req, res) => {
      res.json(forcedOutcomes.list())
    })
    .post('/outcomes', async (req, res) => {
      const { client, outcome } = membersOf(req)
      if (outcome !== null && !isLoginOutcome(outcome)) {
        throw new BankError('invalid_request', `outcome must be one of ${Object.keys(callbackMessages).join(', ')}`)
      }
      if (typeof client !== 'string' || !(await clients.find(client))) {
        throw new BankError(
          'invalid_request',
          `no client is registered as '${client}': give the client_id that POST /register returned and the log shows as client`,
        )
      }
      if (outcome === null) forcedOutcomes.take(client)
      else forcedOutcomes.set(client, outcome)
      res.json(forcedOutcomes.list())
    })
}
