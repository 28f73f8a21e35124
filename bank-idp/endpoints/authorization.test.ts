import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { bankForFile } from '../testing/banks.js'
import type { Form } from '../testing/pages.js'

const { bank, service, client } = await bankForFile()

const good = () => ({
  client_id: client.client_id,
  redirect_uri: client.redirect_uri,
  response_type: 'code',
  scope: 'openid profile.name',
  state: 's',
  nonce: 'n',
})

/** How many random requests are sent; BANK_FUZZ_RUNS asks for more. */
const runs = Number(process.env.BANK_FUZZ_RUNS ?? 150)

test('two mistakes have one answer: the first in the order of the tables', async () => {
  const both = await service.http('get', '/auth').query({ ...good(), state: '', scope: 'profile.name' })
  const { searchParams } = new URL(String(both.get('location')))
  expect([...searchParams]).toEqual([
    ['error', 'invalid_request'],
    ['error_description', 'state is required'],
    ['iss', bank.issuer],
  ])
})

test('a parameter that the bank does not know is ignored, also one that the library knows', async () => {
  const unknown = { resource: 'https://elsewhere.example', dpop_jkt: 'x', hinted_subject: 'x', signing_request: 'x' }
  const answer = await service.http('get', '/auth').query({ ...good(), ...unknown })
  expect(answer.get('location')).toMatch(/^\/interaction\//)
})

describe('a code_challenge_method', () => {
  const verifier = 'v'.repeat(43)
  const consent: Form[] = [{ person: 'jana' }, { action: 'approve', scope: ['profile.name'] }]

  test.each(['plain', 'S256', 'S512'])(
    'of %s without a code_challenge is ignored, as published clients send it',
    async (method) => {
      const { code } = await service.authorize(client, 'openid profile.name', consent, {
        code_challenge_method: method,
      })
      expect((await service.redeem(client, String(code))).status).toBe(200)
    },
  )

  test.each(['plain', 'S256'])('of %s with one binds the code to its verifier', async (method) => {
    const challenge = method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: method }
    for (const [sent, status] of [
      [{}, 400],
      [{ code_verifier: verifier }, 200],
    ] as const) {
      const { code } = await service.authorize(client, 'openid profile.name', consent, pkce)
      const form = { grant_type: 'authorization_code', code: String(code), redirect_uri: client.redirect_uri, ...sent }
      expect((await service.post(client, '/token', form)).status).toBe(status)
    }
  })

  test('that the bank does not know is refused beside a code_challenge', async () => {
    const pkce = { code_challenge: verifier, code_challenge_method: 'S512' }
    const callback = await service.authorize(client, 'openid profile.name', [], pkce)
    const error_description = 'code_challenge_method must be one of plain, S256'
    expect(callback).toEqual({ error: 'invalid_request', error_description, state: 'S-1', iss: bank.issuer })
  })
})

test('a display of two values is none of the supported ones', async () => {
  const answer = await service.http('get', '/auth').query({ ...good(), display: 'page popup' })
  const { searchParams } = new URL(String(answer.get('location')))
  expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual([
    'invalid_request',
    'display: page popup is not among page, popup, touch',
  ])
})

test('AUTH-12: openid too has to be registered', async () => {
  const { client_id } = await service.client({ scope: 'profile.name' })
  const answer = await service.http('get', '/auth').query({ ...good(), client_id })
  const { searchParams } = new URL(String(answer.get('location')))
  expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual([
    'invalid_scope',
    'scope openid is not registered for this client',
  ])
})

test('every answer names the bank in iss, as discovery declares (RFC 9207)', async () => {
  const { body } = await service.http('get', '/.well-known/openid-configuration')
  expect(body.authorization_response_iss_parameter_supported).toBe(true)
  const implicit = await service.client({
    response_types: ['code', 'token'],
    grant_types: ['authorization_code', 'implicit'],
  })
  const forms: Form[] = [{ person: 'jana' }, { action: 'approve', scope: ['profile.name'] }]
  for (const [parameters, member, steps] of [
    [{ display: 'x' }, 'error', []],
    [{ prompt: 'none' }, 'error', []],
    [{}, 'code', forms],
    [{ response_type: 'token' }, 'access_token', forms],
  ] as const) {
    await service.authorize(implicit, 'openid profile.name', [...steps], parameters)
    const { searchParams, hash } = service.lastCallback ?? new URL('about:blank')
    const answer = hash ? new URLSearchParams(hash.slice(1)) : searchParams
    expect([answer.has(member), answer.getAll('iss')]).toEqual([true, [bank.issuer]])
  }
})

test('offline_access means nothing where no code is asked for (OpenID Connect Core section 11)', async () => {
  const scope = 'openid profile.name offline_access'
  const client = await service.client({
    scope,
    response_types: ['code', 'token'],
    grant_types: ['authorization_code', 'implicit', 'refresh_token'],
  })
  const forms: Form[] = [{ person: 'jana' }, { action: 'approve', scope: ['profile.name'] }]
  await service.authorize(client, scope, forms, { response_type: 'token' })
  const answer = new URLSearchParams(service.lastCallback?.hash.slice(1))
  expect([answer.get('scope'), answer.has('refresh_token')]).toEqual(['openid profile.name', false])
})

