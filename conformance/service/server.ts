import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Recorder } from '../evidence/evidence.js'
import { endServer } from '../http/end-server.js'
import type { ServerSettings } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import { openedPost } from './opened-post.js'
import { bytesOf, headersOf, PostBox } from './post-box.js'

/** Milliseconds for which a bank may keep a connection that carries nothing. */
const idleTimeoutMs = 10 * 60_000

/** How many fetches are recorded, and of how many bytes: a bank that keeps no key set, and fetches one at each request of a run, fills half of it. */
const room = { fetches: 20_000, bytes: 128 * 1024 * 1024 }

/** What is served at one path. */
export interface Hosted {
  contentType: string
  body: string
  /** 200 when left out. */
  status?: number
  /** Each fetch of it is recorded here, as long as there is room. */
  evidence: Recorder
}

/** What a visitor is answered. */
export interface VisitorAnswer {
  status: number
  headers: Record<string, string>
  body: string
  /** Called when it is on its way. */
  sent?(): void
}

/**
 * Answers those who come for something that is not hosted.
 * @param path below the server's address, with its query
 * @param body of a POST; '' of what has none
 * @returns undefined to whom there is nothing to say
 */
export type Reception = (path: string, method: string, body: string) => Promise<VisitorAnswer | undefined>

/** The https server that banks fetch key sets and the like from, and post to. */
export interface ServiceServer extends Pick<PostBox, 'posts' | 'posted' | 'waited' | 'refuse'> {
  /** The address as the bank sees it, without a trailing slash. */
  url: string
  /** Serves this at a path that begins with a slash, in place of what was there; gives its address. */
  host(path: string, hosted: Hosted): string
  /** Has visitors answered from now on. */
  receive(reception: Reception): void
  /**
   * Why TLS failed with the first with whom it did, in the words of the TLS library; undefined where it failed with nobody so far, nor does
   * until this time is up: who broke off may be told of a moment later.
   */
  trouble(milliseconds: number): Promise<string | undefined>
  close(): Promise<void>
}

/** @throws TargetError when the address of the target file cannot be listened on */
export async function startServer({ host, port, url, certificate }: ServerSettings): Promise<ServiceServer> {
  const paths = new Map<string, Hosted>()
  const box = new PostBox()
  const troubled = new EventEmitter()
  let trouble: string | undefined
  const recorded = { fetches: 0, bytes: 0 }
  const hasRoomFor = (bytes: number) => {
    recorded.fetches += 1
    recorded.bytes += bytes
    return recorded.fetches <= room.fetches && recorded.bytes <= room.bytes
  }
  const tell = (words: string) => {
    trouble ??= words
    troubled.emit('trouble')
  }
  let reception: Reception = async () => undefined

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const address = new URL(req.url ?? '/', base).href
    const { pathname, search } = new URL(req.url ?? '/', 'https://service.invalid')
    const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname
    const post = req.method === 'POST' ? await box.read(req, address) : undefined
    const hosted = post ? undefined : paths.get(path)
    const received = hosted ? undefined : await reception(`${path}${search}`, req.method ?? '', post?.body ?? '')
    if (received) {
      const headers = { ...received.headers, 'cache-control': 'no-store' }
      res.writeHead(received.status, headers).end(received.body, () => received.sent?.())
      return
    }
    if (post) {
      // Opened before it is answered: once its answer is there, nothing is left to be waited for.
      const opened = await openedPost(post)
      // What is not read to its end leaves nothing to be said on the connection.
      const closing = req.complete ? {} : { connection: 'close' }
      res.writeHead(post.status, { 'cache-control': 'no-store', ...closing }).end()
      return box.keep(opened)
    }
    const status = hosted ? (hosted.status ?? 200) : 404
    // What is served can be replaced at any time, so nobody may keep it (RFC 9111 section 5.2.2.4).
    const headers = { 'content-type': hosted?.contentType ?? 'text/plain', 'cache-control': 'no-cache' }
    const body = hosted?.body ?? `nothing is served at ${path}\n`
    const fetched = { method: req.method ?? '', url: address, headers: headersOf(req.headers) }
    const exchange =
      hosted && hasRoomFor(bytesOf({ ...fetched, body })) ? hosted.evidence.begin('received', fetched) : undefined
    res.writeHead(status, headers).end(body, () => exchange?.answered({ status, headers, body }))
  }

  const server = createServer(certificate, (req, res) => {
    // A path that is none, or a post that was broken off, is the sender's affair, and must not end the run.
    answer(req, res).catch(() => (res.headersSent ? res.destroy() : res.writeHead(400).end()))
  })
  const end = endServer(server)
  // A bank that keeps its connections alive is not to meet the harness's closing in the middle of a run.
  server.keepAliveTimeout = idleTimeoutMs
  server.on('tlsClientError', ({ message }) => tell(`TLS failed (${message})`))
  // By TLS 1.3 whoever does not trust the certificate says so once the handshake is over here.
  const asked = new WeakSet<object>()
  server.on('request', ({ socket }) => asked.add(socket))
  server.on('secureConnection', (socket) => {
    let alert = ''
    socket.on('error', ({ message }) => {
      alert = ` (${message})`
    })
    socket.once('close', () => {
      if (!asked.has(socket)) tell(`ended the TLS connection without a request${alert}`)
    })
  })
  const listening = new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  await listening.catch((error: Error) => {
    throw new TargetError([`service.server.listen: cannot listen on ${host}:${port} (${error.message})`])
  })
  const base = url.replaceAll('{port}', String((server.address() as AddressInfo).port))
  const prefix = new URL(base).pathname.replace(/\/$/, '')
  return {
    url: base,
    host(path, hosted) {
      paths.set(path, hosted)
      return `${base}${path}`
    },
    receive(answers) {
      reception = answers
    },
    posts: box.posts,
    posted: (...wait) => box.posted(...wait),
    waited: () => box.waited(),
    refuse: (matches, status) => box.refuse(matches, status),
    async trouble(milliseconds) {
      const signal = AbortSignal.timeout(milliseconds)
      if (trouble === undefined) await once(troubled, 'trouble', { signal }).catch(() => {})
      return trouble
    },
    close: end,
  }
}
