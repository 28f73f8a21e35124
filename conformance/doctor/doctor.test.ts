import { createServer } from 'node:net'
import { connect, createServer as createTlsServer } from 'node:tls'
import { exportJWK, generateKeyPair } from 'jose'
import { selfSigned } from '../http/self-signed.js'
import type { Target } from '../target/target.js'
import { bankForTest } from '../testing/banks.js'
import { certificates } from '../testing/certificates.js'
import { changed } from '../testing/changed-answers.js'
import { html, json, redirect } from '../testing/https-server.js'
import { doctor } from './doctor.js'

/** The first bad check, in short. */
async function illness(target: Target): Promise<object | undefined> {
  const bad = (await doctor(target)).find(({ status }) => status === 'bad')
  return bad && { ...bad }
}

const named = (check: string, said: RegExp, cause: RegExp) =>
  expect.objectContaining({
    check,
    said: expect.stringMatching(said),
    cause: expect.stringMatching(cause),
    fix: expect.stringMatching(/./),
  })

const discovery = 'GET /.well-known/openid-configuration'

describe('a set-up that is right', () => {
  test('is good in every check, and nothing is left at the bank', async () => {
    const { target, clients } = await bankForTest()
    const results = await doctor({ ...target, signing: { offered: false } })
    expect(results.map(({ check, status }) => `${check}: ${status}`)).toEqual([
      'names: good',
      'name: good',
      'TCP: good',
      'TLS: good',
      'client certificate: good',
      'clock: good',
      'discovery: good',
      'keys: good',
      'client: good',
      'person: good',
      'our address: good',
      'second factor: not checked',
      'signing flow: not checked',
      'logout: not checked',
      'device: not checked',
    ])
    expect(clients.size).toBe(0)
  })

  test('with a given client is not asked for what it need not have', async () => {
    const { target, clients } = await bankForTest()
    const { keys: _, clientCertificate: __, server: ___, ...rest } = target
    const record = { redirect_uris: ['https://rp.example/cb'], scope: 'openid', token_endpoint_auth_method: 'none' }
    clients.set('given', record)
    const results = await doctor({ ...rest, client: { clientId: 'given', keys: [], record } })
    expect(results.filter(({ status }) => status === 'bad' || status === 'not reached')).toEqual([])
    expect(results.find(({ check }) => check === 'person')?.status).toBe('good')
  })

  test.each([
    ['knows of no such token', { active: false }, 200, 'good'],
    ['refuses the client there too', { error: 'invalid_client' }, 401, 'bad'],
  ])(
    'with a given client whose unknown code is an invalid_client, at a bank that %s',
    async (_what, body, status, is) => {
      const refusal = () => json({ error: 'invalid_client', error_description: 'who are you' }, 401)
      const { target, clients } = await bankForTest(() => ({
        'POST /token': refusal,
        'POST /token-info': () => json(body, status),
      }))
      const { keys: _, clientCertificate: __, server: ___, ...rest } = target
      const record = { redirect_uris: ['https://rp.example/cb'], scope: 'openid', token_endpoint_auth_method: 'none' }
      clients.set('given', record)
      const results = await doctor({ ...rest, client: { clientId: 'given', keys: [], record } })
      expect(results.find(({ check }) => check === 'client')).toMatchObject({
        status: is,
        said: is === 'good' ? 'the bank takes the given client given' : expect.stringContaining('who are you'),
      })
    },
  )
})

describe('a set-up that gives less', () => {
  test.each<[string, (target: Target) => Target]>([
    ['no person', (target) => ({ ...target, people: [] })],
    [
      'nothing but an issuer',
      ({ issuer, ca = '', concurrency, timeoutSeconds }) => ({
        issuer,
        ca,
        concurrency,
        timeoutSeconds,
        people: [],
        pages: new Map(),
      }),
    ],
  ])('is not bad for it: %s', async (_, change) => {
    const { target } = await bankForTest()
    const results = await doctor(change(target))
    expect(results.filter(({ status }) => status === 'bad' || status === 'not reached')).toEqual([])
    expect(results.find(({ check }) => check === 'our address')?.status).toBe('not checked')
  })
})

