import type { Evidence, Exchange } from './evidence.js'

/** Statuses by which a server, or a proxy before it, says that it serves nobody now (RFC 9110 sections 15.6.3 to 15.6.5). */
const unavailable: readonly number[] = [502, 503, 504]

/** Whether an answer says no more than that nobody is served now. */
export function isUnavailable({ status }: { status: number }): boolean {
  return unavailable.includes(status)
}

/** Where nobody was served in a whole run. */
export interface Unserved {
  method: string
  /** With `{id}` in place of what names one thing among many, such as a client_id. */
  path: string
  /** What came there, in words. */
  came: string
}

/**
 * The endpoint of an exchange to which the bank gave no answer, or said that it serves nobody now, where nothing else came there in the
 * whole run. An endpoint that never served anybody shows neither what is right about it nor what is wrong.
 * @param id of the exchange
 * @param items all evidence of the run
 */
export function unserved(id: string, items: readonly Evidence[]): Unserved | undefined {
  const exchange = items.find((item) => item.id === id)
  if (!isSent(exchange) || wasServed(exchange)) return undefined
  const { origin, path } = placeOf(exchange)
  const { method, url } = exchange.request
  const isThere = (other: Exchange) =>
    other.request.method === method && placeOf(other).origin === origin && placeOf(other).path === path
  if (items.some((item) => isSent(item) && isThere(item) && wasServed(item))) return undefined
  const said = exchange.response ? `the bank answers ${exchange.response.status}` : exchange.failure
  const came = `${method} ${origin}${new URL(url).pathname}: ${said}, and nothing else came there in this run`
  return { method, path, came }
}

function isSent(item: Evidence | undefined): item is Exchange {
  return item?.kind === 'exchange' && item.direction === 'sent'
}

function wasServed({ response }: Exchange): boolean {
  return response !== undefined && !isUnavailable(response)
}

/** A segment of a path that names one thing among many, such as a client_id. */
const id = /^(?=.*\d)[\w-]{16,}$/

function placeOf({ request: { url } }: Exchange): { origin: string; path: string } {
  const { origin, pathname } = new URL(url)
  const segments = pathname.split('/').map((segment) => (id.test(segment) ? '{id}' : segment))
  return { origin, path: segments.join('/') }
}
