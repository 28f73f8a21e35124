import { randomUUID } from 'node:crypto'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { loginPages } from '../../../bank-idp/target-file.js'
import { boxesOfGroups } from './grouped-boxes.js'
import { posting } from './posting.js'

/** What people have in hand beside the password. */
const codeOfToken = '4711'

/**
 * How people get through the pages of {@link onePage}: who signs in confirms and consents at once, and who is known on pages of their own. Its
 * boxes are grouped.
 */
export const pagesInOne = {
  'sign-in-and-consent': {
    ...loginPages['sign-in'],
    as: 'sign-in',
    when: 'form#sign-in:has(input[name=code])',
    fill: { ...loginPages['sign-in'].fill, 'input[name=code]': codeOfToken },
    also: 'consent',
    scope: loginPages.consent.scope,
    boxes: boxesOfGroups,
  },
  ...loginPages,
  consent: { ...loginPages.consent, boxes: boxesOfGroups },
}

interface Way {
  /** What is asked for; undefined where it is not known before the person is. */
  asked?: readonly { scope: string; required: boolean }[] | undefined
  /** What was given with the password: the scopes, and whether the code was right. */
  given?: { scopes: readonly string[]; confirmed: boolean }
}

const cookie = 'way'

/** The form of a sign-in with a field for the code and a box for each scope. */
function withAll(page: string, asked: NonNullable<Way['asked']>): string {
  const boxes = asked.map(
    ({ scope, required }) =>
      `<input type="checkbox" name="scope" value="${scope}" checked=""${required ? ' disabled=""' : ''}>`,
  )
  return page.replace(/<form id="sign-in"[^>]*>/, `$&<input name="code">${boxes.join('')}`)
}

/** A bank at which who signs in enters name, password and code, and consents, by one form. */
export function onePage(): Router {
  /** What clients registered, by client_id. */
  const records = new Map<string, Record<string, string>>()
  const ways = new Map<string, Way>()
  const wayOf = (req: Request): Way | undefined =>
    ways.get(new RegExp(`${cookie}=([\\w-]*)`).exec(req.headers.cookie ?? '')?.[1] ?? '')

  const registered: RequestHandler = (_req, res, next) => {
    const answer = res.json.bind(res)
    res.json = (body) => {
      if (res.statusCode < 300 && body?.client_id) records.set(body.client_id, body)
      return answer(body)
    }
    next()
  }

  const begun: RequestHandler = (req, res, next) => {
    const { client_id, scope, request_uri } = req.query
    const record = records.get(String(client_id))
    const named = scope === 'openid' ? record?.scope : scope
    const required = String(record?.required_scope ?? '').split(' ')
    const id = randomUUID()
    const isKnown = record && request_uri === undefined && typeof named === 'string'
    const asked = isKnown
      ? named
          .split(' ')
          .filter((one) => one !== 'openid')
          .map((one) => ({ scope: one, required: required.includes(one) }))
      : undefined
    ways.set(id, { asked })
    res.cookie(cookie, id, { secure: true, httpOnly: true })
    next()
  }

  /** What a page of the bank comes to for who gave all of it before; undefined where it is to be shown. */
  const answered = ({ given }: Way, page: string): Record<string, string | readonly string[]> | undefined => {
    if (given === undefined) return undefined
    if (page.includes('<form id="second-factor"')) return given.confirmed ? { action: 'confirm' } : undefined
    return page.includes('<form id="consent"') ? { action: 'approve', scope: given.scopes } : undefined
  }

  const asking: RequestHandler = (req, res, next) => {
    const way = wayOf(req)
    const { body } = req
    if (way && body?.action === 'sign-in') {
      delete way.given
      if (way.asked && body.code !== undefined) {
        const fixed = way.asked.filter(({ required }) => required).map(({ scope }) => scope)
        way.given = { scopes: [...fixed, ...[body.scope ?? []].flat()], confirmed: body.code === codeOfToken }
      }
    }
    const answer = res.send.bind(res) as Response['send']
    res.send = (page) => {
      if (!way || typeof page !== 'string') return answer(page)
      const fields = answered(way, page)
      res.send = answer
      if (fields) {
        posting(res, req.originalUrl, fields)
        return res
      }
      return answer(way.asked && page.includes('<form id="sign-in"') ? withAll(page, way.asked) : page)
    }
    next()
  }

  return Router()
    .use('/register', registered)
    .get('/auth', begun)
    .use('/interaction', express.urlencoded({ extended: false }), asking)
}
