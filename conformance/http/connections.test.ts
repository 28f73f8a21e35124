import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { EvidenceLog } from '../evidence/evidence.js'
import { Masking } from '../evidence/masking.js'
import { certificates } from '../testing/certificates.js'
import { createHttpClient, type HttpClient, type HttpRequest } from './http.js'

let server: Server
let client: HttpClient
/** What becomes of the request that is a connection's first, second and so on, and of the connection once it is answered. */
let onRequest: (socket: Socket, count: number) => 'answer' | 'cut'
let onAnswered: (socket: Socket, count: number) => void

beforeEach(async () => {
  const { ca, localhost } = await certificates()
  const counts = new WeakMap<Socket, number>()
  onRequest = () => 'answer'
  onAnswered = () => {}
  server = createServer(localhost, ({ socket }, res) => {
    const count = (counts.get(socket) ?? 0) + 1
    counts.set(socket, count)
    if (onRequest(socket, count) === 'cut') return socket.destroy()
    return res.on('finish', () => onAnswered(socket, count)).end(String(count))
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, 'localhost')
  await once(server, 'listening')
  client = createHttpClient({ ca, timeoutSeconds: 5 })
})

afterEach(async () => {
  await client.close()
  server.closeAllConnections()
  server.close()
})

/** @returns which request of its connection it was, as the server tells */
function send(method: HttpRequest['method']): Promise<string> {
  return sendTo(`https://localhost:${(server.address() as AddressInfo).port}/`, method)
}

async function sendTo(url: string, method: HttpRequest['method']): Promise<string> {
  const context = { evidence: new EvidenceLog(new Masking()).recorder(), signal: new AbortController().signal }
  return (await client.send({ method, url }, context)).text
}

describe('connections', () => {
  test('are used again at once', async () => {
    expect([await send('GET'), await send('POST'), await send('GET')]).toContain('2')
  })

  test('are ended by the harness when they carry nothing, long before a bank does', async () => {
    const closed = new Promise((resolve) => {
      onAnswered = (socket) => socket.once('close', resolve)
    })
    await send('GET')
    await closed
    expect(await send('POST')).toBe('1')
  })

  test('are used once each where the bank ends them after its answers without saying so', async () => {
    onAnswered = (socket) => socket.end()
    const answers = [await send('GET'), await send('GET')]
    for (let posts = 0; posts < 5; posts += 1) answers.push(await send('POST'))
    expect(answers).toEqual(['1', '1', '1', '1', '1', '1', '1'])
  })

  test('are used again with a bank, whatever ends them at another address', async () => {
    const other = createTcpServer((socket) => socket.destroy()).listen(0, 'localhost')
    await once(other, 'listening')
    const url = `http://localhost:${(other.address() as AddressInfo).port}/`
    await expect(sendTo(url, 'GET')).rejects.toThrow('the bank closed the connection')
    other.close()
    expect([await send('GET'), await send('POST'), await send('GET')]).toContain('2')
  })

  test('are opened anew for what may be sent twice, where the bank ended the kept one as the request left', async () => {
    onRequest = (_socket, count) => (count === 2 ? 'cut' : 'answer')
    expect([await send('GET'), await send('GET'), await send('GET')]).toEqual(['1', '1', '1'])
  })

  test('that the bank breaks off on a first request are the bank’s failure', async () => {
    onRequest = () => 'cut'
    await expect(send('GET')).rejects.toThrow('the bank closed the connection')
    await expect(send('POST')).rejects.toThrow('the bank closed the connection')
  })
})
