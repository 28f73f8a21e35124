import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectPlainly } from 'node:net'
import { connect } from 'node:tls'
import { CompactEncrypt, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, jwtVerify } from 'jose'
import { Agent, Pool, request } from 'undici'
import { EvidenceLog } from '../evidence/evidence.js'
import { Masking } from '../evidence/masking.js'
import { certificates } from '../testing/certificates.js'
import { assertionClaims, recordAssertion, registrationSigner, signAssertion } from './assertions.js'
import { clientKeys } from './client-keys.js'
import { bankTime } from './clock.js'
import { outboxOf } from './outbox.js'
import { startServer } from './server.js'

const recorder = () => new EvidenceLog(new Masking()).recorder()

describe('an assertion', () => {
  test('has the claims of its table row, times in Unix seconds and a fresh jti', () => {
    const claims = assertionClaims({ aud: 'https://bank.example/register' }, 1_700_000_000)
    expect(claims).toEqual({
      aud: 'https://bank.example/register',
      iat: 1_700_000_000,
      exp: 1_700_000_060,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(assertionClaims({ aud: 'x' }, 0).jti).not.toBe(assertionClaims({ aud: 'x' }, 0).jti)
  })

  test('is signed as its key says, and what it says is evidence', async () => {
    const { privateKey, publicKey } = await generateKeyPair('PS512')
    const evidence = recorder()
    const now = Math.floor(Date.now() / 1000)
    const claims = assertionClaims({ aud: 'https://bank.example/token', iss: 'c', sub: 'c' }, now)
    const jwt = await signAssertion(claims, { alg: 'PS512', kid: 'k', privateKey })
    recordAssertion(jwt, evidence)
    expect((await jwtVerify(jwt, publicKey)).payload).toEqual(claims)
    expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'PS512', typ: 'JWT', kid: 'k' })
    expect(evidence.all()).toEqual([
      expect.objectContaining({ kind: 'opened', what: 'client_assertion', payload: claims }),
    ])
  })

  test('for registration is signed with the first signing key of the service, by its own alg or the one of its type', async () => {
    const jwkOf = async (alg: string) => exportJWK((await generateKeyPair(alg, { extractable: true })).privateKey)
    const ec = await jwkOf('ES512')
    const rsa = await jwkOf('PS256')
    expect(
      await registrationSigner([
        { ...rsa, use: 'enc' },
        { ...ec, kid: 'b' },
      ]),
    ).toMatchObject({ alg: 'ES512', kid: 'b' })
    expect(await registrationSigner([rsa])).toMatchObject({ alg: 'PS512' })
    expect(await registrationSigner([{ ...rsa, alg: 'PS256' }])).toMatchObject({ alg: 'PS256' })
  })
})

