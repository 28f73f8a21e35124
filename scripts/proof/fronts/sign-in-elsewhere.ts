import express, { type RequestHandler, Router } from 'express'
import { escaped, posting } from './posting.js'

const form = express.urlencoded({ extended: false, limit: '500kb' })

/** By which a browser remembers that somebody signed in for the request that it is about. */
const justSignedIn = 'just_signed_in'

/** The page of the second factor as one on which somebody signs in again. */
function asSignIn(page: string): string {
  const fields = '<input name="login"><input type="password" name="password">'
  const way = '<input type="hidden" name="action" value="confirm"><button value="sign-in">Sign in</button>'
  return page
    .replace('<form id="second-factor"', '<form id="sign-in"')
    .replace(/<div class="actions">.*?<\/div>/s, `${fields}${way}`)
}

/** The sign-in host: it shows what it is sent, and sends back what is filled in, by pages that post themselves (SAML bindings 3.5). */
function signInHost(): Router {
  return Router()
    .post('/sso', form, (req, res) => {
      const { SAMLRequest, RelayState } = req.body
      const page = Buffer.from(SAMLRequest, 'base64url').toString()
      const action = `/sso/answer?to=${encodeURIComponent(RelayState)}`
      res.type('html').send(page.replace(/(<form id="sign-in"[^>]* action=")[^"]*/, `$1${escaped(action)}`))
    })
    .post('/sso/answer', form, (req, res) => {
      res.cookie(justSignedIn, '1')
      posting(res, String(req.query.to), req.body)
    })
    .use((_req, res) => {
      res.status(404).end()
    })
}

/**
 * Has people sign in at a host of its own, to and from which pages post themselves, and once more where a session has to reach loa3; only who
 * has just signed in is asked for a second factor alone.
 */
export function signInElsewhere(issuer: string, signIn: string): RequestHandler {
  const host = signInHost()
  return (req, res, next) => {
    if (req.headers.host === new URL(signIn).host) {
      host(req, res, next)
      return
    }
    if (['/auth', '/authorize'].includes(req.path)) res.clearCookie(justSignedIn)
    const answer = res.send.bind(res)
    res.send = (body) => {
      if (typeof body !== 'string' || req.method !== 'GET') return answer(body)
      const again = body.includes('<form id="second-factor"') && !req.headers.cookie?.includes(justSignedIn)
      const page = again ? asSignIn(body) : body
      if (!page.includes('<form id="sign-in"')) return answer(page)
      res.send = answer
      posting(res, `${signIn}/sso`, {
        SAMLRequest: Buffer.from(page).toString('base64url'),
        RelayState: `${issuer}${req.originalUrl}`,
      })
      return res
    }
    next()
  }
}
