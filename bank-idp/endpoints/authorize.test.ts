import { createHash, X509Certificate } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { bankForFile, bankForTest } from '../testing/banks.js'
import { door } from '../testing/control-door.js'
import type { Cookies, Form } from '../testing/pages.js'
import { documentObject, documentObjects, requestClaims, sha512, signObject } from '../testing/request-objects.js'

const { bank, service, client } = await bankForFile(
  { control: true },
  { scope: 'openid authorization profile.name profile.birthdate' },
)

const text = { acr_values: 'loa2' }
const authorizing = { action: 'authorize' }

async function requestUri(changes: Record<string, unknown> = {}, bearer?: string): Promise<string> {
  const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const claims = requestClaims(client, { ...text, ...changes })
  const { body, status } = await service.registerRequestObject(claims, headers)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.request_uri
}

/** The page that is reached by these forms, and the cookies of its browser. */
async function pageOf(uri: string, ...forms: Record<string, string>[]) {
  const cookies = new Map<string, string>()
  const pages: string[] = []
  const seen = ({ text: html }: { text: string }) => pages.push(html)
  const browser = { cookies, seen }
  await expect(service.authorizeObject(uri, client.redirect_uri, forms, browser)).rejects.toThrow('stuck at 200')
  return { cookies, page: pages.at(-1) ?? '' }
}

const sent = (cookies: Map<string, string>) => [...cookies.values()].join('; ')

const authorize = (uri: string, ...forms: Record<string, string>[]) =>
  service.authorizeObject(uri, client.redirect_uri, forms)

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

test('a person with several accounts is not asked which, where the access token or the hint names one', async () => {
  const [, account] = bank.people.byLogin('martin')?.accounts ?? []
  const chosen: Record<string, string>[] = [
    { person: 'martin' },
    { account: String(account?.id) },
    { action: 'approve', scope: 'authorization' },
  ]
  const { code } = await service.authorize(client, 'openid authorization', chosen)
  const { body } = await service.redeem(client, String(code))
  const password = { action: 'confirm', password: 'martin-secret' }
  const named = [await requestUri({ scope: '' }, body.access_token), await requestUri({ id_token_hint: body.id_token })]
  for (const uri of named) {
    const { code: signed } = await authorize(uri, password, authorizing)
    const tokens = await service.redeemSigned(client, String(signed))
    const { sub } = decodeJwt(await service.decrypt(tokens.body.id_token))
    expect(sub).toBe(decodeJwt(body.id_token).sub)
  }
})

test.each([
  ['jana', 'J. D.'],
  ['sukarni', 'S.'],
  ['haruto', '春. 山.'],
])('who is named by a hint, %s, is shown as %s before anyone is authenticated', async (login, initials) => {
  const { body: tokens } = await service.login(client, 'openid authorization', login)
  const named = [
    await requestUri({ scope: '' }, tokens.access_token),
    await requestUri({ id_token_hint: tokens.id_token }),
  ]
  for (const uri of named) {
    const { page } = await pageOf(uri)
    expect(page).toContain('<form id="identify"')
    expect(page).toContain(`<p>${initials}</p>`)
    const { name, given_name, family_name } = bank.people.byLogin(login)?.claims ?? {}
    for (const part of [name, given_name, family_name]) if (part !== undefined) expect(page).not.toContain(part)
  }
})

test.each(['bohumil', 'vojtech'])('to a text %s may consent: only documents need qualified signing', async (person) => {
  expect(await authorize(await requestUri(), { person }, authorizing)).toMatchObject({ code: expect.any(String) })
})

test('an object that came with an access token is for its person alone, who need not say who it is', async () => {
  const { body: tokens } = await service.login(client, 'openid authorization')
  const bound = () => requestUri({ scope: '' }, tokens.access_token)
  const password = { action: 'confirm', password: 'jana-secret' }
  expect(await authorize(await bound(), { action: 'confirm', password: 'wrong' }, password, authorizing)).toMatchObject(
    {
      code: expect.any(String),
    },
  )
})

