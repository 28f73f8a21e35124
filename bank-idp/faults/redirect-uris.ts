import { LRUCache } from 'lru-cache'
import { notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { type Deviation, type Fault, fault } from './fault.js'

const route = 'GET /auth'

/** A way to compare redirect_uri that lets more pass than what equals a registered one. */
interface Comparison {
  slug: string
  place: string
  title: string
  takes: (given: string, registered: string) => boolean
  collateral?: Fault['collateral']
}

/** Whether two addresses are the same once both were changed. */
function sameBut(change: (uri: URL) => void) {
  return (given: string, registered: string): boolean => {
    if (!URL.canParse(given)) return false
    const [one, other] = [new URL(given), new URL(registered)]
    change(one)
    change(other)
    return one.href === other.href
  }
}

const withoutQuery = (uri: string) => uri.replace(/\?.*/, '')
const sortedQuery = (uri: URL) => uri.searchParams.sort()
const hostOf = (uri: string) => (URL.canParse(uri) ? new URL(uri).hostname : '')

/** Same path, same scheme: which hosts are taken for the registered one. */
function byHost(takes: (given: string, registered: string) => boolean) {
  return (given: string, registered: string): boolean =>
    URL.canParse(given) &&
    new URL(given).pathname === new URL(registered).pathname &&
    hostOf(given) !== hostOf(registered) &&
    takes(hostOf(given), hostOf(registered))
}

const comparisons: readonly Comparison[] = [
  {
    slug: 'by-folder',
    place: 'member=path value=wrong',
    title: 'Takes a redirect_uri in the same folder as the registered one',
    takes: sameBut((uri) => {
      uri.pathname = uri.pathname.replace(/[^/]*$/, '')
    }),
  },
  {
    slug: 'by-prefix',
    place: 'member=path value=superset',
    title: 'Takes a redirect_uri whose path goes on where the registered one ends',
    takes: (given, registered) => given.startsWith(registered) && /^[^?#/]/.test(given.slice(registered.length)),
  },
  {
    slug: 'cut-short',
    place: 'member=path value=prefix',
    title: 'Takes a redirect_uri with which the registered one begins',
    takes: (given, registered) => given.startsWith('https:') && registered.startsWith(given),
    collateral: { 'registration/change-holds': 'the address of before begins the one that replaced it' },
  },
  {
    slug: 'whatever-case',
    place: 'member=path value=upper-case',
    title: 'Compares the path of redirect_uri without regard to case',
    takes: sameBut((uri) => {
      uri.pathname = uri.pathname.toLowerCase()
    }),
  },
  {
    slug: 'decoded',
    place: 'member=path value=encoded',
    title: 'Decodes redirect_uri before it compares',
    takes: (given, registered) => given.includes('%') && decodeURIComponent(given) === registered,
  },
  {
    slug: 'trailing-slash',
    place: 'member=trailing-slash',
    title: 'Takes a redirect_uri with a trailing slash for the same without',
    takes: (given, registered) => given === `${registered}/`,
  },
  {
    slug: 'dots-resolved',
    place: 'member=dot-segments',
    title: 'Resolves dot segments of redirect_uri before it compares',
    takes: (given, registered) => given.includes('/../') && sameBut(() => {})(given, registered),
  },
  {
    slug: 'fragment-dropped',
    place: 'member=fragment',
    title: 'Leaves the fragment of redirect_uri out of the comparison',
    takes: (given, registered) => given.startsWith(`${registered}#`),
  },
  {
    slug: 'any-port',
    place: 'member=port',
    title: 'Leaves the port of redirect_uri out of the comparison',
    takes: sameBut((uri) => {
      uri.port = ''
    }),
  },
  {
    slug: 'any-scheme',
    place: 'member=scheme',
    title: 'Takes a redirect_uri of http for the one of https',
    takes: (given, registered) => given.replace(/^http:/, 'https:') === registered,
  },
  {
    slug: 'user-dropped',
    place: 'member=userinfo',
    title: 'Leaves user information in redirect_uri out of the comparison',
    takes: sameBut((uri) => {
      uri.username = ''
    }),
  },
  {
    slug: 'any-host',
    place: 'member=host value=wrong',
    title: 'Compares the path of redirect_uri alone',
    takes: byHost(() => true),
  },
  {
    slug: 'host-by-prefix',
    place: 'member=host value=superset',
    title: 'Takes a redirect_uri whose host begins as the registered one',
    takes: byHost((given, registered) => given.startsWith(registered)),
  },
  {
    slug: 'host-by-suffix',
    place: 'member=host value=suffix',
    title: 'Takes a redirect_uri whose host ends as the registered one',
    takes: byHost((given, registered) => given.endsWith(registered)),
  },
  {
    slug: 'host-whatever-case',
    place: 'member=host value=upper-case',
    title: 'Compares the host of redirect_uri without regard to case',
    takes: (given, registered) => /^https:\/\/[^a-z]+\//.test(given) && sameBut(() => {})(given, registered),
  },
  {
    slug: 'query-added',
    place: 'member=query value=superset',
    title: 'Takes a redirect_uri with a query for the registered one without',
    takes: (given, registered) => given.startsWith(`${registered}?`),
  },
  {
    slug: 'query-left-out',
    place: 'member=query value=missing',
    title: 'Takes a redirect_uri without the query that it was registered with',
    takes: (given, registered) => registered.startsWith(`${given}?`),
  },
  {
    slug: 'any-query',
    place: 'member=query value=wrong',
    title: 'Leaves the values in the query of redirect_uri out of the comparison',
    takes: (given, registered) =>
      given.includes('?') && registered.includes('?') && withoutQuery(given) === withoutQuery(registered),
  },
  {
    slug: 'query-reordered',
    place: 'member=query value=reordered',
    title: 'Compares the query of redirect_uri whatever its order',
    takes: (given, registered) => given.includes('?') && sameBut(sortedQuery)(given, registered),
  },
]

/** For `request`: puts the registered address in place of one that is taken for it. */
function takenFor(
  meant: (given: string, own: readonly string[], records: Records) => string | undefined,
): NonNullable<Deviation<Records>['request']> {
  return {
    [route](parameters, _bank, records) {
      const given = parameters.get('redirect_uri')
      const own = records.get(parameters.get('client_id') ?? '')?.redirect_uris ?? []
      if (given === null || own.includes(given)) return
      const registered = meant(given, own, records)
      if (registered !== undefined) parameters.set('redirect_uri', registered)
    },
  }
}

/** A mistake beside an unregistered redirect_uri that the bank tells to that address. */
interface Told {
  error: string
  isMade: (query: URLSearchParams) => boolean
}

const told: readonly Told[] = [
  { error: 'invalid_scope', isMade: (query) => !query.get('scope')?.split(' ').includes('openid') },
  { error: 'invalid_request', isMade: (query) => !query.has('nonce') },
  { error: 'login_required', isMade: (query) => query.get('prompt') === 'none' },
  { error: 'unsupported_response_type', isMade: (query) => !/^(code|token)$/.test(query.get('response_type') ?? '') },
  { error: 'registration_not_supported', isMade: (query) => query.has('registration') },
]

export const redirectUriFaults: readonly Fault[] = [
  ...comparisons.map(({ slug, place, title, takes, collateral }) =>
    fault({
      id: `authorization/redirect-uri-${slug}`,
      breaks: ['AUTH-3'],
      places: [place],
      title,
      ...(collateral && { collateral }),
      memory: recordsOfClients,
      response: notedRecords,
      request: takenFor((given, own) => own.find((registered) => takes(given, registered))),
    }),
  ),
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
  ...told.map(({ error, isMade }) =>
    fault({
      id: `authorization/open-redirector-of-${error.replaceAll('_', '-')}`,
      breaks: ['AUTH-3'],
      places: [`error=${error}`],
      title: `Redirects ${error} to the redirect_uri of the request, before it looks whether that is registered`,
      response: {
        [route]: (response, { query }) => {
          const { body } = response
          const isUnregistered = JSON.stringify(body).includes('redirect_uri is not registered')
          if (!isUnregistered || !isMade(query)) return response
          const target = new URL(String(query.get('redirect_uri')))
          target.searchParams.set('error', error)
          target.searchParams.set('error_description', 'the request is not served')
          target.searchParams.set('state', query.get('state') ?? '')
          const { 'content-type': _, ...headers } = response.headers
          return { status: 302, headers: { ...headers, location: target.href }, body: '' }
        },
      },
    }),
  ),
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
    memory: () => new LRUCache<string, true>({ max: 10_000 }),
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
