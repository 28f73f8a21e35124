import { type Fault, fault } from './fault.js'

/** A parameter whose bad values the bank does not mind: they are repaired before it looks at them. */
interface Unminded {
  slug: string
  requirement: string
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
    title: 'Takes a request without response_type for one of the code flow',
    repair: filledIn('response_type', 'code'),
  },
  {
    slug: 'response-type-any',
    requirement: 'AUTH-7',
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
    title: 'Takes a request without nonce',
    repair: filledIn('nonce', '-'),
  },
  {
    slug: 'state-not-asked',
    requirement: 'AUTH-8',
    title: 'Takes a request without state',
    repair: filledIn('state', '-'),
  },
  {
    slug: 'scope-default',
    requirement: 'AUTH-10',
    title: 'Takes a request without scope for one of openid',
    repair: filledIn('scope', 'openid'),
  },
  {
    slug: 'scope-openid-added',
    requirement: 'AUTH-11',
    title: 'Adds openid to a scope that lacks it',
    repair: (parameters) => {
      const scope = parameters.get('scope')
      if (scope !== null && !scope.split(' ').includes('openid')) parameters.set('scope', `openid ${scope}`)
    },
  },
  {
    slug: 'scope-unknown-ignored',
    requirement: 'AUTH-12',
    title: 'Ignores scopes that it does not know',
    repair: (parameters) => {
      const scope = parameters.get('scope')
      if (scope !== null) {
        const known = scope.split(' ').filter((word) => !word.startsWith('conformance.'))
        parameters.set('scope', known.join(' '))
      }
    },
  },
  {
    slug: 'display-not-checked',
    requirement: 'AUTH-13',
    title: 'Ignores a display that it does not know',
    repair: replaced('display', undefined, among('page', 'popup', 'touch', 'wap')),
  },
  {
    slug: 'prompt-not-checked',
    requirement: 'AUTH-14',
    title: 'Ignores a prompt that it does not know',
    repair: replaced('prompt', undefined, among('none', 'login', 'consent', 'select_account')),
  },
  {
    slug: 'prompt-none-beside-others',
    requirement: 'AUTH-14',
    title: 'Takes prompt none beside another, which then holds',
    repair: (parameters) => {
      const requested = parameters.get('prompt')?.split(' ') ?? []
      if (requested.includes('none') && requested.length > 1) {
        parameters.set('prompt', requested.filter((value) => value !== 'none').join(' '))
      }
    },
  },
  {
    slug: 'acr-values-not-checked',
    requirement: 'AUTH-15',
    title: 'Ignores acr_values that it does not support',
    repair: replaced('acr_values', undefined, among('loa2', 'loa3')),
  },
  {
    slug: 'max-age-not-checked',
    requirement: 'AUTH-16',
    title: 'Ignores a max_age that is not a number',
    repair: replaced('max_age', undefined, (given) => /^\d{1,9}$/.test(given)),
  },
  {
    slug: 'max-age-unbounded',
    requirement: 'AUTH-16',
    title: 'Takes a max_age however large',
    repair: replaced('max_age', '2147483647', (given) => !/^\d{10,}$/.test(given)),
  },
  {
    slug: 'response-mode-not-checked',
    requirement: 'AUTH-17',
    title: 'Answers in the query whatever response_mode is asked for',
    repair: replaced('response_mode', undefined, among('query')),
  },
  {
    slug: 'ui-locales-not-checked',
    requirement: 'AUTH-18',
    title: 'Takes anything for ui_locales',
    repair: replaced('ui_locales', 'cs', (given) => given.split(' ').every((tag) => /^[a-z]{2}\b/i.test(tag))),
  },
  {
    slug: 'claims-array-taken',
    requirement: 'AUTH-19',
    title: 'Refuses claims that are not JSON, and accepts any JSON that is not an object',
    repair: replaced('claims', undefined, (given) => isJsonObject(given) || given === '{'),
  },
  {
    slug: 'registration-ignored',
    requirement: 'AUTH-20',
    title: 'Ignores the parameter registration',
    repair: (parameters) => parameters.delete('registration'),
  },
  {
    slug: 'repeated-taken',
    requirement: 'AUTH-43',
    title: 'Takes the last value of a repeated parameter',
    repair: (parameters) => {
      for (const name of [...parameters.keys()]) parameters.set(name, String(parameters.getAll(name).at(-1)))
    },
  },
  {
    slug: 'client-id-not-asked',
    requirement: 'AUTH-4',
    title: 'Answers a request without client_id as one of an unknown client',
    repair: filledIn('client_id', 'unknown'),
  },
  {
    slug: 'sep-id-refused',
    requirement: 'GEN-10',
    title: 'Does not know sep_id and refuses it',
    repair: (parameters) => {
      if (parameters.has('sep_id')) parameters.append('sep_id', '-')
    },
  },
  {
    slug: 'claims-refused',
    requirement: 'AUTH-45',
    title: 'Refuses claims, valid or not',
    repair: (parameters) => {
      if (parameters.has('claims')) parameters.set('claims', '-')
    },
  },
  {
    slug: 'touch-refused',
    requirement: 'AUTH-44',
    title: 'Supports no display but page',
    repair: replaced('display', '-', among('page')),
  },
  {
    slug: 'ui-locales-one-only',
    requirement: 'AUTH-44',
    title: 'Takes one language in ui_locales, and refuses a list',
    repair: replaced('ui_locales', '-', (given) => !given.includes(' ')),
  },
]

export const authorizationParameterFaults = unminded.map(({ slug, requirement, repair, ...rest }) =>
  fault({ id: `authorization/${slug}`, breaks: [requirement], request: { 'GET /auth': repair }, ...rest }),
)
