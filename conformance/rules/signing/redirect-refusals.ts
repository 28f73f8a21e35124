import type { Rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { type Broken, refusalRules, without } from './refused-objects.js'

/** Another redirect URI, in the claims and at /authorize. */
const redirectTo =
  (change: (registered: string) => string | undefined): Broken =>
  (good) => {
    const redirect_uri = change(good.client.redirectUri)
    return {
      claims: without({ ...good.claims, redirect_uri }, ...(redirect_uri === undefined ? ['redirect_uri'] : [])),
      query: { redirect_uri },
    }
  }

/** Another redirect URI at /authorize, where the request object names the right one. */
const redirectInQuery =
  (change: (registered: string) => string): Broken =>
  (good) => ({ query: { redirect_uri: change(good.client.redirectUri) } })

/** Another redirect URI in the request object, where /authorize is told the right one. */
const redirectInObject =
  (change: (registered: string) => string): Broken =>
  (good) => ({ claims: { ...good.claims, redirect_uri: change(good.client.redirectUri) } })

const elsewhere = 'https://evil.example/callback'
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
      'endpoint=ros member=redirect_uri',
    ],
    needs: [...toSign, 'redirect'],
    title: 'A redirect URI that is missing, or is not exactly a registered one, is refused, wherever it is told',
    broken: {
      'no redirect_uri': redirectTo(() => undefined),
      'a trailing slash of redirect_uri': redirectTo((registered) => `${registered}/`),
      'another query of redirect_uri': redirectTo((registered) => `${registered}?more=1`),
      'another host of redirect_uri': redirectTo(() => elsewhere),
      'the last letter of redirect_uri left out': redirectTo((registered) => registered.slice(0, -1)),
      'the path of redirect_uri in capitals': redirectTo((registered) =>
        registered.replace(/[^/]+$/, (end) => end.toUpperCase()),
      ),
      'http in place of https': redirectTo((registered) => registered.replace('https:', 'http:')),
      'a letter of redirect_uri encoded': redirectTo((registered) =>
        registered.replace(/.$/, (end) => `%${end.charCodeAt(0).toString(16)}`),
      ),
      'a fragment of redirect_uri': redirectTo((registered) => `${registered}#more`),
      'a user in redirect_uri': redirectTo((registered) => registered.replace('https://', 'https://user@')),
      'the host of redirect_uri in capitals': redirectTo((registered) =>
        registered.replace(/^https:..[^/:]+/, (host) => host.toUpperCase()),
      ),
      'a path of redirect_uri that comes to the same': redirectTo((registered) => registered.replace(/[^/]+$/, './$&')),
      'another host in the query alone': redirectInQuery(() => elsewhere),
      'a trailing slash in the query alone': redirectInQuery((registered) => `${registered}/`),
      'another host in the request object alone': redirectInObject(() => elsewhere),
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
