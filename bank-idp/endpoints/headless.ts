import type { RequestListener } from 'node:http'
import express, { type RequestHandler, type Response, type Router } from 'express'
import { callerAddress } from '../caller-address.js'
import type { BankContext } from '../context.js'
import { cookieNames } from '../cookie-names.js'
import type { OwnAnswer } from '../in-process.js'
import { goThroughPages } from '../pages/go-through-pages.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import { sessionOfBrowser } from '../provider/patches.js'
import { passRefusalOn } from '../refusals.js'
import { errorHandler, traceId } from '../requests.js'

/** What concerns one connection (RFC 9110 section 7.6.1), or is made anew for another. */
const ofConnection = ['connection', 'content-length', 'date', 'keep-alive', 'set-cookie', 'transfer-encoding']

/** Passes an answer of the bank's own on. @param cookies of the way that led there: those that outlive it are passed on as well */
function passOn({ status, headers, text }: OwnAnswer, cookies: ReadonlyMap<string, string>, res: Response): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !ofConnection.includes(name)) res.set(name, value)
  }
  // Those of one login alone are spent. A signature has a cookie of its own.
  const lasting = [cookieNames.session, cookieNames.device]
  const kept = [...cookies.values()].filter((cookie) => lasting.some((name) => cookie.startsWith(name)))
  if (kept.length > 0) res.set('set-cookie', kept)
  res.status(status).end(text)
}

/**
 * GET /auth of a bank that is set up to be headless: whom login_hint names signs in, and consents, without a page, and the one answer leads
 * back to the client. It goes the way of a person with a browser, through the paths behind it, so that it ends as theirs would: with a code,
 * or as the person's entry, a block or an outcome that is set says. Where nobody may be asked (prompt=none) nobody signs in.
 */
export function headless(
  context: Pick<BankContext, 'config' | 'log' | 'people' | 'provider'>,
  paths: Router,
): RequestHandler {
  const { config, people, provider } = context
  const app = express()
    .disable('x-powered-by')
    .set('etag', false)
    .use(traceId)
    .use(new URL(config.issuer).pathname, paths)
    .use(errorHandler(context))
  return async (req, res, next) => {
    const query = new URLSearchParams(req.url.split('?').slice(1).join('?'))
    const person = people.byLogin(query.get('login_hint') ?? '')
    const nobodyAsked = parseSpaceDelimited(query.get('prompt') ?? '').includes('none')
    if (req.method !== 'GET' || req.path !== '/auth' || !person || nobodyAsked) return next()
    const { accountId } = await sessionOfBrowser(provider, req, res)
    const isAnother = accountId !== undefined && !people.samePerson(accountId, person.id)
    // Who is signed in already stays so; the session of somebody else is not theirs to go on with.
    const cookies = (req.headers.cookie ?? '').split(/;\s*/).filter((cookie) => {
      return cookie !== '' && !(isAnother && cookie.startsWith(cookieNames.session))
    })
    const from = callerAddress(req, config.trustedProxies)
    const { login } = person
    const redirectUri = query.get('redirect_uri') ?? config.issuer
    const { trace } = res.locals
    let last = res
    const listener: RequestListener = (own, answer) => {
      last = answer as Response
      app(own, answer)
    }
    const end = await goThroughPages(
      { app: listener, context },
      req.url,
      redirectUri,
      { login },
      { cookies, from, trace },
    )
    // The log and the bench tell of this request what the last one of the way is about.
    res.locals.client = last.locals.client
    passRefusalOn(last, res)
    passOn(end.answer, end.cookies, res)
  }
}
