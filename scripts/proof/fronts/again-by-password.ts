import express, { type RequestHandler, Router } from 'express'
import { loginPages } from '../../../bank-idp/target-file.js'

/** How people get through the pages of {@link againByPassword}. */
export const againPages = {
  ...loginPages,
  news: { when: 'form#news', fill: {}, actions: { submit: 'form#news button' } },
  again: {
    when: 'form#again',
    fill: { 'input[name=password]': '{password}' },
    actions: loginPages['sign-in'].actions,
  },
}

/** By which a browser remembers who signed in. */
const known = 'known_person'

const newsPage = '<form id="news"><input type="hidden" name="read" value="yes"><button>Go on</button></form>'

function passwordPage(login: string): string {
  return `<form id="again" method="post"><input type="hidden" name="login" value="${login}"><input type="password" name="password">
<button name="action" value="sign-in">OK</button><button name="action" value="decline">Cancel</button></form>`
}

const asking: RequestHandler = (req, res, next) => {
  const { cookie = '' } = req.headers
  if (req.body?.login) res.cookie(known, req.body.login, { secure: true })
  const login = cookie.includes('__Host-session') ? new RegExp(`${known}=([^;]*)`).exec(cookie)?.[1] : undefined
  const answer = res.send.bind(res)
  res.send = (page) => {
    if (typeof page !== 'string' || !page.includes('<form id="sign-in"')) return answer(page)
    if (req.query.read === undefined) return answer(newsPage)
    return answer(login === undefined ? page : passwordPage(decodeURIComponent(login)))
  }
  next()
}

/** Asks whom it knows for the password alone, and shows what is new before anybody signs in. */
export const againByPassword: Router = Router().use('/interaction', express.urlencoded({ extended: false }), asking)
