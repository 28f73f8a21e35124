import { type RequestHandler, Router } from 'express'

/** Declares client_secret_post as the one way to authenticate, and so no algorithm of assertions. */
const declaring: RequestHandler = (_req, res, next) => {
  const answer = res.json.bind(res)
  res.json = ({ token_endpoint_auth_signing_alg_values_supported: _, ...document }) =>
    answer({ ...document, token_endpoint_auth_methods_supported: ['client_secret_post'] })
  next()
}

/** Why a record is refused; undefined where it is not. */
function objection(record: Record<string, unknown>): string | undefined {
  if (record.token_endpoint_auth_method !== 'client_secret_post')
    return 'token_endpoint_auth_method is client_secret_post here'
  const bare = Object.keys(record).filter((name) => /_encrypt(ed_response|ion)_alg$/.test(name))
  const lacking = bare.find((name) => record[name.replace(/alg$/, 'enc')] === undefined)
  return lacking && `${lacking} needs its enc`
}

const refusing: RequestHandler = (req, res, next) => {
  const answer = res.json.bind(res)
  res.json = (body) => {
    // A record that the bank itself objects to is refused for its own reason.
    const because = res.statusCode < 300 && req.method !== 'GET' ? objection(req.body) : undefined
    if (because === undefined) return answer(body)
    return res.status(400) && answer({ error: 'invalid_client_metadata', error_description: because })
  }
  next()
}

/** Gives no refresh token but to who is asked with prompt=consent (OpenID Connect Core section 11). */
const offlineByConsent: RequestHandler = (req, _res, next) => {
  if (!String(req.query.prompt).split(' ').includes('consent'))
    req.url = req.url.replace(/offline_access(\+|%20)|(\+|%20)offline_access/, '')
  next()
}

/**
 * A bank whose clients authenticate by a secret in the form alone, that wants an enc with each alg, and that gives refresh tokens to who is
 * asked with prompt=consent alone.
 */
export const ownPolicies = Router()
  .get('/.well-known/openid-configuration', declaring)
  .use('/register', refusing)
  .get('/auth', offlineByConsent)
