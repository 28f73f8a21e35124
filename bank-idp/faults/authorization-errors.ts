import { type Fault, fault, omit, type SeamResponse } from './fault.js'

const route = 'GET /auth'

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
      const asked = parameters.get('prompt')?.split(' ') ?? []
      if (asked.includes('none') && asked.length > 1) {
        parameters.set('prompt', asked.filter((value) => value !== 'none').join(' '))
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
    title: 'Ignores a max_age that is no number',
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
    title: 'Refuses claims that are no JSON, and takes any JSON that is no object',
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

/** Changes the body of an error that is answered without a redirect. */
function directError(change: (error: Record<string, unknown>, response: SeamResponse) => SeamResponse) {
  return (response: SeamResponse): SeamResponse => {
    const { body } = response
    const isError = response.status === 400 && typeof body === 'object' && body !== null && 'error' in body
    return isError ? change({ ...body }, response) : response
  }
}

/** For `response`: changes a redirect that carries an error. */
export function changeRedirectedError(change: (target: URL, error: string) => void) {
  return (response: SeamResponse): SeamResponse => {
    const { location } = response.headers
    const target = typeof location === 'string' && URL.canParse(location) ? new URL(location) : undefined
    const error = target?.searchParams.get('error')
    if (!target || !error) return response
    change(target, error)
    return { ...response, headers: { ...response.headers, location: target.href } }
  }
}

/** Sends an error with its parameters to whatever redirect_uri the request carried. */
function openRedirect(when: (error: Record<string, unknown>) => boolean): NonNullable<Fault['response']> {
  return {
    [route]: (response, { query }) => {
      const { body } = response
      const uri = query.get('redirect_uri')
      if (typeof body !== 'object' || body === null || uri === null || !when({ ...body })) return response
      const target = new URL(uri)
      for (const [name, value] of Object.entries(body)) target.searchParams.set(name, String(value))
      const { 'content-type': _, ...headers } = response.headers
      return { status: 302, headers: { ...headers, location: target.href }, body: '' }
    },
  }
}

export const authorizationErrorFaults = [
  ...unminded.map(({ slug, requirement, repair, ...rest }) =>
    fault({ id: `authorization/${slug}`, breaks: [requirement], request: { [route]: repair }, ...rest }),
  ),
  fault({
    id: 'authorization/open-redirector',
    breaks: ['AUTH-3'],
    title: 'Redirects an error to a redirect_uri that is not registered',
    response: openRedirect((error) => String(error.error_description).startsWith('redirect_uri is not registered')),
  }),
  fault({
    id: 'authorization/redirect-uri-by-host',
    breaks: ['AUTH-3'],
    title: 'Takes a redirect_uri with another query than the registered one',
    request: {
      [route]: (parameters) => {
        const uri = parameters.get('redirect_uri')
        if (uri?.includes('unregistered=')) parameters.set('redirect_uri', uri.replace(/\?.*/, ''))
      },
    },
  }),
  fault({
    id: 'authorization/redirect-uri-missing-redirected',
    breaks: ['AUTH-2'],
    title: 'Answers a missing redirect_uri with unauthorized_client',
    response: {
      [route]: directError((error, response) =>
        error.error_description === 'redirect_uri is required'
          ? { ...response, body: { ...error, error: 'unauthorized_client' } }
          : response,
      ),
    },
  }),
  fault({
    id: 'authorization/client-unknown-invalid-client',
    breaks: ['AUTH-5'],
    title: 'Answers an unknown client_id with 401 invalid_client',
    response: {
      [route]: directError((error, response) =>
        error.error === 'unauthorized_client'
          ? { ...response, status: 401, body: { ...error, error: 'invalid_client' } }
          : response,
      ),
    },
  }),
  fault({
    id: 'authorization/method-not-found',
    breaks: ['AUTH-37'],
    title: 'Answers PUT and DELETE of /auth with 404',
    response: {
      'PUT /auth': () => ({ status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' }),
      'DELETE /auth': () => ({ status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' }),
    },
  }),
  fault({
    id: 'authorization/method-not-allowed',
    breaks: ['AUTH-37'],
    title: 'Answers PUT and DELETE of /auth with 405, as web servers do by themselves',
    response: {
      'PUT /auth': () => ({ status: 405, headers: { allow: 'GET, POST' }, body: '' }),
      'DELETE /auth': () => ({ status: 405, headers: { allow: 'GET, POST' }, body: '' }),
    },
  }),
  fault({
    id: 'authorization/direct-error-without-description',
    breaks: ['GEN-3'],
    title: 'Leaves error_description out of errors without a redirect',
    response: {
      [route]: directError((error, response) => ({ ...response, body: omit(error, 'error_description') })),
    },
  }),
  fault({
    id: 'authorization/redirected-error-without-state',
    breaks: ['GEN-4'],
    title: 'Leaves state out of redirected errors',
    response: { [route]: changeRedirectedError((target) => target.searchParams.delete('state')) },
  }),
  fault({
    id: 'authorization/redirected-error-without-description',
    breaks: ['GEN-4'],
    title: 'Leaves error_description out of redirected errors',
    collateral: {
      'callback/authentication-declined': 'AUTH-29 is about the error_description',
      'callback/consent-declined': 'AUTH-30 is about the error_description',
      'callback/not-eligible': 'AUTH-31 is about the error_description',
      'callback/switched-off': 'AUTH-48 is about the error_description',
      'signing/insufficient-data': 'AUTH-49 is about the error_description',
      'signing/weak-method': 'AUTH-32 is about the error_description',
    },
    response: { [route]: changeRedirectedError((target) => target.searchParams.delete('error_description')) },
  }),
  fault({
    id: 'authorization/redirected-error-in-fragment',
    breaks: ['GEN-4'],
    title: 'Sends redirected errors in the fragment',
    response: {
      [route]: changeRedirectedError((target) => {
        target.hash = target.search.slice(1)
        target.search = ''
      }),
    },
  }),
  fault({
    id: 'authorization/prompt-required',
    breaks: ['AUTH-40'],
    title: 'Refuses a request without prompt as login_required',
    collateral: { 'authorization/code': 'the request whose code AUTH-1 is about has no prompt' },
    response: {
      [route]: (response, { query }) => {
        const uri = query.get('redirect_uri')
        const asksPerson = String(response.headers.location).includes('/interaction/')
        if (query.has('prompt') || uri === null || !asksPerson) return response
        const target = new URL(uri)
        target.searchParams.set('error', 'login_required')
        target.searchParams.set('state', String(query.get('state')))
        return { ...response, status: 302, headers: { ...response.headers, location: target.href } }
      },
    },
  }),
]
