import { Latest } from '../latest.js'
import type { ResponseFacts } from '../seams.js'
import { notedRecords, recordsOfClients } from './client-memory.js'
import { type Fault, fault } from './fault.js'
import { type FaultRow, faultsOf } from './fault-table.js'
import { errorRedirect, isDirect, redirectTarget, toFragment } from './redirects.js'

const route = 'GET /auth'

type Change = (target: URL, facts: Pick<ResponseFacts, 'query'>) => void

const withoutState: Change = ({ searchParams }) => searchParams.delete('state')
const withoutDescription: Change = ({ searchParams }) => searchParams.delete('error_description')

/** Leaves out what the redirect URI has of its own. */
const withoutOwnQuery: Change = ({ searchParams }) => {
  const added = ['error', 'error_description', 'state', 'iss']
  for (const name of [...searchParams.keys()]) if (!added.includes(name)) searchParams.delete(name)
}

/** Changes error_description in the query of a redirect. */
function described(change: (description: string | null) => string): Change {
  return ({ searchParams }) => searchParams.set('error_description', change(searchParams.get('error_description')))
}

/** Changes state in the query of a redirect. */
function changedState(change: (state: string) => string): Change {
  return ({ searchParams }) => {
    const state = searchParams.get('state')
    if (state !== null) searchParams.set('state', change(state))
  }
}

const inAscii = changedState((state) => state.replace(/[^ -~]/g, '?'))
const cut = changedState((state) => state.slice(0, 255))

/** An error at the redirect URI that comes in another form. */
interface Malformed extends FaultRow {
  isMeant: (error: string | null, description: string | null, facts: Pick<ResponseFacts, 'query'>) => boolean
  change: Change
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
    id: `errors/${error.replaceAll('_', '-')}-without-${what.replace('_', '-')}`,
    requirement: 'GEN-4',
    places: [`when=before-person error=${error}`],
    title: `Leaves ${what} out of ${error}`,
    isMeant: before(error),
    change,
  })),
  {
    id: 'errors/login-required-in-fragment',
    requirement: 'GEN-4',
    places: ['when=before-person error=login_required'],
    title: 'Sends login_required in the fragment',
    isMeant: before('login_required'),
    change: toFragment,
  },
  {
    id: 'errors/without-state-beside-sep-id',
    requirement: 'GEN-10',
    places: ['when=before-person member=state'],
    title: 'Leaves state out of the errors that a request with sep_id is told at once',
    collateral: Object.fromEntries(
      ['interaction-required', 'login-required', 'redirect-uri-query', 'request-uri', 'state'].map((rule) => [
        `errors/${rule}`,
        'it asks with sep_id in another dress',
      ]),
    ),
    isMeant: (error, _description, { query }) => error !== null && query.has('sep_id'),
    change: withoutState,
  },
  {
    id: 'errors/description-with-quotes',
    requirement: 'GEN-4',
    places: ['when=before-person parameter=error_description'],
    title: 'Puts the description of errors that are told at once in quotation marks',
    isMeant: (error, _description, facts) => error !== null && isDirect(facts),
    change: described((description) => `"${description}"`),
  },
  {
    id: 'errors/description-beyond-ascii',
    requirement: 'GEN-4',
    places: ['when=after-person parameter=error_description'],
    title: 'Describes in Czech that a login is required',
    isMeant: (error) => error === 'login_required',
    change: described(() => 'je třeba se přihlásit'),
  },
  {
    id: 'errors/state-in-ascii',
    requirement: 'GEN-4',
    places: ['when=before-person value=encoded'],
    title: 'Replaces what is not ASCII in the state of errors that are told at once',
    isMeant: (error, _description, facts) => error !== null && isDirect(facts),
    change: inAscii,
  },
  {
    id: 'errors/state-cut',
    requirement: 'GEN-4',
    places: ['when=before-person value=long'],
    title: 'Cuts the state of errors to 255 characters',
    isMeant: (error, _description, facts) => error !== null && isDirect(facts),
    change: cut,
  },
  {
    id: 'errors/state-of-person-in-ascii',
    requirement: 'GEN-4',
    places: ['when=by-person value=encoded'],
    title: 'Replaces what is not ASCII in the state of errors that a person brings about',
    isMeant: (error, _description, facts) => error !== null && !isDirect(facts),
    change: inAscii,
  },
  {
    id: 'errors/state-of-person-cut',
    requirement: 'GEN-4',
    places: ['when=by-person value=long'],
    title: 'Cuts the state of errors that a person brings about to 255 characters',
    isMeant: (error, _description, facts) => error !== null && !isDirect(facts),
    change: cut,
  },
  {
    id: 'errors/declined-without-state',
    requirement: 'GEN-4',
    places: ['when=by-person error=sign-in'],
    title: 'Leaves state out where a person declines the authentication',
    isMeant: told('User declined the authentication'),
    change: withoutState,
  },
  {
    id: 'errors/consent-declined-without-state',
    requirement: 'GEN-4',
    places: ['when=by-person error=consent'],
    title: 'Leaves state out where a person declines consent',
    isMeant: told('User declined consent'),
    change: withoutState,
  },
  {
    id: 'errors/not-eligible-without-state',
    requirement: 'GEN-4',
    places: ['when=after-person error=not-eligible', 'when=after-person error=out-of-reach'],
    title: 'Leaves state out for a person who is not eligible',
    isMeant: told('User not eligible'),
    change: withoutState,
  },
  {
    id: 'errors/switched-off-without-state',
    requirement: 'GEN-4',
    places: ['when=after-person error=switched-off'],
    title: 'Leaves state out for a person who is switched off',
    isMeant: told('User disabled authentication'),
    change: withoutState,
  },
  {
    id: 'errors/consent-required-without-state',
    requirement: 'GEN-4',
    places: ['when=after-person error=consent_required'],
    title: 'Leaves state out of consent_required',
    isMeant: (error) => error === 'consent_required',
    change: withoutState,
  },
  {
    id: 'errors/login-required-of-session-without-state',
    requirement: 'GEN-4',
    places: ['when=after-person error=login_required'],
    title: 'Leaves state out of login_required where the session is too old',
    isMeant: (error, _description, { query }) => error === 'login_required' && query.has('max_age'),
    change: withoutState,
  },
  ...['interaction_required', 'account_selection_required'].map((code) => ({
    id: `errors/${code.replaceAll('_', '-')}-without-state`,
    requirement: 'GEN-4',
    places: [`when=after-person error=${code}`],
    title: `Leaves state out of ${code}`,
    isMeant: (error: string | null) => error === code,
    change: withoutState,
  })),
  {
    id: 'errors/redirect-uri-query-lost',
    requirement: 'GEN-4',
    places: ['member=query parameter=redirect_uri'],
    title: 'Leaves the query that a redirect URI was registered with out of errors',
    isMeant: (error) => error !== null,
    change: withoutOwnQuery,
  },
  {
    id: 'errors/redirect-uri-query-lost-at-login-required',
    requirement: 'GEN-4',
    places: ['member=query parameter=redirect_uri error=login_required'],
    title: 'Leaves the query that a redirect URI was registered with out of login_required',
    isMeant: (error) => error === 'login_required',
    change: withoutOwnQuery,
  },
  ...(
    [
      ['sign-in', 'User declined the authentication'],
      ['consent', 'User declined consent'],
    ] as const
  ).map(([page, message]) => ({
    id: `errors/redirect-uri-query-lost-at-${page}`,
    requirement: 'GEN-4',
    places: [`when=by-person member=query parameter=redirect_uri error=${page}`],
    title: `Leaves the query that a redirect URI was registered with out of the error by which the page ${page} is declined`,
    isMeant: told(message),
    change: withoutOwnQuery,
  })),
  {
    id: 'errors/state-beside-request-object',
    requirement: 'GEN-4',
    places: ['token=request-object parameter=state'],
    title: 'Brings the state of the query back with an error, where a request object has one of its own',
    isMeant: (error, _description, { query }) => error !== null && query.has('request_uri'),
    change: ({ searchParams }, { query }) => searchParams.set('state', query.get('state') ?? ''),
  },
  {
    id: 'errors/code-too',
    requirement: 'GEN-4',
    places: ['member=code'],
    title: 'Puts a code beside an error that is told at once',
    isMeant: (error, _description, facts) => error !== null && isDirect(facts),
    change: ({ searchParams }) => searchParams.set('code', '-'),
  },
]

