import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { ClientCertificate } from '../target/client-certificate.js'
import { certificates } from './certificates.js'

export interface TestRequest {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  /** Of a form body. */
  form: URLSearchParams
  body: string
  /** The body as it came. */
  bytes: Buffer
  /** Whether a client certificate of the test authority was shown. */
  certified: boolean
}

/**
 * `hang` never answers, `cut` breaks the connection off, `garble` sends bytes that are no TLS in the middle of an answer; a function writes
 * the answer itself.
 */
export type TestAnswer = TestResponse | ((res: ServerResponse) => void) | 'hang' | 'cut' | 'garble'

export interface TestResponse {
  status: number
  headers?: Record<string, string | string[]>
  body?: string
}

export type Route = (request: TestRequest) => TestAnswer | Promise<TestAnswer>

/** Routes by "METHOD /path"; a last segment * stands for any one. */
export type Routes = Record<string, Route>

/** Routes that replace those of a server; each can call what it replaces. */
export type Replaced = (own: Routes) => Routes

export interface TestServer {
  url: string
  /** "METHOD /path" of each request, in order. */
  seen: string[]
  close(): Promise<void>
}

/** A route that falls over answers 500, as servers do. */
async function answerOf(route: Route, request: TestRequest): Promise<TestAnswer> {
  try {
    return await route(request)
  } catch (error) {
    return { status: 500, body: String(error) }
  }
}

/** An https server on localhost, with the certificate of the test authority or another one. */
export async function serve(routes: Routes, certificate?: ClientCertificate): Promise<TestServer> {
  const { ca, localhost } = await certificates()
  const seen: string[] = []
  const server = createServer(
    { ...(certificate ?? localhost), ca, requestCert: true, rejectUnauthorized: false },
    async (req, res) => {
      const url = new URL(req.url ?? '/', `https://localhost:${req.socket.localPort}`)
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      const body = bytes.toString()
      const name = `${req.method} ${url.pathname}`
      seen.push(name)
      const route = routes[name] ?? routes[name.replace(/[^/]+$/, '*')]
      const certified = 'authorized' in req.socket && req.socket.authorized === true
      const answer = route
        ? await answerOf(route, {
            method: req.method ?? '',
            url,
            headers: req.headers,
            form: new URLSearchParams(body),
            body,
            bytes,
            certified,
          })
        : { status: 404, body: `nothing at ${name}` }
      if (answer === 'hang') return
      if (answer === 'cut') {
        req.socket.destroy()
        return
      }
      if (answer === 'garble') {
        res.writeHead(200, { 'content-length': '100' }).write('begun', () => {
          connections.get(req.socket.remotePort ?? 0)?.write('and now something else')
        })
        return
      }
      if (typeof answer === 'function') answer(res)
      else res.writeHead(answer.status, answer.headers).end(answer.body)
    },
  )
  const connections = new Map<number, Socket>()
  server.on('connection', (socket: Socket) => connections.set(socket.remotePort ?? 0, socket))
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve)
  })
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function json(value: unknown, status = 200): TestAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

export function html(body: string, status = 200): TestAnswer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

export function redirect(location: string, status = 302, headers: Record<string, string | string[]> = {}): TestAnswer {
  return { status, headers: { ...headers, location } }
}
