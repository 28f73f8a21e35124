import type { TLSSocket } from 'node:tls'
import type { RequestHandler } from 'express'

/** Of the endpoint table, what lies at the address that asks for certificates, and nowhere else. */
const moved = /^\/(register|ros)(\/|$)/

/**
 * Has clients registered, and request objects taken, at the address that asks for certificates alone, where a proxy answers those who show
 * none that it trusts.
 */
export function ownHost(issuer: string, mutualTls: string): RequestHandler {
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
