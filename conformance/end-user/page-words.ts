import { type CheerioAPI, load } from 'cheerio'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { type TargetError, UndescribedPage } from '../target/target-error.js'

type Selection = ReturnType<CheerioAPI>

/**
 * A page that a login cannot continue from: an error page is the bank's failure, any other is missing in the target file.
 * @param hasToLeadBack whether the bank's pages led back before: then a page with nothing to fill in or to press, such as one about
 *   maintenance, came in place of those that are described
 */
export function unrecognised(response: HttpResponse, hasToLeadBack: boolean): BankFailure | TargetError {
  const { method, url } = response.request
  const what = `${method} ${new URL(url).pathname}`
  const page = described(load(response.text), response)
  if (response.status < 400 && !(hasToLeadBack && isDeadEnd(response)))
    return new UndescribedPage([`login.pages: no entry recognises the page of ${what}, which is ${page}`])
  return new BankFailure({ sentence: `instead of a redirect ${what} shows ${page}`, evidence: response.evidence })
}

/** Whether a page can lead nowhere. */
function isDeadEnd({ mediaType, text }: HttpResponse): boolean {
  return mediaType.includes('html') && load(text)('form, button, input, a[href], script, iframe').length === 0
}

/** Whether a page waits for its reader to fill something in or to press a button. */
export function asksSomething(response: HttpResponse): boolean {
  return response.status < 400 && load(response.text)('form').length > 0
}

/** A page in words: its title, forms and buttons, from which an entry of login.pages can be written. */
function described(document: CheerioAPI, response: HttpResponse): string {
  if (!response.mediaType.includes('html'))
    return `not a page but ${response.mediaType || 'nothing'}, status ${response.status}`
  const title = document('title').first().text().trim()
  const forms = document('form').map((_, form) => {
    const fields = document(form).find('input[name], select[name], textarea[name]')
    return `form${named(document(form))} with ${listed(fields.map((_, field) => document(field).attr('name') ?? '').get())}`
  })
  const buttons = document('button, input[type=submit]').map((_, button) => {
    const text = textOf(document(button)) || document(button).attr('value')
    return `${JSON.stringify(text ?? '')}${named(document(button))}`
  })
  return `a page titled ${JSON.stringify(title)}, forms: ${listed(forms.get())}, buttons: ${listed(buttons.get())}, status ${response.status}`
}

/** How many characters of a button's text are shown. */
const longestText = 40

/** The text of an element, that of each of its parts a word apart. */
function textOf(element: Selection): string {
  const texts = element
    .find('*')
    .addBack()
    .contents()
    .filter((_, node) => node.type === 'text')
  const whole = texts
    .map((_, node) => ('data' in node ? String(node.data) : ''))
    .get()
    .join(' ')
  const text = whole.replace(/\s+/g, ' ').trim()
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

function named(element: Selection): string {
  const attributes = ['id', 'name', 'value'] as const
  return attributes
    .flatMap((name) => {
      const value = element.attr(name)
      return value ? [name === 'id' ? `#${value}` : `[${name}=${JSON.stringify(value)}]`] : []
    })
    .join('')
}

/** How many of a kind are named: enough to recognise the page. */
const mostNamed = 5

function listed(things: string[]): string {
  const more = things.length - mostNamed
  return [...things.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ') || 'none'
}