describe('a redirect URI keeps the query that it was registered with, byte for byte (RFC 6749 section 3.1.2)', () => {
  const registered = "https://App.Example/cb?a=one%20two+three&b=%C5%BE'&c&&state=own&d=%2f"
  const kept = "https://App.Example/cb?a=one%20two+three&b=%C5%BE'&c&&d=%2f"
  const consent: Form[] = [{ person: 'jana' }, { action: 'approve', scope: ['profile.name'] }]
  const error = ['error', 'error_description', 'iss', 'state']
  const pages: [string, Record<string, string>, Form[], string[]][] = [
    ['with a code', {}, consent, ['code', 'iss', 'state']],
    ['with an error that is found at once', { display: 'x' }, [], error],
    ['with an error of the library', { prompt: 'none' }, [], error],
    ['when the person declines', {}, [{ action: 'decline' }], error],
  ]

  test.each(pages)('%s', async (_name, parameters, forms, added) => {
    const client = await service.client({ redirect_uris: [registered] })
    const location = await service.callbackLocation(client, 'openid profile.name', forms, parameters)
    expect(location.slice(0, kept.length)).toBe(kept)
    const members = new URLSearchParams(location.slice(kept.length))
    expect([[...members.keys()].sort(), members.get('state')]).toEqual([added, 'S-1'])
  })

  test('with a token in the fragment', async () => {
    const flows = { response_types: ['token'], grant_types: ['implicit'] }
    const client = await service.client({ redirect_uris: [registered], ...flows })
    const requested = { response_type: 'token' }
    const location = await service.callbackLocation(client, 'openid profile.name', consent, requested)
    expect(location.slice(0, registered.length + 1)).toBe(`${registered}#`)
    const members = new URLSearchParams(location.split('#')[1])
    expect([...members.keys()].sort()).toEqual(['access_token', 'expires_in', 'iss', 'scope', 'state', 'token_type'])
  })
})

describe('an address that only looks like the registered one is never redirected to', () => {
  const disguises: [string, (uri: URL) => string][] = [
    ['another scheme', (uri) => uri.href.replace('https:', 'http:')],
    ['javascript', (uri) => `javascript:alert(1)//${uri.href}`],
    ['no scheme', (uri) => uri.href.replace('https:', '')],
    ['userinfo', (uri) => uri.href.replace('//', '//user@')],
    ['userinfo of another host', (uri) => uri.href.replace('//', '//').replace(uri.host, `${uri.host}@evil.example`)],
    ['a backslash', (uri) => uri.href.replace('/callback', '\\callback')],
    ['a backslash host', (uri) => `https://evil.example\\@${uri.host}/callback`],
    ['an encoded slash', (uri) => uri.href.replace('/callback', '%2Fcallback')],
    ['upper case', (uri) => uri.href.replace('callback', 'CALLBACK')],
    ['an upper case host', (uri) => uri.href.replace('localhost', 'LOCALHOST')],
    ['dots', (uri) => uri.href.replace('/callback', '/x/../callback')],
    ['encoded dots', (uri) => uri.href.replace('/callback', '/%2e%2e/callback')],
    ['a dot after the host', (uri) => uri.href.replace('localhost', 'localhost.')],
    ['another port', (uri) => uri.href.replace(uri.port, '1')],
    ['no port', (uri) => uri.href.replace(`:${uri.port}`, '')],
    ['a fullwidth dot', (uri) => uri.href.replace('localhost', 'localhost\uff0eevil.example')],
    ['a homograph', (uri) => uri.href.replace('localhost', 'l\u043ecalhost')],
    ['a fragment', (uri) => `${uri.href}#x`],
    ['a query', (uri) => `${uri.href}?x=1`],
    ['a line break', (uri) => `${uri.href}\r\nlocation: https://evil.example`],
    ['a blank', (uri) => ` ${uri.href}`],
    ['a suffix', (uri) => `${uri.href}.evil.example`],
    ['a null', (uri) => `${uri.href}\u0000`],
  ]

  test.each(disguises)('%s', async (_name, disguise) => {
    const redirect_uri = disguise(new URL(client.redirect_uri))
    for (const broken of [{}, { scope: 'x' }, { prompt: 'none' }]) {
      const answer = await service.http('get', '/auth').query({ ...good(), ...broken, redirect_uri })
      expect([answer.status, answer.get('location')]).toEqual([400, undefined])
      expect(answer.body.error).toBe('invalid_request')
    }
  })
})

test('random and mutated queries are answered, never with a 5xx, and redirected nowhere but to the client', async () => {
  const names = [
    ...Object.keys(good()),
    ...['prompt', 'display', 'acr_values', 'max_age', 'response_mode', 'ui_locales', 'claims', 'id_token_hint'],
    ...['request_uri', 'request', 'registration', 'sep_id', 'code_challenge', 'code_challenge_method', 'x'],
  ]
  const values = [
    '',
    'none',
    'code',
    'token',
    'openid',
    'loa3',
    '0',
    '-1',
    '{}',
    '%',
    '\u0000',
    'a'.repeat(3000),
    'https://evil.example/',
  ]
  const value = fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'binary', maxLength: 40 }))
  const mutation = fc.array(fc.tuple(fc.constantFrom(...names), value, fc.boolean()), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(mutation, fc.string({ maxLength: 20 }), async (changes, tail) => {
      const query = new URLSearchParams(good())
      for (const [name, changed, added] of changes) {
        if (added) query.append(name, changed)
        else query.set(name, changed)
      }
      const path = `/auth?${query}&${tail.replace(/[^!-~]|[#]/g, '%')}`
      const answer = await service.http('get', path)
      expect(answer.status).toBeLessThan(500)
      const location = answer.get('location')
      if (location === undefined) return
      const { origin } = new URL(location, bank.issuer)
      expect([bank.issuer, new URL(client.redirect_uri).origin]).toContain(origin)
    }),
    { numRuns: runs },
  )
})
