import type { RequestHandler } from 'express'

/** Has one sub-system be in an outage, in the word of the published edition. */
export const partInOutage: RequestHandler = (req, res, next) => {
  const answer = res.json.bind(res)
  if (req.path === '/healthcheck')
    res.json = (body) =>
      answer({ ...body, details: { ...body.details, revoke: { ...body.details.revoke, status: 'OUTAGE' } } })
  next()
}
