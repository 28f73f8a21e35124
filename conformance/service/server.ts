import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { ServerSettings } from '../bank/target.js'
import type { Recorder } from '../harness/evidence.js'
import { TargetError } from '../harness/failure.js'

/** What is served at one path. */
export interface Hosted {
  contentType: string
  body: string
  /** Each fetch of it is recorded here. */
  evidence: Recorder
}

/** The https server that banks fetch key sets and the like from. */
export interface ServiceServer {
  /** The address as the bank sees it, without a trailing slash. */
  url: string
  /** Serves this at a path that begins with a slash, in place of what was there; gives its address. */
  host(path: string, hosted: Hosted): string
  /** Why TLS failed with those who came, in the words of the TLS library. */
  troubles(): readonly string[]
  close(): Promise<void>
}

/** @throws TargetError when the address of the target file cannot be listened on */
export async function startServer({ host, port, url, certificate }: ServerSettings): Promise<ServiceServer> {
  const paths = new Map<string, Hosted>()
  const server = createServer(certificate, (req, res) => {
    const path = new URL(req.url ?? '/', 'https://service.invalid').pathname
    const hosted = paths.get(path.startsWith(prefix) ? path.slice(prefix.length) : path)
    const status = hosted ? 200 : 404
    // What is served can be replaced at any time, so nobody may keep it (RFC 9111 section 5.2.2.4).
    const headers = { 'content-type': hosted?.contentType ?? 'text/plain', 'cache-control': 'no-cache' }
    const body = hosted?.body ?? `nothing is served at ${path}\n`
    const exchange = hosted?.evidence.begin('received', {
      method: req.method ?? '',
      url: new URL(req.url ?? '/', base).href,
      headers: Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, value ?? ''])),
    })
    res.writeHead(status, headers).end(body, () => exchange?.answered({ status, headers, body }))
  })
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
    troubles: () => troubles,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
