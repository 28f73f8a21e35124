import {
  among,
  each,
  filledIn,
  type Leniency,
  leniencyFaults,
  meant,
  replaced,
  uncheckedParameters,
  where,
  withoutWord,
} from './leniency.js'

/** Parameters that are looked at in most requests, and not beside others or where they are very long. */

const asksConsent = (parameters: URLSearchParams) => parameters.get('prompt') === 'consent'
const hasChallenge = (parameters: URLSearchParams) => parameters.has('code_challenge')
const ofImplicit = (parameters: URLSearchParams) => parameters.get('response_type') === 'token'

/** As many characters of a value as are looked at. */
const column = 255
const isShort = (given: string) => given.length <= column

const unknownPrompt = {
  slug: 'prompt',
  requirement: 'AUTH-14',
  repair: replaced('prompt', undefined, among('none', 'login', 'consent', 'select_account')),
}

/** What stands beside a parameter that is then not looked at: each beside a few, in turn. */
const circumstances = [
  ['hint', 'an id_token_hint', (parameters: URLSearchParams) => parameters.has('id_token_hint')],
  ['claims', 'claims', (parameters: URLSearchParams) => parameters.has('claims')],
  ['level', 'the level loa3', (parameters: URLSearchParams) => parameters.get('acr_values') === 'loa3'],
  ['mode', 'a response_mode', (parameters: URLSearchParams) => parameters.has('response_mode')],
] as const

/** Those that no others are compared with where they stand in the request themselves. */
const circumstanceOf = (slug: string, at: number) => {
  const others = circumstances.filter(
    ([name]) => !(slug === 'acr-values' && name === 'level') && !(slug === 'response-mode' && name === 'mode'),
  )
  const [first] = circumstances
  return others[at % others.length] ?? first
}

const besides: readonly Leniency[] = [
  ...uncheckedParameters.map(({ slug, requirement, repair }) => ({
    id: `authorization/${slug}-of-consent-unchecked`,
    requirement,
    places: ['member=consent parameter=prompt'],
    title: `Does not check ${slug.replaceAll('-', ' ')} where prompt=consent asks for a page`,
    repair: where(asksConsent, repair),
  })),
  ...[...uncheckedParameters, unknownPrompt]
    // Of state and nonce: authorization-parameters.ts.
    .filter(({ slug }) => !['state', 'nonce'].includes(slug))
    .map(({ slug, requirement, repair }) => ({
      id: `authorization/${slug}-of-challenge-unchecked`,
      requirement,
      places: ['member=optional-besides'],
      title: `Does not check ${slug.replaceAll('-', ' ')} beside a code_challenge`,
      repair: where(hasChallenge, repair),
    })),
  ...[...uncheckedParameters, unknownPrompt]
    // Of the others there are faults elsewhere.
    .filter(({ slug }) => !['state', 'nonce', 'scope', 'openid', 'response-mode'].includes(slug))
    .map(({ slug, requirement, repair }) => ({
      id: `authorization/${slug}-of-implicit-unchecked`,
      requirement,
      places: ['grant=implicit'],
      title: `Does not check ${slug.replaceAll('-', ' ')} where response_type is token`,
      repair: where(ofImplicit, repair),
    })),
  ...[...uncheckedParameters, unknownPrompt].map(({ slug, requirement, repair }, at) => {
    const [circumstance, words, holds] = circumstanceOf(slug, at)
    return {
      id: `authorization/${slug}-of-${circumstance}-unchecked`,
      requirement,
      places: ['member=optional-besides'],
      title: `Does not check ${slug.replaceAll('-', ' ')} beside ${words}`,
      repair: where(holds, repair),
    }
  }),
]

const long: readonly Leniency[] = [
  {
    id: 'authorization/scope-too-long',
    requirement: 'AUTH-12',
    places: ['scope=unsupported value=long'],
    title: 'Leaves out scopes that are longer than its column',
    repair: meant(
      'scope',
      each((scope) => (isShort(scope) ? scope : '')),
    ),
  },
  ...(
    [
      ['display', 'AUTH-13'],
      ['prompt', 'AUTH-14'],
      ['acr_values', 'AUTH-15'],
      ['registration', 'AUTH-20'],
    ] as const
  ).map(([name, requirement]) => ({
    id: `authorization/${name.replaceAll('_', '-')}-too-long`,
    requirement,
    places: ['value=long'],
    title: `Ignores ${name} where it is longer than its column`,
    repair: replaced(name, undefined, isShort),
  })),
]

const others: readonly Leniency[] = [
  {
    id: 'authorization/max-age-infinite',
    requirement: 'AUTH-16',
    places: ['member=infinity'],
    title: 'Takes an infinite max_age for none',
    repair: replaced('max_age', undefined, (given) => given !== 'Infinity'),
  },
  {
    id: 'authorization/consent-forgotten-beside-max-age',
    requirement: 'AUTH-51',
    places: ['parameter=max_age'],
    title: 'Does not look for prompt=consent beside max_age',
    repair: where((parameters) => parameters.has('max_age'), withoutWord('prompt', 'consent')),
  },
  {
    id: 'authorization/claims-of-further-member-refused',
    requirement: 'AUTH-45',
    places: ['member=conformance'],
    title: 'Refuses claims with a member beside userinfo and id_token',
    repair: meant('claims', (given) => (given.includes('"conformance":{}') ? '[]' : given)),
  },
  {
    id: 'authorization/locale-of-one-letter',
    requirement: 'AUTH-18',
    places: ['value=below'],
    title: 'Ignores ui_locales of a single letter',
    repair: replaced('ui_locales', undefined, (given) => given.length > 1),
  },
  {
    id: 'authorization/locale-of-long-parts',
    requirement: 'AUTH-18',
    places: ['value=above'],
    title: 'Does not look at how long the parts of ui_locales are',
    repair: meant('ui_locales', (given) => given.replace(/-(\w{8})\w+/g, '-$1')),
  },
  {
    id: 'authorization/scope-of-implicit-filled-in',
    requirement: 'AUTH-10',
    places: ['grant=implicit'],
    title: 'Takes a request of response_type token without scope for one of openid',
    repair: where(ofImplicit, filledIn('scope', 'openid')),
  },
  {
    id: 'authorization/openid-of-implicit-filled-in',
    requirement: 'AUTH-11',
    places: ['grant=implicit'],
    title: 'Adds openid to the scope of a request of response_type token',
    repair: where(
      ofImplicit,
      meant('scope', (given) => (/\bopenid\b/.test(given) ? given : `openid ${given}`)),
    ),
  },
]

export const authorizationBesidesFaults = leniencyFaults([...besides, ...long, ...others])
