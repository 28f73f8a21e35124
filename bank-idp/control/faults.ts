import type { Router } from 'express'
import type { BankContext } from '../context.js'
import { BankError, UsageError } from '../errors.js'
import { exactRouter } from '../router.js'
import { membersOf } from './members.js'

/** What the control door says of one fault. */
export interface FaultAnswer {
  id: string
  title: string
  /** Ids of requirements. */
  breaks: readonly string[]
  on: boolean
  /** client_id of the clients it is on for; empty when it is on for all. */
  clients: string[]
}

/** GET /faults; POST /faults {id, on, client?}. */
export function faultControl({ faults }: Pick<BankContext, 'faults'>): Router {
  const list = (): FaultAnswer[] =>
    faults.known.map(({ id, title, breaks }) => {
      const active = faults.list().filter(({ fault }) => fault.id === id)
      return { id, title, breaks, on: active.length > 0, clients: active.flatMap(({ clientId }) => clientId ?? []) }
    })
  return exactRouter()
    .get('/faults', (_req, res) => {
      res.json(list())
    })
    .post('/faults', (req, res) => {
      const { id, on, client } = membersOf(req)
      const clientId = typeof client === 'string' ? client : undefined
      try {
        if (on === false) faults.off(String(id), clientId)
        else faults.on(String(id), clientId)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        throw new BankError('invalid_request', error.message, { cause: error })
      }
      res.json(list())
    })
}
