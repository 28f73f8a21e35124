import { load } from 'cheerio'
import type { Evidence } from '../conformance/evidence/evidence.js'
import { TestSimulator } from '../conformance/testing/simulator.js'
import { withBank } from './bundled-bank.js'

/** What the page tells of what was said between the service and the bank. */
function evidenceOf(html: string): Evidence[] {
  const page = load(html)
  return page('details pre')
    .toArray()
    .map((item) => JSON.parse(page(item).text()) as Evidence)
}

const requestObjects = (evidence: readonly Evidence[]) =>
  evidence.flatMap((item) => (item.kind === 'opened' && item.what === 'request object' ? [item.payload] : []))

const calls = (evidence: readonly Evidence[]) =>
  evidence.flatMap((item) =>
    item.kind === 'exchange' ? [`${item.request.method} ${new URL(item.request.url).pathname}`] : [],
  )

async function withService(use: (service: TestSimulator) => Promise<void>): Promise<void> {
  await withBank({}, async (target) => {
    const service = await TestSimulator.start([{ target }])
    try {
      await use(service)
    } finally {
      await service.close()
    }
  })
}

test('SVC-13: the service calls /ros before it sends the person to /authorize', async () => {
  await withService(async (service) => {
    const begun = await service.form('/sign', { kind: 'document', text: 'Smlouva' })
    const address = new URL(String(begun.headers.location))
    expect([begun.status, address.pathname]).toEqual([302, '/authorize'])
    // Only /ros can have given it.
    expect(address.searchParams.get('request_uri')).toMatch(/^https:\/\/localhost:\d+\/ros\/[\w-]{43}$/)
    expect(address.searchParams.get('redirect_uri')).toBe(`${service.simulator.url}/callback`)
  })
})

test.each([
  ['document', 'loa3', 'documentObject'],
  ['text', 'loa2', 'signObject'],
])('SVC-13: for a %s it sends max_age, %s, and openid and authorization', async (kind, acr_values, member) => {
  await withService(async (service) => {
    const answer = await service.sign({ kind, text: 'Nájem kola' })
    expect([answer.status, load(answer.text)('h1').text()]).toEqual([200, 'Authorized'])
    const evidence = evidenceOf(answer.text)
    expect(requestObjects(evidence)).toEqual([
      expect.objectContaining({
        max_age: 1800,
        acr_values,
        scope: 'openid authorization',
        structured_scope: { [member]: expect.any(Object) },
      }),
    ])
    expect(calls(evidence).slice(-2)).toEqual(['POST /ros', 'POST /token'])
  })
})

test('who authorized something is asked again by their access token, and need not say who they are', async () => {
  await withService(async (service) => {
    await service.sign({ kind: 'text', text: 'First' })
    const home = load((await service.send('GET', '/')).text)
    const signer = String(home('#sign select[name=signer] option').last().attr('value'))
    expect(signer).not.toBe('')
    const answer = await service.sign({ kind: 'document', text: 'Second', signer })
    expect(load(answer.text)('h1').text()).toBe('Authorized')
    const ros = evidenceOf(answer.text).find(
      (item) => item.kind === 'exchange' && new URL(item.request.url).pathname === '/ros',
    )
    expect(ros?.kind === 'exchange' && ros.request.headers.authorization).toMatch(/^Bearer /)
  })
})

test('what a person refuses, or the bank does not take, is told', async () => {
  await withService(async (service) => {
    const empty = await service.form('/sign', { kind: 'text', text: '' })
    expect([empty.status, empty.json]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'text: the text is missing' },
    ])
    const begun = await service.form('/sign', { kind: 'text', text: 'No' })
    const [cookie = ''] = String(begun.headers['set-cookie']).split(';')
    const state = cookie.split('=')[1] ?? ''
    const back = new URLSearchParams({
      error: 'access_denied',
      error_description: 'User declined the authorization',
      state,
    })
    const refused = await service.send('GET', `/callback?${back}`, undefined, { cookie })
    expect(load(refused.text)('[role=alert]').text()).toBe('access_denied: User declined the authorization')
    const missing = await service.send('GET', '/documents/nothing')
    expect([missing.status, missing.json]).toEqual([
      404,
      { error: 'not_found', error_description: 'there is no such document' },
    ])
  })
})