describe('an object with an id_token_hint, in a browser where another person is signed in,', () => {
  /** Where jana was hinted and petr is signed in: what the browser is shown, and where it is in the end. */
  async function inOtherSession(bearer: boolean, ...forms: Record<string, string>[]) {
    const { body: tokens } = await service.login(client, 'openid authorization')
    const cookies: Cookies = new Map()
    const browser = { cookies }
    const signing = [{ person: 'petr' }, authorizing]
    await service.authorizeObject(await requestUri(), client.redirect_uri, signing, browser)
    const hint = { id_token_hint: tokens.id_token }
    const uri = bearer ? await requestUri({}, tokens.access_token) : await requestUri(hint)
    const callback = await service.authorizeObject(uri, client.redirect_uri, forms, browser)
    return { callback, subject: decodeJwt(tokens.id_token).sub }
  }

  test.each([false, true])(
    'is authorized by the hinted person, or by the one of the access token (%p)',
    async (bearer) => {
      const password = { action: 'confirm', password: 'jana-secret' }
      const { callback, subject } = await inOtherSession(bearer, password, authorizing)
      const { body } = await service.redeemSigned(client, String(callback.code))
      expect(decodeJwt(await service.decrypt(body.id_token)).sub).toBe(subject)
    },
  )

  test.each([false, true])('is not authorized by the other one (%p)', async (bearer) => {
    const { callback } = await inOtherSession(bearer, { action: 'decline' })
    expect(callback).toMatchObject({ error: 'access_denied', error_description: 'User declined the authentication' })
  })
})

test('with an access token and without scope no scope comes out that was not asked for', async () => {
  const { body: login } = await service.login(client, 'openid authorization profile.name')
  const password = { action: 'confirm', password: 'jana-secret' }
  const scopeOf = async (claims: Record<string, unknown>) => {
    const { code } = await authorize(await requestUri(claims, login.access_token), password, authorizing)
    const { body } = await service.redeemSigned(client, String(code))
    return [body.scope, decodeJwt(await service.decrypt(body.id_token)).nonce]
  }
  expect(await scopeOf({ scope: undefined })).toEqual(['openid', 'N-1'])
  expect(await scopeOf({ scope: '' })).toEqual(['openid', 'N-1'])
  expect(await scopeOf({ scope: 'openid profile.name' })).toEqual(['openid profile.name', 'N-1'])
  expect(await scopeOf({ scope: 'openid authorization' })).toEqual(['openid authorization', 'N-1'])
})

test('who unticks every new scope has refused them, whatever was approved before', async () => {
  const other = await service.client({ scope: 'openid authorization profile.name profile.birthdate profile.email' })
  await service.login(other, 'openid profile.name', 'petr')
  const scope = 'openid authorization profile.name profile.birthdate profile.email'
  const approving = async (...ticked: string[]) => {
    const { body } = await service.registerRequestObject(requestClaims(other, { ...text, scope }))
    const forms: Form[] = [{ person: 'petr' }, { action: 'approve', scope: ticked }, authorizing]
    return service.authorizeObject(body.request_uri, other.redirect_uri, forms)
  }
  const declined = { error: 'access_denied', error_description: 'User declined consent', state: 'S-1' }
  expect(await approving()).toMatchObject(declined)
  expect(await approving('profile.name')).toMatchObject(declined)
  const { code } = await approving('profile.email')
  expect((await service.redeemSigned(other, String(code))).body.scope).toBe('openid authorization profile.email')
})

test('scopes that are new are asked for before, and refusing them is access_denied', async () => {
  const scope = 'openid authorization profile.birthdate'
  const uri = await requestUri({ scope })
  expect(await authorize(uri, { person: 'petr' }, { action: 'refuse' })).toMatchObject({
    error: 'access_denied',
    error_description: 'User declined consent',
  })
  const again = await requestUri({ scope })
  const consent = { action: 'approve', scope: 'profile.birthdate' }
  const { code } = await authorize(again, { person: 'petr' }, consent, authorizing)
  const tokens = await service.redeemSigned(client, String(code))
  expect(tokens.body.scope).toBe('openid authorization profile.birthdate')
})

