import { Latest } from '../latest.js'
import { type Fault, fault } from './fault.js'
import { codeRedirect, redirectTarget } from './redirects.js'

/** For `response`: an error in the place of a code. */
const refused = codeRedirect(({ searchParams }) => {
  searchParams.delete('code')
  searchParams.set('error', 'invalid_request_uri')
  searchParams.set('error_description', 'the request object was already authorized or refused')
})

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

/** Who decided an object: the session in which that was, whatever the cookie of it was then, and its person. */
interface Decider {
  session: unknown
  person: unknown
}

/** Objects that are decided once more, by whoever comes second. */
const decidedAgain: readonly {
  slug: string
  place: string
  title: string
  /** The checks that are in the way of it. */
  without: string
  isTaken(first: Decider, second: Decider): boolean
}[] = [
  {
    slug: 'refusal-of-one-person',
    place: 'use=after-refusal person=second',
    title: 'Takes a decision about an object for that of its person: another one may authorize it still',
    without: 'authorize/request-undecided',
    isTaken: (first, second) => first.person !== second.person,
  },
  {
    slug: 'decided-again-in-session',
    place: 'use=session-login when=after-person',
    title: 'Lets a page that was open authorize an object which another page of the same browser decided meanwhile',
    without: 'authorize/request-undecided at decision',
    isTaken: (first, second) => first.session === second.session,
  },
]

export const signingRequestUriFaults: readonly Fault[] = [
  ...decidedAgain.map(({ slug, place, title, without, isTaken }) =>
    fault({
      id: `signing/${slug}`,
      breaks: ['SIGN-47'],
      places: [place],
      title,
      without: [without],
      memory: () => ({
        /** By the value of a session's cookie. */
        sessions: new Latest<Decider>(10_000),
        /** Who decided an object, by the state of its request. */
        deciders: new Latest<Decider[]>(10_000),
      }),
      requestObject({ claims }, _bank, { deciders }) {
        deciders.set(String(claims.state), [])
      },
      records: [
        {
          model: 'Session',
          kept({ jti, uid, accountId }, _bank, { sessions }) {
            sessions.set(String(jti), { session: uid, person: accountId })
            return {}
          },
        },
      ],
      response: {
        'GET /auth'(response, { requestHeader }, { sessions, deciders }) {
          const answer = redirectTarget(response)?.searchParams
          const decided = deciders.get(answer?.get('state') ?? '')
          if (!decided || !(answer?.has('code') || answer?.has('error'))) return response
          const cookie = /__Host-session=([^;]+)/.exec(requestHeader('cookie') ?? '')?.[1]
          const own = sessions.get(cookie ?? '')
          const [first] = decided
          if (own) decided.push(own)
          return first && !(own && isTaken(first, own)) ? refused(response) : response
        },
      },
    }),
  ),
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
