import { advanceClock } from '../clock.js'
import { bankForFile, bankForTest } from '../testing/banks.js'
import { requestClaims } from '../testing/request-objects.js'
import type { TestClient, TestService } from '../testing/service.js'

const { bank, service, client } = await bankForFile(
  {},
  { scope: 'openid authorization profile.name profile.birthdate' },
)

async function requestUri(there: TestService, asking: TestClient, changes: Record<string, unknown> = {}) {
  const claims = requestClaims(asking, { acr_values: 'loa2', ...changes })
  return String((await there.registerRequestObject(claims)).body.request_uri)
}

/** What GET /authorize answers: its status, and the error in its body or in the redirect with where that leads. */
async function answer(there: TestService, request_uri: string, redirect_uri?: string) {
  const query = { request_uri, ...(redirect_uri !== undefined && { redirect_uri }) }
  const { status, body, headers } = await there.http('get', '/authorize').query(query)
  if (status !== 302) return { status, ...body }
  const { origin, pathname, searchParams } = new URL(String(headers.location))
  return { status, to: origin + pathname, ...Object.fromEntries(searchParams) }
}

/** Both past the end of a request; the second way, it is swept. */
const ends: [string, (seconds: number) => Promise<void>][] = [
  ['has expired', async (seconds) => advanceClock(seconds)],
  ['was swept', (seconds) => bank.clock.advance(seconds)],
]

describe.each(ends)('SIGN-34: a request_uri that %s', (_how, pass) => {
  test.each([
    ['in the request object', {}],
    ['in the query alone', { redirect_uri: undefined }],
  ])('is redirected as invalid_request_uri where redirect_uri is its client’s, %s', async (_where, changes) => {
    const uri = await requestUri(service, client, changes)
    await pass(2 * 3600)
    expect(await answer(service, uri, client.redirect_uri)).toEqual({
      status: 302,
      to: client.redirect_uri,
      error: 'invalid_request_uri',
      error_description: 'request_uri has expired',
      state: 'S-1',
      iss: bank.issuer,
    })
  })

  test('is JSON where redirect_uri is another client’s, or its own is gone', async () => {
    const redirect_uris = [`${service.url}/elsewhere`]
    const [other, removed] = [
      await service.client({ redirect_uris }),
      await service.client({ scope: 'openid authorization' }),
    ]
    const ownUri = await requestUri(service, client, { redirect_uri: undefined })
    const orphan = await requestUri(service, removed)
    await pass(2 * 3600)
    const headers = await service.registrationHeaders()
    const deleted = await service
      .http('delete', `/register/${removed.client_id}`, { mutualTls: true })
      .set({ ...headers, authorization: `Bearer ${removed.registration_access_token}` })
    expect(deleted.status).toBe(204)
    for (const [uri, redirect_uri] of [
      [ownUri, other.redirect_uri],
      [ownUri, undefined],
      [orphan, removed.redirect_uri],
    ] as const) {
      expect(await answer(service, uri, redirect_uri)).toMatchObject({ status: 400, error: expect.any(String) })
    }
  })
})

test('an unknown request_uri is JSON, whatever redirect_uri is sent: nobody knows whose it is', async () => {
  expect(await answer(service, `${bank.issuer}/ros/unknown`, client.redirect_uri)).toEqual({
    status: 400,
    error: 'invalid_request_uri',
    error_description: 'request_uri is unknown',
  })
})

test('AMB-76 page: a request_uri that is unknown, or has ended, is 404 request_uri_not_found', async () => {
  const { bank: other, service: there } = await bankForTest({ readings: { 'AMB-76': 'page' } })
  const asking = await there.client({ scope: 'openid authorization' })
  const uri = await requestUri(there, asking)
  advanceClock(2 * 3600)
  expect(await answer(there, uri, asking.redirect_uri)).toEqual({
    status: 404,
    error: 'request_uri_not_found',
    error_description: 'request_uri has expired',
  })
  expect(await answer(there, `${other.issuer}/ros/unknown`, asking.redirect_uri)).toEqual({
    status: 404,
    error: 'request_uri_not_found',
    error_description: 'request_uri is unknown',
  })
})
