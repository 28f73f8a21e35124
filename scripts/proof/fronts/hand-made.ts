import express, { type RequestHandler, Router } from 'express'

/** How people get through the pages of {@link handMade}: what is signed takes two, of which the second can be refused. */
export const pagesInARow = {
  'sign-show': {
    as: 'sign',
    when: 'form#sign-show',
    fill: {},
    parts: true as const,
    actions: { submit: 'button[value=next]' },
  },
}

/** Shows the fields of an object on a page, and what else it has, with the buttons, on the next. */
function signInARow(): RequestHandler {
  /** What follows the page of an address. */
  const next = new Map<string, string>()
  return (req, res, go) => {
    const following = next.get(req.originalUrl)
    if (req.body?.action === 'next' && following !== undefined) return void res.type('html').send(following)
    const answer = res.send.bind(res)
    res.send = (page) => {
      if (typeof page !== 'string' || !page.includes('<form id="sign"')) return answer(page)
      next.set(req.originalUrl, page.replace(/<dl class="fields">[\s\S]*?<\/dl>/, ''))
      const shown = page
        .replace('<form id="sign"', '<form id="sign-show"')
        .replace(/<ol class="documents">[\s\S]*?<\/ol>/, '')
        .replace(/<div class="actions">[\s\S]*?<\/div>/, '<button name="action" value="next">+</button>')
      return answer(shown)
    }
    go()
  }
}

/** What codes and refresh tokens of the bank look like. */
const form = /^[\w-]{43}$/

/** Looks for the code or the refresh token before it looks who shows it, and whether that one registered the grant. */
const tokensFirst: RequestHandler = (req, res, next) => {
  const { grant_type, code, refresh_token = code } = Object.fromEntries(new URLSearchParams(String(req.body)))
  const shown = grant_type === 'authorization_code' ? code : grant_type === 'refresh_token' ? refresh_token : undefined
  if (!shown || form.test(shown)) next()
  else res.status(400).json({ error: 'invalid_grant', error_description: 'there is none' })
}

/** Refuses tokens by a page, as servers of applications do: the challenge tells the error (RFC 6750 section 3). */
const refusedByPage: RequestHandler = (_req, res, next) => {
  const answer = res.json.bind(res)
  res.json = (body) => (res.statusCode === 401 ? res.type('html').send('<h1>HTTP Status 401</h1>') : answer(body))
  next()
}

/** The request at which the bank is restarted. */
const restartAt = 700

/** Serves nobody for a moment (RFC 9110 section 15.6.4). */
function restarted(): RequestHandler {
  let count = 0
  let until = 0
  return (_req, res, next) => {
    count += 1
    if (count === restartAt) until = Date.now() + 500
    if (Date.now() >= until) return next()
    const busy = { error: 'temporarily_unavailable', error_description: 'The bank starts.' }
    res.set('Retry-After', '1').status(503).json(busy)
  }
}

/** A bank that was made by hand: it shows an object on two pages, looks for tokens first, refuses them by pages, and is restarted once. */
export function handMade(): Router {
  return Router()
    .use(restarted())
    .post('/token', express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' }), tokensFirst)
    .get(['/userinfo', '/profile'], refusedByPage)
    .use('/interaction', express.urlencoded({ extended: false }), signInARow())
}
