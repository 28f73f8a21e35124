import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import type { Deviation, Fault } from './fault.js'
import { rememberingFaultsOf } from './fault-table.js'
import { redirectTarget } from './redirects.js'
import { endpoints } from './user-data-seam.js'

/** Access tokens of one kind that a logout leaves alive, at one endpoint. */

/** What a fault remembers of the tokens of its kind. */
class Tokens {
  readonly given = new Latest<true>(10_000)
  /** What was answered last about one, or for one, while it was good. */
  readonly answers = new Latest<SeamResponse>(10_000)
  /** Those that were there before somebody logged out. */
  readonly left = new Latest<true>(10_000)
  /** The access token that a refresh gave, by the refresh token that is next. */
  readonly refreshed = new Latest<string>(10_000)
}

type Answers = Record<string, (response: SeamResponse, facts: ResponseFacts, tokens: Tokens) => SeamResponse>

function leave(response: SeamResponse, _facts: ResponseFacts, { given, left }: Tokens): SeamResponse {
  for (const token of given.keys()) left.set(token, true)
  return response
}

const leaves: Answers = {
  'GET /session/end': leave,
  'POST /session/end': leave,
  'POST /revoke': (response, { form }, { given, left }) => {
    for (const tokens of [given, left]) tokens.delete(String(form.get('token')))
    return response
  },
}

/** Whether a refresh was answered with tokens, or a code where it was none. */
const isGiven = ({ status }: SeamResponse, form: URLSearchParams, grant: string) =>
  status < 300 && form.get('grant_type') === grant

/** The kinds, with what takes note of their tokens. */
const kinds: Record<string, { place: string; which: string; notes: Answers }> = {
  'front-channel-token': {
    place: 'token=access-of-front-channel',
    which: 'access tokens that came by response_type token',
    notes: {
      'GET /auth': (response, _facts, { given }) => {
        const token = new URLSearchParams(redirectTarget(response)?.hash.slice(1)).get('access_token')
        if (token !== null) given.set(token, true)
        return response
      },
    },
  },
  'signing-token': {
    place: 'token=access-of-signing',
    which: 'access tokens of the signing flow',
    notes: {
      'POST /token': (response, { form }, { given }) => {
        const { access_token: token, scope } = Object(response.body)
        const isSigning = String(scope).split(' ').includes('authorization')
        if (isSigning && isGiven(response, form, 'authorization_code')) given.set(String(token), true)
        return response
      },
    },
  },
  'earlier-refreshed-token': {
    place: 'use=second-refresh token=access-of-refresh',
    which: 'access tokens of refreshes that a later one followed',
    notes: {
      'POST /token': (response, { form }, { given, refreshed }) => {
        if (!isGiven(response, form, 'refresh_token')) return response
        const { access_token: token, refresh_token: next } = Object(response.body)
        const used = String(form.get('refresh_token'))
        const earlier = refreshed.get(used)
        if (earlier !== undefined) given.set(earlier, true)
        refreshed.set(typeof next === 'string' ? next : used, String(token))
        return response
      },
    },
  },
}

/** For `response`: answers as before for a token that was left. */
function stale(tokenIn: (facts: ResponseFacts) => string, isGood: (response: SeamResponse) => boolean) {
  return (response: SeamResponse, facts: ResponseFacts, { answers, left }: Tokens): SeamResponse => {
    const token = tokenIn(facts)
    if (isGood(response)) answers.set(token, response)
    else if (left.has(token)) return answers.get(token) ?? response
    return response
  }
}

const bearerOf = (authorization: string | undefined) => (authorization ?? '').replace('Bearer ', '')

const tokenInfo: Deviation<Tokens> = {
  response: {
    'POST /token-info': stale(
      ({ form }) => String(form.get('token')),
      ({ body }) => Object(body).active === true,
    ),
  },
}

/** How one is good for something yet, by the end of the fault's id: at the endpoint that tells of tokens where there is none. */
const ways: Record<string, { endpoint: string; deviation: Deviation<Tokens> }> = {
  stays: { endpoint: 'token-info', deviation: tokenInfo },
  ...Object.fromEntries(
    endpoints.map((endpoint) => [
      `stays-at-${endpoint}`,
      {
        endpoint,
        deviation: {
          response: {
            [`GET /${endpoint}`]: stale(
              ({ requestHeader }) => bearerOf(requestHeader('authorization')),
              ({ status }) => status === 200,
            ),
          },
        },
      },
    ]),
  ),
  'taken-at-ros': {
    endpoint: 'ros',
    deviation: {
      requestObject({ headers }, _bank, { left }) {
        if (left.has(bearerOf(headers.authorization))) delete headers.authorization
      },
    },
  },
}

/** Where each kind is looked at. */
const looked: Record<string, readonly string[]> = {
  'front-channel-token': ['stays', 'stays-at-userinfo', 'stays-at-profile'],
  'signing-token': ['stays', 'stays-at-userinfo', 'stays-at-profile', 'taken-at-ros'],
  'earlier-refreshed-token': ['stays'],
}

const rows = Object.entries(looked).flatMap(([kind, slugs]) =>
  slugs.flatMap((slug) => {
    const [known, way] = [kinds[kind], ways[slug]]
    if (!known || !way) return []
    const { place, which, notes } = known
    const { endpoint, deviation } = way
    return {
      id: `logout/${kind}-${slug}`,
      requirement: 'LOGOUT-3',
      places: [`endpoint=${endpoint} ${place}`],
      title: `Takes ${which} for good at /${endpoint} when their session is logged out of`,
      deviation: { ...deviation, response: { ...leaves, ...notes, ...deviation.response } },
    }
  }),
)

export const logoutTokenFaults: readonly Fault[] = rememberingFaultsOf(
  rows,
  () => new Tokens(),
  ({ deviation }) => deviation,
)
