import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from './errors.js'
import { longestBody } from './limits.js'

/** An answer of the server's own, about a request that the app is not asked. */
export interface Refusal {
  status: number
  error: ErrorCode
  why: string
}

const tooLarge: Refusal = {
  status: 413,
  error: 'invalid_request',
  why: `the body is longer than ${longestBody} bytes`,
}

/** What is wrong with a request that goes on and on, as Node says it of others. */
export function bodyTooLarge(): NodeJS.ErrnoException {
  return Object.assign(new Error(tooLarge.why), { code: 'BODY_TOO_LARGE' })
}

/** What Node says is wrong with what came, and how it is answered. */
const broken: Readonly<Record<string, Refusal>> = {
  BODY_TOO_LARGE: tooLarge,
  HPE_HEADER_OVERFLOW: { status: 431, error: 'invalid_request', why: 'the headers are too long' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, error: 'invalid_request', why: 'the chunks are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'invalid_request', why: 'the request took too long' },
}

const noRequest: Refusal = { status: 400, error: 'invalid_request', why: 'this is no request of HTTP/1.1' }

function messageOf({ status, error, why }: Refusal): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ error, error_description: why })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...(status === 503 && { 'retry-after': '1' }),
  }
  return { headers, body }
}

/** Answers a request in the place of the app, and ends its connection. */
export function refuse(res: ServerResponse, refusal: Refusal): void {
  const { headers, body } = messageOf(refusal)
  res.writeHead(refusal.status, headers).end(body)
}

/**
 * The same where there is no request to answer: what came is none.
 *
 * @param method that it began with; undefined where that is not known any more: it may have been HEAD, which is answered without a body
 *   (RFC 9110 section 9.3.2)
 */
function refuseRaw(socket: Duplex, refusal: Refusal, method: string | undefined): void {
  const { headers, body } = messageOf(refusal)
  const told = method === undefined ? { ...headers, 'content-length': '0' } : headers
  const lines = Object.entries(told).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n`
  socket.write(method === undefined || method === 'HEAD' ? head : head + body)
  socket.destroy()
}

/** What Node says of bytes that are no request of HTTP. */
interface ParseError extends NodeJS.ErrnoException {
  /** The packet at which that was found out; absent where none came in time. */
  rawPacket?: Buffer
}

/** The method of what is found to be no request; GET where there is none. Headers may be too long in a later packet than the one that tells it. */
function methodOf({ rawPacket, code }: ParseError): string | undefined {
  const [method] = /^[A-Z]+(?= )/.exec(rawPacket?.toString('latin1', 0, 20) ?? '') ?? []
  return method ?? (code === 'HPE_HEADER_OVERFLOW' ? undefined : 'GET')
}

/**
 * Tells whoever asks that they may send the body, once it is the turn of their answer: Node would put it into the midst of this answer where the one
 * before it, over the same connection, is still on its way.
 */
function continueInTurn(res: ServerResponse): void {
  // What is answered by then needs no body any more.
  const tell = () => {
    if (!res.headersSent) res.writeContinue()
  }
  if (res.socket) tell()
  else res.once('socket', tell)
}

/**
 * Answers what is no request, and what asks for something that no server of this kind does, as every other mistake is answered; Node's own
 * answers have neither a body nor the headers that every answer has.
 *
 * @param hasAnswered whether the beginning of an answer went out already over a connection
 */
export function answerBroken(server: Server, hasAnswered: (socket: Duplex) => boolean): void {
  // Node drops what comes behind 2,000 headers, unseen: a second Host, or what a proxy puts behind those of a caller. Their bytes are bounded.
  server.maxHeadersCount = 0
  server
    .on('clientError', (error: ParseError, socket) => {
      const code = String(error.code)
      // Else TLS failed, or the connection did.
      const isHttp = code.startsWith('HPE_') || code in broken
      if (!isHttp || !socket.writable || hasAnswered(socket)) socket.destroy()
      else refuseRaw(socket, broken[code] ?? noRequest, methodOf(error))
    })
    .on('connect', (_req: IncomingMessage, socket: Duplex) =>
      refuseRaw(socket, { status: 404, error: 'invalid_request', why: 'nothing is served at CONNECT' }, 'CONNECT'),
    )
    // Whoever asks whether to send what is too large is told before they do (RFC 9110 section 10.1.1).
    .on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
      if (!brokenTarget(req)) continueInTurn(res)
      server.emit('request', req, res)
    })
    .on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) =>
      refuse(res, { status: 417, error: 'invalid_request', why: 'Expect asks for something else than 100-continue' }),
    )
}

/**
 * Has a request name its address as all do: by the path alone, though it came with a host (RFC 9112 section 3.2.2), which is not believed.
 *
 * @returns why there is no request to be answered; undefined where there is one
 */
export function brokenTarget(req: IncomingMessage): Refusal | undefined {
  // RFC 9112 section 3.2.
  const hosts = req.headersDistinct.host?.length ?? 0
  if (hosts > 1) return { ...noRequest, why: 'the header Host is given more than once' }
  if (hosts === 0 && req.httpVersion === '1.1') return { ...noRequest, why: 'the header Host is missing' }
  // RFC 9112 section 6.1: where a body of another coding ends cannot be told, and so neither where the next request begins.
  const coding = req.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return { ...noRequest, why: 'the header Transfer-Encoding is not chunked' }
  }
  if (Number(req.headers['content-length'] ?? 0) > longestBody) return tooLarge
  const target = String(req.url).replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  // Routers would read what stands before it (RFC 9112 section 3.2.1).
  if (target.includes('#')) return { ...noRequest, why: 'the address has a fragment' }
  req.url = target.startsWith('/') || target === '*' ? target : `/${target}`
  return undefined
}
