import { LRUCache } from 'lru-cache'
import { type Fault, fault } from './fault.js'
import { codeRedirect } from './redirects.js'

/** For `requestObject`: cuts a slash or a query off the end of a redirect URI. */
function trimmed(uri: string): string {
  return uri.replace(/(\/|\?more=1)$/, '')
}

/** How request_uris are compared that are not the same. `right` is one that POST /ros gave. */
const comparisons: readonly {
  slug: string
  places: readonly string[]
  title: string
  isTaken(given: string, right: string): boolean
}[] = [
  {
    slug: 'request-uri-by-beginning',
    places: ['value=prefix'],
    title: 'Takes the beginning of a request_uri for the whole',
    isTaken: (given, right) => given.length > right.length / 2 && right.startsWith(given),
  },
  {
    slug: 'request-uri-with-more',
    places: ['value=superset'],
    title: 'Takes a request_uri with something more for the one that it begins with',
    isTaken: (given, right) => given.startsWith(right),
  },
  {
    slug: 'request-uri-of-any-host',
    places: ['value=wrong'],
    title: 'Looks at the path of a request_uri alone',
    isTaken: (given, right) => URL.canParse(given) && new URL(given).pathname === new URL(right).pathname,
  },
  {
    slug: 'request-uri-by-end',
    places: ['value=suffix'],
    title: 'Takes the last part of a request_uri for the whole',
    isTaken: (given, right) => given !== '' && right.endsWith(`/${given}`),
  },
  {
    slug: 'request-uri-nearly',
    places: ['value=unknown'],
    title: 'Compares all but the last letters of a request_uri',
    isTaken: (given, right) => given.length === right.length && given.slice(0, -6) === right.slice(0, -6),
  },
]

/** What takes the place of a redirect_uri, where a client registered the second one. */
const redirectUris: readonly {
  slug: string
  place: string
  title: string
  repair(given: string | undefined, registered: string): string | undefined
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
]

const fromTables: readonly Fault[] = [
  ...comparisons.map(({ slug, places, title, isTaken }) =>
    fault({
      id: `signing/${slug}`,
      breaks: ['SIGN-34'],
      places,
      title,
      /** The request_uris that were given. */
      memory: () => new LRUCache<string, true>({ max: 10_000 }),
      response: {
        'POST /ros'(response, _bank, given) {
          const { request_uri } = response.body as Record<string, unknown>
          if (typeof request_uri === 'string') given.set(request_uri, true)
          return response
        },
      },
      request: {
        'GET /authorize'(parameters, _bank, given) {
          const uri = parameters.get('request_uri')
          const right = uri === null || given.has(uri) ? undefined : [...given.keys()].find((one) => isTaken(uri, one))
          if (right !== undefined) parameters.set('request_uri', right)
        },
      },
    }),
  ),
  ...redirectUris.map(({ slug, place, title, repair }) =>
    fault({
      id: `signing/${slug}`,
      breaks: ['SIGN-45'],
      places: [place],
      title,
      /** The first redirect URI of each client. */
      memory: () => new LRUCache<string, string>({ max: 10_000 }),
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
        if (right !== undefined) claims.redirect_uri = repair(given, right)
      },
      request: {
        // What the request object says is enough.
        'GET /authorize': (parameters) => parameters.delete('redirect_uri'),
      },
    }),
  ),
]

export const signingRequestFaults: readonly Fault[] = [
  ...fromTables,
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
    id: 'signing/token-without-certificate',
    breaks: ['SIGN-22'],
    places: ['endpoint=token certificate=none', 'endpoint=token certificate=untrusted'],
    title: 'Gives the result of an authorized object without a client certificate',
    without: ['signing-token/mutual-tls', 'signing-token/same-certificate'],
  }),
  fault({
    id: 'signing/open-client-taken',
    breaks: ['SIGN-16'],
    places: ['client-auth=none'],
    title: 'Registers clients without credentials, and gives them what was authorized',
    collateral: {
      'discovery/undeclared-authentication': 'none is not declared',
      'registration/undeclared-values': 'none is not declared',
      'introspection/unauthenticated': 'who has no credentials is asked for none at /token-info',
      'revocation/unauthenticated': 'who has no credentials is asked for none at /revoke',
    },
    without: [
      'registration/declared-authentication',
      'ros/client-method',
      'signing-token/private-key-jwt',
      'client-authentication/present',
    ],
  }),
  fault({
    id: 'signing/token-by-any-certificate',
    breaks: ['SIGN-22'],
    places: ['endpoint=token certificate=other-of-same-ca'],
    title: 'Gives the result of an authorized object to whoever has a certificate that it trusts',
    without: ['signing-token/same-certificate'],
  }),
  fault({
    id: 'signing/assertion-of-any-algorithm',
    breaks: ['SIGN-15', 'SIGN-41'],
    places: ['RS256', 'PS384', 'ES384'].map((alg) => `token=client-assertion alg=${alg}`),
    title: 'Takes client assertions by every algorithm that a key of the client fits',
    collateral: {
      'client-authentication/other-algorithm': 'logins are held to the registered algorithm by the same check',
      'discovery/undeclared-algorithm': 'and to the declared ones',
    },
    without: ['client-assertion/algorithm'],
  }),
  ...(['PS256', 'ES256'] as const).map((alg) =>
    fault({
      id: `signing/${alg.toLowerCase()}-assertion-refused`,
      breaks: ['SIGN-15'],
      places: [`token=client-assertion alg=${alg}`],
      title: `Takes no client assertion that is signed with ${alg}`,
      request: {
        'POST /token'(form) {
          const [header = ''] = (form.get('client_assertion') ?? '').split('.')
          if (Buffer.from(header, 'base64url').toString().includes(`"${alg}"`))
            form.set('client_assertion', `${header}.e30.AAAA`)
        },
      },
    }),
  ),
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
  fault({
    id: 'signing/request-uri-not-asked',
    breaks: ['SIGN-33'],
    places: ['value=missing', 'value=empty'],
    title: 'Takes a missing request_uri for one that is unknown',
    without: ['authorize/request-uri'],
  }),
  fault({
    id: 'signing/unknown-request-uri-page',
    breaks: ['SIGN-34'],
    places: ['value=unknown'],
    title: 'Shows a page with status 200 for a request_uri that it does not know',
    response: {
      'GET /authorize': (response) =>
        response.status === 400 && JSON.stringify(response.body).includes('invalid_request_uri')
          ? { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Sorry</title>' }
          : response,
    },
  }),
  fault({
    id: 'signing/past-its-end',
    breaks: ['SIGN-34'],
    places: ['caller=bearer part=exp'],
    title: 'Lets an object be authorized past its exp',
    without: ['authorize/request-live'],
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
]
