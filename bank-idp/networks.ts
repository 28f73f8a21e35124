/** Kinds of addresses that a host name may lead to. */
export const networks = ['loopback', 'private', 'public'] as const
export type Network = (typeof networks)[number]
