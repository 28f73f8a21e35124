import { BankError } from '../../errors.js'
import { askStatistics } from '../../events/statistics.js'
import type { Operation } from '../operation.js'

const ask: Operation<{ request: Record<string, unknown>; service?: string }, unknown> = {
  id: 'askStatistics',
  method: 'post',
  path: '/stats',
  summary: "Asks the service for statistics of a person's logins, with the bank's own assertion.",
  input: {
    required: ['request'],
    properties: {
      request: { type: 'object', description: 'As POST /user-stat-data of the service takes it.' },
      service: { type: 'string', description: "The service's address; default: that of the bank's settings." },
    },
  },
  output: { type: 'object', description: "The service's answer." },
  example: { input: { request: { idpSub: '8f7a' } }, output: { data: [] } },
  run({ context }, { request, service = context.config.service }) {
    if (service !== undefined) return askStatistics(context, context.outbound, service, request)
    throw new BankError(
      'invalid_request',
      'no service is named: give its address (service, at the command line --service), or set it for the bank',
    )
  },
}

export const statisticsOperations = [ask]
