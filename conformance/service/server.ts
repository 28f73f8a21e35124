import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { ServerSettings } from '../bank/target.js'
import type { Recorder } from '../harness/evidence.js'
import { TargetError } from '../harness/failure.js'

/** Milliseconds for which a bank may keep a connection that carries nothing. */
const keptIdle = 10 * 60_000

/** What is served at one path. */
export interface Hosted {
  contentType: string
  body: string
  /** Each fetch of it is recorded here. */
  evidence: Recorder
}

/** Something that a bank posted. */
export interface Post {
  url: string
  headers: Record<string, string | string[]>
  body: string
  /** What it was answered with. */
  status: number
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
 * @returns undefined to whom there is nothing to say
 */
export type Reception = (path: string, method: string) => Promise<VisitorAnswer | undefined>

/** Bytes of a post that are kept; the rest is passed over. */
const largestPost = 1024 * 1024

/** The https server that banks fetch key sets and the like from. */
export interface ServiceServer {
  /** The address as the bank sees it, without a trailing slash. */
  url: string
  /** Serves this at a path that begins with a slash, in place of what was there; gives its address. */
  host(path: string, hosted: Hosted): string
  /** Has visitors answered from now on. */
  receive(reception: Reception): void
  /** What was posted by now, whatever the path, in the order it came. */
  posts: readonly Post[]
  /**
   * Waits for a post, which may have come already.
   * @returns undefined when none that matches came in this time
   */
  posted(matches: (post: Post) => boolean, milliseconds: number): Promise<Post | undefined>
  /** Answers the next post that matches with this status in place of 200. */
  refuse(matches: (post: Post) => boolean, status: number): void
  /** Why TLS failed with those who came, in the words of the TLS library. */
  troubles(): readonly string[]
  close(): Promise<void>
}

/** @throws TargetError when the address of the target file cannot be listened on */
export async function startServer({ host, port, url, certificate }: ServerSettings): Promise<ServiceServer> {
  const paths = new Map<string, Hosted>()
  const posts: Post[] = []
  const waiting = new Set<(post: Post) => void>()
  const refusals: { matches: (post: Post) => boolean; status: number }[] = []
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.method === 'POST') {
      const url = new URL(req.url ?? '/', base).href
      const post = { url, headers: plain(req.headers), body: await bodyOf(req), status: 200 }
      const refusal = refusals.find(({ matches }) => matches(post))
      if (refusal) {
        refusals.splice(refusals.indexOf(refusal), 1)
        post.status = refusal.status
      }
      res.writeHead(post.status, { 'cache-control': 'no-store' }).end()
      posts.push(post)
      for (const hear of waiting) hear(post)
      return
    }
    const { pathname, search } = new URL(req.url ?? '/', 'https://service.invalid')
    const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname
    const hosted = paths.get(path)
    const received = hosted ? undefined : await reception(`${path}${search}`, req.method ?? '')
    if (received) {
      res
        .writeHead(received.status, { ...received.headers, 'cache-control': 'no-store' })
        .end(received.body, () => received.sent?.())
      return
    }
    const status = hosted ? 200 : 404
    // What is served can be replaced at any time, so nobody may keep it (RFC 9111 section 5.2.2.4).
    const headers = { 'content-type': hosted?.contentType ?? 'text/plain', 'cache-control': 'no-cache' }
    const body = hosted?.body ?? `nothing is served at ${path}\n`
    const exchange = hosted?.evidence.begin('received', {
      method: req.method ?? '',
      url: new URL(req.url ?? '/', base).href,
      headers: plain(req.headers),
    })
    res.writeHead(status, headers).end(body, () => exchange?.answered({ status, headers, body }))
  }
  const server = createServer(certificate, (req, res) => {
    // A path that is none, or a post that was broken off, is the sender's affair, and must not end the run.
    answer(req, res).catch(() => (res.headersSent ? res.destroy() : res.writeHead(400).end()))
  })
  // A bank that keeps its connections alive is not to meet the harness's closing in the middle of a run.
  server.keepAliveTimeout = keptIdle
  let reception: Reception = async () => undefined
  const troubles: string[] = []
  server.on('tlsClientError', ({ message }) => troubles.push(message))
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
    posts,
    async posted(matches, milliseconds) {
      const before = posts.find(matches)
      if (before) return before
      return new Promise((resolve) => {
        const end = (post?: Post) => {
          clearTimeout(timer)
          waiting.delete(hear)
          resolve(post)
        }
        const hear = (post: Post) => {
          if (matches(post)) end(post)
        }
        const timer = setTimeout(end, milliseconds)
        waiting.add(hear)
      })
    },
    refuse(matches, status) {
      refusals.push({ matches, status })
    },
    troubles: () => troubles,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function plain(headers: IncomingHttpHeaders): Post['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? '']))
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req) {
    bytes += chunk.length
    if (bytes <= largestPost) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
