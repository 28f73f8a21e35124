import type { RequestHandler } from 'express'

/**
 * Has one sub-system be in an outage, in the word of the published edition, tells it by a type of JSON that says what it is of, and gives the
 * time as that of its place, without an offset.
 */
export const partInOutage: RequestHandler = (req, res, next) => {
  if (req.path === '/healthcheck')
    res.json = (body) => {
      const details = { ...body.details, revoke: { ...body.details.revoke, status: 'OUTAGE' } }
      return res
        .type('application/health+json')
        .send(JSON.stringify({ ...body, time: body.time.replace(/(Z|[+-][\d:]+)$/, ''), details }))
    }
  next()
}