describe('the clock', () => {
  async function door(answer: (authorization: string | undefined) => string) {
    const server = createServer((req, res) => res.end(answer(req.headers.authorization)))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
  }

  test('is ours without a control door', async () => {
    expect((await bankTime({})).clock() - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(1)
  })

  test('is the bank’s as the control door tells it', async () => {
    const { url, close } = await door((authorization) =>
      JSON.stringify(authorization === 'Bearer t' ? { now: new Date(Date.now() + 86_400_000).toISOString() } : {}),
    )
    const { clock } = await bankTime({ control: { url, token: 't' } })
    expect(Math.abs(clock() - Math.floor(Date.now() / 1000) - 86_400)).toBeLessThanOrEqual(1)
    await expect(bankTime({ control: { url, token: 'other' } })).rejects.toThrow(
      `control.url: ${url}/clock does not answer with the time as now; is control.token_file the bank's?`,
    )
    close()
  })

  test('passes by the control door, which is told how far', async () => {
    let moved = 0
    const server = createServer(async (req, res) => {
      for await (const part of req) moved += JSON.parse(String(part)).advance_seconds
      res.end(JSON.stringify({ now: new Date(Date.now() + moved * 1000).toISOString() }))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const time = await bankTime({ control: { url, token: 't' } })
    await time.pass?.(3600)
    expect(Math.abs(time.clock() - Math.floor(Date.now() / 1000) - 3600)).toBeLessThanOrEqual(1)
    expect(time.waited()).toBe(0)
    server.close()
  })

  test('passes by waiting where there is no door, as long as the run goes on; else not at all', async () => {
    expect((await bankTime({})).pass).toBeUndefined()
    const ending = new AbortController()
    const time = await bankTime({ slow: true }, ending.signal)
    await time.pass?.(0.02)
    expect(time.waited()).toBeGreaterThanOrEqual(15)
    const passing = time.pass?.(3600)
    ending.abort()
    await expect(passing).rejects.toThrow('aborted')
  })

  test('is a mistake of the target file when nobody is at the door', async () => {
    const { url, close } = await door(() => '')
    close()
    await expect(bankTime({ control: { url, token: 't' } })).rejects.toThrow(
      `control.url: ${url}/clock does not answer`,
    )
  })
})

describe('the outbox', () => {
  const receiver = 'https://service.example/notify'
  const waiting = { receiver, next: '2026-01-31T08:32:09.000Z' }

  /** A door that answers each look with the next of these, the last for ever. */
  async function door(answers: readonly { status?: number; said: unknown }[]) {
    let looks = 0
    const server = createServer((req, res) => {
      const { status = 200, said } = answers[Math.min(looks, answers.length - 1)] ?? { said: [] }
      looks += 1
      res.writeHead(req.url === '/outbox' ? status : 500).end(JSON.stringify(said))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { outbox: outboxOf({ url, token: 't' }), looks: () => looks, close: () => server.close() }
  }

  test('is empty once nothing that is tried again goes to these addresses, seen twice', async () => {
    const elsewhere = { ...waiting, receiver: 'https://elsewhere.example/notify' }
    const { outbox, looks, close } = await door([
      { said: [] },
      { said: [waiting] },
      { said: [elsewhere, { receiver }] },
    ])
    expect(outbox.isTold()).toBe(false)
    expect(await outbox.emptied([receiver], new AbortController().signal)).toBe(true)
    expect(looks()).toBe(4)
    expect(outbox.isTold()).toBe(true)
    close()
  })

  test.each([
    ['does not serve it', { status: 404, said: { error: 'not_found' } }],
    ['answers with something else', { said: [{ to: receiver }] }],
  ])('is not told by a door that %s, which is asked once', async (_what, answer) => {
    const { outbox, looks, close } = await door([answer])
    expect(await outbox.emptied([receiver], new AbortController().signal)).toBe(false)
    expect(await outbox.emptied([receiver], new AbortController().signal)).toBe(false)
    expect(looks()).toBe(1)
    expect(outbox.isTold()).toBe(false)
    close()
  })

  test('is waited for as long as somebody waits', async () => {
    const { outbox, close } = await door([{ said: [waiting] }])
    expect(await outbox.emptied([receiver], AbortSignal.timeout(300))).toBe(false)
    close()
  })
})

describe('the server of the service', () => {
  const settings = async (url: string) => ({
    host: 'localhost',
    port: 0,
    url,
    certificate: (await certificates()).localhost,
  })

  test('serves what is hosted, below the path of its address too, and records who fetched it', async () => {
    const server = await startServer(await settings('https://localhost:{port}/svc'))
    const evidence = recorder()
    const address = server.host('/app/jwks.json', {
      contentType: 'application/jwk-set+json',
      body: '{"keys":[]}',
      evidence,
    })
    expect(address).toMatch(/^https:\/\/localhost:\d+\/svc\/app\/jwks\.json$/)
    const dispatcher = new Agent({ connect: { ca: (await certificates()).ca } })
    for (const url of [address, address.replace('/svc', '')]) {
      const { statusCode, headers, body } = await request(url, { dispatcher })
      expect([statusCode, headers['content-type'], await body.text()]).toEqual([
        200,
        'application/jwk-set+json',
        '{"keys":[]}',
      ])
    }
    expect((await request(`${server.url}/app/none`, { dispatcher })).statusCode).toBe(404)
    await dispatcher.close()
    await server.close()
    expect(evidence.all()).toEqual([
      expect.objectContaining({
        direction: 'received',
        request: expect.objectContaining({ method: 'GET', url: address }),
      }),
      expect.objectContaining({ direction: 'received', response: expect.objectContaining({ status: 200 }) }),
    ])
  })

  test('outlives who asks for no path, and who breaks a post off', async () => {
    const server = await startServer(await settings('https://localhost:{port}'))
    const { ca } = await certificates()
    const said = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = connect({ host: 'localhost', port: Number(new URL(server.url).port), ca }, () => {
          socket.write(text)
          if (text.startsWith('POST')) socket.end()
        })
        let answer = ''
        socket.on('data', (chunk) => {
          answer += chunk
        })
        socket.on('error', () => {}).on('close', () => resolve(answer))
      })
    expect(await said('GET // HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    await said('POST /notify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc')
    expect(await said('GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 404 /)
    expect(server.posts).toEqual([])
    await server.close()
  })

  test('opens what is encrypted to our clients, and nothing else', async () => {
    const server = await startServer(await settings('https://localhost:{port}'))
    const { encryption } = await clientKeys()
    const { publicKey } = await generateKeyPair('RSA-OAEP-256')
    const to = async (key: Awaited<ReturnType<typeof importJWK>>) =>
      new CompactEncrypt(new TextEncoder().encode('a.b.c'))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
        .encrypt(key)
    const dispatcher = new Agent({ connect: { ca: (await certificates()).ca } })
    const ours = await to(await importJWK(encryption.publicJwk, 'RSA-OAEP-256'))
    const sent: Record<string, string>[] = [
      { logout_token: ours },
      { logout_token: await to(publicKey) },
      { notification_token: ours },
      {},
    ]
    for (const form of sent) {
      const body = new URLSearchParams(form).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await request(`${server.url}/events`, { method: 'POST', headers, body, dispatcher })
      await answer.body.dump()
    }
    expect(server.posts.map(({ opened }) => opened)).toEqual(['a.b.c', undefined, undefined, undefined])
    await dispatcher.close()
    await server.close()
  })

  test('keeps as many posts as there is room for, and reads none that is too large', async () => {
    const server = await startServer(await settings('https://localhost:{port}'))
    const dispatcher = new Agent({ connect: { ca: (await certificates()).ca } })
    const post = async (body: string) => {
      const answer = await request(`${server.url}/notify`, { dispatcher, method: 'POST', body })
      await answer.body.dump()
      return answer.statusCode
    }
    const megabyte = 'x'.repeat(1024 * 1024)
    expect(await post(`${megabyte}x`)).toBe(413)
    const statuses = []
    for (let i = 0; i < 65; i += 1) statuses.push(await post(megabyte))
    expect(statuses).toEqual([...Array(63).fill(200), 503, 503])
    expect(await post('small')).toBe(200)
    const kept = server.posts.filter(({ status }) => status === 200)
    expect(kept.map(({ body }) => body.length)).toEqual([...Array(63).fill(megabyte.length), 5])
    await dispatcher.close()
    await server.close()
  })

  test('holds as much of posts that never come to their end as there is room for, and then of others again', async () => {
    const server = await startServer(await settings('https://localhost:{port}'))
    const { ca } = await certificates()
    const megabyte = 1024 * 1024
    const headOf = (length: number) => `POST /notify HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`
    const begun = async (length: number, sent: number) => {
      const socket = connect({ host: 'localhost', port: Number(new URL(server.url).port), ca })
      const said = once(socket.setEncoding('utf8'), 'data').then(([text]) => Number(String(text).split(' ')[1]))
      // Who is cut, by either end, was told before.
      said.catch(() => {})
      socket.on('error', () => {})
      await new Promise((resolve) => socket.write(headOf(length) + 'x'.repeat(sent), resolve))
      return { socket, said }
    }
    const many: Awaited<ReturnType<typeof begun>>[] = []
    for (let i = 0; i < 40; i += 1) many.push(await begun(megabyte, megabyte - 1))
    // Each needs a place of its own in the end; who is refused leaves its place to others.
    let refused = 0
    await new Promise<void>((resolve) => {
      const hear = (status: number) => {
        refused += status === 503 ? 1 : 0
        if (refused === many.length - 16) resolve()
      }
      for (const { said } of many) said.then(hear, () => {})
    })
    for (const { socket } of many) socket.destroy()
    const later = await begun(5, 5)
    expect(await later.said).toBe(200)
    later.socket.destroy()
    expect(server.posts.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual(['xxxxx'])
    expect(server.posts.filter(({ status }) => status === 503).every(({ body }) => body === '')).toBe(true)
    await server.close()
  })

  test('serves whoever fetches without an end, and records as much as there is room for', async () => {
    const server = await startServer(await settings('https://localhost:{port}'))
    const evidence = recorder()
    const url = server.host('/jwks.json', { contentType: 'application/json', body: 'x'.repeat(900_000), evidence })
    const pool = new Pool(server.url, { connections: 4, connect: { ca: (await certificates()).ca } })
    const status = async () => {
      const { statusCode, body } = await pool.request({ path: new URL(url).pathname, method: 'GET' })
      await body.dump()
      return statusCode
    }
    const statuses = []
    for (let count = 0; count < 40; count += 1)
      statuses.push(...(await Promise.all([status(), status(), status(), status()])))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(evidence.all().length).toBeGreaterThan(100)
    expect(evidence.all().length).toBeLessThan(150)
    await pool.close()
    await server.close()
  })

  test('ends at once, whatever connections are at', async () => {
    const server = await startServer(await settings('https://localhost:{port}'))
    const { ca } = await certificates()
    const port = Number(new URL(server.url).port)
    const plain = connectPlainly(port, 'localhost')
    const secure = connect({ host: 'localhost', port, ca })
    const half = connect({ host: 'localhost', port, ca }, () => half.write('GET / HTTP/1.1\r\n'))
    const sockets = [plain, secure, half]
    const over = sockets.map((socket) => new Promise((resolve) => socket.on('error', () => {}).on('close', resolve)))
    await Promise.all([once(plain, 'connect'), once(secure, 'secureConnect'), once(half, 'secureConnect')])
    await server.close()
    await Promise.all(over)
  })

  test('says when it cannot listen', async () => {
    const server = await startServer(await settings('https://localhost:{port}'))
    const port = Number(new URL(server.url).port)
    await expect(startServer({ ...(await settings('https://x')), port })).rejects.toThrow(
      `service.server.listen: cannot listen on localhost:${port} (`,
    )
    await server.close()
  })
})
