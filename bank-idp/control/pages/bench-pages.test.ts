import request from 'supertest'
import { bankForFile, bankForTest } from '../../testing/banks.js'
import { operations } from '../operations/index.js'

const { bank, service } = await bankForFile({ benchPage: true })
const evil = 'Shop \u202e<b>&</b>'
const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'], clientName: evil })
const { client_id } = client

const page = new URL(String(bank.control?.page))
const { origin } = page
const http = request(origin)

/** The cookie of a browser that opened the address with the token. */
const entered = await http.get(page.pathname + page.search)
const cookie = String(entered.get('set-cookie')).replace(/;.*/, '')
const look = (path: string) => http.get(path).set('cookie', cookie)

/** What the form of an operation carries on a page. */
async function formOf(path: string, operation: string, fixed = ''): Promise<Record<string, string>> {
  const { text } = await look(path)
  const forms = text.split('<form ').filter((one) => one.includes(`action="/bench/do/${operation}"`))
  const decoded = (value = '') => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const hidden = forms.map((one) =>
    Object.fromEntries(
      [...one.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, decoded(value)]),
    ),
  )
  return hidden.find((one) => String(one.fixed).includes(fixed)) ?? {}
}

const post = (operation: string, fields: Record<string, string>) =>
  http.post(`/bench/do/${operation}`).set({ cookie, origin, 'sec-fetch-site': 'same-origin' }).type('form').send(fields)

test('the token in the address becomes a cookie once, and the address is without it', async () => {
  const { status, headers } = entered
  expect([status, headers.location]).toEqual([303, '/bench'])
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^bench-\d+=[\w-]{43}; Path=\/bench; HttpOnly; SameSite=Strict$/),
  ])
  expect(String(headers['set-cookie'])).not.toContain(String(bank.control?.token))
})

test.each([
  ['nothing', {}],
  ['another cookie', { cookie: `${cookie.split('=')[0]}=${'x'.repeat(43)}` }],
  ['the token in place of the cookie', { cookie: `${cookie.split('=')[0]}=${bank.control?.token}` }],
])('who has %s sees nothing', async (_what, headers) => {
  for (const path of ['/bench', '/bench/clients', '/bench?token=wrong']) {
    const { status, text } = await http.get(path).set(headers)
    expect([status, text.includes('The bench is shut'), text.includes('/bench/clients')]).toEqual([401, true, false])
  }
})

test('the cookie opens no operation of the control API', async () => {
  const { status } = await http.get('/v1/clients').set('cookie', cookie)
  expect(status).toBe(401)
})

test('without being asked for there is no bench', async () => {
  const { bank: other } = await bankForTest({ control: true })
  const { status, body } = await request(new URL(String(other.control?.url)).origin).get('/bench')
  expect([status, body.error, other.control?.page]).toEqual([401, 'invalid_token', undefined])
})

test('no script but its own runs, nothing is kept, and no site frames it', async () => {
  const { headers } = await look('/bench')
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none';style-src 'sha256-[^']+';script-src 'self';connect-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'$/,
  )
  expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'same-origin'])
})

test('what others wrote is shown as text, with what cannot be seen', async () => {
  for (const path of ['/bench', '/bench/clients', `/bench/clients/${client_id}`]) {
    const { text } = await look(path)
    expect(text).toContain('Shop [U+202E]&lt;b>&amp;&lt;/b>')
    expect([text.includes('<b>'), text.includes('\u202e')]).toEqual([false, false])
  }
  const { text } = await look('/bench?search=%22%3E%3Cscript%3E')
  expect(text).toContain('value="&quot;>&lt;script>"')
})

test.each([
  ['clients', 'Make a client'],
  ['people', 'jana-secret'],
  ['people?search=svepravnost', 'Nobody was found.'],
  ['people/jana', 'birthnumber'],
  ['logins', 'Sessions'],
  ['outbox', 'Everything has arrived.'],
  ['faults?search=scope+missing', 'token/scope-missing'],
  ['answers', 'None is announced.'],
  ['state', 'Take a snapshot'],
  ['operations', 'POST /stats'],
])('GET /bench/%s', async (path, text) => {
  const answer = await look(`/bench/${path}`)
  expect([answer.status, answer.type]).toEqual([200, 'text/html'])
  expect(answer.text).toContain(text)
})

