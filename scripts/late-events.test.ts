import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { examine } from '../conformance/examine.js'
import type { Target } from '../conformance/target/target.js'
import { withBank } from './bundled-bank.js'
import { freePort } from './free-port.js'

/** Milliseconds between two changes of a person: the bundled bank tells of what comes sooner in one token. */
const apartMs = 100

/** Sends a request on, and its answer back. @param ca of the authorities of who answers */
function relaying(to: () => string, ca: string, before: (path: string, body: Buffer) => Promise<Buffer>) {
  const agent = new Agent({ connect: { ca } })
  const relay: RequestListener = async (req, res) => {
    try {
      const { method, headers, url = '/' } = req
      const body = method === 'POST' ? await before(url, await buffer(req)) : undefined
      const kept = Object.fromEntries(
        ['authorization', 'content-type'].flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])),
      )
      const sent = { method: body ? 'POST' : 'GET', headers: kept, dispatcher: agent, ...(body && { body }) } as const
      const answer = await request(`${to()}${url}`, sent)
      res.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type'] ?? 'text/plain') })
      res.end(Buffer.from(await answer.body.arrayBuffer()))
    } catch {
      // A post that is held may find the run over.
      res.destroy()
    }
  }
  return { relay, end: () => agent.close() }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/**
 * Has the target of a bank that tells of each claim of a person in a token of its own, and sends at each address one token after the other.
 * @param pauseMs before each
 */
function withLateBank<Result>(pauseMs: number, use: (target: Target) => Promise<Result>): Promise<Result> {
  return withBank({}, async (target) => {
    const { server, control, ca = '' } = target
    if (!server || !control) throw new Error('the bundled bank has both')
    const port = await freePort()
    const queues = new Map<string, Promise<void>>()
    const events = relaying(
      () => `https://localhost:${port}`,
      ca,
      async (path, body) => {
        const turn = (queues.get(path) ?? Promise.resolve()).then(() => setTimeout(pauseMs))
        queues.set(path, turn)
        await turn
        return body
      },
    )
    const changes = relaying(
      () => control.url,
      ca,
      async (path, body) => {
        const { claims } = JSON.parse(body.toString())
        const [last, ...others] = Object.entries(claims ?? {}).map(([name, value]) =>
          Buffer.from(JSON.stringify({ claims: { [name]: value } })),
        )
        const headers = { authorization: `Bearer ${control.token}`, 'content-type': 'application/json' }
        for (const other of others) {
          const answer = await request(`${control.url}${path}`, { method: 'POST', headers, body: other })
          await answer.body.dump()
          await setTimeout(apartMs)
        }
        return last ?? body
      },
    )
    const eventServer = createServer(server.certificate, events.relay)
    const controlServer = createPlainServer(changes.relay)
    try {
      const url = `https://localhost:${await listening(eventServer)}`
      const door = { ...control, url: `http://127.0.0.1:${await listening(controlServer)}` }
      return await use({ ...target, control: door, server: { ...server, port, url } })
    } finally {
      for (const one of [eventServer, controlServer]) {
        one.closeAllConnections()
        one.close()
      }
      await Promise.all([events.end(), changes.end()])
    }
  })
}

const only = ['logout/back-channel', 'logout/second', 'logout/token', 'notifications/sent']

test('a bank that sends late, and apart, what it sends by itself is right where the target file leaves it the time', async () => {
  const { results } = await withLateBank(700, (target) => examine({ target: { ...target, eventSeconds: 60 }, only }))
  const inShort = results.map(({ rule, status, reason = '' }) => `${rule} ${status} ${reason}`.trim())
  expect(inShort).toEqual(only.map((rule) => `${rule} pass`))
})

test('what does not come in the time of the target file is told with the member that says it', async () => {
  const { results } = await withLateBank(1_500, (target) => examine({ target: { ...target, eventSeconds: 1 }, only }))
  const late = ['logout/back-channel', 'notifications/sent']
  const told = { status: 'fail', reason: expect.stringMatching(/within 1 s \(event_seconds of the target file\)/) }
  expect(results.filter(({ rule }) => late.includes(rule))).toMatchObject(late.map((rule) => ({ rule, ...told })))
})

test('what does not come is waited for until the bank has nothing left to send, where its control door tells that', async () => {
  const { results } = await withBank({ faults: ['notification/nobody-told'] }, (target) =>
    examine({ target: { ...target, eventSeconds: 3_600 }, only: ['notifications/sent'] }),
  )
  const reason = expect.stringMatching(
    /within 3600 s \(event_seconds of the target file\), or before its outbox was empty \(GET \/outbox of its control door\)/,
  )
  expect(results).toMatchObject([{ rule: 'notifications/sent', status: 'fail', reason }])
})
