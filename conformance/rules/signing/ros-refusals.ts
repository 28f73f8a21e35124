import type { Rule } from '../../harness/rule.js'
import { foreignSigner } from '../../service/client-keys.js'
import { isAuthorized } from './refusals.js'
import { type Broken, claim, claims, refusalRules, without } from './refused-objects.js'

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
const paymentObject = { amount: '1' }

export const refusals: readonly Rule[] = refusalRules([
  {
    slug: 'scopes-of-the-unknown',
    requirement: 'SIGN-3',
    places: [
      'value=missing',
      'value=empty',
      'scope=openid value=missing',
      'scope=openid value=upper-case',
      'scope=openid value=superset',
      'scope=authorization value=missing',
      'scope=authorization value=upper-case',
      'scope=authorization value=superset',
      'member=documentObject',
    ],
    title: 'Without an access token the scopes openid and authorization are required, for texts and for documents',
    good: [{}, { kind: 'document' }],
    broken: {
      'scope "openid"': claim({ scope: 'openid' }),
      'scope "authorization"': claim({ scope: 'authorization' }),
      'scope "OPENID authorization"': claim({ scope: 'OPENID authorization' }),
      'scope "openid AUTHORIZATION"': claim({ scope: 'openid AUTHORIZATION' }),
      'scope "openids authorization"': claim({ scope: 'openids authorization' }),
      'scope "openid authorizations"': claim({ scope: 'openid authorizations' }),
      'scope ""': claim({ scope: '' }),
      'no scope': claims((good) => without(good, 'scope')),
    },
  },
  {
    slug: 'document-by-loa3',
    requirement: 'SIGN-5',
    places: [
      'member=documentObject value=wrong',
      'member=documentObjects value=wrong',
      'member=text-and-document value=wrong',
      'value=missing',
      'value=upper-case',
      'value=superset',
    ],
    title: 'A document request without acr_values loa3 gets an error',
    good: [{ kind: 'document' }, { kind: 'documents' }, { kind: 'text and document' }],
    broken: {
      'acr_values loa2': claim({ acr_values: 'loa2' }),
      'acr_values LOA3': claim({ acr_values: 'LOA3' }),
      'acr_values loa33': claim({ acr_values: 'loa33' }),
      'no acr_values': claims((good) => without(good, 'acr_values')),
    },
    async also({ bank, reading }) {
      const spelled = await bank.signing.submission.modified({ kind: 'document' }, (good) => ({
        claims: { ...without(good.claims, 'acr_values'), acr_value: 'loa3' },
      }))
      reading('AMB-62', isAuthorized(spelled) ? 'both-spellings' : 'acr-values-only')
    },
  },
  {
    slug: 'max-age-required',
    requirement: 'SIGN-7',
    places: [
      'value=missing',
      'value=null',
      'value=empty',
      'value=other-type',
      'value=below',
      'member=documentObject',
      'caller=bearer',
    ],
    title: 'A request object without max_age, or with one that is no time, is refused',
    async good({ bank }) {
      return [{}, { kind: 'document' }, { bearer: (await bank.signing.login()).accessToken }]
    },
    broken: {
      'no max_age': claims((good) => without(good, 'max_age')),
      'max_age null': claim({ max_age: null }),
      'max_age ""': claim({ max_age: '' }),
      'max_age "soon"': claim({ max_age: 'soon' }),
      'max_age -1': claim({ max_age: -1 }),
    },
  },
  {
    slug: 'unknown-kind',
    requirement: 'SIGN-30',
    places: ['value=both', 'value=unknown', 'value=upper-case', 'member=documentObject', 'value=missing'],
    title: 'An unknown kind of object is refused, alone and beside a known one, and so is a request for none',
    good: [{}, { kind: 'document' }],
    broken: {
      'paymentObject beside a known one': claims((good) => ({
        ...good,
        structured_scope: { ...(good.structured_scope as object), paymentObject },
      })),
      'paymentObject alone': claim({ structured_scope: { paymentObject } }),
      'a known one under its name in capitals': claims((good) => ({
        ...good,
        structured_scope: Object.fromEntries(
          Object.entries(good.structured_scope as object).map(([name, object]) => [name.toUpperCase(), object]),
        ),
      })),
      'no object': claim({ structured_scope: {} }),
    },
  },
  {
    slug: 'signed-and-encrypted',
    requirement: 'SIGN-42',
    places: [
      'part=encryption value=missing',
      'part=signature value=missing',
      'part=signature value=wrong',
      'part=kid value=unknown',
    ],
    title:
      'A request object that is only signed, only encrypted, or signed with another key than its kid names, is refused',
    broken: {
      'a request object that is only signed': () => ({ encryption: 'none' }),
      'a request object that is only encrypted': () => ({ signer: 'none' }),
      'a request object signed with a key that nobody published': async ({ signer }) =>
        signer === 'none' ? {} : { signer: await foreignSigner(signer.alg, signer.kid) },
      'a request object signed with a key of no known kid': async ({ signer }) =>
        signer === 'none' ? {} : { signer: await foreignSigner(signer.alg) },
    },
    async also({ bank, note, reading }) {
      const usual = await bank.signing.signedBy()
      const service = await bank.signing.serviceSigner()
      if (!service)
        return note('service.keys has no key for ES256: whether the service may sign request objects was not tried')
      const outcome = await bank.signing.submission.modified({}, ({ client, signer }) => ({
        signer: usual === 'service' ? (client.keys.es256 ?? signer) : service,
      }))
      reading('AMB-72', isAuthorized(outcome) ? 'client-or-service' : usual)
    },
  },
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
      'another host in the query alone': redirectInQuery(() => elsewhere),
      'a trailing slash in the query alone': redirectInQuery((registered) => `${registered}/`),
      'another host in the request object alone': redirectInObject(() => elsewhere),
    },
  },
])
