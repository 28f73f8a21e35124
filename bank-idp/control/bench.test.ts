import { createPrivateKey, X509Certificate } from 'node:crypto'
import { decodeJwt } from 'jose'
import request from 'supertest'
import { createBank } from '../bank.js'
import { ask } from '../in-process.js'
import { bankForTest } from '../testing/banks.js'

const bank = await createBank({ issuer: 'https://bank.example/idp' })
afterAll(() => bank.close())

const redirectUris = ['https://app.example/cb']
const client = await bank.registerClient({ redirectUris })

/** The claims of GET /userinfo, for a client that has its replies signed alone. */
async function userinfo(accessToken: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const { status, text } = await request(bank.app).get('/idp/userinfo').set(headers)
  expect(status).toBe(200)
  return decodeJwt(text)
}

describe('registerClient', () => {
  test('gives all that a client needs, of a bank that does not listen', () => {
    expect(client).toEqual({
      client_id: expect.any(String),
      client_secret: expect.any(String),
      redirect_uris: redirectUris,
      private_jwks: {
        keys: [
          expect.objectContaining({ alg: 'PS512', use: 'sig', d: expect.any(String) }),
          expect.objectContaining({ alg: 'RSA-OAEP-256', use: 'enc', d: expect.any(String) }),
          expect.objectContaining({ alg: 'ES256', use: 'sig', d: expect.any(String) }),
        ],
      },
      private_key_pem: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----/),
      certificate: { cert: expect.any(String), key: expect.any(String) },
      registration_access_token: expect.any(String),
      registration_client_uri: `${bank.issuer}/register/${client.client_id}`,
      record: expect.objectContaining({ client_id: client.client_id, token_endpoint_auth_method: 'private_key_jwt' }),
    })
    const certificate = new X509Certificate(client.certificate.cert)
    expect(certificate.verify(new X509Certificate(bank.identity.authority.cert).publicKey)).toBe(true)
    expect(certificate.checkPrivateKey(createPrivateKey(client.certificate.key))).toBe(true)
    expect(JSON.stringify(client.record)).not.toContain(client.private_jwks?.keys[0]?.d)
  })

  test('registers what it is told, and says what the bank objects to', async () => {
    const other = await bank.registerClient({
      redirectUris,
      clientName: 'Shop',
      scope: 'openid profile.email',
      tokenEndpointAuthMethod: 'client_secret_post',
      record: { id_token_signed_response_alg: 'ES512' },
    })
    expect(other.record).toMatchObject({
      client_name: 'Shop',
      scope: 'openid profile.email',
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES512',
    })
    await expect(bank.registerClient({ redirectUris: ['http://app.example/cb'] })).rejects.toMatchObject({
      code: 'invalid_redirect_uri',
      message: 'redirect_uris: http://app.example/cb is not https',
    })
    for (const address of ['V8:4&&lV', 'mailto:somebody', 'data:,'])
      await expect(bank.registerClient({ redirectUris: [address] })).rejects.toMatchObject({
        code: 'invalid_redirect_uri',
        message: `redirect_uris: ${address} is not https`,
      })
    await expect(bank.registerClient({ redirectUris, redirectUri: 'x' } as never)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'redirectUri is not a known member: did you mean redirectUris?',
    })
  })

  test.each([
    ['AMB-58', 'as-published'],
    ['AMB-48', 'registration-required'],
    ['AMB-48', 'always'],
    ['AMB-15', 'created'],
  ])('makes a client of a bank that takes %s as %s, and it logs in', async (ambiguity, reading) => {
    const other = await createBank({ readings: { [ambiguity]: reading } })
    try {
      const { claims } = await other.login(await other.registerClient({ redirectUris }), 'jana')
      expect(claims.iss).toBe(other.issuer)
    } finally {
      await other.close()
    }
  })

  test('what is registered needs the keys of the service', async () => {
    const other = await createBank({ serviceKeys: 'https://service.example/jwks.json' })
    try {
      await expect(other.registerClient({ redirectUris })).rejects.toThrow('it has to sign')
    } finally {
      await other.close()
    }
  })

  test('a bank that is no bench takes no keys that nobody serves', async () => {
    const other = await createBank({ bench: false })
    try {
      await expect(other.registerClient({ redirectUris })).rejects.toThrow('give jwks_uri')
    } finally {
      await other.close()
    }
  })
})

