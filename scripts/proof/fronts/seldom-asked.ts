import type { RequestHandler } from 'express'

const pollIntervalMs = 600_000

/** Tells nobody of its health again before the time of its poll_interval is over (published: 424). */
export function seldomAsked(): RequestHandler {
  let told = false
  return (req, res, next) => {
    if (req.path !== '/healthcheck') return next()
    if (told) {
      res.status(424).json({ error: 'too_early', error_description: 'ask again after poll_interval' })
      return
    }
    told = true
    const answer = res.json.bind(res)
    res.json = (body) => answer({ ...body, poll_interval: pollIntervalMs })
    next()
  }
}
