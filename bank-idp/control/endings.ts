import { Router } from 'express'
import { BankError } from '../errors.js'
import { callbackMessages, isEnding } from '../provider/callback-messages.js'
import type { Rooms } from '../rooms.js'

/** GET /endings; POST /endings {client, ending}: how the next login of an application ends; null unsets it. */
export function endingControl({ clients, nextEndings }: Rooms): Router {
  return Router()
    .get('/endings', (_req, res) => {
      res.json(nextEndings.list())
    })
    .post('/endings', async (req, res) => {
      const { client, ending } = (req.body ?? {}) as { client?: unknown; ending?: unknown }
      if (ending !== null && !isEnding(ending)) {
        throw new BankError('invalid_request', `ending must be one of ${Object.keys(callbackMessages).join(', ')}`)
      }
      if (typeof client !== 'string' || !(await clients.find(client))) {
        throw new BankError(
          'invalid_request',
          `no application is registered as '${client}': give the client_id that POST /register answered, and the log tells as client`,
        )
      }
      if (ending === null) nextEndings.take(client)
      else nextEndings.set(client, ending)
      res.json(nextEndings.list())
    })
}
