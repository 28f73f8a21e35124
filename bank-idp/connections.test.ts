import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Agent, get } from 'node:https'
import { connect as connectPlainly, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { Bank, BankOptions } from './bank.js'
import { bankForTest } from './testing/banks.js'
import { serveHttps } from './testing/https-server.js'

const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

const start = async (limits: BankOptions['limits'] = {}) => (await bankForTest({ limits })).bank
const portOf = ({ issuer }: Bank) => Number(new URL(issuer).port)

/** A connection to the bank, and all that came over it once it is over. */
interface Line {
  socket: TLSSocket
  said: Promise<string>
}

function dial(bank: Bank, ends: Pick<TcpNetConnectOpts, 'host' | 'localAddress' | 'localPort'> = {}): Line {
  const options = { port: portOf(bank), servername: 'localhost', ca: bank.identity.authority.cert, ...ends }
  const socket = connect(options)
  open.push(socket)
  const said = new Promise<string>((resolve) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    // How it ended is told by what came before.
    socket.on('error', () => {}).on('close', () => resolve(text))
  })
  return { socket, said }
}

async function line(...[bank, ends]: Parameters<typeof dial>): Promise<Line> {
  const made = dial(bank, ends)
  await once(made.socket, 'secureConnect')
  return made
}

const request = 'GET /healthcheck HTTP/1.1\r\nhost: localhost\r\n\r\n'
const halfAForm =
  'POST /token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 99\r\n\r\na='

const statusOf = (said: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1])

/** Sends a request and waits for its answer, on a connection that stays. */
async function asked({ socket }: Line): Promise<string> {
  socket.write(request)
  const [answer] = (await once(socket, 'data')) as [string]
  return answer
}

describe('a peer that is slow', () => {
  test('and says nothing is cut, before TLS is agreed to, after it, and between two requests', async () => {
    const bank = await start({ idleTime: 1, requestTime: 1 })
    const plain = connectPlainly(portOf(bank), 'localhost')
    open.push(plain)
    const [silent, used] = [await line(bank), await line(bank)]
    await asked(used)
    await Promise.all([once(plain, 'close'), silent.said, used.said])
  })

  test.each([
    ['headers', 'GET /healthcheck HTTP/1.1\r\nx-slow: '],
    ['body', halfAForm],
  ])('and sends its %s a letter at a time is told 408, and cut', async (_what, begun) => {
    const bank = await start({ requestTime: 1 })
    const { socket, said } = await line(bank)
    socket.write(begun)
    const drip = setInterval(() => socket.write('x'), 100)
    expect(statusOf(await said.finally(() => clearInterval(drip)))).toBe(408)
  })
})

describe('a body that is larger than any', () => {
  const head = (start: string, headers: string) => `${start} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n`
  const form = 'content-type: application/x-www-form-urlencoded'

  /** Sends so until the connection is over. @returns what came, and how many bytes were sent */
  async function sent(bank: Bank, begun: string, more: string): Promise<{ said: string; bytes: number }> {
    const { socket, said } = await line(bank)
    socket.write(begun)
    let over = false
    const answer = said.finally(() => {
      over = true
    })
    while (!over && more !== '')
      if (!socket.write(more)) await Promise.race([once(socket, 'drain').catch(() => {}), answer])
    return { said: await answer, bytes: socket.bytesWritten }
  }

  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`

  test.each([
    ['POST /token', form],
    ['POST /nowhere', 'expect: 100-continue'],
    ['GET /healthcheck', form],
  ])('and says so is 413 before it is sent: %s', async (first, header) => {
    const { said } = await sent(await start(), head(first, `${header}\r\ncontent-length: 2000000`), '')
    expect(said.split('\r\n').filter((part) => part.startsWith('HTTP/1.1 '))).toEqual([
      'HTTP/1.1 413 Payload Too Large',
    ])
  })

  test.each([
    ['POST /token', 413],
    ['POST /interaction/none', 413],
    ['GET /healthcheck', 200],
  ])('and goes on without an end is cut, and answered once: %s', async (first, status) => {
    const begun = head(first, `${form}\r\ntransfer-encoding: chunked`)
    const { said, bytes } = await sent(await start(), begun, chunk)
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`])
    expect(bytes).toBeLessThan(1024 ** 3)
  })

  test('that never comes has nothing follow the answer to its request', async () => {
    const begun = head('GET /healthcheck', `${form}\r\ncontent-length: 10`)
    const { said } = await sent(await start({ requestTime: 1 }), begun, '')
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  })
})