test.each(['nothing', 'clients/unknown', 'people/nobody', 'requests/999999', 'requests/x', 'clients/%zz', 'clients/'])(
  'GET /bench/%s is nothing',
  async (path) => {
    const { status, text } = await look(`/bench/${path}`)
    expect([400, 404]).toContain(status)
    expect(text).toContain('Nothing is here')
  },
)

test('the bench says at a glance why a client fails, and what it sent beside what it registered', async () => {
  const query = { client_id, response_type: 'code', scope: 'openid', state: 's', nonce: 'n' }
  await service.http('get', '/auth').query({ ...query, redirect_uri: 'https://app.example/cb/' })
  const { text: list } = await look('/bench')
  expect(list).toContain('invalid_request: redirect_uri is not registered for this client')
  const { text } = await look(`/bench/requests/${bank.requests.last()?.id}`)
  expect(text).toContain('redirect_uri is not one that the client registered')
  expect(text).toMatch(/<dt>sent<\/dt><dd>https:\/\/app.example\/cb\/<\/dd>.*<dd>https:\/\/app.example\/cb<\/dd>/)
  const { text: refused } = await look('/bench?refused=yes')
  expect([refused.includes('GET /auth → 400'), refused.includes('POST /register → 200')]).toEqual([true, false])
})

