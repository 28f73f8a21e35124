import type { Client } from './client.js'
import type { BankContext } from './context.js'

/** What a client registers for each kind of event, and the path at the service. Specification: "Exposed by the service". */
const addresses = {
  logout: { member: 'backchannel_logout_uri', path: '/back-channel/logout' },
  notification: { member: 'notification_uri', path: '/notify' },
} as const

/**
 * Where a client is told of events of a kind: at the address that it registered, or at the service's own whatever is registered
 * (AMB-51).
 *
 * @returns undefined when it registered none
 */
export function receiverOf(
  { config, policy }: Pick<BankContext, 'config' | 'policy'>,
  kind: keyof typeof addresses,
  { record }: Client,
): string | undefined {
  const { member, path } = addresses[kind]
  const registered = record[member]
  if (typeof registered !== 'string') return undefined
  return policy.eventAddress === 'fixed-address' ? `${config.service}${path}` : registered
}
