import express, { type RequestHandler, Router } from 'express'
import { buffered } from './buffered.js'

/** What who asks for the tokens of a device is told before they are there (RFC 8628 section 3.5). */
const answers = ['authorization_pending', 'slow_down']

/** Has devices ask again, and less often, before it gives them tokens. */
export function devicePolls(): Router {
  /** How often the tokens were asked for, by device_code. */
  const polls = new Map<string, number>()
  const issuing = buffered((answer) => {
    if (answer.status !== 200) return
    const codes = JSON.parse(answer.body.toString())
    polls.set(codes.device_code, 0)
    // Nobody is to wait long.
    answer.body = Buffer.from(JSON.stringify({ ...codes, interval: 1 }))
  })
  const holdingBack: RequestHandler = (req, res, next) => {
    const code = new URLSearchParams(String(req.body)).get('device_code') ?? ''
    const count = polls.get(code) ?? answers.length
    const error = answers[count]
    if (error === undefined) return next()
    polls.set(code, count + 1)
    res.status(400).set('cache-control', 'no-store').json({ error, error_description: 'ask again' })
  }
  const form = express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' })
  return Router().use('/device_authorization', issuing).post('/token', form, holdingBack)
}
