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
      body: { error: 'invalid_request', error_description: expect.stringContaining(`${name} `) },
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

test.each([
  ['/clock', { advance_second: 1 }, 400, 'advance_second is not a known member: did you mean advance_seconds?'],
  ['/clock', { advance_seconds: 'an hour' }, 400, 'advance_seconds must be a number, but is a string.'],
  ['/clock', {}, 400, 'give one of advance_seconds, back_seconds, set, frozen, reset'],
  ['/clock', { frozen: true, reset: true }, 400, 'give one of advance_seconds'],
  ['/clock', { set: 'soon' }, 400, 'the clock is set to a time from 1970 to 9999, such as 2030-01-31T12:00:00Z'],
  ['/clock', { back_seconds: 0 }, 400, 'the clock moves back by a positive number of seconds'],
  ['/devices/x', { blocked: 'yes' }, 400, 'blocked must be true or false, but is a string.'],
  ['/people/jana', {}, 400, 'claims must be an object of claims; null removes a claim'],
  ['/reset', { all: true }, 400, 'all is not a known member; there is none.'],
  ['/clok', { advance_seconds: 1 }, 404, 'the control door does not serve POST /v1/clok: did you mean POST /v1/clock?'],
])('POST %s %j is told what was meant', async (path, body, status, error_description) => {
  const answer = await door(bank, path, body)
  expect([answer.status, answer.body.error_description]).toEqual([status, expect.stringContaining(error_description)])
})

test('what is asked for without its version is told where it is', async () => {
  const { origin } = new URL(String(bank.control?.url))
  const answer = await door({ control: { url: origin, token: String(bank.control?.token) } }, '/clock')
  expect(answer).toEqual({
    status: 404,
    body: {
      error: 'not_found',
      error_description: 'the control door does not serve GET /clock: did you mean GET /v1/clock?',
    },
  })
})

test.each([
  [{ origin: 'https://evil.test' }],
  [{ origin: 'null' }],
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
])('a web page is refused though it has the token: %j', async (headers) => {
  const authorization = `Bearer ${bank.control?.token}`
  const answer = await fetch(`${bank.control?.url}/clock`, { headers: { authorization, ...headers } as HeadersInit })
  // The fetch of Node.js is no browser: it sends these headers as they are given.
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([401, 'invalid_token'])
})

test('a body is JSON whatever it is called, and never left unread', async () => {
  const ask = (body: string) =>
    fetch(`${bank.control?.url}/outages/end`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bank.control?.token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body,
    })
  expect((await ask('{"part":"nowhere"}')).status).toBe(400)
  const form = await ask('part=kyc')
  expect([form.status, ((await form.json()) as { error: string }).error]).toEqual([400, 'invalid_request'])
})

test.each([
  ['/people/jana', '{"claims":{"name":…}}'],
  ['/clients', '{"redirect_uris":["https://app.example/cb"],"record":{"client_name":…}}'],
  ['/outages', '{"reason":…}'],
])('POST %s refuses a body that is nested too deeply', async (path, body) => {
  const levels = 40_000
  const answer = await fetch(`${bank.control?.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bank.control?.token}` },
    body: body.replace('…', '['.repeat(levels) + ']'.repeat(levels)),
  })
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'the body is nested too deeply' },
  ])
})
