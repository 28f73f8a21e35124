import type { Rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { type Broken, elsewhere, redirectTo, refusalRules } from './refused-objects.js'

/** Another redirect URI at /authorize, where the request object names the right one. */
const redirectInQuery =
  (change: (registered: string) => string): Broken =>
  (good) => ({ query: { redirect_uri: change(good.client.redirectUri) } })

/** Another redirect URI in the request object, where /authorize is told the right one. */
const redirectInObject =
  (change: (registered: string) => string): Broken =>
  (good) => ({ claims: { ...good.claims, redirect_uri: change(good.client.redirectUri) } })

/** Addresses that are not the registered one, by how they differ from it. */
const others: Readonly<Record<string, (registered: string) => string>> = {
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
  Object.entries(others).filter(([what]) => /fragment|http|port|slash|query/.test(what)),
)

/** Each change at a place of its own. */
function inEach(
  changes: typeof others,
  nameOf: (what: string) => string,
  at: (change: (registered: string) => string) => Broken,
): Record<string, Broken> {
  return Object.fromEntries(Object.entries(changes).map(([what, change]) => [nameOf(what), at(change)]))
}

export const redirectRefusals: readonly Rule[] = refusalRules([
  {
    slug: 'redirect-uri',
    requirement: 'SIGN-45',
    places: [
      'value=missing',
      'value=suffix',
      'value=superset',
      'value=wrong',
      'value=prefix',
      'value=upper-case',
      'value=encoded',
      'endpoint=authorize parameter=redirect_uri',
      ...['superset', 'prefix', 'upper-case', 'encoded'].map(
        (value) => `endpoint=authorize parameter=redirect_uri value=${value}`,
      ),
      'endpoint=ros member=redirect_uri',
      'endpoint=ros member=redirect_uri value=superset',
    ],
    needs: [...toSign, 'redirect'],
    title: 'A redirect URI that is missing, or is not exactly a registered one, is refused, wherever it is told',
    broken: {
      'no redirect_uri': redirectTo(() => undefined),
      ...inEach(others, (what) => `${what} of redirect_uri`, redirectTo),
      ...inEach(others, (what) => `${what} in the query alone`, redirectInQuery),
      'another host in the request object alone': redirectInObject(() => elsewhere),
      ...inEach(inObjectAlone, (what) => `${what} in the request object alone`, redirectInObject),
    },
  },
  {
    slug: 'redirect-uri-of-another',
    requirement: 'SIGN-45',
    places: ['caller=other-client'],
    title: 'A redirect URI that another client registered is refused',
    broken: {
      'the redirect URI of another client': async (good, bank) => {
        const other = `${good.client.redirectUri}/another`
        await bank.client({ client_name: 'Conformance elsewhere', redirect_uris: [other] })
        return redirectTo(() => other)(good, bank)
      },
    },
  },
])
