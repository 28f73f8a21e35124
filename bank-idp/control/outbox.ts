import type { Router } from 'express'
import { BankError } from '../errors.js'
import { exactRouter } from '../router.js'
import type { Outbox } from '../store/outbox.js'
import { membersOf } from './members.js'

/** GET /outbox; POST /outbox {retry: jti | true}. */
export function outboxControl({ outbox }: { outbox: Outbox }): Router {
  return exactRouter()
    .get('/outbox', async (_req, res) => {
      res.json(await outbox.list())
    })
    .post('/outbox', async (req, res) => {
      const { retry } = membersOf(req)
      if (retry !== true && typeof retry !== 'string') {
        throw new BankError('invalid_request', 'retry must be a jti, or true for all that was given up')
      }
      const events = await outbox.retry(retry === true ? undefined : retry)
      if (events === 0 && retry !== true) throw new BankError('not_found', `no event with jti ${retry} was given up`)
      res.json({ events })
    })
}
