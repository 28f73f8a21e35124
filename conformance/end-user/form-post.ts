import { isUrl } from '../../schemas/is-url.js'
import type { HttpResponse } from '../http/http.js'
import { baseOf, fieldsOf } from './page-forms.js'

/** What a page posts by itself, such as an answer to the service (OAuth 2.0 Form Post Response Mode). */
export interface FormPost {
  /** Resolved against the page's address. */
  location: string
  posted: URLSearchParams
  /** Whether nobody has anything to do: there is nothing to fill in, nor, unless the script is seen to send the form, to press. */
  unattended: boolean
}

/** What somebody fills in, and what they press. */
const fields = 'input:not([type=hidden]):not([type=submit]), select, textarea'
const buttons = 'button, input[type=submit]'

/** A script that submits a form, as far as it can be told without running it. */
const submits = /\.(submit|requestSubmit|click)\s*\(/

/** The form of a page that has one alone, which is sent by a script of it. */
export function formPostOf(response: HttpResponse): FormPost | undefined {
  if (response.status >= 300 || !response.mediaType.includes('html')) return undefined
  const { document } = response
  const form = document('form')
  if (form.length !== 1 || form.attr('method')?.toLowerCase() !== 'post') return undefined
  const scripts = [document('script').text(), document('[onload]').attr('onload')]
  const seen = scripts.some((text) => submits.test(text ?? ''))
  const bySelf = seen || document('script[src]').length > 0
  const address = form.attr('action') || response.request.url
  if (!bySelf || !isUrl(address, baseOf(response))) return undefined
  return {
    location: new URL(address, baseOf(response)).href,
    posted: fieldsOf(document, form),
    unattended: form.find(fields).length === 0 && (seen || form.find(buttons).not('noscript *').length === 0),
  }
}
