import express, { type RequestHandler, type Router } from 'express'
import { exactRouter } from '../router.js'
import { bearerRefusal } from './access-token.js'
import { sendUserData, type UserDataContext, userDataAccess } from './user-data.js'

/** A POST may carry the access token in a form in place of the header (RFC 6750 section 2.2), but not in both (section 2). */
function tokenOfForm({ policy }: Pick<UserDataContext, 'policy'>): RequestHandler[] {
  return [
    express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' }),
    (req, _res, next) => {
      const tokens = typeof req.body === 'string' ? new URLSearchParams(req.body).getAll('access_token') : []
      const refuse = (reason: string) => bearerRefusal(policy, 'repeated', reason).refusedBy('access-token/once')
      if (tokens.length > 1) throw refuse('access_token is given more than once')
      const [token] = tokens
      if (token && req.headers.authorization !== undefined) {
        throw refuse('the access token is in the form and in the header: send one of the two')
      }
      if (token) req.headers.authorization = `Bearer ${token}`
      next()
    },
  ]
}

/**
 * GET and POST /userinfo. Specification: "Exposed by the bank" 10; OpenID Connect Core section 5.3.1. Bearer token per RFC 6750 sections 2.1
 * and 2.2.
 */
export function userinfo(context: UserDataContext): Router {
  const answer: RequestHandler = async (req, res) => {
    const access = await userDataAccess(context, 'userinfo', req, res)
    await sendUserData(context, 'userinfo', access, res)
  }
  return exactRouter()
    .get('/userinfo', answer)
    .post('/userinfo', ...tokenOfForm(context), answer)
}