/** Opens a connection to an address, and no more: what whoever distrusts the certificate there does. */
async function connectAndAskNothing(address: string): Promise<void> {
  const { hostname, port } = new URL(address)
  await new Promise((ended) => connect({ host: hostname, port: Number(port) }).on('error', ended))
}

describe('a set-up that is broken is named: ', () => {
  test('the name', async () => {
    const { target } = await bankForTest()
    expect(await illness({ ...target, issuer: 'https://bank.invalid' })).toEqual(
      named('name', /^bank\.invalid cannot be resolved/, /misspelled/),
    )
  })

  test('the port', async () => {
    const { target, close } = await bankForTest()
    await close()
    expect(await illness(target)).toEqual(named('TCP', /refuses the connection$/, /nothing listens/))
  })

  test('a host that ends every handshake without a client certificate', async () => {
    const { ca, localhost } = await certificates()
    const { clientCertificate: _, ...rest } = (await bankForTest()).target
    const asking = { ...localhost, ca, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' as const }
    const server = createTlsServer(asking, (socket) => socket.on('error', () => {}).end()).on(
      'tlsClientError',
      () => {},
    )
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    const { port } = server.address() as { port: number }
    const target = { ...rest, issuer: `https://localhost:${port}` }
    const certified = { ...target, clientCertificate: localhost }
    expect(await illness(target)).toEqual(named('TLS', /ALERT/, /asks everybody for a client certificate/))
    expect(await illness(certified)).toEqual(
      named('TLS', /with service.client_certificate there is one$/, /whole host/),
    )
    const results = await doctor({ ...certified, certificateEverywhere: true })
    expect(results.find(({ check }) => check === 'TLS')).toMatchObject({ status: 'good' })
    server.close()
  })

  test('a port without TLS', async () => {
    const { target } = await bankForTest()
    const plain = createServer((socket) => socket.on('error', () => {}).end('220 mail\r\n'))
    await new Promise<void>((resolve) => plain.listen(0, 'localhost', resolve))
    const { port } = plain.address() as { port: number }
    expect(await illness({ ...target, issuer: `https://localhost:${port}` })).toEqual(
      named('TLS', /^no TLS handshake/, /does not speak TLS/),
    )
    plain.close()
  })

  test('the authority of the bank', async () => {
    const { ca: _, ...target } = (await bankForTest()).target
    expect(await illness(target)).toEqual(named('TLS', /is not trusted \(\w+\); its issuer is/, /authority/))
  })

  test('the host in the certificate', async () => {
    const { target } = await bankForTest()
    const issuer = target.issuer.replace('localhost', '127.0.0.1')
    const said = await illness({ ...target, issuer })
    expect(said).toEqual(named('TLS', /issued to DNS:localhost, not to 127\.0\.0\.1$/, /another name/))
  })

  test('the client certificate, expired or unknown to the bank', async () => {
    const { target } = await bankForTest()
    const old = await selfSigned('old', { notBefore: new Date('2019-01-01'), notAfter: new Date('2020-01-01') })
    expect(await illness({ ...target, clientCertificate: old })).toEqual(
      named('client certificate', /CN=old expired on/, /not renewed/),
    )
    const other = await selfSigned('other', { notBefore: new Date('2019-01-01'), notAfter: new Date('2090-01-01') })
    expect(await illness({ ...target, clientCertificate: other })).toEqual(
      named('client', /401 invalid_client, no certificate/, /does not trust the client certificate/),
    )
  })

  test('discovery: a page, another bank', async () => {
    const page = (await bankForTest(() => ({ [discovery]: () => html('<title>Welcome</title>') }))).target
    expect(await illness(page)).toEqual(named('discovery', /status 200, text\/html$/, /the answer is a page/))
    const nameless = (await bankForTest(() => ({ [discovery]: () => json({ jwks_uri: 'https://bank.example/keys' }) })))
      .target
    expect(await illness(nameless)).toEqual(
      named('discovery', /^the discovery document at \S+ has no issuer$/, /leaves the member issuer out/),
    )
    const other = await bankForTest(() => ({ [discovery]: () => json({ issuer: 'https://other.example' }) }))
    expect(await illness(other.target)).toEqual(
      named('discovery', /calls the bank https:\/\/other\.example$/, /another address/),
    )
  })

  test('the keys', async () => {
    const { target } = await bankForTest(() => ({ 'GET /.well-known/jwks.json': () => json({ keys: [] }) }))
    expect(await illness(target)).toEqual(named('keys', /empty/, /did not make or load its keys/))
  })

  test('the clock', async () => {
    const date = new Date(Date.now() - 7_200_000).toUTCString()
    const { target } = await bankForTest(
      changed(discovery, (answer) => ({ ...answer, headers: { ...answer.headers, date } })),
    )
    expect(await illness(target)).toEqual(
      named('clock', /7\d{3} s behind ours$/, /clock of one of the machines is wrong/),
    )
  })

  test('the assertion', async () => {
    const { target } = await bankForTest(() => ({
      'POST /register': ({ certified, headers }) => {
        const why = headers.client_assertion === undefined ? 'no assertion' : 'signature'
        return json({ error: 'invalid_client', error_description: certified ? why : 'no certificate' }, 401)
      },
    }))
    expect(await illness(target)).toEqual(
      named('client', /401 invalid_client, signature$/, /not the key or the audience of the assertion/),
    )
  })

  test('headers with an underscore that do not come', async () => {
    const { target } = await bankForTest(() => ({
      'POST /register': ({ certified }) =>
        json({ error: 'invalid_client', error_description: certified ? 'no assertion' : 'no certificate' }, 401),
    }))
    expect(await illness(target)).toEqual(
      named('client', /401 invalid_client, no assertion$/, /a proxy or its server drops headers with an underscore/),
    )
  })

  test('a redirect URI on this machine, where the bank takes none', async () => {
    const { target, clients } = await bankForTest((own) => ({
      'POST /register': (request) => {
        const [redirectUri] = JSON.parse(request.body).redirect_uris
        const refusal = json({ error: 'invalid_redirect_uri', error_description: 'not on localhost' }, 400)
        return new URL(redirectUri).hostname === 'localhost' ? refusal : (own['POST /register']?.(request) ?? 'cut')
      },
    }))
    expect(await illness(target)).toEqual(
      named('client', /400 invalid_redirect_uri, not on localhost$/, /takes no redirect URI on localhost/),
    )
    expect(clients.size).toBe(0)
  })

  test('the person', async () => {
    const { target } = await bankForTest()
    const people = target.people.map((person) => ({ ...person, password: 'wrong' }))
    expect(await illness({ ...target, people })).toEqual(
      named('person', /the bank showed the page again/, /jana cannot log in/),
    )
  })

  test('our address, which the bank cannot reach', async () => {
    const { target } = await bankForTest(() => ({
      'POST /token': () => json({ error: 'invalid_client', error_description: 'no keys' }, 401),
    }))
    expect(await illness(target)).toEqual(
      named(
        'our address',
        /^the bank did not fetch https:\/\/localhost:\d+\/\S+\/jwks\.json; .*: invalid_client, no keys$/,
        /cannot resolve or reach/,
      ),
    )
    const server = target.server && { ...target.server, url: 'https://nowhere.invalid:{port}' }
    expect(await illness({ ...target, ...(server && { server }) })).toEqual(
      named('our address', /did not fetch https:\/\/nowhere\.invalid/, /nowhere\.invalid .* cannot be resolved/),
    )
  })

  test('our certificate, which the bank does not trust: it connects and asks for nothing', async () => {
    const bank = await bankForTest(() => ({
      'POST /token': async () => {
        const [{ jwks_uri } = {}] = bank.clients.values()
        await connectAndAskNothing(String(jwks_uri))
        return json({ error: 'invalid_client' }, 401)
      },
    }))
    expect(await illness(bank.target)).toEqual(
      named('our address', /jwks\.json: it connected, but (TLS failed|ended the TLS connection)/, /does not trust/),
    )
    const early = await bankForTest(() => ({
      'POST /register': async ({ body }) => {
        await connectAndAskNothing(JSON.parse(body).jwks_uri)
        return json({ error: 'invalid_client_metadata', error_description: 'no keys at jwks_uri' }, 400)
      },
    }))
    expect(await illness(early.target)).toEqual(
      named(
        'client',
        /^POST \/register is refused: 400 invalid_client_metadata, no keys at jwks_uri; it connected to https:\/\/localhost:\d+, but (TLS failed|ended the TLS connection)/,
        /does not trust the certificate of service\.server/,
      ),
    )
  })

  test('a kind of person and a page that are written otherwise than rules know them', async () => {
    const { target } = await bankForTest()
    const people = target.people.map((person) => ({ ...person, kinds: ['full', 'loa-2-only', 'tall'] }))
    const pages = new Map([...target.pages].map(([name, page]) => [name === 'sign-in' ? 'signin' : name, page]))
    const kinds = 'people\\.0\\.kinds: no rule asks for a person of kind loa-2-only; did you mean loa2-only'
    const page = 'login\\.pages\\.signin: no rule knows a page of this name; did you mean sign, sign-in'
    expect(await illness({ ...target, people, pages })).toEqual(
      named('names', new RegExp(`^${kinds}\\b.*; ${page}\\b`), /skipped/),
    )
  })

  test('a scope that boxes name otherwise than the specification does', async () => {
    const { target } = await bankForTest()
    const page = {
      when: '#boxes',
      fill: {},
      actions: { submit: 'button' },
      boxes: { '#a': ['profile.emial', 'bank.own'] },
    }
    expect(await illness({ ...target, pages: new Map([...target.pages, ['boxes', page]]) })).toEqual(
      named(
        'names',
        /login\.pages\.boxes\.boxes: the specification has no scope of this name; did you mean profile\.email/,
        /skipped/,
      ),
    )
  })

  test('a signing flow that is not there', async () => {
    const { publicKey } = await generateKeyPair('RSA-OAEP-256')
    const key = { ...(await exportJWK(publicKey)), kid: 'e', use: 'enc', alg: 'RSA-OAEP-256' }
    const { target } = await bankForTest(
      changed('GET /.well-known/jwks.json', (answer) => ({
        ...answer,
        body: JSON.stringify({ keys: [...JSON.parse(answer.body ?? '').keys, key] }),
      })),
    )
    expect(await illness(target)).toMatchObject({
      check: 'signing flow',
      said: expect.stringMatching(/\/ros is refused: 404 /),
      fix: expect.stringContaining('signing: { offered: false }'),
    })
  })

  test('a person of kind full who does not reach loa3, with the words of the bank', async () => {
    const { target } = await bankForTest((own) => ({
      ...changed(discovery, (answer) => ({
        ...answer,
        body: JSON.stringify({ ...JSON.parse(answer.body ?? ''), acr_values_supported: ['loa2', 'loa3'] }),
      }))(own),
      'GET /auth': (request) => {
        const { acr_values, redirect_uri, state = '' } = Object.fromEntries(request.url.searchParams)
        if (acr_values !== 'loa3') return own['GET /auth']?.(request) ?? 'cut'
        const answer = { error: 'access_denied', error_description: 'no second factor', state }
        return redirect(`${redirect_uri}?${new URLSearchParams(answer)}`)
      },
    }))
    expect(await illness(target)).toEqual(
      named('second factor', /access_denied \(no second factor\)/, /jana is of kind full and does not reach loa3/),
    )
  })
})

test('the quick part ends with discovery, and registers a client where a run does', async () => {
  const { target, seen, clients } = await bankForTest()
  const results = await doctor(target, { quick: { registers: false } })
  expect(results.at(-1)?.check).toBe('discovery')
  expect(new Set(seen)).toEqual(new Set([discovery]))
  const more = await doctor(target, { quick: { registers: true } })
  expect(more.at(-1)).toMatchObject({ check: 'client', status: 'good' })
  expect(clients.size).toBe(0)
})

test('a bank that is known by another address is told from one that calls itself wrongly', async () => {
  const there = await bankForTest()
  const { target } = await bankForTest(() => ({ [discovery]: () => json({ issuer: there.target.issuer }) }))
  expect(await illness(target)).not.toHaveProperty('banks')
  expect(await illness(target)).toEqual(named('discovery', /calls the bank https:/, /another address/))
  await there.close()
  expect(await illness(target)).toHaveProperty('banks', true)
})
