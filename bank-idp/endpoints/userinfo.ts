import express, { type RequestHandler, Router } from 'express'
import { BankError } from '../errors.js'
import { single } from '../provider/client-authentication.js'
import { sendUserData, type UserDataContext, userDataAccess } from './user-data.js'

/** A POST may carry the access token in a form in place of the header (RFC 6750 section 2.2), but not in both (section 2). */
const tokenOfForm: RequestHandler[] = [
  express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' }),
  (req, _res, next) => {
    const token = typeof req.body === 'string' ? single(new URLSearchParams(req.body), 'access_token') : undefined
    if (token !== undefined && req.headers.authorization !== undefined) {
      throw new BankError('invalid_request', 'the access token is in the form and in the header: send one of the two')
    }
    if (token !== undefined) req.headers.authorization = `Bearer ${token}`
    next()
  },
]

/**
 * GET and POST /userinfo. Specification: "Exposed by the bank" 10; OpenID Connect Core section 5.3.1. Bearer token per RFC 6750 sections 2.1
 * and 2.2.
 */
export function userinfo(context: UserDataContext): Router {
  const answer: RequestHandler = async (req, res) => {
    const access = await userDataAccess(context, 'userinfo', req, res)
    await sendUserData(context, 'userinfo', access, res)
  }
  return Router()
    .get('/userinfo', answer)
    .post('/userinfo', ...tokenOfForm, answer)
}
