import type { RequestHandler } from 'express'
import type { BankContext } from '../context.js'
import type { Route, SeamResponse } from '../seams.js'

/** The entry of the endpoint table that a request falls under: a form posted to /auth stands in the place of a query. */
function routeOf(method: string, path: string): Route {
  if (isPostedRequest(method, path)) return 'GET /auth'
  const entry = path.replace(/^\/(auth|interaction)\/.*/, '/$1').replace(/^\/register\/.*/, '/register/{client_id}')
  return `${method} ${entry}` as Route
}

/** Whether an authorization request came as a form (OpenID Connect Core section 3.1.2.1). */
function isPostedRequest(method: string, path: string): boolean {
  return method === 'POST' && path === '/auth'
}

function parse(text: string, contentType: string): unknown {
  return contentType.includes('json') && text !== '' ? JSON.parse(text) : text
}

/**
 * The seam "a response before it leaves": where a switched-on fault changes the answers of a route, the answer is held back until it is
 * complete, changed, then sent. Without such a fault nothing is touched.
 */
export function responseSeam({ seams, config }: Pick<BankContext, 'config' | 'seams'>): RequestHandler {
  return (req, res, next) => {
    const change = seams.responses(routeOf(req.method, req.path))
    if (!change) return next()
    const bank = {
      issuer: config.issuer,
      requestHeader: (name: string) => [req.headers[name] ?? []].flat()[0],
    }
    const posted = isPostedRequest(req.method, req.path)
    const query = new URL(req.url, config.issuer).searchParams
    const chunks: Buffer[] = []
    const collect = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
    }
    const end = res.end.bind(res)
    res.write = ((chunk: unknown) => {
      collect(chunk)
      return true
    }) as typeof res.write
    res.end = ((chunk?: unknown) => {
      collect(chunk)
      const headers = res.getHeaders() as SeamResponse['headers']
      const contentType = String(headers['content-type'] ?? '')
      const body = parse(Buffer.concat(chunks).toString(), contentType)
      const form = (res.locals.form as URLSearchParams | undefined) ?? new URLSearchParams()
      const facts = { ...bank, posted, query: posted ? form : query, form }
      const answer = change({ status: res.statusCode, headers, body }, facts, res.locals.client)
      for (const name of res.getHeaderNames()) res.removeHeader(name)
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      const sent = { ...answer.headers, 'content-length': String(Buffer.byteLength(text)) }
      for (const [name, value] of Object.entries(sent)) res.setHeader(name, value)
      res.statusCode = answer.status
      return end(text)
    }) as typeof res.end
    next()
  }
}

/** The seam "a path": where a switched-on fault answers at further paths. */
export function pathSeam({ seams }: Pick<BankContext, 'seams'>): RequestHandler {
  return (req, _res, next) => {
    const [path = '/', ...query] = req.url.split('?')
    req.url = [seams.path(path), ...query].join('?')
    next()
  }
}
