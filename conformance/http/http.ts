import type { IncomingHttpHeaders } from 'node:http'
import { type CheerioAPI, load } from 'cheerio'
import { type Dispatcher, request } from 'undici'
import { isUrl } from '../../schemas/is-url.js'
import { harness } from '../about.js'
import type { Recorder } from '../evidence/evidence.js'
import { BankFailure, NoAnswer } from '../evidence/failure.js'
import type { Headers } from '../evidence/masking.js'
import type { ClientCertificate } from '../target/client-certificate.js'
import { charsetOf, pageText } from './charset.js'
import { connectionTrouble } from './connection-trouble.js'
import { type Connections, connections, isCutOff } from './connections.js'
import { parsePage } from './page.js'

/** Who sends, and what they take (RFC 9110 sections 10.1.5 and 12.5.1): firewalls let nobody through who does not say so. */
const everyRequest = { 'user-agent': `${harness.name}/${harness.version}`, accept: '*/*' }

/** Bytes of an answer that are read at most. */
export const largestBodyBytes = 1024 * 1024

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** Whether the body stands for bytes, a character for each, in place of a text. */
  inBytes?: boolean
  /** Whether the connection has the service's client certificate to show, or which other one; what is usual at this bank when left out. */
  certificate?: boolean | ClientCertificate
  /** How long the answer may take, where it is another time than the client's. */
  seconds?: number
}

/** Who asks: where the exchange is recorded, and what ends the wait for it. */
export interface ExchangeContext {
  evidence: Recorder
  signal: AbortSignal
}

/** A whole answer of the bank. */
export class HttpResponse {
  private body?: { json: unknown }
  /** When it came, in Unix seconds of the bank's time, where it answered a request of a rule. */
  cameAt?: number

  constructor(
    readonly request: { method: string; url: string },
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
    /** Id of the recorded exchange. */
    readonly evidence: string,
    /** The text parsed, where it is a page that came from a bank: whoever reads such an answer has had {@link parsePage} do it. */
    private page?: CheerioAPI,
  ) {}

  /** The body as JSON whatever the content type says; undefined when it is none, or nests too deeply. */
  get json(): unknown {
    this.body ??= { json: parsed(this.text) }
    return this.body.json
  }

  /** The value of a header, or '' when it is absent. */
  header(name: string): string {
    const value = this.headers[name.toLowerCase()] ?? ''
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** The content type without its parameters, in lower case. */
  get mediaType(): string {
    return mediaTypeOf(this.header('content-type'))
  }

  /** Whether it is a page: HTML, or what says not what it is. */
  get isPage(): boolean {
    return isPage(this.mediaType)
  }

  /** How the page that it is was encoded, by its name in the Encoding Standard. */
  get charset(): string {
    return charsetOf(this.header('content-type'), this.text)
  }

  /** The page that it is, parsed once; an empty one when it is none. Not to be changed. */
  get document(): CheerioAPI {
    this.page ??= load(this.isPage ? this.text : '')
    return this.page
  }

  /** Where a redirect leads, resolved against the request's address; undefined unless the answer is one. */
  get location(): string | undefined {
    const location = this.header('location')
    const leads = this.status >= 300 && this.status < 400 && location !== '' && isUrl(location, this.request.url)
    return leads ? new URL(location, this.request.url).href : undefined
  }

  /** The body as JSON, without those members of an object that are null: many write as null what they do not have. */
  get told(): unknown {
    const { json } = this
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
    return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null))
  }

  /** A member of a JSON object body; undefined when the body is none, and where it is null. */
  member(name: string): unknown {
    const { json } = this
    const isObject = typeof json === 'object' && json !== null
    return isObject && Object.hasOwn(json, name) ? (Reflect.get(json, name) ?? undefined) : undefined
  }
}

/** Sends requests to the bank. Follows no redirect, keeps connections alive where the bank does. */
export interface HttpClient {
  /** @throws NoAnswer when the bank cannot be reached, does not answer in time, or its answer does not arrive whole */
  send(request: HttpRequest, context: ExchangeContext): Promise<HttpResponse>
  close(): Promise<void>
}

/**
 * @param options.ca PEM of the authorities trusted; the system's when left out
 * @param options.certificateEverywhere whether requests show the client certificate that do not say
 * @param options.timeoutSeconds for one request, from the connection to the last byte of the answer
 */
