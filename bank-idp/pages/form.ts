import type { ErrorRequestHandler, RequestHandler } from 'express'
import { noteRefusal } from '../refusals.js'
import { languageFor } from './language.js'
import { pageHeaders } from './page-headers.js'
import { problemPage } from './problem.js'

/**
 * Reads the form of a page. One that cannot be read (too large, another character set) is told on a page, since a person stands there.
 *
 * @param parser of Express; its errors carry a status
 * @param issuer the bank's address
 */
export function readPageForm(parser: RequestHandler, issuer: string): [RequestHandler, ErrorRequestHandler] {
  return [
    parser,
    (error, req, res, next) => {
      const { status } = error as { status?: number }
      if (status === undefined || status >= 500) return next(error)
      noteRefusal(res, { code: 'invalid_request', check: 'body/readable' })
      pageHeaders(issuer)(req, res, () => {})
      const page = problemPage({ language: languageFor(undefined, req), problem: 'form' })
      res.status(status).set('cache-control', 'no-store').send(page)
    },
  ]
}
