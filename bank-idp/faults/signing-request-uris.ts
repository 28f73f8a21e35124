import { Latest } from '../latest.js'
import { type Fault, fault } from './fault.js'

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
  {
    slug: 'request-uri-whatever-case',
    places: ['value=upper-case'],
    title: 'Does not mind upper and lower case in what comes before the last part of a request_uri',
    isTaken: (given, right) =>
      given.toLowerCase() === right.toLowerCase() && given.split('/').at(-1) === right.split('/').at(-1),
  },
  {
    slug: 'request-uri-in-small-letters',
    places: ['value=lower-case'],
    title: 'Does not mind upper and lower case in the last part of a request_uri',
    isTaken: (given, right) => given.toLowerCase() === right.toLowerCase() && given.startsWith(right.slice(0, 12)),
  },
  {
    slug: 'request-uri-decoded',
    places: ['value=encoded'],
    title: 'Decodes a request_uri once more than it was encoded',
    isTaken: (given, right) => decodeURIComponent(given) === right,
  },
]

export const signingRequestUriFaults: readonly Fault[] = [
  fault({
    id: 'signing/decided-on-arrival-alone',
    breaks: ['SIGN-47'],
    places: ['when=by-person value=first', 'when=by-person value=second'],
    title: 'Asks whether an object was decided when its person comes, and not when the person decides',
    without: ['authorize/request-undecided at decision'],
  }),
  ...comparisons.map(({ slug, places, title, isTaken }) =>
    fault({
      id: `signing/${slug}`,
      breaks: ['SIGN-34'],
      places,
      title,
      /** The request_uris that were given. */
      memory: () => new Latest<true>(10_000),
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
]
