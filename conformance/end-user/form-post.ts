import { load } from 'cheerio'
import type { HttpResponse } from '../http/http.js'

/** What a page posts by itself, such as an answer to the service (OAuth 2.0 Form Post Response Mode). */
export interface FormPost {
  /** Resolved against the page's address. */
  location: string
  posted: URLSearchParams
}

/** A script that submits a form, as far as it can be told without running it. */
const submits = /\.(submit|requestSubmit|click)\s*\(/

/** The form of a page that has one alone, which is sent by a script of it. */
export function formPostOf(response: HttpResponse): FormPost | undefined {
  if (response.status >= 300 || !response.mediaType.includes('html')) return undefined
  const document = load(response.text)
  const form = document('form')
  if (form.length !== 1 || form.attr('method')?.toLowerCase() !== 'post') return undefined
  const scripts = [document('script').text(), document('[onload]').attr('onload')]
  const bySelf = document('script[src]').length > 0 || scripts.some((text) => submits.test(text ?? ''))
  const address = form.attr('action') ?? ''
  if (!bySelf || !URL.canParse(address, response.request.url)) return undefined
  const fields = form.serializeArray().map(({ name, value }): [string, string] => [name, value])
  return { location: new URL(address, response.request.url).href, posted: new URLSearchParams(fields) }
}
