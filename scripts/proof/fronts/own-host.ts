import type { TLSSocket } from 'node:tls'
import { type RequestHandler, Router } from 'express'

/** Of the endpoint table, what lies at the address that asks for certificates, and nowhere else. */
const moved = /^\/(register|ros)(\/|$)/

/** Has clients registered, and request objects taken, there alone, where a proxy answers those who show no certificate that it trusts. */
function moving(issuer: string, mutualTls: string): RequestHandler {
  return (req, res, next) => {
    const isThere = req.headers.host === new URL(mutualTls).host
    if (!isThere && moved.test(req.path)) {
      res.status(404).json({ error: 'not_found', error_description: 'there is nothing here' })
    } else if (isThere && !(req.socket as TLSSocket).authorized) {
      res.status(400).type('html').send('<h1>400 Bad Request</h1>No required SSL certificate was sent')
    } else {
      const answer = res.json.bind(res)
      res.json = (body) => {
        const address = body?.registration_client_uri
        if (typeof address !== 'string') return answer(body)
        return answer({ ...body, registration_client_uri: `${mutualTls}${address.slice(issuer.length)}` })
      }
      next()
    }
  }
}

/** Registers no scope of the signing flow to who does not authenticate by private_key_jwt ("Authentication" 10). */
const signersByKey: RequestHandler = (req, res, next) => {
  const answer = res.json.bind(res)
  res.json = (body) => {
    const signs = String(body?.scope).split(' ').includes('authorization')
    if (req.method === 'GET' || !signs || body.token_endpoint_auth_method === 'private_key_jwt') return answer(body)
    const error_description = 'authorization is for clients of private_key_jwt'
    return res.status(400) && answer({ error: 'invalid_client_metadata', error_description })
  }
  next()
}

/** Leads every browser on before it looks at what is asked. */
const leadingOn: RequestHandler = (req, res, next) => {
  const [path, query = ''] = req.url.split('?')
  if (path === '/auth/begin') {
    req.url = `/auth?${query}`
    req.originalUrl = req.url
    next()
  } else if (path === '/auth' && query !== '') res.redirect(307, `/auth/begin?${query}`)
  else next()
}

/**
 * Has clients registered, and request objects taken, at the address that asks for certificates alone, where who signs is known by its key,
 * and leads browsers on before it looks at what they ask.
 */
export function ownHost(issuer: string, mutualTls: string): Router {
  return Router().use(moving(issuer, mutualTls)).use('/register', signersByKey).get('/auth{/begin}', leadingOn)
}
