import type { CheerioAPI } from 'cheerio'
import { isUrl } from '../../schemas/is-url.js'
import type { HttpResponse } from '../http/http.js'
import { baseOf, charsetOfForm, fieldsOf, isMultipart } from './page-forms.js'

/** What a page posts by itself, such as an answer to the service (OAuth 2.0 Form Post Response Mode). */
export interface FormPost {
  /** Resolved against the page's address. */
  location: string
  posted: URLSearchParams
  /** Whether it is posted as multipart/form-data. */
  multipart: boolean
  /** How it is written. */
  charset: string
  /** Whether nobody has anything to do: there is nothing to fill in, nor, unless the script is seen to send the form, to press. */
  unattended: boolean
}

/** What somebody fills in, and what they press. */
const fields = 'input:not([type=hidden]):not([type=submit]):not([type=image]), select, textarea'
const buttons = 'button, input[type=submit], input[type=image]'

/** What is not there for whose browser runs scripts. */
const withoutScripts = 'noscript *'

/** A script that submits a form, as far as it can be told without running it. */
const submits = /\.(submit|requestSubmit|click)\s*\(/

/** The form that is sent by a script of its page: of several the one that the script names, else the only one at which nobody can do anything. */
export function formPostOf(response: HttpResponse): FormPost | undefined {
  if (response.status >= 300 || !response.mediaType.includes('html')) return undefined
  const { document } = response
  const scripts = [document('script').text(), document('[onload]').attr('onload') ?? '']
  const seen = scripts.some((text) => submits.test(text))
  if (!seen && document('script[src]').length === 0) return undefined
  const form = sentForm(document, scripts)
  const address = form?.attr('action') || response.request.url
  if (form?.attr('method')?.toLowerCase() !== 'post' || !isUrl(address, baseOf(response))) return undefined
  const charset = charsetOfForm(form, response.charset)
  return {
    location: new URL(address, baseOf(response)).href,
    charset,
    posted: fieldsOf(document, form, { withScripts: true, charset }),
    multipart: isMultipart(form),
    unattended: used(form, fields).length === 0 && (seen || used(form, buttons).length === 0),
  }
}

function sentForm(document: CheerioAPI, scripts: readonly string[]) {
  const forms = document('form')
    .not(withoutScripts)
    .toArray()
    .map((form) => document(form))
  if (forms.length < 2) return forms[0]
  const named = forms.filter((form, index) => {
    const names = [form.attr('id'), form.attr('name')].flatMap((name) => (name ? [name] : []))
    return scripts.some((text) => text.includes(`forms[${index}]`) || names.some((name) => words(text).includes(name)))
  })
  const among = named.length > 0 ? named : forms.filter((form) => used(form, `${fields}, ${buttons}`).length === 0)
  return among.length === 1 ? among[0] : undefined
}

/** What of a form somebody uses whose browser runs scripts. */
function used(form: ReturnType<CheerioAPI>, kinds: string) {
  return form.find(kinds).not(withoutScripts)
}

/** Names in a script, and what it quotes. */
function words(script: string): readonly string[] {
  return script.match(/[\w$-]+/g) ?? []
}
