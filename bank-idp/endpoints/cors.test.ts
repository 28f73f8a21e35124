import type { Response } from 'supertest'
import { bankForFile } from '../testing/banks.js'
import { requestClaims } from '../testing/request-objects.js'

const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code'

const { service, client } = await bankForFile(
  {},
  { scope: 'openid profile.name authorization', grant_types: ['authorization_code', deviceCode] },
)

const origin = 'https://page.example'

/** Headers by which a page of another origin learns that it may call, or that answers differ by origin. */
const corsHeaders = ({ headers }: Response) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-') || headers[name] === 'Origin')

const paths = [
  ...[
    '/.well-known/openid-configuration',
    '/.well-known/jwks.json',
    '/healthcheck',
    '/register',
    '/register/x',
    '/auth',
  ],
  ...[
    '/token',
    '/token-info',
    '/revoke',
    '/userinfo',
    '/profile',
    '/ros',
    '/authorize',
    '/device_authorization',
    '/device',
  ],
  ...['/session/end', '/documentation'],
]

test.each(paths)('%s answers no page of another origin, and no preflight of one', async (path) => {
  for (const method of ['get', 'post', 'put', 'delete'] as const) {
    const plain = await service.http(method, path)
    const fromPage = await service.http(method, path).set('origin', origin)
    expect([method, fromPage.status, corsHeaders(fromPage), corsHeaders(plain)]).toEqual([method, plain.status, [], []])
    const preflight = await service
      .http('options', path)
      .set({ origin, 'access-control-request-method': method.toUpperCase() })
    expect(corsHeaders(preflight)).toEqual([])
  }
})

test('a good request that names an origin is served as without it', async () => {
  const answers: Response[] = []
  const { code } = await service.authorize(client, 'openid profile.name', [
    { person: 'jana' },
    { action: 'approve', scope: ['profile.name'] },
  ])
  const post = async (endpoint: '/token' | '/token-info' | '/device_authorization', form: Record<string, string>) => {
    const assertion = await service.clientAssertion(client.client_id, {}, endpoint)
    const answer = await service
      .http('post', endpoint)
      .set('origin', origin)
      .type('form')
      .send({ ...form, ...assertion })
    answers.push(answer)
    return answer
  }
  const { redirect_uri } = client
  const tokens = await post('/token', { grant_type: 'authorization_code', code: String(code), redirect_uri })
  await post('/token-info', { token: tokens.body.access_token })
  await post('/device_authorization', { scope: 'openid profile.name' })
  answers.push(
    await service.http('get', '/userinfo').set({ origin, authorization: `Bearer ${tokens.body.access_token}` }),
    await service.registerRequestObject(requestClaims(client, { acr_values: 'loa2' }), { origin }),
  )
  expect(answers.map((answer) => [answer.status, corsHeaders(answer)])).toEqual([
    [200, []],
    [200, []],
    [200, []],
    [200, []],
    [201, []],
  ])
})
