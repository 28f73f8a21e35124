import { type Broken, elsewhere } from './refused-objects.js'

/** Another redirect URI at /authorize, where the request object names the right one. */
export const redirectInQuery =
  (change: (registered: string) => string): Broken =>
  (good) => ({ query: { redirect_uri: change(good.client.redirectUri) } })

/** Another redirect URI in the request object, where /authorize is told the right one. */
const redirectInObject =
  (change: (registered: string) => string): Broken =>
  (good) => ({ claims: { ...good.claims, redirect_uri: change(good.client.redirectUri) } })

/** Addresses that are not the registered one, by how they differ from it. */
export const others: Readonly<Record<string, (registered: string) => string>> = {
  'a trailing slash': (registered) => `${registered}/`,
  'another query': (registered) => `${registered}?more=1`,
  'another host': () => elsewhere,
  'all but the last letter': (registered) => registered.slice(0, -1),
  'the path in capitals': (registered) => registered.replace(/[^/]+$/, (end) => end.toUpperCase()),
  'http in place of https': (registered) => registered.replace('https:', 'http:'),
  'another port': (registered) => registered.replace(/^(https:..[^/:]+)(:\d+)?/, '$1:8443'),
  'an encoded letter': (registered) => registered.replace(/.$/, (end) => `%${end.charCodeAt(0).toString(16)}`),
  'a fragment': (registered) => `${registered}#more`,
  'a user': (registered) => registered.replace('https://', 'https://user@'),
  'the host in capitals': (registered) => registered.replace(/^https:..[^/:]+/, (host) => host.toUpperCase()),
  'a path that comes to the same': (registered) => registered.replace(/[^/]+$/, './$&'),
}

/** Those of them at which a bank may go by what /authorize is told. */
const inObjectAlone = Object.fromEntries(
  // A redirect would go without a fragment, to what was registered.
  Object.entries(others).filter(([what]) => /fragment|http|port|slash|query|host in capitals|encoded/.test(what)),
)

/** Each change at a place of its own. */
export function inEach(
  changes: typeof others,
  nameOf: (what: string) => string,
  at: (change: (registered: string) => string) => Broken,
): Record<string, Broken> {
  return Object.fromEntries(Object.entries(changes).map(([what, change]) => [nameOf(what), at(change)]))
}

/**
 * What is wrong in the request object alone. The specification names the redirect address among its members; as published it has none, and
 * /authorize alone is told where to.
 */
export const redirectInObjectAlone: Readonly<Record<string, Broken>> = {
  'another host in the request object alone': redirectInObject(() => elsewhere),
  ...inEach(inObjectAlone, (what) => `${what} in the request object alone`, redirectInObject),
}
