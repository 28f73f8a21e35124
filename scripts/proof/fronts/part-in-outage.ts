import type { RequestHandler } from 'express'

/** Has one sub-system be in an outage, in the word of the published edition, and tells it by a type of JSON that says what it is of. */
export const partInOutage: RequestHandler = (req, res, next) => {
  const answer = res.json.bind(res)
  if (req.path === '/healthcheck')
    res.json = (body) =>
      res.type('application/health+json') &&
      answer({ ...body, details: { ...body.details, revoke: { ...body.details.revoke, status: 'OUTAGE' } } })
  next()
}
