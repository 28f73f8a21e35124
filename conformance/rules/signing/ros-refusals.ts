import type { Rule } from '../../harness/rule.js'
import { foreignSigner } from '../../service/client-keys.js'
import { toSign } from '../../target/needs.js'
import { isAuthorized } from './refusals.js'
import { claim, claims, refusalRules, without } from './refused-objects.js'

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
      'scope=openid value=prefix',
      'scope=openid value=suffix',
      'scope=authorization value=missing',
      'scope=authorization value=upper-case',
      'scope=authorization value=superset',
      'scope=authorization value=prefix',
      'scope=authorization value=suffix',
      'value=reordered',
      'value=wrong',
      'value=null',
      'value=other-type',
      'member=documentObject',
    ],
    title: 'Without an access token the scopes openid and authorization are required, for texts and for documents',
    good: [{}, { kind: 'document' }],
    accepted: [{ claims: { scope: 'authorization openid' } }],
    broken: {
      'scope "openid"': claim({ scope: 'openid' }),
      'scope "authorization"': claim({ scope: 'authorization' }),
      'scope "OPENID authorization"': claim({ scope: 'OPENID authorization' }),
      'scope "openid AUTHORIZATION"': claim({ scope: 'openid AUTHORIZATION' }),
      'scope "openids authorization"': claim({ scope: 'openids authorization' }),
      'scope "openid authorizations"': claim({ scope: 'openid authorizations' }),
      'scope "openid authorization.read"': claim({ scope: 'openid authorization.read' }),
      'scope "open authorization"': claim({ scope: 'open authorization' }),
      'scope "openid author"': claim({ scope: 'openid author' }),
      'scope "my.openid authorization"': claim({ scope: 'my.openid authorization' }),
      'scope "openid re-authorization"': claim({ scope: 'openid re-authorization' }),
      'scope "openid,authorization"': claim({ scope: 'openid,authorization' }),
      'scope null': claim({ scope: null }),
      'scope ""': claim({ scope: '' }),
      'no scope': claims((good) => without(good, 'scope')),
      'scope ["openid"], a list': claim({ scope: ['openid'] }),
    },
    oddlyTyped: { 'scope ["openid", "authorization"], a list': claim({ scope: ['openid', 'authorization'] }) },
  },
  {
    slug: 'document-by-loa3',
    requirement: 'SIGN-5',
    places: [
      'member=documentObject value=wrong',
      'member=documentObjects value=wrong',
      'member=text-and-document value=wrong',
      'value=missing',
      'value=empty',
      'value=null',
      'value=upper-case',
      'value=superset',
      'value=suffix',
      'value=above',
      'value=other-type',
    ],
    needs: [...toSign, 'redirect'],
    title: 'A document request without acr_values loa3 gets an error',
    good: [{ kind: 'document' }, { kind: 'documents' }, { kind: 'text and document' }],
    broken: {
      'acr_values loa2': claim({ acr_values: 'loa2' }),
      'acr_values LOA3': claim({ acr_values: 'LOA3' }),
      'acr_values loa33': claim({ acr_values: 'loa33' }),
      'acr_values aloa3': claim({ acr_values: 'aloa3' }),
      'acr_values loa4': claim({ acr_values: 'loa4' }),
      'acr_values ""': claim({ acr_values: '' }),
      'acr_values null': claim({ acr_values: null }),
      'no acr_values': claims((good) => without(good, 'acr_values')),
      'acr_values ["loa2"], a list': claim({ acr_values: ['loa2'] }),
    },
    oddlyTyped: { 'acr_values ["loa3"], a list': claim({ acr_values: ['loa3'] }) },
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
      'member=list value=other-type',
      'member=payload value=other-type',
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
      'max_age true': claim({ max_age: true }),
      'max_age {}': claim({ max_age: {} }),
      'max_age -1': claim({ max_age: -1 }),
      'null in place of all claims': () => ({ instead: { payload: null } }),
      'its claims in a list': ({ claims }) => ({ instead: { payload: [claims] } }),
    },
    oddlyTyped: { 'max_age [600]': claim({ max_age: [600] }) },
  },
  {
    slug: 'unknown-kind',
    requirement: 'SIGN-30',
    places: [
      'value=both',
      'value=unknown',
      'value=upper-case',
      'value=lower-case',
      'value=superset',
      'value=other-type',
      'member=documentObject',
      'member=documentObjects',
      'value=missing',
    ],
    title: 'An unknown kind of object is refused, alone and beside a known one, and so is a request for none',
    good: [{}, { kind: 'document' }, { kind: 'documents' }],
    broken: {
      'paymentObject beside a known one': claims((good) => ({
        ...good,
        structured_scope: { ...(good.structured_scope as object), paymentObject },
      })),
      'a list of paymentObjects beside a known one': claims((good) => ({
        ...good,
        structured_scope: { ...(good.structured_scope as object), paymentObjects: [paymentObject] },
      })),
      'a kind with a longer name than a known one': claims((good) => ({
        ...good,
        structured_scope: { ...(good.structured_scope as object), signObjectExtended: paymentObject },
      })),
      'paymentObject alone': claim({ structured_scope: { paymentObject } }),
      'a known one under its name in capitals': claims((good) => ({
        ...good,
        structured_scope: Object.fromEntries(
          Object.entries(good.structured_scope as object).map(([name, object]) => [name.toUpperCase(), object]),
        ),
      })),
      'a known one under its name in small letters': claims((good) => ({
        ...good,
        structured_scope: Object.fromEntries(
          Object.entries(good.structured_scope as object).map(([name, object]) => [name.toLowerCase(), object]),
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
      'part=signature value=unknown',
      'part=signature alg=PS256',
      'part=kid value=unknown',
      'part=kid value=wrong',
    ],
    needs: [...toSign, 'redirect'],
    title:
      'A request object that is only signed, only encrypted, or signed with another key than its kid names, is refused',
    broken: {
      'a request object that is only signed': () => ({ encryption: 'none' }),
      'a request object that is only encrypted': () => ({ signer: 'none' }),
      'a request object signed with a key that nobody published': async ({ signer }) =>
        typeof signer === 'string' ? {} : { signer: await foreignSigner(signer.alg, signer.kid) },
      'a request object signed by PS256 with a key that nobody published': async ({ client }) => ({
        signer: await foreignSigner('PS256', client.keys.ps256?.kid),
      }),
      'a request object signed with a key of no known kid': async ({ signer }) =>
        typeof signer === 'string' ? {} : { signer: await foreignSigner(signer.alg) },
      'a request object signed with a key that its own header carries': async ({ signer }) => {
        if (typeof signer === 'string') return {}
        const { kid: _, publicJwk: jwk, ...own } = await foreignSigner(signer.alg)
        return { signer: { ...own, leading: { jwk } } }
      },
      'a request object signed with a key that its own header carries under the kid of a published one': async ({
        signer,
      }) => {
        if (typeof signer === 'string') return {}
        const { publicJwk: jwk, ...own } = await foreignSigner(signer.alg, signer.kid)
        return { signer: { ...own, leading: { jwk } } }
      },
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
])
