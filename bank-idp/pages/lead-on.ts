import type { Request, Response } from 'express'
import type { Language } from './language.js'
import { wayOnPage } from './way-on.js'

/**
 * Leads on from a page of the bank: each way from its form to another page, or back to the client, goes through here. (The library's form
 * for the code of a device leads to the bank's own pages alone.)
 *
 * Browsers hold the whole chain of redirects that answers a form to form-action of the form's page (CSP Level 3 section 6.4.2), beyond the
 * client too, whose addresses the bank does not know; Chromium stops such a chain when the code in it is already spent. So a browser
 * ends the chain here: it is shown a page that goes on by itself, which no form-action bears on. A browser is what says that it navigates
 * (Fetch Metadata Request Headers section 2.2). Other programs follow a Location and do not act on pages: they are redirected.
 */
export function leadOn(req: Request, res: Response, language: Language, address: string): void {
  const isForm = req.method === 'POST'
  if (isForm && req.get('sec-fetch-mode') === 'navigate') res.send(wayOnPage({ language, address }))
  // Express would write an answer that nobody reads, in the format that the caller likes best.
  else
    res
      .status(isForm ? 303 : 302)
      .location(address)
      .end()
}
