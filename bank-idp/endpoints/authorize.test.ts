import { createLocalJWKSet, jwtVerify } from 'jose'
import { bankForFile } from '../testing/banks.js'
import { requestClaims, sha512, signObject } from '../testing/request-objects.js'
import { authorizing, sent, signingPages, text } from '../testing/signing-pages.js'

const { bank, service, client } = await bankForFile(
  {},
  { scope: 'openid authorization profile.name profile.birthdate' },
)
const { requestUri, pageOf, authorize } = signingPages(service, client)

test('a text is shown in order, authorized, and comes back in an id_token that is signed by ES256 and encrypted', async () => {
  const pages: string[] = []
  const callback = await service.authorizeObject(
    await requestUri(),
    client.redirect_uri,
    [{ person: 'jana' }, authorizing],
    { seen: ({ text: html }) => pages.push(html) },
  )
  expect(callback).toEqual({ code: expect.any(String), state: 'S-1', iss: bank.issuer })
  expect(pages[1]).toMatch(/<dt>To<\/dt><dd>Městská knihovna<\/dd>.*<dt>Amount<\/dt><dd>100 CZK<\/dd>/s)
  const tokens = await service.redeemSigned(client, String(callback.code))
  expect([tokens.status, tokens.body.scope]).toEqual([200, 'openid authorization'])
  const { body: keys } = await service.http('get', '/.well-known/jwks.json')
  const { payload, protectedHeader } = await jwtVerify(
    await service.decrypt(tokens.body.id_token),
    createLocalJWKSet(keys),
  )
  expect(protectedHeader.alg).toBe('ES256')
  expect(payload).toMatchObject({
    nonce: 'N-1',
    structured_scope: { signObject: signObject() },
    sub: expect.any(String),
  })
})

test.each([
  [authorizing, /&code=[\w-]+&state=S-1&iss=[^&]+$/],
  [{ action: 'refuse' }, /&error=access_denied&[^#]+&state=S-1&iss=[^&]+$/],
])('the redirect URI keeps its own query in the signing flow too, after %j', async (decision, added) => {
  const redirect_uri = `${client.redirect_uri}?a=one%20two+three`
  const queried = await service.client({ scope: 'openid authorization', redirect_uris: [redirect_uri] })
  const { body } = await service.registerRequestObject(requestClaims(queried, text))
  await service.authorizeObject(body.request_uri, redirect_uri, [{ person: 'jana' }, decision])
  const { href } = service.lastCallback ?? new URL('about:blank')
  expect(href.slice(0, redirect_uri.length)).toBe(redirect_uri)
  expect(href.slice(redirect_uri.length)).toMatch(added)
})

test('what was authorized or refused once cannot be authorized again', async () => {
  const uri = await requestUri()
  expect(await authorize(uri, { person: 'jana' }, { action: 'refuse' })).toMatchObject({
    error: 'access_denied',
    error_description: 'User declined the authorization',
    state: 'S-1',
  })
  expect(await authorize(uri, { person: 'jana' }, authorizing)).toMatchObject({
    error: 'invalid_request_uri',
    state: 'S-1',
  })
})

test('of two browsers that show one object, the second to authorize is told that it is over', async () => {
  const uri = await requestUri()
  const callbacks = await Promise.all([
    authorize(uri, { person: 'jana' }, authorizing),
    authorize(uri, { person: 'petr' }, authorizing),
  ])
  expect(callbacks.filter(({ code }) => code)).toHaveLength(1)
  expect(callbacks.filter(({ error }) => error === 'invalid_request_uri')).toHaveLength(1)
})

test('a form that is sent several times at once authorizes once, and the client gets its code', async () => {
  const { cookies, page } = await pageOf(await requestUri(), { person: 'jana' })
  const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
  const click = () => service.http('post', action).type('form').set('cookie', sent(cookies)).send(authorizing)
  const answers = [...(await Promise.all([click(), click(), click()])), await click()]
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
  expect(new Set(answers.map((answer) => answer.get('location'))).size).toBe(1)
  const [first] = answers
  if (!first) throw new Error('nothing came back')
  const callback = await service.follow(first, client.redirect_uri, [], { cookies })
  expect(callback).toEqual({ code: expect.any(String), state: 'S-1', iss: bank.issuer })
})

test('a text is shown as it is signed: in its lines, and in its order', async () => {
  const value = 'first line\nsecond  line, pay \u202e001\u202c EUR <b>'
  const structured_scope = {
    signObject: { fields: [{ key: 'Text', value, priority: 1 }], signObject_hash: sha512(`Text${value}`) },
  }
  const { page } = await pageOf(await requestUri({ structured_scope }), { person: 'jana' })
  expect(page).toContain('<dd>first line\nsecond  line, pay [U+202E]001[U+202C] EUR &lt;b></dd>')
  expect(page).toMatch(/dl\.fields dd \{ white-space: pre-wrap; \}/)
})

test.each(['bohumil', 'vojtech'])('to a text %s may consent: only documents need qualified signing', async (person) => {
  expect(await authorize(await requestUri(), { person }, authorizing)).toMatchObject({ code: expect.any(String) })
})

test.each([
  ['code id_token', ['code', 'id_token', 'iss', 'state']],
  ['code id_token token', ['access_token', 'code', 'expires_in', 'id_token', 'iss', 'scope', 'state', 'token_type']],
])('response type %s answers in the fragment', async (response_type, names) => {
  const uri = await requestUri({ response_type })
  await authorize(uri, { person: 'jana' }, authorizing)
  expect(service.lastCallback?.search).toBe('')
  const fragment = new URLSearchParams(service.lastCallback?.hash.slice(1))
  expect([...fragment.keys()].sort()).toEqual(names)
})

test.each([
  [{}, 400, 'invalid_request', 'request_uri is required'],
  [{ request_uri: 'https://localhost:1/ros/x' }, 400, 'invalid_request_uri', 'request_uri is unknown'],
])('/authorize with %j is refused without redirect', async (query, status, error, reason) => {
  const answer = await service.http('get', '/authorize').query({ ...query, redirect_uri: client.redirect_uri })
  expect([answer.status, answer.body.error, answer.body.error_description]).toEqual([status, error, reason])
})

test.each(['request_uri', 'redirect_uri'])(
  '/authorize with %s twice is refused (RFC 6749 section 3.1)',
  async (name) => {
    const query = { request_uri: await requestUri(), redirect_uri: client.redirect_uri }
    const answer = await service
      .http('get', '/authorize')
      .query({ ...query, [name]: [query[name as 'request_uri'], 'x'] })
    const { searchParams } = new URL(String(answer.get('location')))
    expect([answer.status, searchParams.get('error'), searchParams.get('error_description')]).toEqual([
      302,
      'invalid_request',
      `${name} is given more than once`,
    ])
  },
)

test('/authorize sends nobody to an address that is not the one of the request object', async () => {
  const query = { request_uri: await requestUri(), redirect_uri: 'https://evil.example/' }
  const answer = await service.http('get', '/authorize').query(query)
  expect(new URL(String(answer.get('location'))).origin).toBe(new URL(client.redirect_uri).origin)
  expect(answer.get('location')).toContain('error=invalid_request')
  const without = { request_uri: await requestUri({ redirect_uri: undefined }), redirect_uri: 'https://evil.example/' }
  expect((await service.http('get', '/authorize').query(without)).status).toBe(400)
})