export function createHttpClient(options: {
  ca?: string | undefined
  clientCertificate?: ClientCertificate | undefined
  certificateEverywhere?: boolean | undefined
  timeoutSeconds: number
}): HttpClient {
  const milliseconds = options.timeoutSeconds * 1000
  const plain = connections({ ca: options.ca }, milliseconds)
  const certified =
    options.clientCertificate && connections({ ca: options.ca, ...options.clientCertificate }, milliseconds)

  const others = new Map<ClientCertificate, Connections>()

  function showing(certificate: boolean | ClientCertificate) {
    if (typeof certificate === 'boolean') return (certificate && certified) || plain
    const known = others.get(certificate) ?? connections({ ca: options.ca, ...certificate }, milliseconds)
    others.set(certificate, known)
    return known
  }

  return {
    async send(message, { evidence, signal }) {
      const { certificateEverywhere = false, timeoutSeconds } = options
      const { method, url, body, inBytes, certificate = certificateEverywhere, seconds = timeoutSeconds } = message
      const headers = { ...everyRequest, ...message.headers }
      const through = showing(certificate)
      const exchange = evidence.begin('sent', { method, url, headers, ...(body !== undefined && { body }) })
      const tls = () => through.facts.get(new URL(url).origin)
      const limit = new AbortController()
      const abort = () => limit.abort()
      signal.addEventListener('abort', abort, { once: true })
      let late = false
      const timer = setTimeout(() => {
        late = true
        limit.abort()
      }, seconds * 1000)
      try {
        signal.throwIfAborted()
        const answer = await answerOver(through, url, {
          method,
          headers,
          body: (inBytes && body !== undefined ? Buffer.from(body, 'latin1') : body) ?? null,
          signal: limit.signal,
          headersTimeout: seconds * 1000,
          bodyTimeout: seconds * 1000,
        })
        const bytes = await readWhole(answer.body)
        clearTimeout(timer)
        const contentType = String(answer.headers['content-type'] ?? '')
        const isOfPage = isPage(mediaTypeOf(contentType))
        const text = isOfPage ? pageText(bytes, contentType) : bytes.toString('utf8')
        const response = { status: answer.statusCode, headers: plainHeaders(answer.headers), body: text }
        const page = text !== '' && isOfPage ? await parsePage(text, signal) : undefined
        exchange.answered(response, tls())
        return new HttpResponse({ method, url }, response.status, response.headers, text, exchange.id, page)
      } catch (error) {
        if (signal.aborted) {
          exchange.failed('given up by the harness', tls())
          throw error
        }
        const why = late ? `did not answer within ${seconds} s` : inWords(error)
        if (why === undefined) {
          exchange.failed('given up by the harness', tls())
          throw error
        }
        exchange.failed(`the bank ${why}`, tls())
        const finding = { sentence: `${method} ${url}: the bank ${why}`, actual: why, evidence: exchange.id }
        const doubt = error instanceof KeptConnectionEnded ? keptConnectionEnded : undefined
        throw new NoAnswer(finding, doubt, !late && isDisconnected(error))
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
      }
    },
    async close() {
      await Promise.all([plain, certified, ...others.values()].map((one) => one?.close()))
    },
  }
}

/** Why the bank may have done nothing wrong then. */
const keptConnectionEnded = 'the bank closed a kept-alive connection just as a request was sent on it'

/** A connection that was kept alive ended as a request left on it that must not be sent twice; the cause tells how. */
class KeptConnectionEnded extends Error {}

/**
 * The answer, its body yet to be read. A bank may end a connection that was kept alive just as a request leaves on it, which says nothing
 * about the bank (RFC 9112 section 9.5): what may be sent twice (RFC 9110 section 9.2.2) is then sent again on a connection of its own.
 */
async function answerOver(
  { kept, single }: Connections,
  url: string,
  options: { method: HttpRequest['method'] } & Parameters<typeof request>[1],
): Promise<Dispatcher.ResponseData<unknown>> {
  const first = kept(url)
  try {
    return await request(url, { ...options, dispatcher: first })
  } catch (error) {
    if (first === single || !isCutOff(error)) throw error
    if (options.method === 'POST') throw new KeptConnectionEnded('a kept-alive connection was closed', { cause: error })
    return request(url, { ...options, dispatcher: single })
  }
}

function mediaTypeOf(contentType: string): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? ''
}

function isPage(mediaType: string): boolean {
  return mediaType.includes('html') || mediaType === ''
}

async function readWhole(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > largestBodyBytes)
      throw new BankFailure({ sentence: `sent a body of more than ${largestBodyBytes / 1024 ** 2} MiB` })
  }
  return Buffer.concat(chunks)
}

function plainHeaders(headers: IncomingHttpHeaders): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string | string[]] => header[1] !== undefined),
  )
}

/** Levels to which JSON may nest here: what works through it by recursion has to come to its end. */
const maxJsonDepth = 200

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return nestsDeeper(value, maxJsonDepth) ? undefined : value
  } catch {
    return undefined
  }
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1))
}

/** Whether the bank ended the connection: a refused handshake shows as an alert of TLS, or as a connection that was cut. */
function isDisconnected(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return isCutOff(error) || /^ERR_SSL/.test(String(code)) || isDisconnected(cause)
}

/** What happened, after the words "the bank"; undefined when the error is none of the connection's. */
function inWords(error: unknown): string | undefined {
  return error instanceof BankFailure ? error.message : connectionTrouble(error)
}
