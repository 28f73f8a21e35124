import { Latest } from '../latest.js'
import { type Fault, fault } from './fault.js'
import { codeRedirect, errorRedirect } from './redirects.js'

/** For `requestObject`: cuts a slash or a query off the end of a redirect URI. */
function trimmed(uri: string): string {
  return uri.replace(/(\/|\?more=1)$/, '')
}

/** What takes the place of a redirect_uri, where a client registered the second one. */
const redirectUris: readonly {
  slug: string
  place: string
  title: string
  repair(given: string | undefined, registered: string, ofAll: readonly string[]): string | undefined
}[] = [
  {
    slug: 'redirect-uri-left-out',
    place: 'value=missing',
    title: 'Takes the registered redirect URI where none is given',
    repair: (given, registered) => given ?? registered,
  },
  {
    slug: 'redirect-uri-of-any-host',
    place: 'value=wrong',
    title: 'Takes the registered redirect URI where another host is given',
    repair: (given, registered) =>
      given !== undefined && new URL(given).host !== new URL(registered).host ? registered : given,
  },
  {
    slug: 'redirect-uri-by-beginning',
    place: 'value=prefix',
    title: 'Takes the beginning of a registered redirect URI for the whole',
    repair: (given, registered) => (given && registered.startsWith(given) ? registered : given),
  },
  {
    slug: 'redirect-uri-in-any-case',
    place: 'value=upper-case',
    title: 'Compares redirect URIs without regard to case',
    repair: (given, registered) => (given?.toLowerCase() === registered.toLowerCase() ? registered : given),
  },
  {
    slug: 'redirect-uri-decoded',
    place: 'value=encoded',
    title: 'Compares redirect URIs once they are decoded',
    repair: (given, registered) => (given && decodeURIComponent(given) === registered ? registered : given),
  },
  {
    slug: 'redirect-uri-of-any-client',
    place: 'caller=other-client',
    title: 'Takes a redirect URI that any client registered',
    repair: (given, registered, ofAll) => (given && ofAll.includes(given) ? registered : given),
  },
]

/** What /authorize takes for a redirect URI that a client registered. */
const queries: readonly { value: string; title: string; isTaken(given: string, registered: string): boolean }[] = [
  {
    value: 'superset',
    title: 'Takes a redirect URI with another query at /authorize',
    isTaken: (given, registered) => given.startsWith(`${registered}?`),
  },
  {
    value: 'prefix',
    title: 'Takes the beginning of a redirect URI at /authorize',
    isTaken: (given, registered) => registered.startsWith(given) && new URL(given).pathname !== '/',
  },
  {
    value: 'upper-case',
    title: 'Takes a redirect URI in any case at /authorize',
    isTaken: (given, registered) => given.toLowerCase() === registered.toLowerCase(),
  },
  {
    value: 'encoded',
    title: 'Takes a redirect URI of encoded letters at /authorize',
    isTaken: (given, registered) => given.includes('%') && decodeURIComponent(given) === registered,
  },
]

