import express, { type RequestHandler, Router } from 'express'

/** By which a browser comes from the page that leads on. */
const led = 'led=on'

/** A page that leads on by a script, and where none is run by a refresh. */
const leadingOn: RequestHandler = (req, res, next) => {
  const [path = '', query = ''] = req.originalUrl.split('?')
  if (req.method !== 'GET' || query.includes(led)) return next()
  const on = `${path}?${[query, led].filter(Boolean).join('&')}`
  const refresh = `<meta http-equiv="refresh" content="0; url=${on.replaceAll('&', '&amp;')}">`
  // Its script is let run.
  res.removeHeader('content-security-policy')
  res
    .type('html')
    .send(
      `<!doctype html><title>One moment</title><script>location.replace(${JSON.stringify(on)})</script><noscript>${refresh}</noscript>`,
    )
}

const field = '<noscript><input type="hidden" name="scripts" value="none"></noscript>'

/** A field in each form for who runs no scripts. */
const telling: RequestHandler = (_req, res, next) => {
  const answer = res.send.bind(res)
  res.send = (page) =>
    answer(typeof page === 'string' ? page.replaceAll(/<form [^>]*method="post"[^>]*>/g, `$&${field}`) : page)
  next()
}

/** Lets on who said so; the page of a browser that runs scripts would do what is left out here. */
const asking: RequestHandler = (req, res, next) => {
  if (req.method !== 'POST' || req.body?.scripts === 'none') next()
  else res.status(403).type('html').send('<title>Forbidden</title><p>Your browser runs scripts, and ran none of ours.')
}

/** A bank whose pages are made by scripts, with what HTML has for who runs none (HTML, "the noscript element"). */
export const withoutScripts: Router = Router().use(
  '/interaction',
  leadingOn,
  express.urlencoded({ extended: false, limit: '500kb' }),
  asking,
  telling,
)
