import { type RequestHandler, Router } from 'express'
import { examine } from '../conformance/examine.js'
import { withBankOf } from './proof/shapes.js'

/** Calls everything live and tells no more of it, and gives a code to who asks without a nonce, as servers for tests do. */
const careless: RequestHandler = Router()
  .post('/token-info', (_req, res) => {
    res.json({ active: true })
  })
  .get('/auth', ({ query: { redirect_uri, nonce, state } }, res, next) => {
    if (nonce !== undefined) next()
    else res.redirect(302, `${redirect_uri}?${new URLSearchParams({ code: 'any', state: String(state) })}`)
  })

test('what a careless bank shows of one thing is told once, and judges nothing else', async () => {
  const only = [
    ...['introspection/live-token', 'introspection/dead-token', 'authorization/nonce-missing'],
    'authorization/nonce-missing-besides',
    ...['introspection/same-times', 'token/refresh-scope-listed'],
    ...['revocation/access-token', 'discovery/endpoints-answer', 'errors/second-redirect-uri'],
  ]
  const shape = { front: () => careless, target: () => ({}) }
  const { results } = await withBankOf({}, shape, (target) => examine({ target, only }))
  const told = results.map(({ rule, status, blockedBy }) => [rule, blockedBy ? `${status} by ${blockedBy}` : status])
  expect(Object.fromEntries(told)).toEqual({
    'authorization/nonce-missing': 'fail',
    'authorization/nonce-missing-besides': 'blocked by authorization/nonce-missing',
    'discovery/endpoints-answer': 'pass',
    'errors/second-redirect-uri': 'skip',
    'introspection/dead-token': 'fail',
    'introspection/live-token': 'fail',
    'introspection/same-times': 'blocked by introspection/live-token',
    'revocation/access-token': 'blocked by introspection/dead-token',
    'token/refresh-scope-listed': 'blocked by introspection/live-token',
  })
})
