import { isUrl } from '../../schemas/is-url.js'
import type { Evidence } from './evidence.js'
import type { Finding } from './failure.js'

/** Whether what a finding shows is that the bank refused the request: by its status, or by an error in the redirect to the service. */
export function wasRefused({ evidence: id }: Finding, items: readonly Evidence[]): boolean {
  const shown = items.find((item) => item.id === id)
  if (shown?.kind !== 'exchange' || !shown.response) return false
  const { status, headers } = shown.response
  const location = String(headers.location ?? '')
  return status >= 400 || (isUrl(location) && /[?&#]error=/.test(location))
}
