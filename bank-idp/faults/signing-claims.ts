import type { Fault } from './fault.js'
import {
  hasBearer,
  hasDocuments,
  isHinted,
  kindOf,
  type Leniency,
  lenient,
  type Members,
  valuesOf,
} from './signing-leniency.js'

/** Scopes of a request object otherwise. */
const scopes = (change: (scopes: string[]) => string[]) => (claims: Members) => {
  claims.scope = change(valuesOf(claims.scope)).join(' ')
}

const tenMinutes = 600
const flowScopes = ['openid', 'authorization']

/** Requests of nobody whose scopes are not looked at. */
const withoutScopes = [
  {
    slug: 'envelope',
    place: 'member=documentObjects',
    name: 'an envelope',
    isMeant: (claims: Members) => kindOf(claims) === 'documentObjects',
  },
  { slug: 'hinted', place: 'member=id_token_hint', name: 'an object with id_token_hint', isMeant: isHinted },
]

/** Objects that may lack max_age. */
const withoutMaxAge = [
  ...['documentObjects', 'text-and-document'].map((kind) => ({
    slug: kind === 'documentObjects' ? 'envelope' : kind,
    place: `member=${kind}`,
    name: kind === 'documentObjects' ? 'an envelope' : 'a document beside a text',
    isMeant: (claims: Members) => kindOf(claims) === kind,
  })),
  { slug: 'hinted', place: 'member=id_token_hint', name: 'an object with id_token_hint', isMeant: isHinted },
]

/** Claims of request objects that are not looked at. */
const ownClaims = {
  exp: 'Takes request objects past their exp',
  nbf: 'Takes request objects before their nbf',
  aud: 'Takes request objects for another bank',
  iss: 'Takes request objects from another than their client',
}

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
    id: 'signing/scopes-by-end',
    breaks: ['SIGN-3'],
    places: ['scope=openid value=suffix', 'scope=authorization value=suffix'],
    title: 'Takes a scope for the one that it ends with',
    repair: scopes((all) => all.map((one) => /(openid|authorization)$/.exec(one)?.[0] ?? one)),
  },
  {
    id: 'signing/scopes-abbreviated',
    breaks: ['SIGN-3'],
    places: ['scope=openid value=prefix', 'scope=authorization value=prefix'],
    title: 'Takes the beginning of a scope for the whole',
    repair: scopes((all) => all.map((one) => flowScopes.find((whole) => whole.startsWith(one)) ?? one)),
  },
  {
    id: 'signing/scopes-in-one-order',
    breaks: ['SIGN-3'],
    places: ['value=reordered'],
    title: 'Takes no request object of nobody whose first scope is not openid',
    repair: (claims) => {
      if (claims.scope === 'authorization openid') claims.scope = 'authorization'
    },
  },
  {
    id: 'signing/scopes-by-comma',
    breaks: ['SIGN-3'],
    places: ['value=wrong'],
    title: 'Takes scopes that a comma separates',
    repair: (claims) => {
      if (typeof claims.scope === 'string') claims.scope = claims.scope.replaceAll(',', ' ')
    },
  },
  {
    id: 'signing/scopes-of-list-unread',
    breaks: ['SIGN-3'],
    places: ['value=other-type'],
    title: 'Takes a list of scopes for those that it needs, whatever it holds',
    repair: (claims) => {
      if (Array.isArray(claims.scope)) claims.scope = flowScopes.join(' ')
    },
  },
  {
    id: 'signing/levels-of-list-unread',
    breaks: ['SIGN-5'],
    places: ['value=other-type'],
    title: 'Takes a list of levels for loa3, whatever it holds',
    repair: (claims) => {
      if (Array.isArray(claims.acr_values)) claims.acr_values = 'loa3'
    },
  },
  {
    id: 'signing/scope-null',
    breaks: ['SIGN-3'],
    places: ['value=null'],
    title: 'Takes a scope of null for the scopes that it needs',
    repair: (claims) => {
      if (claims.scope === null) claims.scope = flowScopes.join(' ')
    },
  },
  ...withoutScopes.map(
    ({ slug, place, name, isMeant }): Leniency => ({
      id: `signing/${slug}-without-scopes`,
      breaks: ['SIGN-3'],
      places: [place],
      title: `Takes ${name} of nobody without the scopes openid and authorization`,
      repair: (claims) => {
        if (isMeant(claims)) claims.scope = flowScopes.join(' ')
      },
    }),
  ),
  {
    id: 'signing/documents-without-scopes',
    breaks: ['SIGN-3'],
    places: ['member=documentObject'],
    title: 'Takes a document of nobody without the scopes openid and authorization',
    repair: (claims) => {
      if (hasDocuments(claims)) claims.scope = 'openid authorization'
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
    id: 'signing/max-age-in-a-list',
    breaks: ['SIGN-7'],
    places: ['member=list value=other-type'],
    title: 'Takes the first of a list for max_age',
    repair: (claims) => {
      if (Array.isArray(claims.max_age)) claims.max_age = claims.max_age[0]
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
  ...withoutMaxAge.map(
    ({ slug, place, name, isMeant }): Leniency => ({
      id: `signing/${slug}-without-max-age`,
      breaks: ['SIGN-7'],
      places: [place],
      title: `Takes ${name} without max_age`,
      repair: (claims) => {
        if (isMeant(claims)) claims.max_age ??= tenMinutes
      },
    }),
  ),
  {
    id: 'signing/documents-by-their-own-time',
    breaks: ['SIGN-28'],
    places: ['member=documentObject'],
    title: 'Gives every document the same time, whatever its max_age',
    repair: (claims) => {
      if (kindOf(claims) === 'documentObject' && Number(claims.max_age) > 0) claims.max_age = tenMinutes
    },
  },
  ...Object.entries(ownClaims).flatMap(([name, title]): Leniency[] => [
    {
      id: `signing/object-${name}-unread`,
      breaks: ['SIGN-42'],
      places: [`part=${name}`],
      title,
      repair: (claims) => {
        delete claims[name]
      },
    },
    {
      id: `signing/object-${name}-unread-beside-token`,
      breaks: ['SIGN-42'],
      places: [`caller=bearer part=${name}`],
      title: `${title}, where they come with an access token`,
      repair: (claims, request) => {
        if (hasBearer(request)) delete claims[name]
      },
    },
  ]),
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
]

/** Claims of request objects that a bank is too lenient with. */
export const signingClaimFaults: readonly Fault[] = lenient(leniencies)