test('a JWT is opened: whose key, and its times beside that of the request', async () => {
  await bank.login(client, 'jana')
  const { text } = await look(`/bench/requests/${bank.requests.last('POST /token')?.id}`)
  expect(text).toMatch(/Signature verified with the client(&#39;|')s key, kid [\w-]+/)
  expect(text).toMatch(/\(\d{4}-\d\d-\d\dT[\d:.]+Z, (59|60) s after the request\)/)
})

describe('a button does an operation', () => {
  test('and leads back, where it is said', async () => {
    const form = await formOf('/bench/faults?search=token/scope-missing', 'switchFault', '"id":"token/scope-missing"')
    const { status, headers } = await post('switchFault', form)
    expect([status, headers.location]).toEqual([303, '/bench/faults?search=token%2Fscope-missing&done=switchFault'])
    expect(bank.faults.list().map(({ fault }) => fault.id)).toEqual(['token/scope-missing'])
    const { text } = await look(headers.location as string)
    expect(text).toContain('Done. Switches a fault on')
    await post('switchFault', await formOf('/bench/faults', 'switchFault', '"on":false'))
    expect(bank.faults.list()).toEqual([])
  })

  test('of each kind of field, and shows what comes of it', async () => {
    const form = await formOf('/bench/clients', 'registerClient')
    const { status, text } = await post('registerClient', {
      ...form,
      'in.redirect_uris': 'https://one.example/cb\r\n https://one.example/other \r\n',
      'in.record': '{"require_auth_time": true}',
      'in.client_name': ' Two words ',
      'in.scope': '',
    })
    expect(status).toBe(200)
    const [, made = ''] = /<pre>(.*?)<\/pre>/s.exec(text) ?? []
    expect(JSON.parse(made.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toMatchObject({
      redirect_uris: ['https://one.example/cb', 'https://one.example/other'],
      private_jwks: { keys: expect.any(Array) },
      record: { client_name: 'Two words', require_auth_time: true },
    })
    const minting = await formOf(`/bench/clients/${client_id}`, 'mintTokens')
    expect((await post('mintTokens', { ...minting, 'in.login': 'jana', 'in.expires_in': '-60' })).text).toContain(
      '&quot;expires_in&quot;: -60',
    )
  })

  test('and says what was meant, with what was given still there', async () => {
    const form = await formOf('/bench/answers', 'setOutcome')
    const fields = { ...form, 'in.client': 'nobody<', 'in.outcome': 'not-eligible' }
    const { status, text } = await post('setOutcome', fields)
    expect(status).toBe(400)
    expect(text).toMatch(/role="alert">no client is registered as 'nobody&lt;'/)
    expect(text).toContain('value="nobody&lt;"')
    const record = { ...(await formOf('/bench/people/jana', 'changePerson')), 'in.claims': '{' }
    expect((await post('changePerson', record)).text).toContain('claims is not JSON: ')
  })

  test('and has what was given come back as it was, whatever is hidden in it', async () => {
    const claims = '{"name": "A\u200bB\u202e'
    const form = await formOf('/bench/people/jana', 'changePerson')
    const { status, text } = await post('changePerson', { ...form, 'in.claims': claims })
    const [, kept] = /<textarea[^>]*name="in\.claims"[^>]*>([^<]*)/.exec(text) ?? []
    expect([status, kept?.replaceAll('&quot;', '"')]).toEqual([400, claims])
  })

  test('whichever the control API has', async () => {
    const { text } = await look('/bench/operations')
    const forms = [...text.matchAll(/action="\/bench\/do\/(\w+)"/g)].map(([, id]) => id)
    expect(forms).toEqual(operations.filter(({ method }) => method === 'post').map(({ id }) => id))
    const form = await formOf('/bench/operations', 'changeClock')
    expect((await post('changeClock', { ...form, 'in.reset': 'true' })).text).toContain('&quot;offset_seconds&quot;: 0')
    const refused = await post('changeClock', { ...form, 'in.set': 'soon' })
    expect([refused.status, refused.text.includes('<details open')]).toEqual([400, true])
  })

  test.each([
    ['with another secret', { secret: 'x' }, {}],
    ['without a secret', { secret: '' }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['from another port', {}, { 'sec-fetch-site': 'same-site' }],
    ['from another origin', {}, { origin: 'http://evil.example' }],
    ['from no origin', {}, { origin: 'null' }],
  ])('but no form that comes %s', async (_how, fields, headers) => {
    const form = await formOf('/bench/state', 'reset')
    const { status, text } = await post('reset', { ...form, ...fields }).set(headers)
    expect([status, text.includes('Not from the bench')]).toEqual([403, true])
    expect(bank.requests.last()).toBeDefined()
  })

  test('nor leads it elsewhere', async () => {
    const form = await formOf('/bench/state', 'takeSnapshot')
    for (const back of ['https://evil.example/', '//evil.example', '/benchmark', '/bench\\..', '/bench/../../x']) {
      const { status, headers } = await post('takeSnapshot', { ...form, back })
      expect([status, new URL(String(headers.location), origin).origin]).toEqual([303, origin])
    }
    expect((await post('nothing', form)).status).toBe(404)
  })
})

test('the page of a person says that they are blocked, and how their next login differs', async () => {
  const shown = async () => (await look('/bench/people/jana')).text
  expect(await shown()).not.toContain('jana is blocked')
  await post('changePerson', await formOf('/bench/people/jana', 'changePerson', '"blocked":true'))
  expect(await shown()).toContain('<strong>jana is blocked as a security risk</strong>')
  expect(await formOf('/bench/people/jana', 'changePerson', '"blocked":true')).toEqual({})
  await post('changePerson', await formOf('/bench/people/jana', 'changePerson', '"blocked":false'))
  expect(await shown()).not.toContain('jana is blocked')
  expect(await shown()).toContain('It is as all others.')
  const form = await formOf('/bench/people/jana', 'setNextLogin')
  await post('setNextLogin', { ...form, 'in.claims': '{"nickname": "Once"}' })
  expect(await shown()).toContain('&quot;nickname&quot;: &quot;Once&quot;')
  const { claims } = await bank.login(client, 'jana', { scope: 'openid profile.name' })
  expect(claims.iss).toBe(bank.issuer)
  expect(await shown()).toContain('It is as all others.')
})

test('a person is made and removed with a button', async () => {
  await post('createPerson', {
    ...(await formOf('/bench/people', 'createPerson')),
    'in.login': 'ota',
    'in.like': 'jana',
  })
  expect((await look('/bench/people/ota')).text).toContain('ota-secret')
  const { text } = await post('deletePerson', await formOf('/bench/people/ota', 'deletePerson'))
  expect(text).toContain('<a href="/bench/people">Back</a>')
  expect((await look('/bench/people/ota')).status).toBe(404)
})

test('the bench is there after the bank was made as new', async () => {
  await post('reset', await formOf('/bench/state', 'reset'))
  expect((await look('/bench')).text).toContain('Nobody has asked for anything yet.')
  expect((await look('/bench/clients')).text).toContain('No client is registered.')
})

test('a bench without a control door is a mistake', async () => {
  await expect(bankForTest({ benchPage: true, control: false })).rejects.toThrow(
    'option benchPage: the bench is a page of the control door, which is kept shut: leave one of the two out',
  )
})