export const signingRedirectUriFaults: readonly Fault[] = [
  ...redirectUris.map(({ slug, place, title, repair }) =>
    fault({
      id: `signing/${slug}`,
      breaks: ['SIGN-45'],
      places: [place],
      title,
      /** The first redirect URI of each client. */
      memory: () => new Latest<string>(10_000),
      response: {
        'POST /register'(response, _bank, registered) {
          const { client_id, redirect_uris } = response.body as { client_id?: string; redirect_uris?: string[] }
          if (client_id && redirect_uris?.[0] !== undefined) registered.set(client_id, redirect_uris[0])
          return response
        },
      },
      requestObject({ claims }, _bank, registered) {
        const right = registered.get(String(claims.client_id))
        const given = typeof claims.redirect_uri === 'string' ? claims.redirect_uri : undefined
        if (right !== undefined) claims.redirect_uri = repair(given, right, [...registered.values()])
      },
      request: {
        // What the request object says is enough.
        'GET /authorize': (parameters) => parameters.delete('redirect_uri'),
      },
    }),
  ),
  ...queries.map(({ value, title, isTaken }) =>
    fault({
      id: `signing/redirect-uri-of-query-by-${value}`,
      breaks: ['SIGN-45'],
      places: [`endpoint=authorize parameter=redirect_uri value=${value}`],
      title,
      memory: () => new Latest<true>(10_000),
      response: {
        'POST /register'(response, _bank, registered) {
          for (const uri of [Object(response.body).redirect_uris ?? []].flat()) registered.set(String(uri), true)
          return response
        },
      },
      request: {
        'GET /authorize'(parameters, _bank, registered) {
          const given = parameters.get('redirect_uri') ?? ''
          if (!URL.canParse(given) || registered.has(given)) return
          const [meant] = [...registered.keys()]
            .filter((one) => isTaken(given, one))
            .toSorted((one, other) => one.length - other.length)
          if (meant !== undefined) parameters.set('redirect_uri', meant)
        },
      },
    }),
  ),
  fault({
    id: 'signing/redirect-uri-of-query-unread',
    breaks: ['SIGN-45'],
    places: ['endpoint=authorize parameter=redirect_uri'],
    title: 'Does not look at the redirect_uri of /authorize',
    request: { 'GET /authorize': (parameters) => parameters.delete('redirect_uri') },
  }),
  fault({
    id: 'signing/redirect-uri-of-query-alone',
    breaks: ['SIGN-45'],
    places: ['endpoint=ros member=redirect_uri'],
    title: 'Does not look at the redirect_uri of a request object, but at that of /authorize',
    requestObject({ claims }) {
      delete claims.redirect_uri
    },
  }),
  fault({
    id: 'signing/redirect-uri-without-fragment',
    breaks: ['SIGN-45'],
    places: ['endpoint=ros member=redirect_uri value=superset'],
    title: 'Drops the fragment of the redirect URI of a request object',
    requestObject({ claims }) {
      if (typeof claims.redirect_uri === 'string') claims.redirect_uri = claims.redirect_uri.replace(/#.*/, '')
    },
  }),
  fault({
    id: 'signing/redirect-uri-of-object-in-capitals',
    breaks: ['SIGN-45'],
    places: ['endpoint=ros member=redirect_uri value=upper-case'],
    title: 'Does not mind the case of scheme and host of the redirect URI of a request object',
    requestObject({ claims }) {
      const { redirect_uri: uri } = claims
      if (typeof uri === 'string')
        claims.redirect_uri = uri.replace(/^https:..[^/]+/i, (origin) => origin.toLowerCase())
    },
  }),
  fault({
    id: 'signing/redirect-uri-in-a-list',
    breaks: ['SIGN-45'],
    places: ['endpoint=ros member=redirect_uri value=other-type'],
    title: 'Takes the first of a list for the redirect URI of a request object',
    requestObject({ claims }) {
      if (Array.isArray(claims.redirect_uri)) claims.redirect_uri = claims.redirect_uri[0]
    },
  }),
  fault({
    id: 'signing/redirect-uri-almost',
    breaks: ['SIGN-45'],
    places: ['value=suffix', 'value=superset'],
    title: 'Takes a redirect URI with a slash or a query more than the registered one',
    requestObject({ claims }) {
      if (typeof claims.redirect_uri === 'string') claims.redirect_uri = trimmed(claims.redirect_uri)
    },
    request: {
      'GET /authorize'(parameters) {
        const uri = parameters.get('redirect_uri')
        if (uri !== null) parameters.set('redirect_uri', trimmed(uri))
      },
    },
  }),
  fault({
    id: 'signing/state-as-form',
    breaks: ['SIGN-32'],
    places: ['parameter=state value=encoded'],
    title: 'Decodes the state of a request object once more than it was encoded',
    requestObject({ claims }) {
      claims.state = String(claims.state).replaceAll('+', ' ').replaceAll('%2B', '+')
    },
  }),
  fault({
    id: 'signing/long-state-cut',
    breaks: ['SIGN-32'],
    places: ['parameter=state value=long'],
    title: 'Cuts the state of a request object at 255 characters',
    requestObject({ claims }) {
      claims.state = String(claims.state).slice(0, 255)
    },
  }),
  fault({
    id: 'signing/long-state-of-refusal-cut',
    breaks: ['SIGN-20'],
    places: ['parameter=state value=long'],
    title: 'Cuts the state at 255 characters where the person refused to authorize',
    response: {
      'GET /auth': errorRedirect(({ searchParams }) => {
        if (searchParams.get('error_description') === 'User declined the authorization')
          searchParams.set('state', String(searchParams.get('state')).slice(0, 255))
      }),
    },
  }),
  fault({
    id: 'signing/query-of-redirect-uri-dropped',
    breaks: ['SIGN-32'],
    places: ['parameter=redirect_uri value=second', 'parameter=redirect_uri value=encoded'],
    title: 'Drops the query of the redirect URI of a request object',
    collateral: { 'authorization/redirect-uri-query': 'a login comes back by the same redirect' },
    response: {
      'GET /auth': codeRedirect(({ searchParams }) => {
        for (const name of [...searchParams.keys()])
          if (!['code', 'state', 'iss'].includes(name)) searchParams.delete(name)
      }),
    },
  }),
]
