import express, { type RequestHandler, Router } from 'express'

/** What the lists of profile hold, where those of userinfo hold more (AMB-49). */
const alg = 'ES512'

const declared = {
  profile_signing_alg_values_supported: [alg],
  profile_encryption_alg_values_supported: ['RSA-OAEP-256'],
  profile_encryption_enc_values_supported: ['A256GCM'],
}

const declaring: RequestHandler = (_req, res, next) => {
  const answer = res.json.bind(res)
  res.json = (document) => answer({ ...document, ...declared })
  next()
}

/** Signs profile with the one algorithm that there is where a record names none. */
const filledIn: RequestHandler = (req, _res, next) => {
  if (typeof req.body === 'string') {
    try {
      const record: unknown = JSON.parse(req.body)
      const isRecord = typeof record === 'object' && record !== null && !Array.isArray(record)
      req.body = isRecord ? { profile_signed_response_alg: alg, ...record } : record
    } catch {
      req.body = undefined
    }
  }
  next()
}

/** Refuses what the lists of userinfo alone hold. */
const refusing: RequestHandler = (_req, res, next) => {
  const answer = res.json.bind(res)
  res.json = (body) => {
    if (res.statusCode >= 300 || [undefined, alg].includes(body?.profile_signed_response_alg)) return answer(body)
    const error_description = `profile_signed_response_alg is ${alg} here`
    return res.status(400) && answer({ error: 'invalid_client_metadata', error_description })
  }
  next()
}

/** What refresh tokens end with: each sign of ASCII may be in them (RFC 6749 appendix A.17). */
const ending = ' "\\ ~'

const namesOfTokens = ['code', 'refresh_token', 'token']

/** Gives refresh tokens with spaces in them. */
function spacedTokens(): Router {
  const taken: RequestHandler = (req, _res, next) => {
    const form = new URLSearchParams(String(req.body))
    for (const name of namesOfTokens) {
      const [token = '', ...more] = form.getAll(name)
      if (token.endsWith(ending) && more.length === 0) form.set(name, token.slice(0, -ending.length))
    }
    if (typeof req.body === 'string') req.body = form.toString()
    next()
  }
  const given: RequestHandler = (_req, res, next) => {
    const answer = res.json.bind(res)
    res.json = (body) =>
      answer(body?.refresh_token ? { ...body, refresh_token: `${body.refresh_token}${ending}` } : body)
    next()
  }
  const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' })
  return Router().post(['/token', '/token-info', '/revoke'], readForm, taken).use('/token', given)
}

/** A bank that declares for profile less than for userinfo, and whose refresh tokens have spaces in them. */
export function ownProfile(): Router {
  return Router()
    .get('/.well-known/openid-configuration', declaring)
    .use('/register', express.text({ type: 'application/json', limit: '500kb' }), filledIn, refusing)
    .use(spacedTokens())
}
