import { LRUCache } from 'lru-cache'
import type { ResponseFacts, Route, SeamResponse } from '../seams.js'
import { type Fault, fault, omit } from './fault.js'
import { errorRedirect, redirectTarget, toFragment } from './redirects.js'

const route = 'GET /auth'

type Change = (target: URL) => void

const withoutState: Change = ({ searchParams }) => searchParams.delete('state')
const withoutDescription: Change = ({ searchParams }) => searchParams.delete('error_description')

/** Changes state in the query of a redirect. */
function changedState(change: (state: string) => string): Change {
  return ({ searchParams }) => {
    const state = searchParams.get('state')
    if (state !== null) searchParams.set('state', change(state))
  }
}

const inAscii = changedState((state) => state.replace(/[^ -~]/g, '?'))
const cut = changedState((state) => state.slice(0, 255))

/** Whether an answer is that of the request itself: what leads on from the pages has no query. */
const isDirect = ({ query }: Pick<ResponseFacts, 'query'>) => query.has('client_id')

/** An error at the redirect URI that comes in another form. */
interface Malformed {
  slug: string
  places: readonly string[]
  title: string
  isMeant: (error: string | null, description: string | null, facts: Pick<ResponseFacts, 'query'>) => boolean
  change: Change
  collateral?: Fault['collateral']
}

const before =
  (error: string) => (given: string | null, _description: string | null, facts: Pick<ResponseFacts, 'query'>) =>
    given === error && isDirect(facts)

const told = (message: string) => (_error: string | null, description: string | null) => description === message

const malformed: readonly Malformed[] = [
  ...(
    [
      ['invalid_request', 'state', withoutState],
      ['invalid_scope', 'error_description', withoutDescription],
      ['registration_not_supported', 'state', withoutState],
      ['invalid_request_uri', 'state', withoutState],
      ['invalid_request_object', 'error_description', withoutDescription],
    ] as const
  ).map(([error, what, change]) => ({
    slug: `${error.replaceAll('_', '-')}-without-${what.replace('_', '-')}`,
    places: [`when=before-person error=${error}`],
    title: `Leaves ${what} out of ${error}`,
    isMeant: before(error),
    change,
  })),
  {
    slug: 'login-required-in-fragment',
    places: ['when=before-person error=login_required'],
    title: 'Sends login_required in the fragment',
    isMeant: before('login_required'),
    change: toFragment,
  },
  {
    slug: 'state-in-ascii',
    places: ['when=before-person value=encoded'],
    title: 'Replaces what is not ASCII in the state of errors that are told at once',
    isMeant: (error, _description, facts) => error !== null && isDirect(facts),
    change: inAscii,
  },
  {
    slug: 'state-cut',
    places: ['when=before-person value=long'],
    title: 'Cuts the state of errors to 255 characters',
    isMeant: (error, _description, facts) => error !== null && isDirect(facts),
    change: cut,
  },
  {
    slug: 'state-of-person-in-ascii',
    places: ['when=by-person value=encoded'],
    title: 'Replaces what is not ASCII in the state of errors that a person brings about',
    isMeant: (error, _description, facts) => error !== null && !isDirect(facts),
    change: inAscii,
  },
  {
    slug: 'declined-without-state',
    places: ['when=by-person error=sign-in'],
    title: 'Leaves state out where a person declines the authentication',
    isMeant: told('User declined the authentication'),
    change: withoutState,
  },
  {
    slug: 'consent-declined-without-state',
    places: ['when=by-person error=consent'],
    title: 'Leaves state out where a person declines consent',
    isMeant: told('User declined consent'),
    change: withoutState,
  },
  {
    slug: 'not-eligible-without-state',
    places: ['when=after-person error=not-eligible', 'when=after-person error=out-of-reach'],
    title: 'Leaves state out for a person who is not eligible',
    isMeant: told('User not eligible'),
    change: withoutState,
  },
  {
    slug: 'switched-off-without-state',
    places: ['when=after-person error=switched-off'],
    title: 'Leaves state out for a person who is switched off',
    isMeant: told('User disabled authentication'),
    change: withoutState,
  },
  {
    slug: 'consent-required-without-state',
    places: ['when=after-person error=consent_required'],
    title: 'Leaves state out of consent_required',
    isMeant: (error) => error === 'consent_required',
    change: withoutState,
  },
  {
    slug: 'redirect-uri-query-lost',
    places: ['member=query parameter=redirect_uri'],
    title: 'Leaves the query that a redirect URI was registered with out of errors',
    isMeant: (error) => error !== null,
    change: ({ searchParams }) => {
      const own = ['error', 'error_description', 'state', 'iss']
      for (const name of [...searchParams.keys()]) if (!own.includes(name)) searchParams.delete(name)
    },
  },
]

/** The page that a person saw last, by the interaction: what they leave is that page. */
const lastPages = () => new LRUCache<string, string>({ max: 10_000 })

/** The interaction that a browser is in, by its cookies. */
function interactionOf({ requestHeader }: Pick<ResponseFacts, 'requestHeader'>): string {
  return /_interaction(?:_resume)?=([\w-]+)/.exec(requestHeader('cookie') ?? '')?.[1] ?? ''
}

