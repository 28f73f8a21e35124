import { load } from 'cheerio'
import type { HttpResponse } from '../http/http.js'

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
  const meta = () =>
    response.mediaType.includes('html')
      ? load(response.text)('meta[http-equiv=refresh i][content]').first().attr('content')
      : undefined
  const text = response.header('refresh') || (meta() ?? '')
  const [, seconds = '0', rest = ''] =
    /^\s*(?:(\d+)|(?=\.))[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(.+)$/is.exec(text) ?? []
  const [, , quoted] = /^(["'])(.*?)(?:\1|$)/s.exec(rest) ?? []
  const address = (quoted ?? rest).trim()
  // An address left out is the page's own: a page that only waits.
  return address !== '' && URL.canParse(address, response.request.url)
    ? { location: new URL(address, response.request.url).href, seconds: Number(seconds) }
    : undefined
}
