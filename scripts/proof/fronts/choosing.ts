import type { TLSSocket } from 'node:tls'
import express, { type RequestHandler, Router } from 'express'
import { loginPages } from '../../../bank-idp/target-file.js'

/** What a document is authorized with. */
const codeOfDocuments = '731'

/** How people get through the pages of {@link choosing}. */
export const choosingPages = {
  ...loginPages,
  consent: { ...loginPages.consent, scope: '[name="choice.{scope}"][value=no], [name="choice.{scope}"] [value=no]' },
  sign: { ...loginPages.sign, when: 'form#sign:not(:has(input[name=code]))' },
  'sign-document': {
    ...loginPages.sign,
    when: 'form#sign:has(input[name=code])',
    as: 'sign',
    fill: { 'input[name=code]': codeOfDocuments },
  },
}

/** A scope's box as two radio buttons or a list of two, by turns. */
function choice(scope: string, count: number): string {
  const name = `choice.${scope}`
  return count % 2 === 0
    ? `<input type="radio" name="${name}" value="yes" checked> <input type="radio" name="${name}" value="no">`
    : `<select name="${name}"><option value="yes" selected>+<option value="no">-</select>`
}

const pages: RequestHandler = (req, res, next) => {
  const answer = res.send.bind(res)
  res.send = (page) => {
    if (typeof page !== 'string') return answer(page)
    let choices = 0
    const chosen = page.replaceAll(/<input type="checkbox" name="scope" value="([^"]*)"[^>]*>/g, (box, scope) => {
      if (box.includes('disabled')) return box
      choices += 1
      return choice(scope, choices)
    })
    const ofDocument = /<form id="sign"/.test(page) && /\/document\/\d+/.test(page)
    return answer(ofDocument ? chosen.replace('</form>', '<input name="code"></form>') : chosen)
  }
  const { body } = req
  if (body?.code !== undefined && body.action === 'authorize' && body.code !== codeOfDocuments) {
    res.status(403).type('html').send('<p>The code is wrong.')
    return
  }
  const choices = Object.entries<string>(body ?? {}).filter(([name]) => name.startsWith('choice.'))
  const fixed = [body?.scope ?? []].flat()
  const taken = choices.filter(([, value]) => value === 'yes').map(([name]) => name.slice('choice.'.length))
  if (choices.length > 0) req.body = { ...body, scope: [...fixed, ...taken] }
  next()
}

/** Answers who shows a certificate that nobody vouches for by a page, as nginx does (400, in place of its own 495). */
const refusingCertificates: RequestHandler = (req, res, next) => {
  const { authorized, getPeerCertificate } = req.socket as TLSSocket
  const shown = Object.keys(getPeerCertificate.call(req.socket) ?? {}).length > 0
  if (authorized || !shown) next()
  else res.status(400).type('html').send('<title>400 The SSL certificate error</title><h1>400 Bad Request</h1>')
}

/** A bank on whose consent page each scope is chosen or not, and whose page of documents asks for a code, behind a proxy that ends TLS. */
export function choosing(): Router {
  return Router()
    .use(refusingCertificates)
    .use('/interaction', express.urlencoded({ extended: false }), pages)
}
