import { rule } from '../harness/rule.js'

export const record = rule({
  id: 'health/record',
  requirement: 'HEALTH-1',
  title: 'The health record is served as JSON without authentication',
  async check({ bank, expect, reading }) {
    const response = await bank.get('/healthcheck')
    const failing = response.member('status') === 'ERROR'
    expect(response).toHaveStatus(...(failing ? [200, 503] : [200]))
    expect(response).toHaveMediaType('application/json')
    const found = expect(response.json, 'the health record', response).toBeObject()
    expect(found.status, 'status of the health record', response).toBeText()
    if (failing) reading('AMB-57', response.status === 200 ? 1 : 2)
  },
})
