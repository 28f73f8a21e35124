import express, { type RequestHandler, Router } from 'express'
import { isUrl } from '../../../schemas/is-url.js'

/** Parameters that are compared, or given back, as they came (RFC 6749 section 4.1.2, OpenID Connect Core section 3.1.2.1). */
const exact = ['redirect_uri', 'state', 'nonce', 'code_verifier', 'code_challenge']

/** Parameters without the white space around their values; as they came where there is none. */
function trimmed(encoded: string): string {
  const parameters = [...new URLSearchParams(encoded)]
  const own = parameters.map(([name, value]) => [name, exact.includes(name) ? value : value.trim()])
  return own.every(([, value], i) => value === parameters[i]?.[1]) ? encoded : new URLSearchParams(own).toString()
}

const trimmingQuery: RequestHandler = (req, _res, next) => {
  const [path, query = ''] = req.url.split('?')
  req.url = query === '' ? req.url : `${path}?${trimmed(query)}`
  next()
}

const trimmingForm: RequestHandler = (req, _res, next) => {
  if (typeof req.body === 'string') req.body = trimmed(req.body)
  next()
}

/** An address whose last segment begins with an encoded sign, which need not be (RFC 3986 section 6.2.2.2). */
function encodedInVain(address: string): string {
  return address.replace(/[^/]*$/, (segment) => `%${segment.charCodeAt(0).toString(16)}${segment.slice(1)}`)
}

/** Addresses of a record in another form by each answer, all of which are equivalent (RFC 3986 section 6.2.3). */
function writingAddresses(): RequestHandler {
  let answers = 0
  const forms = [
    (uri: string) => new URL(uri).href,
    (uri: string) => new URL(uri).href.replace(/^(https:\/\/[^/]+)\/$/, '$1'),
    (uri: string) => new URL(uri).href.replace(/^(https:\/\/[^/:]+)\/$/, '$1:443/'),
  ]
  return (_req, res, next) => {
    const answer = res.json.bind(res)
    res.json = (body) => {
      const form = forms[answers % forms.length]
      answers += 1
      const own = Object.entries(body ?? {}).map(([name, value]) => [
        name,
        name.endsWith('_uri') && typeof value === 'string' && isUrl(value) && form ? form(value) : value,
      ])
      const { registration_client_uri: address, ...others } = Object.fromEntries(own)
      return answer({ ...others, ...(address && { registration_client_uri: encodedInVain(String(address)) }) })
    }
    next()
  }
}

/** A bank that passes over white space around what it is sent, and writes the addresses of a record in equivalent forms. */
export function equivalentForms(): Router {
  const form = express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' })
  return Router()
    .get('/auth', trimmingQuery)
    .post(['/token', '/token-info', '/revoke'], form, trimmingForm)
    .use('/register', writingAddresses())
}
