import type { CheerioAPI } from 'cheerio'
import { isUrl } from '../../schemas/is-url.js'
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

/** The body of a form as a browser posts it, and its media type. */
export async function encoded(fields: URLSearchParams, multipart: boolean): Promise<{ type: string; body: string }> {
  if (!multipart) return { type: 'application/x-www-form-urlencoded', body: fields.toString() }
  const data = new FormData()
  // A line ends by CRLF there (RFC 7578 section 4.8 leaves it to HTML).
  for (const [name, value] of fields) data.append(name, value.replace(/\r\n?|\n/g, '\r\n'))
  const made = new Response(data)
  return { type: made.headers.get('content-type') ?? '', body: await made.text() }
}
