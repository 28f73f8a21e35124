import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'

const { bank } = await bankForFile({ control: true })

const noText = { toString: 1, valueOf: 1 }

test.each([
  ['/clock', 'advance_seconds'],
  ['/faults', 'id'],
  ['/faults', 'client'],
  ['/keys/rotate', 'alg'],
  ['/outages', 'part'],
  ['/outages', 'from'],
  ['/outages', 'until'],
  ['/outages', 'reason'],
  ['/outages/end', 'part'],
  ['/outages/end', 'from'],
  ['/outbox', 'retry'],
  ['/outcomes', 'client'],
  ['/outcomes', 'outcome'],
  ['/people/jana', 'blocked'],
  ['/devices/x', 'blocked'],
  ['/stats', 'service'],
])('POST %s refuses %s that is an object or an array', async (path, name) => {
  for (const value of [noText, [noText], {}]) {
    expect(await door(bank, path, { [name]: value })).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: `${name} must not be an object or an array` },
    })
  }
})

test.each(['/clock', '/faults', '/keys/rotate', '/outages', '/outbox', '/outcomes', '/people/jana', '/stats'])(
  'POST %s refuses a list',
  async (path) => {
    expect(await door(bank, path, [noText])).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: 'the body must be a JSON object' },
    })
  },
)