/** For `response`: changes the error of who leaves one page, told by the id of its form. */
export function whereLeft(page: string, change: (target: URL) => void) {
  return {
    'GET /interaction': (response: SeamResponse, facts: ResponseFacts, pages: LRUCache<string, string>) => {
      const [, id] = /<form[^>]* id="([\w-]+)"/.exec(String(response.body)) ?? []
      if (id !== undefined) pages.set(interactionOf(facts), id)
      return response
    },
    [route]: (response: SeamResponse, facts: ResponseFacts, pages: LRUCache<string, string>) =>
      pages.get(interactionOf(facts)) === page ? errorRedirect(change)(response) : response,
  }
}

/** What an error without a redirect lacks, by the route and the error. */
interface Bare {
  slug: string
  place: string
  route: Route
  lack: keyof typeof lacking
  collateral?: Fault['collateral']
  isMeant: (error: string, description: string) => boolean
}

const describedBy = (start: string) => (_error: string, description: string) => description.startsWith(start)
const coded = (code: string) => (error: string) => error === code

const bare: readonly Bare[] = [
  {
    slug: 'client-id',
    place: 'endpoint=auth error=client_id',
    route,
    lack: 'type',
    isMeant: describedBy('client_id is required'),
  },
  {
    slug: 'unauthorized-client',
    place: 'endpoint=auth error=unauthorized_client',
    route,
    lack: 'description',
    isMeant: coded('unauthorized_client'),
  },
  {
    slug: 'redirect-uri',
    place: 'endpoint=auth error=redirect_uri',
    route,
    lack: 'text',
    isMeant: describedBy('redirect_uri is required'),
  },
  {
    slug: 'unregistered-redirect-uri',
    place: 'endpoint=auth error=unregistered-redirect_uri',
    route,
    lack: 'type',
    isMeant: describedBy('redirect_uri is not registered'),
  },
  {
    slug: 'response-type',
    place: 'endpoint=auth error=response_type',
    route,
    lack: 'description',
    isMeant: describedBy('response_type is required'),
  },
  {
    slug: 'unsupported-response-type',
    place: 'endpoint=auth error=unsupported_response_type',
    route,
    lack: 'text',
    isMeant: coded('unsupported_response_type'),
  },
  {
    slug: 'method',
    place: 'endpoint=auth error=method',
    route: 'PUT /auth',
    lack: 'type',
    isMeant: coded('invalid_request'),
  },
  ...['unsupported_grant_type', 'invalid_grant', 'invalid_client', 'invalid_request'].map(
    (error): Bare => ({
      slug: `token-${error.replaceAll('_', '-')}`,
      place: `endpoint=token error=${error}`,
      route: 'POST /token',
      ...(error !== 'unsupported_grant_type' && {
        collateral: { 'token/refusal-form': 'TOK-17 asks the same of the errors of /token' },
      }),
      lack: 'type',
      isMeant: coded(error),
    }),
  ),
  ...['invalid_redirect_uri', 'invalid_client_metadata'].map(
    (error): Bare => ({
      slug: `register-${error.replaceAll('_', '-')}`,
      place: `endpoint=register error=${error}`,
      route: 'POST /register',
      lack: 'type',
      isMeant: coded(error),
    }),
  ),
]

type Lacking = (response: SeamResponse, error: Record<string, unknown>) => SeamResponse

const lacking = {
  type: (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/html; charset=utf-8' } }),
  description: (response, error) => ({ ...response, body: omit(error, 'error_description') }),
  text: (response, error) => ({ ...response, body: { ...error, error_description: [error.error_description] } }),
} as const satisfies Record<string, Lacking>

export const errorFormFaults: readonly Fault[] = [
  ...malformed.map(({ slug, places, title, isMeant, change, collateral }) =>
    fault({
      id: `errors/${slug}`,
      breaks: ['GEN-4'],
      places,
      title,
      ...(collateral && { collateral }),
      response: {
        [route]: (response, facts) => {
          const parameters = redirectTarget(response)?.searchParams
          const error = parameters?.get('error') ?? null
          const isToChange = error !== null && isMeant(error, parameters?.get('error_description') ?? null, facts)
          return isToChange ? errorRedirect(change)(response) : response
        },
      },
    }),
  ),
  ...(['second-factor', 'account'] as const).map((page) =>
    fault({
      id: `errors/${page}-without-state`,
      breaks: ['GEN-4'],
      places: [`when=by-person error=${page}`],
      title: `Leaves state out where a person leaves the page ${page}`,
      memory: lastPages,
      response: whereLeft(page, withoutState),
    }),
  ),
  fault({
    id: 'callback/account-left-otherwise',
    breaks: ['AUTH-41'],
    places: ['member=account'],
    title: 'Answers who leaves the choice of an account as account_selection_required',
    memory: lastPages,
    response: whereLeft('account', ({ searchParams }) => searchParams.set('error', 'account_selection_required')),
  }),
  ...bare.map(({ slug, place, route: at, lack, isMeant, collateral }) =>
    fault({
      id: `errors/${slug}-bare`,
      breaks: ['GEN-3'],
      places: [place],
      title: `Does not give the error of ${place.replace(/endpoint=(\S+) error=(\S+)/, '$2 at /$1')} the form of errors`,
      ...(collateral && { collateral }),
      response: {
        [at]: (response: SeamResponse) => {
          const { status, body } = response
          if (status < 400 || typeof body !== 'object' || body === null) return response
          const error: Record<string, unknown> = { ...body }
          return isMeant(String(error.error), String(error.error_description))
            ? lacking[lack](response, error)
            : response
        },
      },
    }),
  ),
]
