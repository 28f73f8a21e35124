import { Latest } from '../latest.js'
import type { ResponseFacts } from '../seams.js'
import { notedRecords, recordsOfClients } from './client-memory.js'
import { type Fault, fault } from './fault.js'
import { takenFor } from './redirect-uri-comparisons.js'
import { isSignedIn, openRedirect } from './redirects.js'

const route = 'GET /auth'

/** A mistake beside an unregistered redirect_uri that the bank tells to that address. */
interface Told {
  error: string
  isMade: (query: URLSearchParams) => boolean
}

/** A request in which the bank tells an unregistered redirect_uri to that address. */
interface ToldWhere {
  slug: string
  places: readonly string[]
  title: string
  error: string
  isMeant: (facts: ResponseFacts) => boolean
}

const told: readonly Told[] = [
  { error: 'invalid_scope', isMade: (query) => !query.get('scope')?.split(' ').includes('openid') },
  { error: 'invalid_request', isMade: (query) => !query.has('nonce') },
  { error: 'login_required', isMade: (query) => query.get('prompt') === 'none' },
  { error: 'unsupported_response_type', isMade: (query) => !/^(code|token)$/.test(query.get('response_type') ?? '') },
  { error: 'registration_not_supported', isMade: (query) => query.has('registration') },
  { error: 'invalid_request_uri', isMade: (query) => query.has('request_uri') },
  { error: 'invalid_request_object', isMade: (query) => query.has('request_uri') },
]

const toldWhere: readonly ToldWhere[] = [
  {
    slug: 'implicit',
    places: ['grant=implicit'],
    title: 'Redirects the error about redirect_uri to the redirect_uri of the request in the implicit flow',
    error: 'invalid_request',
    isMeant: ({ query }) => query.get('response_type') === 'token',
  },
  {
    slug: 'session',
    places: ['use=session-login'],
    title: 'Redirects the error about redirect_uri to the redirect_uri of the request within a session',
    error: 'invalid_request',
    isMeant: (facts) => isSignedIn(facts) && !facts.query.has('prompt'),
  },
  {
    slug: 'session-silently',
    places: ['use=session-login parameter=prompt'],
    title: 'Redirects that consent is required to the redirect_uri of the request within a session, whosever that is',
    error: 'consent_required',
    isMeant: (facts) => isSignedIn(facts) && facts.query.get('prompt') === 'none',
  },
]

const aboutRedirectUri = ({ error_description }: Record<string, unknown>) =>
  String(error_description).startsWith('redirect_uri is not registered')

