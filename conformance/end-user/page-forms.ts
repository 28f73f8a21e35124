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
