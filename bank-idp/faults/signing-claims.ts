import type { Fault } from './fault.js'
import { hasBearer, hasDocuments, kindOf, type Leniency, lenient, type Members } from './signing-leniency.js'

function scopesOf({ scope }: Members): string[] {
  return String(scope ?? '')
    .split(' ')
    .filter(Boolean)
}

/** Scopes of a request object otherwise. */
const scopes = (change: (scopes: string[]) => string[]) => (claims: Members) => {
  claims.scope = change(scopesOf(claims)).join(' ')
}

/** The kinds of requests to sign documents, by the names of their places. */
const documentKinds = [
  { kind: 'documentObject', slug: 'one-document', name: 'one document' },
  { kind: 'documentObjects', slug: 'envelope', name: 'an envelope' },
  { kind: 'text-and-document', slug: 'text-and-document', name: 'a document beside a text' },
]

const tenMinutes = 600

const leniencies: readonly Leniency[] = [
  {
    id: 'signing/openid-not-asked',
    breaks: ['SIGN-3'],
    places: ['scope=openid value=missing'],
    title: 'Takes a request object of nobody with scope authorization alone',
    repair: (claims) => {
      if (claims.scope === 'authorization') claims.scope = 'openid authorization'
    },
  },
  {
    id: 'signing/authorization-not-asked',
    breaks: ['SIGN-3'],
    places: ['scope=authorization value=missing'],
    title: 'Takes a request object of nobody with scope openid alone',
    repair: (claims) => {
      if (claims.scope === 'openid') claims.scope = 'openid authorization'
    },
  },
  {
    id: 'signing/scopes-in-any-case',
    breaks: ['SIGN-3'],
    places: ['scope=openid value=upper-case', 'scope=authorization value=upper-case'],
    title: 'Compares scopes of request objects without regard to case',
    repair: scopes((all) => all.map((one) => (/^[A-Z]+$/.test(one) ? one.toLowerCase() : one))),
  },
  {
    id: 'signing/scopes-by-beginning',
    breaks: ['SIGN-3'],
    places: ['scope=openid value=superset', 'scope=authorization value=superset'],
    title: 'Takes a scope for the one that it begins with',
    repair: scopes((all) => all.map((one) => /^(openid|authorization)/.exec(one)?.[0] ?? one)),
  },
  {
    id: 'signing/documents-without-scopes',
    breaks: ['SIGN-3'],
    places: ['member=documentObject'],
    title: 'Takes a document of nobody without the scopes openid and authorization',
    repair: (claims) => {
      if (hasDocuments(claims)) claims.scope = 'openid authorization'
    },
  },
  ...documentKinds.map(
    ({ kind, slug, name }): Leniency => ({
      id: `signing/${slug}-by-loa2`,
      breaks: ['SIGN-5'],
      places: [`member=${kind} value=wrong`],
      title: `Takes acr_values loa2 for ${name}`,
      repair: (claims) => {
        if (kindOf(claims) === kind && claims.acr_values === 'loa2') claims.acr_values = 'loa3'
      },
    }),
  ),
  {
    id: 'signing/document-of-no-level',
    breaks: ['SIGN-5'],
    places: ['value=missing'],
    title: 'Takes a document without acr_values',
    repair: (claims) => {
      if (hasDocuments(claims) && claims.acr_value === undefined) claims.acr_values ??= 'loa3'
    },
  },
  {
    id: 'signing/levels-in-any-case',
    breaks: ['SIGN-5'],
    places: ['value=upper-case'],
    title: 'Compares acr_values of request objects without regard to case',
    repair: (claims) => {
      if (claims.acr_values !== undefined) claims.acr_values = String(claims.acr_values).toLowerCase()
    },
  },
  {
    id: 'signing/levels-by-beginning',
    breaks: ['SIGN-5'],
    places: ['value=superset'],
    title: 'Takes a level of assurance for the one that it begins with',
    repair: (claims) => {
      if (claims.acr_values !== undefined)
        claims.acr_values = String(claims.acr_values).replace(/\b(loa[23])\w+/g, '$1')
    },
  },
  {
    id: 'signing/max-age-null',
    breaks: ['SIGN-7'],
    places: ['value=null', 'value=empty'],
    title: 'Takes a max_age of null or of no characters for ten minutes',
    repair: (claims) => {
      if (claims.max_age === null || claims.max_age === '') claims.max_age = tenMinutes
    },
  },
  {
    id: 'signing/max-age-in-words',
    breaks: ['SIGN-7'],
    places: ['value=other-type'],
    title: 'Takes a max_age that is no number for ten minutes',
    repair: (claims) => {
      if (typeof claims.max_age === 'string' && claims.max_age !== '') claims.max_age = tenMinutes
    },
  },
  {
    id: 'signing/max-age-negative',
    breaks: ['SIGN-7'],
    places: ['value=below'],
    title: 'Takes a negative max_age for ten minutes',
    repair: (claims) => {
      if (Number(claims.max_age) < 0) claims.max_age = tenMinutes
    },
  },
  {
    id: 'signing/document-without-max-age',
    breaks: ['SIGN-7'],
    places: ['member=documentObject'],
    title: 'Takes a document without max_age',
    repair: (claims) => {
      if (hasDocuments(claims)) claims.max_age ??= tenMinutes
    },
  },
  {
    id: 'signing/bearer-without-max-age',
    breaks: ['SIGN-7'],
    places: ['caller=bearer'],
    title: 'Takes a request object without max_age that comes with an access token',
    repair: (claims, request) => {
      if (hasBearer(request)) claims.max_age ??= tenMinutes
    },
  },
  {
    id: 'signing/kind-of-response-unread',
    breaks: ['SIGN-17'],
    places: ['value=unknown'],
    title: 'Takes a response_type that the flow does not have for code',
    repair: (claims) => {
      if (!String(claims.response_type).includes('code')) claims.response_type = 'code'
    },
  },
  {
    id: 'signing/lower-level-taken',
    breaks: ['SIGN-18'],
    places: ['value=both', 'value=reordered'],
    title: 'Authorizes a document at the lower one of two levels',
    collateral: { 'signing/document-by-loa3': 'what is asked for is not looked at' },
    repair: (claims) => {
      if (scopesOf({ scope: claims.acr_values }).length > 1) claims.acr_values = 'loa2'
    },
    without: ['ros/document-loa3', 'signer/acr'],
  },
]

/** Claims of request objects that a bank is too lenient with. */
export const signingClaimFaults: readonly Fault[] = lenient(leniencies)
