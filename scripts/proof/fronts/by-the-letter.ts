import express, { type RequestHandler, Router } from 'express'
import { buffered, membersOf, setHeader } from './buffered.js'

/** The scopes that lead to nothing at an endpoint ("User data scopes and claims"). */
const leadNowhere: Readonly<Record<string, readonly string[]>> = {
  '/userinfo': [
    ...['titles', 'gender', 'birthnumber', 'birthplaceNationality', 'maritalstatus', 'addresses', 'idcards'],
    ...['paymentAccounts', 'legalstatus', 'verification'],
  ].map((name) => `profile.${name}`),
  '/profile': ['profile.zoneinfo', 'profile.locale'],
}

/** Of the flows, which have no claims anywhere. */
const ofFlows = ['openid', 'offline_access', 'authorization', 'notification.claims_updated']

/** Refuses tokens none of whose scopes has claims at the endpoint (DATA-8), in the challenge alone (RFC 6750 section 3). */
function insufficientScopes(): RequestHandler {
  /** The scopes of access tokens. */
  const granted = new Map<string, string[]>()
  return buffered((answer) => {
    const [path = ''] = answer.req.originalUrl.split('?')
    if (path === '/token' && answer.status === 200) {
      const { access_token, scope } = membersOf(answer)
      if (access_token) granted.set(String(access_token), String(scope).split(' '))
    }
    const nowhere = leadNowhere[path]
    if (!nowhere || answer.status !== 200) return
    const scopes = granted.get(String(answer.req.headers.authorization).replace(/^Bearer /i, '')) ?? []
    if (scopes.join() === 'openid' || scopes.some((scope) => ![...nowhere, ...ofFlows].includes(scope))) return
    if (scopes.length === 0) return
    answer.status = 403
    answer.body = Buffer.of()
    setHeader(answer, 'content-type', undefined)
    setHeader(answer, 'www-authenticate', 'Bearer error="insufficient_scope", scope="profile.name"')
  })
}

/** What the header or the payload of a JWT says; nothing where it is none. */
function partOf(jwt: string, index: 0 | 1): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(jwt.split('.')[index] ?? '', 'base64url').toString())
  } catch {
    return {}
  }
}

/** Holds clients that registered an algorithm to it, in each flow (OpenID Connect Dynamic Client Registration section 2). */
function registeredAlgorithms(): Router {
  const algorithms = new Map<string, unknown>()
  const told = buffered((answer) => {
    if (answer.status >= 300) return
    const { client_id, token_endpoint_auth_signing_alg: alg } = membersOf(answer)
    if (client_id) algorithms.set(String(client_id), alg)
  })
  const judged: RequestHandler = (req, res, next) => {
    const jwt = new URLSearchParams(String(req.body)).get('client_assertion') ?? ''
    const registered = algorithms.get(String(partOf(jwt, 1).iss))
    if (typeof registered !== 'string' || registered === partOf(jwt, 0).alg) return next()
    const error_description = `the assertion is not signed with ${registered}`
    res.status(400).json({ error: 'invalid_client', error_description })
  }
  const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' })
  return Router().use('/register', told).post('/token', readForm, judged)
}

/** A bank that goes by the letter of what it builds on, where the specification says nothing else. */
export function byTheLetter(): Router {
  return Router().use(registeredAlgorithms()).use(insufficientScopes())
}
