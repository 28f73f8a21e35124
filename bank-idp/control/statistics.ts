import type { Router } from 'express'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { askStatistics } from '../events/statistics.js'
import { exactRouter } from '../router.js'
import { membersOf } from './members.js'

/** POST /stats {request, service?}: asks the service with the bank's own assertion. */
export function statisticsControl(context: Pick<BankContext, 'config' | 'keys' | 'outbound'>): Router {
  return exactRouter().post('/stats', async (req, res) => {
    const { request, service = context.config.service } = membersOf(req, 'request')
    if (typeof service !== 'string') {
      throw new BankError(
        'invalid_request',
        "service must be the service's address, unless the bank was started with --service",
      )
    }
    if (typeof request !== 'object' || request === null) throw new BankError('invalid_request', 'request is missing')
    res.json(await askStatistics(context, context.outbound, service, request as Record<string, unknown>))
  })
}
