import express, { type RequestHandler, Router } from 'express'
import { isUrl } from '../../../schemas/is-url.js'
import { formless } from './formless.js'

/** Declares client_secret_post as the one way to authenticate, and so no algorithm of assertions, and answers by form_post. */
const declaring: RequestHandler = (_req, res, next) => {
  const answer = res.json.bind(res)
  res.json = ({ token_endpoint_auth_signing_alg_values_supported: _, ...document }) =>
    answer({
      ...document,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      response_modes_supported: ['query', 'form_post'],
    })
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

/** Gives clients another secret with each PUT, in place of the one before (RFC 7592 section 2.2), and shows none to who reads a record. */
function renewingSecrets(): Router {
  /** What the secret ends with since the last PUT, by client_id. */
  const endings = new Map<string, string>()
  let renewals = 0
  const told: RequestHandler = (req, res, next) => {
    const answer = res.json.bind(res)
    res.json = (body) => {
      const { client_secret, ...others } = body ?? {}
      if (res.statusCode >= 300 || client_secret === undefined || req.method === 'POST') return answer(body)
      if (req.method === 'GET') return answer(others)
      renewals += 1
      const ending = `.${renewals}`
      endings.set(others.client_id, ending)
      return answer({ ...others, client_secret: `${client_secret}${ending}` })
    }
    next()
  }
  const given: RequestHandler = (req, _res, next) => {
    const form = new URLSearchParams(String(req.body))
    const ending = endings.get(form.get('client_id') ?? '')
    const [secret, ...more] = form.getAll('client_secret')
    if (ending !== undefined && secret !== undefined && more.length === 0) {
      form.set('client_secret', secret.endsWith(ending) ? secret.slice(0, -ending.length) : 'of-before-the-put')
      req.body = form.toString()
    }
    next()
  }
  const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' })
  return Router().use('/register', told).post(['/token', '/token-info', '/revoke'], readForm, given)
}

/** Gives clients another registration access token with each PUT, in place of the one before (RFC 7592 section 3). */
function renewingTokens(): RequestHandler {
  /** What the token ends with since the last PUT, by the path of its client. */
  const endings = new Map<string, string>()
  let renewals = 0
  return (req, res, next) => {
    const { path } = req
    const ending = endings.get(path) ?? ''
    const presented = req.headers.authorization
    if (presented !== undefined && ending !== '')
      req.headers.authorization = presented.endsWith(ending)
        ? presented.slice(0, -ending.length)
        : 'Bearer of-before-the-put'
    const answer = res.json.bind(res)
    res.json = (body) => {
      const { registration_access_token: token, ...others } = body ?? {}
      if (res.statusCode >= 300 || token === undefined || req.method === 'POST') return answer(body)
      if (req.method === 'PUT') {
        renewals += 1
        endings.set(path, `-${renewals}`)
      }
      return answer({ ...others, registration_access_token: `${token}${endings.get(path) ?? ''}` })
    }
    next()
  }
}

/** Gives no refresh token but to who is asked with prompt=consent (OpenID Connect Core section 11). */
const offlineByConsent: RequestHandler = (req, _res, next) => {
  if (!String(req.query.prompt).split(' ').includes('consent'))
    req.url = req.url.replace(/offline_access(\+|%20)|(\+|%20)offline_access/, '')
  next()
}

const wishes = ['acr_values', 'display', 'max_age', 'prompt', 'sep_id', 'ui_locales']

/** Turns away who wishes everything at once, each wish being good. */
const frugal: RequestHandler = (req, res, next) => {
  if (wishes.some((name) => req.query[name] === undefined)) return next()
  res.status(400).json({ error: 'invalid_request', error_description: 'wish less at once' })
}

/** A page that posts to the redirect URI what would be added to it (OAuth 2.0 Form Post Response Mode). */
function formPost(location: string): string {
  const { origin, pathname, searchParams } = new URL(location)
  const fields = [...searchParams].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  return `<!doctype html><title>One moment</title><body onload="document.forms[0].submit()"><form method="post" action="${origin}${pathname}">${fields.join('')}</form>`
}

/** Answers by form_post where the request asks so. */
function answeringByPost(): RequestHandler {
  const states = new Set<string | null>()
  return (req, res, next) => {
    const { response_mode, state } = req.query
    if (response_mode === 'form_post') {
      states.add(String(state))
      req.url = req.url.replace('response_mode=form_post', 'response_mode=query')
    }
    const end = res.end.bind(res)
    res.end = ((...sent: Parameters<typeof end>) => {
      const location = String(res.getHeader('location') ?? '')
      if (!isUrl(location) || !states.has(new URL(location).searchParams.get('state'))) return end(...sent)
      res.removeHeader('location')
      res.removeHeader('content-length')
      res.setHeader('content-type', 'text/html; charset=utf-8')
      res.statusCode = 200
      return end(formPost(location))
    }) as typeof res.end
    next()
  }
}

/**
 * A bank whose clients authenticate by a secret in the form alone, and have another with each PUT, that wants an enc with each alg, turns away requests that ask for
 * everything at once, and gives refresh tokens to who is asked with prompt=consent alone; it answers by form_post too.
 */
export function ownPolicies(): Router {
  return Router()
    .use(formless)
    .get('/.well-known/openid-configuration', declaring)
    .use('/register', renewingTokens())
    .use(renewingSecrets())
    .use('/register', refusing)
    .get('/auth', frugal, offlineByConsent)
    .use(answeringByPost())
}
