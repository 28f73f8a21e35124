import { type CheerioAPI, load } from 'cheerio'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { TargetError } from '../target/target-error.js'

type Selection = ReturnType<CheerioAPI>

/** A page that cannot be gone on from: an error page is the bank's doing, any other one lacks in the target file. */
export function unrecognised(response: HttpResponse): BankFailure | TargetError {
  const { method, url } = response.request
  const what = `${method} ${new URL(url).pathname}`
  const format = described(load(response.text), response)
  if (response.status < 400)
    return new TargetError([`login.pages: no entry recognises the page of ${what}, which is ${format}`])
  return new BankFailure({ sentence: `instead of a redirect ${what} shows ${format}`, evidence: response.evidence })
}

/** A page in words: its title, forms and buttons, from which an entry of login.pages can be written. */
function described(document: CheerioAPI, response: HttpResponse): string {
  if (!response.mediaType.includes('html'))
    return `no page but ${response.mediaType || 'nothing'}, status ${response.status}`
  const title = document('title').first().text().trim()
  const forms = document('form').map((_, form) => {
    const fields = document(form).find('input[name], select[name], textarea[name]')
    return `form${named(document(form))} with ${listed(fields.map((_, field) => document(field).attr('name') ?? '').get())}`
  })
  const buttons = document('button, input[type=submit]').map((_, button) => {
    const text = parseSpaceDelimited(document(button)) || document(button).attr('value')
    return `${JSON.stringify(text ?? '')}${named(document(button))}`
  })
  return `a page titled ${JSON.stringify(title)}, forms: ${listed(forms.get())}, buttons: ${listed(buttons.get())}, status ${response.status}`
}

/** How many characters of a button are told. */
const longestWords = 40

/** The text of an element, that of each of its parts a word apart. */
function parseSpaceDelimited(element: Selection): string {
  const texts = element
    .find('*')
    .addBack()
    .contents()
    .filter((_, node) => node.type === 'text')
  const words = texts
    .map((_, node) => ('data' in node ? String(node.data) : ''))
    .get()
    .join(' ')
  const told = words.replace(/\s+/g, ' ').trim()
  return told.length > longestWords ? `${told.slice(0, longestWords)}…` : told
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

/** How many of a kind are named: enough to know the page by. */
const mostNamed = 5

function listed(things: string[]): string {
  const more = things.length - mostNamed
  return [...things.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ') || 'none'
}
