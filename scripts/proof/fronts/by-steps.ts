import express, { type RequestHandler, Router } from 'express'
import { loginPages } from '../../../bank-idp/target-file.js'
import { posting } from './posting.js'

/** How people get through the pages of {@link bySteps}. */
export const pagesBySteps = {
  summary: {
    as: 'consent',
    when: 'form#summary',
    fill: {},
    actions: { submit: 'button[value=approve]', change: 'a#change', refuse: 'a#refuse' },
  },
  consent: { ...loginPages.consent, actions: { submit: 'button[value=save]' } },
  sure: { when: 'form#sure', fill: {}, actions: { submit: 'form#sure button' } },
  account: { when: 'a.account', fill: {}, actions: { submit: 'a.account', cancel: 'a#none' } },
  'second-factor': {
    when: 'form#app',
    waits: true as const,
    fill: {},
    actions: { cancel: 'button[value=cancel]' },
  },
}

/** How often a browser asks until the app has confirmed. */
const asksOfApp = 2

/** Has the second factor confirmed in an app: its page asks for itself again until then, and goes on. */
function inApp(): RequestHandler {
  /** How often each was asked for, by its address. */
  const asked = new Map<string, number>()
  return (req, res, next) => {
    const answer = res.send.bind(res)
    res.send = (page) => {
      if (typeof page !== 'string' || !page.includes('<form id="second-factor"')) return answer(page)
      const count = (asked.get(req.originalUrl) ?? 0) + 1
      asked.set(req.originalUrl, count)
      res.send = answer
      if (count > asksOfApp) {
        posting(res, req.originalUrl, { action: 'confirm' })
        return res
      }
      return answer(
        page
          .replace('<form id="second-factor"', '<meta http-equiv="refresh" content="1"><form id="app"')
          .replace(/<button type="submit" class="primary"[\s\S]*?<\/button>/, ''),
      )
    }
    next()
  }
}

/** Leads to the pages of accounts by links. */
const accountLinks: RequestHandler = (req, res, next) => {
  const { account } = req.query
  if (account !== undefined) {
    posting(res, `${req.baseUrl}${req.path}`, account === 'none' ? { action: 'cancel' } : { account })
    return
  }
  const answer = res.send.bind(res)
  const link = (name: string) => `<a class="account" href="?account=${encodeURIComponent(name)}">${name}</a>`
  res.send = (page) => {
    if (typeof page !== 'string' || !page.includes('<form id="account"')) return answer(page)
    const names = [...page.matchAll(/<button[^>]*name="account" value="([^"]*)"/g)].map(([, name = '']) => name)
    return answer(`${names.map(link).join('')}<a id="none" href="?account=none">0</a>`)
  }
  next()
}

const boxes = /<input type="checkbox" name="scope" value="([^"]*)"[^>]*>/g

/** Shows what is asked for without boxes, and these where somebody wants to change it; who refuses is asked once more. */
function summing(): RequestHandler {
  /** What is approved of on the page of an address, where it was changed. */
  const chosen = new Map<string, readonly string[]>()
  const refusal = '<a id="refuse" href="?refuse=1">No</a>'
  const summary = (page: string, kept: readonly string[] | undefined) =>
    page
      .replace('<form id="consent"', '<a id="change" href="?change=1">+/-</a><form id="summary"')
      .replaceAll(boxes, (box, scope) =>
        box.includes('disabled') || kept?.includes(scope) === false
          ? ''
          : `<input type="hidden" name="scope" value="${scope}">`,
      )
      .replace(/<button type="submit" name="action" value="refuse">[\s\S]*?<\/button>/, refusal)
  const changing = (page: string) =>
    page.replace(
      /<div class="actions">[\s\S]*?<\/div>/,
      '<input type="hidden" name="change" value="1"><button name="action" value="save">OK</button>',
    )
  return (req, res, next) => {
    const { body, query } = req
    const path = `${req.baseUrl}${req.path}`
    if (body?.action === 'save') {
      chosen.set(path, [body.scope ?? []].flat())
      res.redirect(303, path)
      return
    }
    if (query.refuse !== undefined) {
      const form = `<form id="sure" method="post" action="${path}"><button name="action" value="refuse">!</button></form>`
      res.type('html').send(form)
      return
    }
    const answer = res.send.bind(res)
    res.send = (page) => {
      if (typeof page !== 'string' || !page.includes('<form id="consent"')) return answer(page)
      return answer(query.change === undefined ? summary(page, chosen.get(path)) : changing(page))
    }
    next()
  }
}

/**
 * A bank that goes by steps: consent begins with a summary and a link to the boxes, which lead back to it, who refuses is asked whether they are sure,
 * accounts are links, and the second factor is confirmed in an app.
 */
export function bySteps(): Router {
  return Router().use('/interaction', express.urlencoded({ extended: false }), inApp(), accountLinks, summing())
}
