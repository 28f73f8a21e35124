import express, { type RequestHandler, Router } from 'express'
import { isUrl } from '../../../schemas/is-url.js'
import { buffered, membersOf } from './buffered.js'

const ciba = 'urn:openid:params:grant-type:ciba'

/** Declares what the specification does not know: a grant (OpenID Connect CIBA Core 1.0 section 4), and who answers (RFC 9207 section 3). */
const declaring: RequestHandler = (_req, res, next) => {
  const answer = res.json.bind(res)
  res.json = (document) =>
    answer({
      ...document,
      grant_types_supported: [...document.grant_types_supported, ciba],
      backchannel_token_delivery_modes_supported: ['poll'],
      authorization_response_iss_parameter_supported: true,
      dpop_signing_alg_values_supported: ['ES256'],
    })
  next()
}

/** Takes a record with that grant where it has the mode that the grant needs. */
const registering: RequestHandler = (req, res, next) => {
  if (typeof req.body !== 'string') return next()
  const record = recordOf(req.body)
  req.body = record
  const grants = record?.grant_types
  if (!record || !Array.isArray(grants) || !grants.includes(ciba)) return next()
  const { backchannel_token_delivery_mode: mode, ...others } = record
  if (mode !== 'poll') {
    const error_description = `${ciba} needs its backchannel_token_delivery_mode`
    res.status(400).json({ error: 'invalid_client_metadata', error_description })
    return
  }
  req.body = { ...others, grant_types: grants.filter((grant) => grant !== ciba) }
  const answer = res.json.bind(res)
  res.json = (body) =>
    answer(res.statusCode < 300 ? { ...body, grant_types: grants, backchannel_token_delivery_mode: mode } : body)
  next()
}

/** A record as it was sent; undefined where it is none. */
function recordOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Gives a secret that expires one day, and null, or a list of nothing, for what was not registered. */
const nothingRegistered: RequestHandler = (_req, res, next) => {
  const answer = res.json.bind(res)
  res.json = (body) => {
    if (res.statusCode >= 300) return answer(body)
    const absent = { sector_identifier_uri: null, software_id: null, default_acr_values: [], required_scope: null }
    return answer({ ...absent, client_secret_expires_at: 4_102_444_800, ...body })
  }
  next()
}

/** Codes and refresh tokens of any visible characters (RFC 6749 appendix A). */
const around = ['t/?+&=%20"<a>;,: ~', "~!*'()[]{}|^`\\"] as const
const wrapped = (value: string) => around.join(value)

function unwrapped(value: string): string {
  const [before, after] = around
  return value.startsWith(before) && value.endsWith(after) ? value.slice(before.length, -after.length) : value
}

/** A callback that tells who answers, with its code in other characters; a code that an id_token has the hash of stays. */
function ownCallback(location: string, issuer: string): string {
  if (!isUrl(location)) return location
  const callback = new URL(location)
  const { searchParams, hash } = callback
  if (callback.origin === issuer || searchParams.has('iss') || hash !== '') return location
  const code = searchParams.get('code')
  if (code === null && !searchParams.has('error')) return location
  if (code !== null) searchParams.set('code', wrapped(code))
  if (searchParams.has('error')) searchParams.set('error_uri', `${issuer}/help#${searchParams.get('error')}`)
  searchParams.set('iss', issuer)
  return `${location.slice(0, location.indexOf('?'))}?${searchParams}`
}

const named = ['code', 'refresh_token', 'token']

const unwrapping: RequestHandler = (req, _res, next) => {
  const form = [...new URLSearchParams(String(req.body))]
  const own = form.map(([name, value]) => [name, named.includes(name) ? unwrapped(value) : value])
  if (own.some(([, value], i) => value !== form[i]?.[1])) req.body = new URLSearchParams(own).toString()
  next()
}

/** Tokens are given by the library behind the bank, which knows nothing of the means of express. */
const wrapping = buffered((answer) => {
  const { refresh_token, ...members } = membersOf(answer)
  if (typeof refresh_token === 'string')
    answer.body = Buffer.from(JSON.stringify({ ...members, refresh_token: wrapped(refresh_token) }))
})

/**
 * A bank that offers more than the specification asks for, tells in each callback who answers, and whose codes and refresh tokens have any
 * characters.
 */
export function furtherOffers(issuer: string): Router {
  const telling: RequestHandler = (_req, res, next) => {
    const set = res.setHeader.bind(res)
    res.setHeader = (name, value) =>
      set(name, name.toLowerCase() === 'location' ? ownCallback(String(value), issuer) : value)
    next()
  }
  return Router()
    .get('/.well-known/openid-configuration', declaring)
    .post('/register', express.text({ type: 'application/json', limit: '500kb' }), registering)
    .use('/register', nothingRegistered)
    .post(
      ['/token', '/token-info', '/revoke'],
      express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' }),
      unwrapping,
    )
    .post('/token', wrapping)
    .use(telling)
}