test('the signing flow asks a client certificate and an assertion by PS256 or ES256 at /token', async () => {
  const codeOf = async () => String((await authorize(await requestUri(), { person: 'jana' }, authorizing)).code)
  const byPs512 = await service.redeem(client, await codeOf())
  expect([byPs512.status, byPs512.body.error_description]).toEqual([
    400,
    'client_assertion is signed with PS512, not with one of PS256, ES256',
  ])
  const { body: tokens } = await service.redeemSigned(client, await codeOf())
  const userinfo = (mutualTls: boolean) =>
    service.http('get', '/userinfo', { mutualTls }).set('authorization', `Bearer ${tokens.access_token}`)
  expect((await userinfo(true)).status).toBe(200)
  expect((await userinfo(false)).status).toBe(401)
  const { body: introspected } = await service.post(client, '/token-info', { token: tokens.access_token })
  const { raw } = new X509Certificate(bank.identity.service.certificate.cert)
  expect(introspected.cnf).toEqual({ 'x5t#S256': createHash('sha256').update(raw).digest('base64url') })
  const { body: unbound } = await service.login(client, 'openid')
  const { body: other } = await service.post(client, '/token-info', { token: unbound.access_token })
  expect([other.active, other.cnf]).toEqual([true, undefined])
})

test.each([{}, { 'AMB-12': 'sha512-too' }] as const)(
  'SIGN-41: the id_tokens of the signing flow are signed for a client that registered none, too, with the readings %j',
  async (readings) => {
    const { service: played } = await bankForTest({ readings })
    const unsigned = await played.client({ id_token_signed_response_alg: 'none' })
    expect(decodeProtectedHeader((await played.login(unsigned, 'openid')).body.id_token).alg).toBe('none')
    const claims = requestClaims(unsigned, { ...text, response_type: 'code id_token' })
    const { body: object } = await played.registerRequestObject(claims)
    const forms: Form[] = [{ person: 'jana' }, authorizing]
    await played.authorizeObject(object.request_uri, unsigned.redirect_uri, forms)
    const callback = new URLSearchParams(played.lastCallback?.hash.slice(1))
    const { body } = await played.redeemSigned(unsigned, String(callback.get('code')))
    const { body: keys } = await played.http('get', '/.well-known/jwks.json')
    for (const idToken of [callback.get('id_token'), body.id_token]) {
      const jws = await played.decrypt(idToken)
      const { protectedHeader, payload } = await jwtVerify(jws, createLocalJWKSet(keys))
      expect([protectedHeader.alg, payload.structured_scope]).toEqual(['ES256', { signObject: signObject() }])
    }
  },
)

test.each([
  ['address-too', 201],
  ['addresses-only', 400],
] as const)(
  'AMB-8 bears on /ros alone: with %s profile.address is no scope of /auth or of a record',
  async (reading, status) => {
    const { service: played } = await bankForTest({ readings: { 'AMB-8': reading } })
    const scope = 'openid authorization profile.addresses'
    const signer = await played.client({ scope })
    const claims = requestClaims(signer, { ...text, scope: 'openid authorization profile.address' })
    expect((await played.registerRequestObject(claims)).status).toBe(status)
    const atAuth = await played.authorize(signer, 'openid profile.address', [])
    expect(atAuth).toMatchObject({
      error: 'invalid_scope',
      error_description: 'scope profile.address is not supported',
    })
    const record = await played.register({ scope: `${scope} profile.address` })
    expect([record.status, record.body.error]).toEqual([400, 'invalid_client_metadata'])
  },
)

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

test('/authorize sends nobody to an address that is not the one of the request object', async () => {
  const query = { request_uri: await requestUri(), redirect_uri: 'https://evil.example/' }
  const answer = await service.http('get', '/authorize').query(query)
  expect(new URL(String(answer.get('location'))).origin).toBe(new URL(client.redirect_uri).origin)
  expect(answer.get('location')).toContain('error=invalid_request')
  const without = { request_uri: await requestUri({ redirect_uri: undefined }), redirect_uri: 'https://evil.example/' }
  expect((await service.http('get', '/authorize').query(without)).status).toBe(400)
})

