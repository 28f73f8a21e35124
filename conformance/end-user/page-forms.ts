import { randomUUID } from 'node:crypto'
import type { CheerioAPI } from 'cheerio'
import { isUrl } from '../../schemas/is-url.js'
import { encodingName, formBytes, formText, knownCharset } from '../http/charset.js'
import type { HttpResponse } from '../http/http.js'

type Selection = ReturnType<CheerioAPI>

/** What the addresses on a page are resolved against: its `<base>`, else its own address (HTML, "document base URL"). */
export function baseOf({ document, request }: HttpResponse): string {
  const named = document('base[href]').first().attr('href')
  return named !== undefined && isUrl(named, request.url) ? new URL(named, request.url).href : request.url
}

/** What of a form is only pressed: a button adds its own when it is. */
const pressed = ['submit', 'button', 'reset', 'image']

/**
 * What a form sends before a button adds its own: the controls in it, and those anywhere that name it (HTML, "constructing the entry list").
 *
 * @param options.withScripts leaves out the controls that are for who runs no scripts
 * @param options.charset how the form is written: a hidden field `_charset_` tells it
 */
export function fieldsOf(
  document: CheerioAPI,
  form: Selection,
  { withScripts = false, charset = 'utf-8' } = {},
): URLSearchParams {
  const id = form.attr('id')
  const controls = document('input[name], select[name], textarea[name]')
    .toArray()
    .map((control) => document(control))
  const own = controls.filter((control) => {
    const named = control.attr('form')
    return named === undefined ? control.closest('form').is(form) : named === id
  })
  const entries = own.flatMap((control) => {
    const name = control.attr('name') ?? ''
    if (name === '' || isDisabled(control) || (withScripts && control.is('noscript *'))) return []
    if (control.is('datalist *')) return []
    if (name.toLowerCase() === '_charset_' && control.is('input[type=hidden i]')) return [[name, encodingName(charset)]]
    return valuesOf(document, control).map((value): [string, string] => [name, value.replace(/\r\n?|\n/g, '\r\n')])
  })
  return new URLSearchParams(entries)
}

/** Whether nobody can use a control: by itself, or with all of its group but what stands in the legend (HTML, "disabled"). */
function isDisabled(control: Selection): boolean {
  if (control.is('[disabled]')) return true
  const groups = control.parents('fieldset[disabled]').toArray()
  return groups.some((group) => !control.closest('legend').parent().is(group))
}

/** The values of a control, as it is filled in. */
function valuesOf(document: CheerioAPI, control: Selection): string[] {
  if (control.is('select')) return chosenIn(document, control)
  if (control.is('textarea')) return [control.text()]
  const type = control.attr('type')?.toLowerCase() ?? 'text'
  if (pressed.includes(type)) return []
  if (type === 'checkbox' || type === 'radio') return control.is('[checked]') ? [control.attr('value') ?? 'on'] : []
  return [control.attr('value') ?? '']
}

/** The values of the options that are chosen: of a list of which one is, the last that says so, else the first that can be. */
function chosenIn(document: CheerioAPI, select: Selection): string[] {
  const options = select
    .find('option')
    .toArray()
    .map((option) => document(option))
  const possible = options.filter(
    (option) => !option.is('[disabled]') && option.closest('optgroup[disabled]').length === 0,
  )
  const chosen = options.filter((option) => option.is('[selected]'))
  const several = select.is('[multiple]')
  const shown = several ? chosen : chosen.length > 0 ? chosen.slice(-1) : possible.slice(0, 1)
  return shown
    .filter((option) => possible.includes(option))
    .map((option) => (option.is('[value]') ? (option.attr('value') ?? '') : textOf(option)))
}

function textOf(option: Selection): string {
  return option.text().replace(/\s+/g, ' ').trim()
}

/** What a button adds to its form: where it was pressed, if it is an image (HTML, "constructing the entry list"), else its value. */
export function fieldsOfButton(button: Selection): [string, string][] {
  const name = button.attr('name')
  if (button.is('input[type=image i]')) {
    const prefix = name ? `${name}.` : ''
    return [
      [`${prefix}x`, '0'],
      [`${prefix}y`, '0'],
    ]
  }
  return name ? [[name, button.attr('value') ?? '']] : []
}

/** The form of a button: the one that it names, else the one that it stands in. */
export function formOf(document: CheerioAPI, button: Selection): Selection {
  const named = button.attr('form')
  return named === undefined ? button.closest('form') : document(`form[id=${JSON.stringify(named)}]`)
}

/**
 * How a form is posted: `application/x-www-form-urlencoded`, or `multipart/form-data` where it, or its button, says so (HTML, "enctype").
 * What else there is serves no program (HTML says so of text/plain), and is sent by the first.
 */
export function isMultipart(form: Selection, button?: Selection): boolean {
  return (button?.attr('formenctype') ?? form.attr('enctype') ?? '').toLowerCase() === 'multipart/form-data'
}

/** How a form is written: as the first encoding of its `accept-charset` that there is, else as its page is (HTML, "picking an encoding for the form"). */
export function charsetOfForm(form: Selection, page: string): string {
  const accepted = (form.attr('accept-charset') ?? '').split(/\s+/).flatMap((label) => knownCharset(label) ?? [])
  return accepted[0] ?? page
}

/**
 * The body of a form as a browser posts it, and its media type.
 * @param charset how the form is written
 */
export async function encoded(
  fields: URLSearchParams,
  multipart: boolean,
  charset: string,
): Promise<{ type: string; body: string; inBytes?: boolean }> {
  if (multipart && !charset.startsWith('utf-')) return multipartIn(charset, fields)
  if (!multipart) return { type: 'application/x-www-form-urlencoded', body: formText(fields, charset) }
  const data = new FormData()
  // A line ends by CRLF there (RFC 7578 section 4.8 leaves it to HTML).
  for (const [name, value] of fields) data.append(name, value.replace(/\r\n?|\n/g, '\r\n'))
  const made = new Response(data)
  return { type: made.headers.get('content-type') ?? '', body: await made.text() }
}

/** multipart/form-data in another encoding than UTF-8 (HTML, "multipart/form-data encoding algorithm"). */
function multipartIn(charset: string, fields: URLSearchParams) {
  const boundary = `----conformance${randomUUID()}`
  const ofName: Record<string, string> = { '"': '%22', '\r': '%0D', '\n': '%0A' }
  const parts = Array.from(fields, ([name, value]) => {
    const named = name.replace(/["\r\n]/g, (character) => ofName[character] ?? character)
    return `--${boundary}\r\ncontent-disposition: form-data; name="${named}"\r\n\r\n${value.replace(/\r\n?|\n/g, '\r\n')}\r\n`
  })
  const body = formBytes(`${parts.join('')}--${boundary}--\r\n`, charset)
  return { type: `multipart/form-data; boundary=${boundary}`, body: body.toString('latin1'), inBytes: true }
}
