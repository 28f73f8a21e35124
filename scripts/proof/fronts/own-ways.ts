import express, { type RequestHandler, Router } from 'express'
import { loginPages } from '../../../bank-idp/target-file.js'
import { isUrl } from '../../../schemas/is-url.js'

/** How people get through the pages of {@link ownWays}: those of consent ask about a third of the scopes each, and the later ones look alike. */
export const pagesInParts = {
  ...loginPages,
  consent: { ...loginPages.consent, when: 'form#consent:not(:has(input[name=part].later))' },
  'consent-2': {
    ...loginPages.consent,
    when: 'form#consent:has(input[name=part].later)',
    as: 'consent',
    parts: true as const,
  },
}

/** Changes each JSON answer that is no error. */
function telling(change: (body: Record<string, unknown>) => object): RequestHandler {
  return (_req, res, next) => {
    const answer = res.json.bind(res)
    res.json = (body) => answer(res.statusCode < 300 ? change(body) : body)
    next()
  }
}

/** Addresses with a query of their own (RFC 6749 section 3.1). */
const queries = telling((document) => ({
  ...document,
  authorization_endpoint: `${document.authorization_endpoint}?channel=service&from=`,
  jwks_uri: `${document.jwks_uri}?version=7`,
}))

/** A time without separators, and with a comma (ISO 8601-1 section 5.4.2). */
function inBasicFormat(time: unknown): string {
  return new Date(String(time)).toISOString().replace(/[-:]/g, '').replace('.', ',')
}

const ownTimes = telling(({ details, ...health }) => ({
  ...health,
  time: inBasicFormat(health.time),
  details: Object.fromEntries(
    Object.entries(details as Record<string, { time: string }>).map(([name, one]) => [
      name,
      { ...one, time: inBasicFormat(one.time) },
    ]),
  ),
}))

/** Tells what holds where nothing was registered. */
const toldDefaults = telling((record) => ({ require_auth_time: false, ...record }))

/** Looks whether a refresh is complete before it looks at whose it is. */
const parametersFirst: RequestHandler = (req, res, next) => {
  const form = new URLSearchParams(String(req.body))
  if (form.get('grant_type') !== 'refresh_token' || form.get('code')) return next()
  res.status(400).json({ error: 'invalid_request', error_description: 'the refresh token is missing' })
}

/** Refuses an address that is none by a page, as a server does before the bank is asked (RFC 9112 section 3). */
const readAddresses: RequestHandler = (req, res, next) => {
  if (/%(?![0-9a-f]{2})/i.test(req.originalUrl)) res.status(400).type('html').send('<h1>400 Bad Request</h1>')
  else next()
}

/** Tells errors of response_type token in the fragment (RFC 6749 section 4.2.2.1). */
function errorsInFragment(): RequestHandler {
  /** The requests for a token, by where they lead back to with which state. */
  const asked = new Set<string>()
  return (req, res, next) => {
    const { response_type, redirect_uri, state } = req.query
    if (response_type === 'token') asked.add(`${redirect_uri} ${state}`)
    const set = res.setHeader.bind(res)
    const moved = (location: string) => {
      if (!isUrl(location)) return location
      const { searchParams } = new URL(location)
      const isOurs = searchParams.has('error') && asked.has(`${location.split('?')[0]} ${searchParams.get('state')}`)
      return isOurs ? location.replace(/\?([^#?]*)(#.*)?$/, '#$1') : location
    }
    res.setHeader = (name, value) => set(name, name.toLowerCase() === 'location' ? moved(String(value)) : value)
    next()
  }
}

/** Redirects who comes to /authorize with a request_uri that is unknown, where redirect_uri is some client's: nobody knows a state. */
function unknownObjects(): Router {
  const registered = new Set<unknown>()
  const noted = telling((record) => {
    for (const uri of [record.redirect_uris ?? []].flat()) registered.add(uri)
    return record
  })
  const redirecting: RequestHandler = (req, res, next) => {
    const answer = res.json.bind(res)
    const back = req.query.redirect_uri
    res.json = (body) => {
      const isUnknown = res.statusCode === 400 && Object(body).error === 'invalid_request_uri'
      if (!isUnknown || !req.query.request_uri || !registered.has(back)) return answer(body)
      const parameters = new URLSearchParams({ error: 'invalid_request_uri', error_description: 'nothing is there' })
      const location = `${back}${String(back).includes('?') ? '&' : '?'}${parameters}`
      res.redirect(302, location)
      return res
    }
    next()
  }
  return Router().use('/register', noted).get('/authorize', redirecting)
}

/** As many as one page has at most. */
const fewBoxes = 4

/** The pages that ask for consent. */
const parts = 3

const boxes = /<input type="checkbox" name="scope" value="([^"]*)"[^>]*>/g

/** Asks for consent to a third of the scopes, and on the next pages to the others, where they are many. */
function consentInParts(): RequestHandler {
  /** The pages that ask for all, by their path. */
  const whole = new Map<string, string>()
  const part = (page: string, number: number, approved: readonly string[]) => {
    const found = [...page.matchAll(boxes)].map(([box]) => box).filter((box) => !box.includes('disabled'))
    if (found.length <= fewBoxes) return page
    const third = Math.ceil(found.length / parts)
    const shown = found.slice((number - 1) * third, number * third)
    const kept = approved.map((scope) => `<input type="hidden" name="scope" value="${scope}">`).join('')
    return page
      .replaceAll(boxes, (box) => (box.includes('disabled') || shown.includes(box) ? box : ''))
      .replace(
        /<form id="consent"[^>]*>/,
        (form) =>
          `${form}<input type="hidden" name="part" value="${number}"${number > 1 ? ' class="later"' : ''}>${kept}`,
      )
  }
  return (req, res, next) => {
    const { body, originalUrl } = req
    const page = whole.get(originalUrl)
    const number = Number(body?.part)
    if (number < parts && body.action === 'approve' && page !== undefined) {
      res.type('html').send(part(page, number + 1, [body.scope ?? []].flat()))
      return
    }
    const answer = res.send.bind(res)
    res.send = (sent) => {
      if (typeof sent !== 'string' || !sent.includes('<form id="consent"')) return answer(sent)
      whole.set(originalUrl, sent)
      return answer(part(sent, 1, []))
    }
    next()
  }
}

/**
 * A bank of another make: it asks for consent on three pages, tells what holds by itself, writes times without separators, has queries in its
 * addresses, tells errors where tokens would be, redirects whoever comes with what it does not know, and has a
 * server before it that refuses addresses which are none.
 */
export function ownWays(): Router {
  return Router()
    .use(readAddresses)
    .get('/.well-known/openid-configuration', queries)
    .get('/healthcheck', ownTimes)
    .use('/register', toldDefaults)
    .post('/token', express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' }), parametersFirst)
    .use(errorsInFragment())
    .use(unknownObjects())
    .use('/interaction', express.urlencoded({ extended: false }), consentInParts())
}
