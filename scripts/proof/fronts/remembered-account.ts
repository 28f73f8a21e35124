import express, { type RequestHandler, Router } from 'express'
import type { Page } from '../../../conformance/target/login-settings.js'

const cookieName = 'chosen-account'

/** The account that was chosen in a browser. */
const chosenIn = (header: unknown) => new RegExp(`${cookieName}=([^;]*)`).exec(String(header))?.[1]

/** The page that asks for the account. */
const accountForm = /<form id="account"[^>]*action="([^"]*)"/

/** Keeps what a person chose, and chooses the same where it is asked again: by a page that posts itself. */
const choosing: RequestHandler = (req, res, next) => {
  const account: unknown = req.body?.account
  if (typeof account === 'string')
    res.append('Set-Cookie', `${cookieName}=${encodeURIComponent(account)}; Path=/; Secure; HttpOnly`)
  const chosen = chosenIn(req.headers.cookie)
  const answer = res.send.bind(res)
  res.send = (page) => {
    const action = typeof page === 'string' ? accountForm.exec(page)?.[1] : undefined
    if (chosen === undefined || action === undefined) return answer(page)
    return answer(
      `<!doctype html><title>One moment</title><form method="post" action="${action}"><input type="hidden" name="account" value="${decodeURIComponent(chosen)}"></form><script>document.forms[0].submit()</script>`,
    )
  }
  next()
}

/** Needs no choice of who chose: consent is what is asked for next. */
const withoutChoice: RequestHandler = (req, res, next) => {
  const chosen = chosenIn(req.headers.cookie)
  const set = res.setHeader.bind(res)
  const needing = (value: string) => value.replace('error=account_selection_required', 'error=consent_required')
  res.setHeader = (name, value) =>
    set(name, chosen !== undefined && name.toLowerCase() === 'location' ? needing(String(value)) : value)
  next()
}

/** A bank at which the account that a person chose holds for the session. */
export function rememberedAccount(): Router {
  return Router()
    .use('/interaction', express.urlencoded({ extended: false }), choosing)
    .use('/auth', withoutChoice)
}

const notice = '<form id="notice"><input type="hidden" name="read" value="yes"><button>Go on</button></form>'

/** How people get through the page of {@link withNotice}. */
export const noticePage: Page = { when: 'form#notice', fill: {}, actions: { submit: 'form#notice button' } }

/** Shows everybody a page before each consent, whatever else they are asked. */
export const withNotice: RequestHandler = (req, res, next) => {
  const answer = res.send.bind(res)
  res.send = (page) =>
    answer(typeof page === 'string' && page.includes('<form id="consent"') && !req.query.read ? notice : page)
  next()
}