describe('login', () => {
  test('gives the tokens, and the claims of the id_token', async () => {
    const { tokens, claims } = await bank.login(client, 'jana', { scope: 'openid profile.name', nonce: 'N-1' })
    expect(tokens).toEqual({
      access_token: expect.any(String),
      expires_in: 3600,
      id_token: expect.any(String),
      scope: 'openid profile.name',
      token_type: 'Bearer',
    })
    expect(claims).toMatchObject({ iss: bank.issuer, aud: client.client_id, nonce: 'N-1', acr: 'loa2' })
    expect(await userinfo(tokens.access_token)).toMatchObject({ sub: claims.sub, family_name: 'Dvořáková' })
  })

  test.each(['client_secret_post', 'client_secret_jwt', 'private_key_jwt'])('of a client of %s', async (method) => {
    const one = await bank.registerClient({ redirectUris, tokenEndpointAuthMethod: method })
    expect((await bank.login(one.client_id, 'jana')).claims).toMatchObject({ iss: bank.issuer })
  })

  test('opens an id_token that is encrypted', async () => {
    const one = await bank.registerClient({ redirectUris, record: { id_token_encrypted_response_alg: 'RSA-OAEP-256' } })
    const { tokens, claims } = await bank.login(one, 'jana')
    expect([tokens.id_token.split('.').length, claims.iss]).toEqual([5, bank.issuer])
  })

  test('asks for what it is told: level, offline access, single claims, no PKCE', async () => {
    const { tokens, claims } = await bank.login(client, 'jana', {
      scope: 'openid offline_access',
      acrValues: 'loa3',
      prompt: 'login',
      maxAge: 0,
      pkce: false,
    })
    expect([claims.acr, typeof claims.auth_time, typeof tokens.refresh_token]).toEqual(['loa3', 'number', 'string'])
  })

  test('the person approves some, or turns back', async () => {
    const scope = 'openid profile.name profile.email'
    const some = await bank.login(client, 'petr', { scope, consent: ['profile.email'] })
    expect(some.tokens.scope).toBe('openid profile.email')
    await expect(bank.login(client, 'petr', { scope, decline: 'login' })).rejects.toMatchObject({
      code: 'access_denied',
      message: 'User declined the authentication',
    })
    await expect(bank.login(client, 'petr', { scope, decline: 'consent' })).rejects.toMatchObject({
      code: 'access_denied',
      message: 'User declined consent',
    })
  })

  test('a person who has consented to all of it before cannot turn back there, unless asked again', async () => {
    await bank.login(client, 'petr', { scope: 'openid' })
    await expect(bank.login(client, 'petr', { scope: 'openid', decline: 'consent' })).rejects.toMatchObject({
      code: 'invalid_request',
      message:
        'decline: the consent page was not shown, since nothing was left to ask there: prompt consent has it shown again',
    })
    const again = bank.login(client, 'petr', { scope: 'openid', prompt: 'consent', decline: 'consent' })
    await expect(again).rejects.toMatchObject({ code: 'access_denied' })
  })

  test('of somebody with several identities is by the one that is told', async () => {
    const account = '6f79633e-9a4c-469e-bf97-8f2c08598c6a'
    const one = await bank.registerClient({ redirectUris, record: { subject_type: 'public' } })
    expect((await bank.login(one, 'martin', { account })).claims.sub).toBe(account)
    expect((await bank.login(one, 'martin')).claims.sub).not.toBe(account)
  })

  test('of who is not eligible is refused as the client is told it', async () => {
    await expect(bank.login(client, 'radek')).rejects.toMatchObject({ code: 'eid_doesnt_exist' })
  })

  test.each([
    ['nobody', {}, 'not_found', "no person has the login name 'nobody'"],
    ['ota', {}, 'not_found', "no person has the login name 'ota'"],
    ['jana', { maxAge: Number.NaN }, 'invalid_request', 'maxAge must be a whole number, but is NaN.'],
    ['jna', {}, 'not_found', "no person has the login name 'jna': did you mean jana?"],
    ['jana', { scopes: 'openid' }, 'invalid_request', 'scopes is not a known member: did you mean scope?'],
    ['jana', { prompt: 'none' }, 'login_required', expect.any(String)],
    [
      'jana',
      { redirectUri: 'https://evil.test/' },
      'invalid_request',
      'redirect_uri is not registered for this client',
    ],
    ['jana', { account: 'x' }, 'not_found', "account: there is no 'x'; jana has one identity alone: leave account out"],
    [
      'martin',
      { account: 'x' },
      'not_found',
      expect.stringMatching(/^account: there is no 'x'; those of martin are [-\w]+, [-\w]+$/),
    ],
  ])('of %s with %j is refused', async (login, options, code, message) => {
    await expect(bank.login(client, login, options as object)).rejects.toMatchObject({ code, message })
  })

  test('of a client that was not made here needs its keys', async () => {
    const { client_id, private_jwks } = client
    const bench = { client_id: 'unknown' }
    await expect(bank.login(bench, 'jana')).rejects.toMatchObject({ code: 'not_found' })
    expect((await bank.login({ client_id, ...(private_jwks && { private_jwks }) }, 'jana')).claims.iss).toBe(
      bank.issuer,
    )
  })
})