export const redirectUriFaults: readonly Fault[] = [
  fault({
    id: 'authorization/redirect-uri-of-anyone',
    breaks: ['AUTH-3'],
    places: ['use=second-client'],
    title: 'Takes a redirect_uri that any client registered',
    memory: recordsOfClients,
    response: notedRecords,
    request: takenFor((given, own, records) =>
      [...records.values()].some(({ redirect_uris = [] }) => redirect_uris.includes(given)) ? own[0] : undefined,
    ),
  }),
  fault({
    id: 'authorization/redirect-uri-of-parts',
    breaks: ['AUTH-3'],
    places: ['host', 'path'].map((member) => `member=${member} value=second`),
    title: 'Looks for the host and for the path of a redirect_uri among the registered ones, each by itself',
    memory: recordsOfClients,
    response: notedRecords,
    request: takenFor((given, own) => {
      if (!URL.canParse(given)) return undefined
      const { origin, pathname } = new URL(given)
      const registered = own.map((uri) => new URL(uri))
      const ofHost = registered.filter((uri) => uri.origin === origin)
      const ofPath = registered.filter((uri) => uri.pathname === pathname)
      const isJoined = ofHost.length > 0 && ofPath.length > 0 && !ofHost.some((uri) => ofPath.includes(uri))
      return isJoined && given === origin + pathname ? own[0] : undefined
    }),
  }),
  ...told.map(({ error, isMade }) =>
    fault({
      id: `authorization/open-redirector-of-${error.replaceAll('_', '-')}`,
      breaks: ['AUTH-3'],
      places: [`error=${error}`],
      title: `Redirects ${error} to the redirect_uri of the request, before it looks whether that is registered`,
      response: openRedirect(error, (body, { query }) => aboutRedirectUri(body) && isMade(query)),
    }),
  ),
  ...toldWhere.map(({ slug, places, title, error, isMeant }) =>
    fault({
      id: `authorization/open-redirector-of-${slug}`,
      breaks: ['AUTH-3'],
      places,
      title,
      response: openRedirect(error, (body, facts) => aboutRedirectUri(body) && isMeant(facts)),
    }),
  ),
  fault({
    id: 'authorization/open-redirector-of-unauthorized-client',
    breaks: ['AUTH-3'],
    places: ['error=unauthorized_client'],
    title: 'Redirects the error of an unknown client to the redirect_uri of the request, whosever that is',
    response: openRedirect('unauthorized_client', ({ error }) => error === 'unauthorized_client'),
  }),
  fault({
    id: 'authorization/open-redirector-of-no-client',
    breaks: ['AUTH-3'],
    places: ['parameter=client_id value=missing'],
    title: 'Redirects the error of a request without client_id to its redirect_uri, whosever that is',
    response: openRedirect('invalid_request', ({ error_description }) => error_description === 'client_id is required'),
  }),
  fault({
    id: 'authorization/redirect-uri-first-by-default',
    breaks: ['AUTH-2'],
    places: ['member=several-registered value=missing'],
    title: 'Takes the first of several registered redirect URIs where the request names none',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records) {
        const own = records.get(parameters.get('client_id') ?? '')?.redirect_uris ?? []
        if (!parameters.has('redirect_uri') && own.length > 1) parameters.set('redirect_uri', String(own[0]))
      },
    },
  }),
  fault({
    id: 'authorization/redirect-uri-by-default',
    breaks: ['AUTH-2'],
    places: ['value=missing', 'value=empty'],
    title: 'Takes the only registered redirect URI where the request names none, or an empty one',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records) {
        const own = records.get(parameters.get('client_id') ?? '')?.redirect_uris ?? []
        if (!parameters.get('redirect_uri') && own.length === 1) parameters.set('redirect_uri', String(own[0]))
      },
    },
  }),
  fault({
    id: 'authorization/redirect-uri-by-default-silently',
    breaks: ['AUTH-2'],
    places: ['parameter=prompt value=missing'],
    title: 'Takes the only registered redirect URI where a request with prompt=none names none',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records) {
        const [own] = records.get(parameters.get('client_id') ?? '')?.redirect_uris ?? []
        if (own !== undefined && parameters.get('prompt') === 'none' && !parameters.has('redirect_uri'))
          parameters.set('redirect_uri', own)
      },
    },
  }),
  fault({
    id: 'authorization/redirect-uris-split-at-commas',
    breaks: ['AUTH-1'],
    places: ['member=query parameter=redirect_uri', 'use=session-login member=query parameter=redirect_uri'],
    title: 'Splits redirect URIs at commas, so that one with a comma in its query is none that was registered',
    request: {
      'GET /auth'(parameters) {
        if (parameters.get('redirect_uri')?.includes(','))
          parameters.set('redirect_uri', 'https://unregistered.example.com/')
      },
    },
  }),
  fault({
    id: 'authorization/client-id-pattern',
    breaks: ['AUTH-5'],
    places: ['member=pattern'],
    title: 'Looks for client_id as for a pattern of SQL',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records) {
        if (parameters.get('client_id') !== '%') return
        const address = parameters.get('redirect_uri') ?? ''
        const found = [...records].find(([, { redirect_uris = [] }]) => redirect_uris.includes(address))
        if (found) parameters.set('client_id', found[0])
      },
    },
  }),
  fault({
    id: 'authorization/second-redirect-uri-refused',
    breaks: ['AUTH-1'],
    places: ['parameter=redirect_uri value=second'],
    title: 'Knows the first of several registered redirect URIs alone',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records) {
        const [first, ...others] = records.get(parameters.get('client_id') ?? '')?.redirect_uris ?? []
        const given = parameters.get('redirect_uri')
        if (given !== null && given !== first && others.includes(given)) parameters.append('redirect_uri', given)
      },
    },
  }),
  fault({
    id: 'authorization/second-redirect-uri-answered-at-first',
    breaks: ['AUTH-1'],
    places: ['parameter=redirect_uri value=second'],
    title: 'Sends the code to the first of several registered redirect URIs',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records) {
        const own = records.get(parameters.get('client_id') ?? '')?.redirect_uris ?? []
        if (own.includes(parameters.get('redirect_uri') ?? '')) parameters.set('redirect_uri', String(own[0]))
      },
    },
  }),
  fault({
    id: 'authorization/deleted-client-otherwise',
    breaks: ['AUTH-5'],
    places: ['method=DELETE'],
    title: 'Answers a client that was deleted as one whose request is invalid',
    memory: () => new Latest<true>(10_000),
    clients: {
      async remove(clientId, { store }, deleted) {
        deleted.set(clientId, true)
        await store.remove(clientId)
      },
    },
    response: {
      [route]: (response, { query }, deleted) =>
        deleted.has(query.get('client_id') ?? '') && typeof response.body === 'object'
          ? { ...response, body: { ...response.body, error: 'invalid_request' } }
          : response,
    },
  }),
]
