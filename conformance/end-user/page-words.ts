import type { CheerioAPI } from 'cheerio'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { type TargetError, UndescribedPage } from '../target/target-error.js'

type Selection = ReturnType<CheerioAPI>

/**
 * What became of a page's scripts: they were not run; they ran, and a page that shows something may wait for the person to do something
 * elsewhere, where one that shows nothing leads nowhere; or the bank did not give one of them, so that what the page shows says nothing.
 */
export type Scripts = 'not run' | 'ran' | 'missing'

/**
 * A page that a login cannot continue from: an error page is the bank's failure, any other is missing in the target file.
 * @param hasToLeadBack whether the bank's pages led back before: then a page with nothing to fill in or to press, such as one about
 *   maintenance, came in place of those that are described
 * @param scripts of the page
 */
export function unrecognised(
  response: HttpResponse,
  hasToLeadBack: boolean,
  scripts: Scripts,
): BankFailure | TargetError {
  const { method, url } = response.request
  const what = `${method} ${new URL(url).pathname}`
  const page = described(response.document, response)
  if (response.status < 300 && !(hasToLeadBack && isDeadEnd(response, scripts)))
    return new UndescribedPage([`login.pages: no entry recognises the page of ${what}, which is ${page}`])
  return new BankFailure({ sentence: `instead of a redirect ${what} shows ${page}`, evidence: response.evidence })
}

/** Whether a page can lead nowhere. */
function isDeadEnd({ mediaType, document }: HttpResponse, scripts: Scripts): boolean {
  const ways = 'form, button, input, a[href], iframe, [role=button], [onclick], [tabindex]'
  const mayGoOn = scripts === 'not run' || (scripts === 'ran' && hasWords(document))
  return mediaType.includes('html') && document(mayGoOn ? `${ways}, script` : ways).length === 0
}

/** Whether there is something to read on a page. */
function hasWords(document: CheerioAPI): boolean {
  const shown = document('body').clone()
  shown.find('script, style, template, noscript').remove()
  return shown.text().trim() !== ''
}

/** Whether a page waits for its reader to fill something in or to press a button. */
export function asksSomething(response: HttpResponse): boolean {
  return response.status < 400 && response.document('form').length > 0
}

/** A page in words: its title, forms and buttons, from which an entry of login.pages can be written. */
function described(document: CheerioAPI, response: HttpResponse): string {
  if (!response.mediaType.includes('html'))
    return `not a page but ${response.mediaType || 'nothing'}, status ${response.status}`
  const title = document('title').first().text().trim()
  const [everyForm, everyButton] = [document('form'), document('button, input[type=submit], input[type=image]')]
  const forms = everyForm.slice(0, mostNamed).map((_, form) => {
    const fields = document(form).find('input[name], select[name], textarea[name]')
    return `form${named(document(form))} with ${listed(fields.map((_, field) => document(field).attr('name') ?? '').get())}`
  })
  const buttons = everyButton.slice(0, mostNamed).map((_, button) => {
    const text = textOf(document(button)) || document(button).attr('value') || document(button).attr('alt')
    return `${JSON.stringify(text ?? '')}${named(document(button))}`
  })
  return `a page titled ${JSON.stringify(title)}, forms: ${listed(forms.get(), everyForm.length)}, buttons: ${listed(buttons.get(), everyButton.length)}, status ${response.status}`
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

/** @param count of them, where those that are not to be named were left out */
function listed(things: string[], count = things.length): string {
  const more = count - mostNamed
  return [...things.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ') || 'none'
}
