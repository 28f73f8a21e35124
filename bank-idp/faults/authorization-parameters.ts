import { type Fault, fault } from './fault.js'

/** A parameter whose bad values the bank does not mind: they are repaired before it looks at them. */
interface Unminded {
  slug: string
  requirement: string
  /** Left out where the requirement has one place alone. */
  places?: readonly string[]
  title: string
  repair: (parameters: URLSearchParams) => void
  collateral?: Fault['collateral']
}

/** Puts a good value where the parameter has one that is not among the good. */
function replaced(name: string, value: string | undefined, isGood: (given: string) => boolean) {
  return (parameters: URLSearchParams) => {
    const given = parameters.get(name)
    if (given === null || isGood(given)) return
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  }
}

function filledIn(name: string, value: string) {
  return (parameters: URLSearchParams) => {
    if (!parameters.has(name)) parameters.set(name, value)
  }
}

const among =
  (...good: string[]) =>
  (given: string) =>
    given.split(' ').every((word) => good.includes(word))

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const unminded: readonly Unminded[] = [
  {
    slug: 'response-type-default',
    requirement: 'AUTH-6',
    places: ['value=missing', 'value=empty'],
    title: 'Takes a request without response_type for one of the code flow',
    repair: filledIn('response_type', 'code'),
  },
  {
    slug: 'response-type-any',
    requirement: 'AUTH-7',
    places: ['value=unknown'],
    title: 'Serves the code flow whatever response_type is asked for',
    repair: replaced('response_type', 'code', among('code')),
    collateral: {
      'authorization/token': 'AUTH-38 asks for response_type token',
      'authorization/declared-flows': 'response_type token is among the declared ones',
      'discovery/undeclared-flow': 'an undeclared response_type is served as code too',
    },
  },
  {
    slug: 'nonce-not-asked',
    requirement: 'AUTH-9',
    places: ['value=missing', 'value=empty'],
    title: 'Takes a request without nonce',
    repair: filledIn('nonce', '-'),
  },
  {
    slug: 'state-not-asked',
    requirement: 'AUTH-8',
    places: ['value=missing', 'value=empty'],
    title: 'Takes a request without state',
    repair: filledIn('state', '-'),
  },
  {
    slug: 'scope-default',
    requirement: 'AUTH-10',
    places: ['value=missing', 'value=empty'],
    title: 'Takes a request without scope for one of openid',
    repair: filledIn('scope', 'openid'),
  },
  {
    slug: 'scope-openid-added',
    requirement: 'AUTH-11',
    places: ['value=missing'],
    title: 'Adds openid to a scope that lacks it',
    repair: (parameters) => {
      const scope = parameters.get('scope')
      if (scope !== null && !scope.split(' ').includes('openid')) parameters.set('scope', `openid ${scope}`)
    },
  },
  {
    slug: 'display-not-checked',
    requirement: 'AUTH-13',
    places: ['value=unknown'],
    title: 'Ignores a display that it does not know',
    repair: replaced('display', undefined, among('page', 'popup', 'touch', 'wap')),
  },
  {
    slug: 'prompt-not-checked',
    requirement: 'AUTH-14',
    places: ['value=unknown'],
    title: 'Ignores a prompt that it does not know',
    repair: replaced('prompt', undefined, among('none', 'login', 'consent', 'select_account')),
  },
  {
    slug: 'acr-values-not-checked',
    requirement: 'AUTH-15',
    places: ['value=unknown', 'value=both'],
    title: 'Ignores acr_values that it does not support',
    repair: replaced('acr_values', undefined, among('loa2', 'loa3')),
  },
  {
    slug: 'max-age-not-checked',
    requirement: 'AUTH-16',
    places: ['value=wrong'],
    title: 'Ignores a max_age that is not a number',
    repair: replaced('max_age', undefined, (given) => /^\d{1,9}$/.test(given)),
  },
  {
    slug: 'max-age-unbounded',
    requirement: 'AUTH-16',
    places: ['value=above'],
    title: 'Takes a max_age however large',
    repair: replaced('max_age', '2147483647', (given) => !/^\d{10,}$/.test(given)),
  },
  {
    slug: 'response-mode-not-checked',
    requirement: 'AUTH-17',
    places: ['value=unknown'],
    title: 'Answers in the query whatever response_mode is asked for',
    repair: replaced('response_mode', undefined, among('query')),
  },
  {
    slug: 'ui-locales-not-checked',
    requirement: 'AUTH-18',
    places: ['value=wrong', 'value=second'],
    title: 'Takes anything for ui_locales',
    repair: replaced('ui_locales', 'cs', (given) => given.split(' ').every((tag) => /^[a-z]{2}\b/i.test(tag))),
  },
  {
    slug: 'claims-array-taken',
    requirement: 'AUTH-19',
    places: ['value=other-type'],
    title: 'Refuses claims that are not JSON, and accepts any JSON that is not an object',
    repair: replaced('claims', undefined, (given) => isJsonObject(given) || given === '{'),
  },
  {
    slug: 'registration-ignored',
    requirement: 'AUTH-20',
    places: ['use=first'],
    title: 'Ignores the parameter registration',
    repair: (parameters) => parameters.delete('registration'),
  },
  {
    slug: 'client-id-not-asked',
    requirement: 'AUTH-4',
    places: ['value=missing', 'value=empty'],
    title: 'Answers a request without client_id as one of an unknown client',
    repair: filledIn('client_id', 'unknown'),
  },
  {
    slug: 'sep-id-openid-alone',
    requirement: 'GEN-10',
    title: 'Asks for openid alone where a request has sep_id',
    repair: (parameters) => {
      if (parameters.has('sep_id')) parameters.set('scope', 'openid')
    },
  },
  {
    slug: 'sep-id-refused',
    requirement: 'GEN-10',
    title: 'Does not know sep_id and refuses it',
    repair: (parameters) => {
      if (parameters.has('sep_id')) parameters.append('sep_id', '-')
    },
  },
]

export const authorizationParameterFaults = unminded.map(({ slug, requirement, repair, ...rest }) =>
  fault({ id: `authorization/${slug}`, breaks: [requirement], request: { 'GET /auth': repair }, ...rest }),
)