test('what a script leaves out is told as missing', async () => {
  type Loose = Record<'registerClient' | 'login' | 'trouble', (...given: unknown[]) => Promise<void>>
  const loose = bank as unknown as Loose
  const asked = [loose.registerClient(), loose.login(undefined, 'jana'), loose.trouble('POST /token')]
  const told = (await Promise.allSettled(asked)).map((one) => (one as PromiseRejectedResult).reason.message)
  expect(told).toEqual([
    'redirectUris is missing.',
    'client_id is missing.',
    'give one of status, body, delay_seconds, broken',
  ])
  const restore = bank.restore as (taken?: unknown) => Promise<void>
  for (const none of [undefined, 'x']) await expect(restore(none)).rejects.toThrow('give what snapshot() gave')
  expect(() => (bank.faults.off as () => void)()).toThrow('name the fault by its id')
  const whole = client as unknown as string
  expect(() => bank.faults.on('token/scope-missing', whole)).toThrow('is given by its client_id')
})

test('a fault is switched on for no client that is not there, and who was meant is told as the control door tells it', async () => {
  const id = 'token/scope-missing'
  const { bank: other } = await bankForTest({
    control: true,
    clients: [{ client_id: 'my-app', client_secret: 'my-secret', redirect_uris: redirectUris }],
  })
  const post = async (path: string, body: object) => {
    const { url = '', token = '' } = other.control ?? {}
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as unknown
  }
  for (const [client, message] of [
    ['my-ap', "no client is registered as 'my-ap': did you mean my-app?"],
    ['unknown-client', expect.stringContaining("no client is registered as 'unknown-client': give the client_id")],
  ] as const) {
    const inProcess = () => other.faults.on(id, client)
    expect(inProcess).toThrow(expect.objectContaining({ message }))
    expect(await post('/faults', { id, client })).toMatchObject({ error_description: message })
  }
  expect(other.faults.list()).toEqual([])
  other.faults.on(id, 'my-app')
  const [gone, forgotten] = [await other.registerClient({ redirectUris }), await other.registerClient({ redirectUris })]
  for (const { client_id } of [gone, forgotten]) other.faults.on(id, client_id)
  await post(`/clients/${gone.client_id}/remove`, {})
  expect(() => other.faults.on(id, gone.client_id)).toThrow('no client is registered')
  other.faults.on(id, forgotten.client_id)
  await other.reset()
  expect(() => other.faults.on(id, forgotten.client_id)).toThrow('no client is registered')
  other.faults.on(id, 'my-app')
})