describe('a document', () => {
  const loa3 = { acr_values: 'loa3' }
  const confirm = { action: 'confirm' }

  /** The page on which a document is to be signed, and what the link on it leads to. */
  async function documentOf(changes: Record<string, unknown>, ui_locales = 'cs') {
    const document_uri = `${service.url}/contract`
    const content = JSON.stringify({ keys: await service.publishedKeys() })
    const document = { ...documentObject(), document_uri, document_hash: sha512(content), ...changes }
    const uri = await requestUri({ ...loa3, ui_locales, structured_scope: { documentObject: document } })
    const { cookies, page } = await pageOf(uri, { person: 'jana' }, confirm)
    const link = /href="([^"]+\/document\/1)"/.exec(page)?.[1] ?? ''
    const displayed = await service.http('get', link).set('cookie', sent(cookies))
    return { page, displayed, link, content, cookies }
  }

  test('is told of in the language of ui_locales, and shown from where the client serves it', async () => {
    const { page, displayed, content, link } = await documentOf({})
    expect(page).toContain('<html lang="cs">')
    expect(page).toMatch(/<h3>Smlouva 1<\/h3>.*Autor.*Kola s\.r\.o\..*Počet stran.*3.*Otisk \(SHA-512\)/s)
    expect([displayed.status, String(displayed.body)]).toEqual([200, content])
    expect(displayed.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect((await service.http('get', link)).status).toBe(400)
  })

  test('that is not the one whose hash is to be signed is not shown', async () => {
    const { displayed } = await documentOf({ document_hash: sha512('another') }, 'en')
    expect(displayed.status).toBe(404)
    expect(displayed.text).toContain('This document cannot be shown')
  })

  test('that is looked at neither takes the outcome that is set for the login nor ends it', async () => {
    const { link, cookies, content } = await documentOf({})
    await door(bank, '/outcomes', { client: client.client_id, outcome: 'not-eligible' })
    const browser = () => ({ cookie: [...cookies.values()].join('; ') })
    const displayed = await service.http('get', link).set(browser())
    expect([displayed.status, String(displayed.body)]).toEqual([200, content])
    expect((await door(bank, '/outcomes')).body).toEqual([{ client: client.client_id, outcome: 'not-eligible' }])
    const page = link.replace(/\/document\/1$/, '')
    const callback = await service.follow(await service.http('get', page).set(browser()), client.redirect_uri, [], {
      cookies,
    })
    expect(callback).toMatchObject({ error: 'eid_doesnt_exist', error_description: 'User not eligible' })
    expect((await door(bank, '/outcomes')).body).toEqual([])
  })

  test.each([
    ['zdenek', 'User authentication method insufficient'],
    ['vojtech', 'Insufficient user data or age restriction'],
    ['adela', 'Insufficient user data or age restriction'],
    ['bohumil', 'Insufficient user data or age restriction'],
    ['ondrej', 'Insufficient user data or age restriction'],
  ])('is not signed by %s: user_not_eligible', async (person, error_description) => {
    const uri = await requestUri({ ...loa3, structured_scope: { documentObject: documentObject() } })
    const callback = await authorize(uri, { person }, confirm, authorizing)
    expect(callback).toMatchObject({ error: 'user_not_eligible', error_description, state: 'S-1' })
  })

  test('is signed at loa3, also where loa2 is asked for first', async () => {
    const structured_scope = { documentObject: documentObject() }
    const uri = await requestUri({ acr_values: 'loa2 loa3', structured_scope })
    const { code } = await authorize(uri, { person: 'jana' }, confirm, authorizing)
    const { body } = await service.redeemSigned(client, String(code))
    expect(decodeJwt(await service.decrypt(body.id_token)).acr).toBe('loa3')
  })

  test('brings six scopes along that nobody was asked about', async () => {
    const uri = await requestUri({ ...loa3, structured_scope: { documentObjects: documentObjects(10) } })
    const { code } = await authorize(uri, { person: 'jana' }, confirm, authorizing)
    const { body } = await service.redeemSigned(client, String(code))
    expect(body.scope.split(' ').sort()).toEqual([
      'authorization',
      'openid',
      'profile.addresses',
      'profile.birthdate',
      'profile.email',
      'profile.legalstatus',
      'profile.name',
      'profile.titles',
    ])
  })
})
