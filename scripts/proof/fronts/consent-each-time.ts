import { type RequestHandler, Router } from 'express'

/** Where a request with prompt=none is answered by a code without a page. */
const withoutPage = /[?&]code=/

/** Has nothing approved without a page: who asks for none is told so. */
const never: RequestHandler = (_req, res, next) => {
  const set = res.setHeader.bind(res)
  const refused = (location: string) => {
    const url = new URL(location)
    url.searchParams.delete('code')
    url.searchParams.set('error', 'consent_required')
    url.searchParams.set('error_description', 'Consent is asked for each time')
    return url.href
  }
  res.setHeader = (name, value) =>
    set(name, name.toLowerCase() === 'location' && withoutPage.test(String(value)) ? refused(String(value)) : value)
  next()
}

/** A bank that keeps people signed in, and asks for their consent to each request. */
export function consentEachTime(): Router {
  return Router().get('/auth', (req, res, next) => {
    if (req.query.prompt === 'none') {
      never(req, res, next)
      return
    }
    if (req.query.prompt === undefined && Object.keys(req.query).length > 0) {
      req.url += '&prompt=consent'
      req.originalUrl = req.url
    }
    next()
  })
}
