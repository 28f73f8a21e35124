/** The parts of a bank that can be out of order each by itself. Specification: "Health record". */
export const subSystemNames = ['dynamic-registration', 'oidc-core', 'revoke', 'kyc'] as const
export type SubSystem = (typeof subSystemNames)[number]

/** The sub-system that serves a path and what is below it; all other paths are of oidc-core. */
const served: Record<string, SubSystem> = {
  '/register': 'dynamic-registration',
  '/revoke': 'revoke',
  '/userinfo': 'kyc',
  '/profile': 'kyc',
}

/** Served even while the whole bank is out of order: what tells of the outage, and what verifies what was signed before. */
const always = ['/healthcheck', '/.well-known', '/documentation', '/policy', '/terms']

/** The sub-system behind a path below the bank's address; undefined for what has no outage. */
export function subSystemOf(path: string): SubSystem | undefined {
  const isBelow = (root: string) => path === root || path.startsWith(`${root}/`)
  if (always.some(isBelow)) return undefined
  const root = Object.keys(served).find(isBelow)
  return (root && served[root]) || 'oidc-core'
}
