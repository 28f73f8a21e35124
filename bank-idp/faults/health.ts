import { fault } from './fault.js'

const route = 'GET /healthcheck'

export const healthFaults = [
  fault({
    id: 'health/plain-text',
    breaks: ['HEALTH-1'],
    title: 'The health record is the word OK in plain text',
    response: { [route]: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' }) },
  }),
  fault({
    id: 'health/no-content',
    breaks: ['HEALTH-1'],
    title: 'Health is 204 without a record',
    response: { [route]: () => ({ status: 204, headers: {}, body: '' }) },
  }),
]
