import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { EvidenceLog } from '../evidence/evidence.js'
import { Masking } from '../evidence/masking.js'
import { certificates } from '../testing/certificates.js'
import { json, redirect, serve, type TestServer } from '../testing/https-server.js'
import { createHttpClient, type HttpClient } from './http.js'

let server: TestServer
let client: HttpClient

beforeAll(async () => {
  const { ca, localhost } = await certificates()
  server = await serve({
    'GET /who': ({ certified }) => json({ certified }),
    'GET /headers': ({ headers }) => json({ agent: headers['user-agent'], accept: headers.accept }),
    'GET /away': () => redirect('/who'),
    'GET /nowhere': () => ({ status: 302 }),
    'GET /html': () => ({ status: 200, headers: { 'content-type': 'TEXT/HTML; charset=x' }, body: '<p>' }),
    'GET /hang': () => 'hang',
    'GET /cut': () => 'cut',
    'GET /large': () => ({ status: 200, body: 'x'.repeat(1024 * 1024 + 1) }),
    'POST /echo': ({ body, headers }) => json({ body, type: headers['content-type'] }),
  })
  client = createHttpClient({ ca, clientCertificate: localhost, timeoutSeconds: 2 })
})

afterAll(async () => {
  await client.close()
  await server.close()
})

const context = () => ({
  evidence: new EvidenceLog(new Masking()).recorder(),
  signal: new AbortController().signal,
})
const get = (path: string, certificate = false) =>
  client.send({ method: 'GET', url: `${server.url}${path}`, certificate }, context())

describe('the http client', () => {
  test('shows the client certificate only when asked to', async () => {
    expect((await get('/who')).json).toEqual({ certified: false })
    expect((await get('/who', true)).json).toEqual({ certified: true })
    expect((await get('/who')).json).toEqual({ certified: false })
  })

  test('sends a body with its headers', async () => {
    const { json: echoed } = await client.send(
      { method: 'POST', url: `${server.url}/echo`, headers: { 'content-type': 'text/plain' }, body: 'hello' },
      context(),
    )
    expect(echoed).toEqual({ body: 'hello', type: 'text/plain' })
  })

  test('says who asks, and that they take anything, where the request does not', async () => {
    expect((await get('/headers')).json).toEqual({
      agent: expect.stringMatching(/^bank-idp-conformance\/\d+\.\d+\.\d+/),
      accept: '*/*',
    })
  })

  test('follows no redirect and tells where it leads', async () => {
    const response = await get('/away')
    expect(response.status).toBe(302)
    expect(response.location).toBe(`${server.url}/who`)
  })

  test('takes a redirect without an address for none', async () => {
    const response = await get('/nowhere')
    expect(response.status).toBe(302)
    expect(response.location).toBeUndefined()
  })

  test('tells the media type in lower case, and no JSON where there is none', async () => {
    const response = await get('/html')
    expect(response.mediaType).toBe('text/html')
    expect(response.json).toBeUndefined()
    expect(response.member('keys')).toBeUndefined()
  })

  test.each([
    ['/hang', 'the bank did not answer within 2 s'],
    ['/cut', 'the bank closed the connection'],
    ['/large', 'the bank sent a body of more than 1 MiB'],
  ])('tells what is wrong with %s', async (path, words) => {
    await expect(get(path)).rejects.toThrow(`GET ${server.url}${path}: ${words}`)
  })

  test('tells an answer that is no HTTP', async () => {
    const other = await serve({ 'GET /': () => (res) => void res.socket?.end('220 mail.bank.example ready\r\n') })
    const asked = client.send({ method: 'GET', url: `${other.url}/` }, context())
    await expect(asked).rejects.toThrow(`GET ${other.url}/: the bank did not answer in HTTP`)
    await other.close()
  })

  test('tells a refused connection', async () => {
    const gone = await serve({})
    await gone.close()
    const sending = client.send({ method: 'GET', url: gone.url }, context())
    await expect(sending).rejects.toThrow(`GET ${gone.url}: the bank refused the connection`)
  })

  test('tells a server that does not speak TLS', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    await new Promise<void>((resolve) => {
      plain.listen(0, 'localhost', resolve)
    })
    const url = `https://localhost:${(plain.address() as AddressInfo).port}/`
    const sending = client.send({ method: 'GET', url }, context())
    await expect(sending).rejects.toThrow('the bank did not complete the TLS handshake')
    plain.close()
  })

  test('records request, response and what was seen of TLS', async () => {
    const { evidence, signal } = context()
    await client.send(
      { method: 'GET', url: `${server.url}/who`, headers: { accept: 'application/json' } },
      { evidence, signal },
    )
    expect(evidence.all()).toEqual([
      {
        id: 'e1',
        kind: 'exchange',
        direction: 'sent',
        at: expect.any(String),
        milliseconds: expect.any(Number),
        request: {
          method: 'GET',
          url: `${server.url}/who`,
          headers: { accept: 'application/json', 'user-agent': expect.any(String) },
        },
        response: {
          status: 200,
          headers: expect.objectContaining({ 'content-type': 'application/json' }),
          body: '{"certified":false}',
        },
        tls: {
          protocol: expect.stringMatching(/^TLSv1\.[23]$/),
          cipher: expect.stringMatching(/^TLS_/),
          certificate: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
          clientCertificate: false,
        },
      },
    ])
  })

  test('gives a request up when its asker does, without charging the bank', async () => {
    const ending = new AbortController()
    const { evidence } = context()
    const sending = client.send({ method: 'GET', url: `${server.url}/hang` }, { evidence, signal: ending.signal })
    ending.abort()
    await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
    expect(evidence.all()).toEqual([expect.objectContaining({ failure: 'given up by the harness' })])
  })
})
