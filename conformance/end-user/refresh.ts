import { isUrl } from '../../schemas/is-url.js'
import type { HttpResponse } from '../http/http.js'
import { baseOf } from './page-forms.js'

/** Where a page goes on its own. */
export interface Refresh {
  /** Resolved against the page's address. */
  location: string
  /** After which it does. */
  seconds: number
}

/**
 * Where an answer has a browser go next without a redirect: by the header Refresh, or by `<meta http-equiv="refresh">` of its page (HTML,
 * "shared declarative refresh steps").
 */
export function refreshOf(response: HttpResponse): Refresh | undefined {
  const meta = () => response.document('meta[http-equiv=refresh i][content]').first().attr('content')
  const text = response.header('refresh') || (meta() ?? '')
  const [, seconds = '', rest = ''] =
    /^\s*(?=[\d.])(\d*)(?:\.[\d.]*)?\s*(?:(?:[;,]|(?<=\s))\s*(?:url\s*=\s*)?(.*))?$/is.exec(text) ?? []
  const [, , quoted] = /^(["'])(.*?)(?:\1|$)/s.exec(rest) ?? []
  const address = (quoted ?? rest).trim()
  if (seconds === '') return undefined
  // Where none is given the page asks for itself again: one that waits for something.
  if (address === '') return { location: response.request.url, seconds: Number(seconds) }
  return isUrl(address, baseOf(response))
    ? { location: new URL(address, baseOf(response)).href, seconds: Number(seconds) }
    : undefined
}