export const errorFormFaults: readonly Fault[] = [
  ...faultsOf(malformed, ({ isMeant, change }) => ({
    response: {
      [route]: (response, facts) => {
        const parameters = redirectTarget(response)?.searchParams
        const error = parameters?.get('error') ?? null
        const isToChange = error !== null && isMeant(error, parameters?.get('error_description') ?? null, facts)
        return isToChange ? errorRedirect((target) => change(target, facts))(response) : response
      },
    },
  })),
  fault({
    id: 'errors/declined-of-implicit-in-fragment',
    breaks: ['GEN-4'],
    places: ['sign-in', 'consent'].map((error) => `grant=implicit when=by-person error=${error}`),
    title: 'Sends what a person declines in the fragment where the request was for a token',
    /** The states of such requests. */
    memory: () => new Latest<true>(10_000),
    request: {
      [route](parameters, _bank, states) {
        if (parameters.get('response_type') === 'token') states.set(String(parameters.get('state')), true)
      },
    },
    response: {
      [route]: (response, facts, states) => {
        const asked = redirectTarget(response)?.searchParams.get('state')
        return isDirect(facts) || !states.has(String(asked)) ? response : errorRedirect(toFragment)(response)
      },
    },
  }),
  fault({
    id: 'errors/declined-at-first-redirect-uri',
    breaks: ['GEN-4'],
    places: ['when=by-person parameter=redirect_uri value=second'],
    title: 'Sends what a person brings about to the first of two registered redirect URIs',
    response: {
      [route]: (response, facts) => {
        const error = redirectTarget(response)?.searchParams.get('error')
        if (error === null || error === undefined || isDirect(facts)) return response
        return errorRedirect((target) => {
          target.pathname = target.pathname.replace(/\/second$/, '')
        })(response)
      },
    },
  }),
  fault({
    id: 'errors/consent-declined-at-first-redirect-uri',
    breaks: ['GEN-4'],
    places: ['when=by-person parameter=redirect_uri error=consent value=second'],
    title: 'Tells that consent was declined at the first of two registered redirect URIs',
    response: {
      [route]: errorRedirect((target) => {
        if (target.searchParams.get('error_description') !== 'User declined consent') return
        target.pathname = target.pathname.replace(/\/second$/, '')
      }),
    },
  }),
  ...['first', 'second'].map((value, at) =>
    fault({
      id: `errors/of-${value}-redirect-uri-elsewhere`,
      breaks: ['GEN-4'],
      places: [`parameter=redirect_uri value=${value}`],
      title: `Sends errors to the other of two registered redirect URIs, where the request names the ${value}`,
      memory: recordsOfClients,
      response: {
        ...notedRecords,
        [route]: (response, { query }, records) => {
          const own = records.get(query.get('client_id') ?? '')?.redirect_uris ?? []
          if (own.length < 2 || query.get('redirect_uri') !== own[at]) return response
          return errorRedirect((target) => {
            target.pathname = new URL(String(own[1 - at])).pathname
          })(response)
        },
      },
    }),
  ),
]
