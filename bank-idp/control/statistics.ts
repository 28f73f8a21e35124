import { Router } from 'express'
import { BankError } from '../errors.js'
import { askStatistics } from '../events/statistics.js'
import type { Rooms } from '../rooms.js'

/** POST /stats {request, service?}: asks the service with the bank's own assertion. */
export function statisticsControl(rooms: Rooms): Router {
  return Router().post('/stats', async (req, res) => {
    const { request, service = rooms.config.service } = (req.body ?? {}) as { request?: unknown; service?: unknown }
    if (typeof service !== 'string') {
      throw new BankError('invalid_request', "service: give the service's address, or start the bank with --service")
    }
    if (typeof request !== 'object' || request === null) throw new BankError('invalid_request', 'request: is missing')
    res.json(await askStatistics(rooms, rooms.outbound, service, request as Record<string, unknown>))
  })
}
