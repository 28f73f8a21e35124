import type { RequestHandler } from 'express'

/** Refuses an authorization request that comes as a form, as a bank may (AUTH-37): what stands before it looks at queries alone. */
export const formless: RequestHandler = (req, res, next) => {
  if (req.method !== 'POST' || req.path !== '/auth') return next()
  res.status(400).json({ error: 'invalid_request', error_description: 'POST is not supported, use GET' })
}
