import { Router } from 'express'
import { BankError } from '../errors.js'
import { callbackMessages, isEnding } from '../provider/callback-messages.js'
import type { Rooms } from '../rooms.js'

/** GET /endings; POST /endings {client, ending}: how the next login of an application ends. */
export function endingControl({ clients, nextEndings }: Rooms): Router {
  return Router()
    .get('/endings', (_req, res) => {
      res.json(nextEndings.list())
    })
    .post('/endings', async (req, res) => {
      const { client, ending } = (req.body ?? {}) as { client?: unknown; ending?: unknown }
      if (!isEnding(ending)) {
        throw new BankError('invalid_request', `ending must be one of ${Object.keys(callbackMessages).join(', ')}`)
      }
      if (typeof client !== 'string' || !(await clients.find(client))) {
        throw new BankError('invalid_request', 'client must be the client_id of a registered application')
      }
      nextEndings.set(client, ending)
      res.json(nextEndings.list())
    })
}