test('a bank that was closed says so, whatever it is asked for, and moves no clock', async () => {
  const other = await createBank()
  const made = await other.registerClient({ redirectUris })
  const taken = await other.snapshot()
  await other.close()
  const before = Date.now()
  const asked = {
    registerClient: () => other.registerClient({ redirectUris }),
    login: () => other.login(made, 'jana'),
    mint: () => other.mint(made, 'jana'),
    createPerson: () => other.createPerson({ login: 'ota' }),
    deletePerson: () => other.deletePerson('jana'),
    blockPerson: () => other.blockPerson('jana'),
    nextLogin: () => other.nextLogin('jana', {}),
    setClaims: () => other.setClaims('jana', { nickname: 'Jani' }),
    endNextLogin: () => other.endNextLogin(made, null),
    trouble: () => other.trouble('POST /token', { status: 503 }),
    reset: () => other.reset(),
    snapshot: () => other.snapshot(),
    restore: () => other.restore(taken),
    listen: () => other.listen(),
    advance: () => other.clock.advance('1d'),
    back: () => other.clock.back('1d'),
    set: () => other.clock.set('2030-01-31T12:00:00Z'),
    freeze: () => other.clock.freeze(),
    resetClock: () => other.clock.reset(),
  }
  for (const [name, ask] of Object.entries(asked)) {
    const told = await ask().then(
      () => 'done',
      (error: Error) => error.message,
    )
    expect(`${name}: ${told}`).toBe(`${name}: the bank was closed`)
  }
  expect(Math.abs(Date.now() - before)).toBeLessThan(60_000)
})

describe('mint', () => {
  test('gives tokens that the bank knows as its own', async () => {
    const secret = await bank.registerClient({ redirectUris, tokenEndpointAuthMethod: 'client_secret_post' })
    const scope = 'openid profile.name offline_access'
    const tokens = await bank.mint(secret, 'jana', { scope })
    expect(tokens).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope,
    })
    const { claims } = await bank.login(secret, 'jana')
    expect(await userinfo(tokens.access_token)).toMatchObject({ sub: claims.sub, given_name: 'Jana' })
    const { client_id, client_secret } = secret
    const ask = (path: string, form: object) =>
      request(bank.app)
        .post(`/idp${path}`)
        .type('form')
        .send({ client_id, client_secret, ...form })
    const live = await ask('/token-info', { token: tokens.access_token })
    expect(live.body).toMatchObject({ active: true, scope, client_id, sub: claims.sub })
    const refreshed = await ask('/token', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
    expect([refreshed.status, refreshed.body.token_type]).toEqual([200, 'Bearer'])
  })

  test('gives an access token that has expired already', async () => {
    const { access_token, expires_in } = await bank.mint(client, 'jana', { expiresIn: -60 })
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = await request(bank.app).get('/idp/userinfo').set(headers)
    expect([expires_in, answer.status, answer.body]).toEqual([
      -60,
      401,
      { error: 'invalid_token', error_description: 'the access token has expired' },
    ])
  })

  test('may give one that lives longer than those of a login', async () => {
    const { access_token } = await bank.mint(client, 'jana', { expiresIn: 300 * 86_400 })
    await bank.clock.advance('200d')
    expect(await userinfo(access_token)).toHaveProperty('sub')
  })

  test.each([
    ['nobody', {}, 'not_found'],
    ['jana', { scope: 'openid profile.nickname' }, 'invalid_scope'],
    ['jana', { expiresIn: 1.5 }, 'invalid_request'],
    ['jana', { expires: 1 }, 'invalid_request'],
  ])('for %s with %j is refused', async (login, options, code) => {
    await expect(bank.mint(client, login, options as object)).rejects.toMatchObject({ code })
  })
})

test('a bank that listens is asked in the same way', async () => {
  const other = await createBank()
  await other.listen()
  try {
    const { claims } = await other.login(await other.registerClient({ redirectUris }), 'jana')
    expect(claims.iss).toBe(other.issuer)
  } finally {
    await other.close()
  }
})

test('an application that breaks is told, not waited for', async () => {
  const broken = { app: (req: { socket: { destroy(): void } }) => req.socket.destroy() }
  const bench = { ...broken, context: { config: { issuer: bank.issuer } } } as unknown as Parameters<typeof ask>[0]
  await expect(ask(bench, { address: '/healthcheck' })).rejects.toThrow()
})

test('a client whose record names its keys gets none that are not there', async () => {
  const jwks_uri = 'https://localhost:1/jwks.json'
  const made = await bank.registerClient({ redirectUris, record: { jwks_uri } })
  expect([made.record.jwks_uri, made.private_jwks, made.private_key_pem]).toEqual([jwks_uri, undefined, undefined])
})
