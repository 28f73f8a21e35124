import type { Rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { inEach, others, redirectInObjectAlone, redirectInQuery } from './other-redirect-uris.js'
import { redirectTo, refusalRules, without } from './refused-objects.js'

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
      ...['superset', 'upper-case', 'other-type'].map((value) => `endpoint=ros member=redirect_uri value=${value}`),
    ],
    needs: [...toSign, 'redirect'],
    title: 'A redirect URI that is missing, or is not exactly a registered one, is refused, wherever it is told',
    broken: {
      'no redirect_uri': redirectTo(() => undefined),
      ...inEach(others, (what) => `${what} of redirect_uri`, redirectTo),
      ...inEach(others, (what) => `${what} in the query alone`, redirectInQuery),
    },
    passedOver: redirectInObjectAlone,
    oddlyTyped: {
      'redirect_uri as a list in the request object alone': (good) => ({
        claims: { ...good.claims, redirect_uri: [good.client.redirectUri] },
      }),
    },
  },
  {
    slug: 'redirect-uri-of-another',
    requirement: 'SIGN-45',
    needs: [...toSign, 'redirect'],
    places: ['caller=other-client', 'endpoint=authorize caller=other-client parameter=redirect_uri'],
    title: 'A redirect URI that another client registered is refused, also where /authorize alone is told it',
    broken: {
      'the redirect URI of another client': async (good, bank) => {
        const other = `${good.client.redirectUri}/another`
        await bank.client({ client_name: 'Conformance elsewhere', redirect_uris: [other] })
        return redirectTo(() => other)(good, bank)
      },
      'the redirect URI of another client at /authorize alone': async (good, bank) => {
        const other = `${good.client.redirectUri}/another`
        await bank.client({ client_name: 'Conformance elsewhere', redirect_uris: [other] })
        return { claims: without(good.claims, 'redirect_uri'), query: { redirect_uri: other } }
      },
    },
  },
])