describe('more connections than may be open', () => {
  test('end those that are idle longest; what is under way, and what comes, is answered', async () => {
    const bank = await start({ connections: 4 })
    const busy = await line(bank)
    busy.socket.write(halfAForm)
    const [first, second] = [await line(bank), await line(bank)]
    await asked(first)
    await line(bank)
    // The second has been idle for longer than the first, which was asked since.
    const late = await line(bank)
    await second.said
    expect(statusOf(await asked(late))).toBe(200)
    expect(statusOf(await asked(first))).toBe(200)
    busy.socket.write('x'.repeat(97))
    const [answer] = (await once(busy.socket, 'data')) as [string]
    expect(statusOf(answer)).toBe(400)
  })

  test.each([
    ['idle', ''],
    ['sending headers', 'GET /healthcheck HTTP/1.1\r\nx-slow: '],
    ['sending a body', halfAForm],
  ])('from one address make room by their own, and leave others alone (%s)', async (_what, begun) => {
    const bank = await start({ connections: 5 })
    const other = { host: '127.0.0.1', localAddress: '127.0.0.2' }
    const [kept, busy] = [await line(bank, other), await line(bank, other)]
    await asked(kept)
    busy.socket.write(halfAForm)
    const many: Line[] = []
    for (let count = 0; count < 9; count += 1) {
      const one = await line(bank, { host: '127.0.0.1', localAddress: '127.0.0.1' })
      one.socket.write(begun)
      many.push(one)
    }
    await Promise.all(many.slice(0, 6).map(({ said }) => said))
    expect(statusOf(await asked(kept))).toBe(200)
    busy.socket.write('x'.repeat(97))
    const [answer] = (await once(busy.socket, 'data')) as [string]
    expect(statusOf(answer)).toBe(400)
    expect(many.slice(6).map(({ socket }) => socket.readyState)).toEqual(['open', 'open', 'open'])
    // Else the bank waits for them as it stops.
    for (const { socket } of many) socket.destroy()
  })

  test('are told 503 where all are being answered, and when to come again', async () => {
    const { bank, service } = await bankForTest({ limits: { connections: 2 } })
    const held: ServerResponse[] = []
    const server = await serveHttps(bank.identity.service.certificate, (_req, res) => held.push(res))
    const request_uri = `${server.url}/object`
    const { client_id, redirect_uri } = await service.client({ request_uris: [request_uri] })
    const parameters = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's', nonce: 'n' }
    const query = new URLSearchParams({ ...parameters, request_uri })
    const asking = [await line(bank), await line(bank)]
    const arrived = async (count: number) => {
      while (held.length < count) await new Promise((resolve) => setImmediate(resolve))
    }
    for (const [at, { socket }] of asking.entries()) {
      socket.write(`GET /auth?${query} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
      await arrived(at + 1)
    }
    const refused = await line(bank)
    refused.socket.write(request)
    const said = await refused.said
    expect(statusOf(said)).toBe(503)
    expect(said).toMatch(/^retry-after: 1\r$/im)
    expect(said).toMatch(/^connection: close\r$/im)
    expect(said).toContain('{"error":"temporarily_unavailable","error_description":"there are too many connections"}')
    const answers = asking.map(async ({ socket }) => statusOf(((await once(socket, 'data')) as [string])[0]))
    for (const res of held) res.end('none')
    expect(await Promise.all(answers)).toEqual([302, 302])
    await server.close()
  })
})

async function listensNoMore(bank: Bank): Promise<void> {
  const code = () =>
    new Promise<string | undefined>((resolve) => {
      const socket = connectPlainly(portOf(bank), 'localhost', () => resolve(undefined))
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).on('connect', () => socket.destroy())
    })
  while ((await code()) !== 'ECONNREFUSED');
}

describe('a bank that stops', () => {
  test('answers what is on its way, on new and on used connections, with Connection: close, and listens no more', async () => {
    const bank = await start()
    const [unused, used, underWay] = [await line(bank), await line(bank), await line(bank)]
    expect(await asked(used)).toMatch(/^connection: keep-alive\r$/im)
    underWay.socket.write(halfAForm)
    // It has arrived when what came after it was answered.
    await asked(used)
    const shaking = dial(bank)
    await once(shaking.socket, 'connect')
    const closed = bank.close()
    await listensNoMore(bank)
    for (const { socket } of [unused, used, shaking]) socket.write(request)
    underWay.socket.write('x'.repeat(97))
    const said = await Promise.all([unused.said, used.said, shaking.said, underWay.said])
    expect(said.map(statusOf)).toEqual([200, 200, 200, 400])
    for (const text of said) expect(text).toMatch(/^connection: close\r$/im)
    await closed
  })

  test('answers all who got through, however many had yet to be accepted', async () => {
    const bank = await start()
    const lines = Array.from({ length: 30 }, () => dial(bank, { host: '127.0.0.1' }))
    for (const { socket } of lines) socket.write(request)
    // Connections are begun by now, and made while nothing is accepted.
    await new Promise(process.nextTick)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    const closed = bank.close()
    expect((await Promise.all(lines.map(({ said }) => said))).map(statusOf)).toEqual(lines.map(() => 200))
    await closed
  })

  test('answers what came while it could do nothing, however long that was', async () => {
    const bank = await start()
    const [unused, used] = [await line(bank), await line(bank)]
    await asked(used)
    const closed = bank.close()
    await listensNoMore(bank)
    for (const { socket } of [unused, used]) socket.write(request)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
    expect((await Promise.all([unused.said, used.said])).map(statusOf)).toEqual([200, 200])
    await closed
  })

  test('is done at once when nobody asks, and does not wait for connections that are idle', async () => {
    const bank = await start()
    await asked(await line(bank))
    await line(bank)
    const began = performance.now()
    await bank.close()
    expect(performance.now() - began).toBeLessThan(3_000)
  })

  test('knows connections apart that one port of a peer has to several of its addresses', async () => {
    const { bank } = await bankForTest({ host: '0.0.0.0' })
    const first = await line(bank, { host: '127.0.0.1', localAddress: '127.0.0.1' })
    const { localPort } = first.socket
    await asked(first)
    await asked(await line(bank, { host: '127.0.0.2', localAddress: '127.0.0.1', ...(localPort && { localPort }) }))
    const began = performance.now()
    await bank.close()
    expect(performance.now() - began).toBeLessThan(3_000)
  })

  test('leaves no request unanswered under load, and the next one at its port goes on', async () => {
    const bank = await start()
    const port = portOf(bank)
    const { cert } = bank.identity.authority
    const agent = new Agent({ keepAlive: true, ca: cert, servername: 'localhost' })
    const outcomes: Record<string, number> = {}
    let going = true
    const ask = () =>
      new Promise<string>((resolve) => {
        get({ port, path: '/healthcheck', agent }, (res) => {
          res.resume().on('end', () => resolve(String(res.statusCode)))
          res.on('error', ({ message }) => resolve(message))
        }).on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
      })
    const asking = Array.from({ length: 20 }, async () => {
      while (going) {
        const outcome = await ask()
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        // Nobody listens between the two: not a request that was taken and left.
        if (outcome === 'ECONNREFUSED') await new Promise((resolve) => setImmediate(resolve))
      }
    })
    const answered = async (count: number) => {
      const before = outcomes['200'] ?? 0
      while ((outcomes['200'] ?? 0) < before + count) await new Promise((resolve) => setImmediate(resolve))
    }
    await answered(100)
    await bank.close()
    const next = (await bankForTest({ port })).bank
    expect(portOf(next)).toBe(port)
    await answered(100)
    await next.close()
    going = false
    await Promise.all(asking)
    agent.destroy()
    expect(Object.keys(outcomes).filter((outcome) => !['200', 'ECONNREFUSED'].includes(outcome))).toEqual([])
  })
})
