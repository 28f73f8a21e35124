import express, { type RequestHandler, Router } from 'express'
import { request } from 'undici'
import type { Bank } from '../../../bank-idp/bank.js'
import { formless } from './formless.js'

/**
 * Forgets who signed in before: each request for a login, or to authorize an object, begins without a session, and each sign-in one of its
 * own, of which a logout ends the last.
 */
const withoutSession: RequestHandler = (req, res, next) => {
  const { cookie = '' } = req.headers
  const [ofSession, others] = partition(cookie.split('; '), (one) => one.startsWith('__Host-session'))
  req.headers.cookie = others.join('; ')
  // Who must not see a page begins nothing.
  const begins = req.query.prompt !== 'none'
  for (const one of begins ? ofSession : [])
    res.append('set-cookie', `${one.split('=')[0]}=; Path=/; Secure; HttpOnly; Max-Age=0`)
  next()
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

/** Wants redirect_uri in a refresh, among whose fields the specification lists it ("Exposed by the bank" 7). */
const redirectUriInRefresh: RequestHandler = (req, res, next) => {
  const form = new URLSearchParams(String(req.body))
  if (form.get('grant_type') !== 'refresh_token' || form.has('redirect_uri')) next()
  else res.status(400).json({ error: 'invalid_request', error_description: 'redirect_uri is missing' })
}

/** The requests for tokens before which the bank takes new keys: some keys were published before, some are seen first thereafter. */
const rotations = [1, 30, 90]

/** Takes new keys several times while tokens are asked for; the old ones stay published. */
function newKeys({ control }: Bank): RequestHandler {
  let asked = 0
  return async (_req, _res, next) => {
    asked += 1
    if (control && rotations.includes(asked)) {
      const headers = { authorization: `Bearer ${control.token}` }
      const { body } = await request(`${control.url}/keys/rotate`, { method: 'POST', headers })
      await body.dump()
    }
    next()
  }
}

/** Gives the lists of each JSON answer in another order than in the one before. */
function newOrder(): RequestHandler {
  let answers = 0
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const at = answers % Math.max(1, value.length)
      return [...value.slice(at), ...value.slice(0, at)]
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, turned(member)]))
  }
  return (_req, res, next) => {
    const answer = res.json.bind(res)
    res.json = (body) => {
      answers += 1
      return answer(turned(body))
    }
    next()
  }
}

/** Shows the boxes of scopes unticked: nobody consents but by an act of their own. */
const untickedBoxes: RequestHandler = (_req, res, next) => {
  const answer = res.send.bind(res)
  const untick = (box: string) => (box.includes('disabled') ? box : box.replace(' checked=""', ''))
  res.send = (body) =>
    answer(typeof body === 'string' ? body.replaceAll(/<input type="checkbox"[^>]*>/g, untick) : body)
  next()
}

/** A bank that has everybody sign in and consent anew each time, signs with new keys now and then, and orders its lists anew. */
export function anew(bank: Bank): Router {
  return Router()
    .use(newOrder())
    .use(formless)
    .get(['/auth', '/authorize'], withoutSession)
    .use('/interaction', untickedBoxes)
    .post(
      '/token',
      newKeys(bank),
      express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' }),
      redirectUriInRefresh,
    )
}
