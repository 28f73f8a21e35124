import type { CheerioAPI } from 'cheerio'
import { isUrl } from '../../schemas/is-url.js'
import { formText } from '../http/charset.js'
import type { HttpResponse } from '../http/http.js'

type Selection = ReturnType<CheerioAPI>

/** What the addresses on a page are resolved against: its `<base>`, else its own address (HTML, "document base URL"). */
export function baseOf({ document, request }: HttpResponse): string {
  const named = document('base[href]').first().attr('href')
  return named !== undefined && isUrl(named, request.url) ? new URL(named, request.url).href : request.url
}

/** What a form sends before a button adds its own: the controls in it, and those anywhere that name it (HTML, "form owner"). */
export function fieldsOf(document: CheerioAPI, form: Selection): URLSearchParams {
  const id = form.attr('id')
  const controls = document('input, select, textarea').filter((_, control) => {
    const named = document(control).attr('form')
    return named === undefined ? document(control).closest('form').is(form) : named === id
  })
  return new URLSearchParams(controls.serializeArray().map(({ name, value }): [string, string] => [name, value]))
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

/**
 * The body of a form as a browser posts it, and its media type.
 * @param charset how the page is encoded
 */
export async function encoded(
  fields: URLSearchParams,
  multipart: boolean,
  charset: string,
): Promise<{ type: string; body: string }> {
  if (!multipart) return { type: 'application/x-www-form-urlencoded', body: formText(fields, charset) }
  const data = new FormData()
  // A line ends by CRLF there (RFC 7578 section 4.8 leaves it to HTML).
  for (const [name, value] of fields) data.append(name, value.replace(/\r\n?|\n/g, '\r\n'))
  const made = new Response(data)
  return { type: made.headers.get('content-type') ?? '', body: await made.text() }
}
