import type { Evidence, Exchange } from './evidence.js'

/** Statuses by which a server, or a proxy before it, says that it serves nobody now (RFC 9110 sections 15.6.3 to 15.6.5). */
const unavailable: readonly number[] = [502, 503, 504]

/** Whether an answer says no more than that nobody is served now. */
export function isUnavailable({ status }: { status: number }): boolean {
  return unavailable.includes(status)
}

/**
 * Of an exchange to which the bank gave no answer, or said that it serves nobody now: what came at its endpoint, where nothing else came there
 * in the whole run. An endpoint that never served anybody shows neither what is right about it nor what is wrong.
 * @param id of the exchange
 * @param items all evidence of the run
 */
export function unserved(id: string, items: readonly Evidence[]): string | undefined {
  const exchange = items.find((item) => item.id === id)
  if (!isSent(exchange) || wasServed(exchange)) return undefined
  const endpoint = endpointOf(exchange)
  if (items.some((item) => isSent(item) && endpointOf(item) === endpoint && wasServed(item))) return undefined
  const { method, url } = exchange.request
  const came = exchange.response ? `the bank answers ${exchange.response.status}` : exchange.failure
  return `${method} ${new URL(url).origin}${new URL(url).pathname}: ${came}, and nothing else came there in this run`
}

function isSent(item: Evidence | undefined): item is Exchange {
  return item?.kind === 'exchange' && item.direction === 'sent'
}

function wasServed({ response }: Exchange): boolean {
  return response !== undefined && !isUnavailable(response)
}

/** A segment of a path that names one thing among many, such as a client_id. */
const id = /^(?=.*\d)[\w-]{16,}$/

function endpointOf({ request: { method, url } }: Exchange): string {
  const { origin, pathname } = new URL(url)
  const segments = pathname.split('/').map((segment) => (id.test(segment) ? '{id}' : segment))
  return `${method} ${origin}${segments.join('/')}`
}
