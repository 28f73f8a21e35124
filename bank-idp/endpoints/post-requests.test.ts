import { decodeJwt } from 'jose'
import { bankForFile } from '../testing/banks.js'
import type { Cookies, Form } from '../testing/pages.js'

const { bank, service, client } = await bankForFile({}, { userinfo_encrypted_response_alg: undefined })

const scope = 'openid profile.name'

function request(changes: Record<string, string> = {}) {
  const { client_id, redirect_uri } = client
  return { client_id, redirect_uri, response_type: 'code', scope, state: 'S-1', nonce: 'N-1', ...changes }
}

const authorize = (form: Record<string, string | string[]>, cookies: Cookies = new Map()) =>
  service
    .http('post', '/auth')
    .type('form')
    .set('cookie', [...cookies.values()].join('; '))
    .send(form)

describe('POST /auth (OpenID Connect Core section 3.1.2.1)', () => {
  test('leads through the pages to a code as GET does, and within a session past them', async () => {
    const cookies: Cookies = new Map()
    const forms: Form[] = [{ person: 'jana' }, { action: 'approve', scope: ['profile.name'] }]
    const first = await authorize(request())
    expect(first.status).toBe(302)
    const { code, state } = await service.follow(first, client.redirect_uri, forms, { cookies })
    expect(state).toBe('S-1')
    expect((await service.redeem(client, String(code))).body).toMatchObject({ scope })
    const again = await authorize(request({ prompt: 'none' }), cookies)
    expect(Object.fromEntries(new URL(String(again.get('location'))).searchParams)).toHaveProperty('code')
    // As a browser sends a form of another site: without the cookies, which are SameSite=Lax.
    const stranger = await authorize(request({ prompt: 'none' }))
    expect(stranger.get('location')).toContain('error=login_required')
    const set = await service.http('get', '/auth').query(request())
    expect(String(set.get('set-cookie'))).toMatch(/samesite=lax/i)
  })

  test('is judged by the tables of GET', async () => {
    const redirected = await authorize(request({ scope: 'profile.name' }))
    expect([redirected.status, redirected.get('location')]).toEqual([
      302,
      expect.stringContaining('error=invalid_scope'),
    ])
    const repeated = await authorize({ ...request(), nonce: ['N-1', 'N-2'] })
    expect([repeated.status, repeated.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'nonce is given more than once' },
    ])
    const direct = await authorize({ client_id: client.client_id })
    expect([direct.status, direct.body.error_description]).toEqual([400, 'redirect_uri is required'])
  })

  test('reads its form alone', async () => {
    const inQuery = await service.http('post', '/auth').query(request()).type('form').send('')
    expect([inQuery.status, inQuery.body.error_description]).toEqual([400, 'client_id is required'])
    const json = await service.http('post', '/auth').send(request())
    expect([json.status, json.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'the body must be application/x-www-form-urlencoded' },
    ])
  })
})

test('AUTH-37: another method at /auth is invalid_request', async () => {
  const { status, body } = await service.http('put', '/auth').query(request())
  expect([status, body]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'PUT is not supported, use GET or POST' },
  ])
})

describe('POST /userinfo (OpenID Connect Core section 5.3.1)', () => {
  const userinfo = () => service.http('post', '/userinfo')
  const tokenOf = async () => String((await service.login(client, scope)).body.access_token)

  test('takes the access token from the header, or from a form (RFC 6750 section 2.2)', async () => {
    const token = await tokenOf()
    const got = await service.http('get', '/userinfo').set('authorization', `Bearer ${token}`)
    const { txn: _, ...wanted } = decodeJwt(got.text)
    expect(wanted).toMatchObject({ iss: bank.issuer, given_name: 'Jana' })
    for (const answer of [
      await userinfo().set('authorization', `Bearer ${token}`),
      // RFC 6750 section 2.1: one space or more.
      await userinfo().set('authorization', `Bearer  ${token}`),
      await userinfo().type('form').set('authorization', `Bearer ${token}`).send({ other: 'x' }),
      await userinfo().type('form').send({ access_token: token }),
    ]) {
      expect([answer.status, answer.type]).toEqual([200, 'application/jwt'])
      expect(decodeJwt(answer.text)).toMatchObject(wanted)
    }
  })

  test('refuses a token that comes twice, and one in the query', async () => {
    const token = await tokenOf()
    const twice = await userinfo().type('form').set('authorization', `Bearer ${token}`).send({ access_token: token })
    expect([twice.status, twice.body]).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description: 'the access token is in the form and in the header: send one of the two',
      },
    ])
    expect(twice.get('www-authenticate')).toMatch(/^Bearer error="invalid_request"/)
    const repeated = await userinfo()
      .type('form')
      .send({ access_token: [token, token] })
    expect([repeated.status, repeated.body.error_description]).toEqual([400, 'access_token is given more than once'])
    expect(repeated.get('www-authenticate')).toMatch(/^Bearer error="invalid_request"/)
    const inQuery = await userinfo().query({ access_token: token }).type('form').send({})
    expect([inQuery.status, inQuery.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })
})
