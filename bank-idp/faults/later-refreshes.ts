import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault, omit, unauthorized } from './fault.js'
import { assertionIn } from './token-memory.js'
import { endpoints } from './user-data-seam.js'

/** Mistakes about what a refresh gave, and about what came of a refresh after that. */

interface Given {
  kind: 'access_token' | 'refresh_token' | 'id_token'
  clientId: string
  /** How many refreshes came before: 0 of a code. */
  refreshes: number
  /** Those that came with it, space-separated. */
  scope: string
  /** When the tokens of the login were given, in Unix seconds. */
  since: number
}

/** What POST /token gave since a fault was switched on. */
class Refreshes {
  readonly #given = new Latest<Given>(10_000)
  /** What was answered last about a token, or under one, by the client where it is about no token. */
  readonly answers = new Latest<SeamResponse>(10_000)
  /** The tokens that others took back, or that live on. */
  readonly ended = new Latest<true>(10_000)
  /** The access token of a code, by the refresh token that came with it. */
  readonly accessTokens = new Latest<string>(10_000)

  note({ status, body }: SeamResponse, form: URLSearchParams): void {
    if (status >= 300) return
    const used = this.#given.get(form.get('refresh_token') ?? form.get('code') ?? '')
    const refreshes = form.get('grant_type') === 'refresh_token' ? (used?.refreshes ?? 0) + 1 : 0
    const scope = String(Object(body).scope ?? '')
    const since = used?.since ?? nowSeconds()
    for (const kind of ['access_token', 'refresh_token', 'id_token'] as const) {
      const token = Object(body)[kind]
      if (typeof token === 'string') this.#given.set(token, { kind, clientId: callerOf(form), refreshes, scope, since })
    }
    const { access_token: access, refresh_token: refresh } = Object(body)
    if (refreshes === 0 && typeof refresh === 'string') this.accessTokens.set(refresh, String(access))
  }

  of(token: string | null): Given | undefined {
    return this.#given.get(token ?? '')
  }
}

/** Who asks, by client_id or by the assertion. */
const callerOf = (form: URLSearchParams) => form.get('client_id') ?? String(assertionIn(form)?.sub)

/** What was told last of the token that an introspection asks about, while it was active. */
function toldLast(response: SeamResponse, { form }: ResponseFacts, { answers }: Refreshes): SeamResponse {
  const token = form.get('token') ?? ''
  if (Object(response.body).active === true) answers.set(token, response)
  return answers.get(token) ?? response
}

const memory = () => new Refreshes()

const noting = {
  'POST /token': (response: SeamResponse, { form }: ResponseFacts, given: Refreshes) => {
    given.note(response, form)
    return response
  },
}

/** Whether a token is the access token of a refresh that came after another. */
const isLater = (given: Given | undefined) => given?.kind === 'access_token' && given.refreshes > 1

/** For `response`: changes what is told of the access token of a later refresh. */
const toldOfLater =
  (change: (members: Record<string, unknown>) => Record<string, unknown>) =>
  (response: SeamResponse, { form }: ResponseFacts, given: Refreshes): SeamResponse =>
    Object(response.body).active === true && isLater(given.of(form.get('token')))
      ? { ...response, body: change(Object(response.body)) }
      : response

const told: readonly (Pick<Fault, 'id' | 'places' | 'title' | 'collateral'> & {
  breaks: string
  change(members: Record<string, unknown>): Record<string, unknown>
})[] = [
  {
    id: 'introspection/later-refreshed-as-refresh-token',
    breaks: 'INTR-1',
    places: ['use=second-refresh token=access-of-refresh'],
    title: 'Says of the access token of a later refresh that it is a refresh token',
    change: (members) => ({ ...members, token_type: 'refresh_token' }),
  },
  {
    id: 'introspection/later-refreshed-iat-in-words',
    breaks: 'INTR-5',
    places: ['use=second-refresh token=access-of-refresh member=iat'],
    title: 'Gives iat of the access token of a later refresh as text',
    collateral: { 'token/refreshed-access-token-lifetime': 'a lifetime is reckoned from iat' },
    change: (members) => ({ ...members, iat: String(members.iat) }),
  },
  {
    id: 'subjects/other-in-introspection-of-later-refreshed',
    breaks: 'SUB-7',
    places: ['endpoint=token-info use=second-refresh token=access-of-refresh'],
    title: 'Tells its own identifier of the person in an introspection of the access token of a later refresh',
    collateral: { 'introspection/live-refreshed': 'the sub is the one that the client knows' },
    change: (members) => ({ ...members, sub: `internal-${members.sub}` }),
  },
]

/** Whether somebody else's request is about a token that a refresh gave. */
function isOfAnother(form: URLSearchParams, given: Refreshes): boolean {
  const token = given.of(form.get('token'))
  return token !== undefined && token.refreshes > 0 && token.clientId !== callerOf(form)
}

const unexpectedRedirectUri: SeamResponse = {
  status: 400,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: { error: 'invalid_request', error_description: 'redirect_uri goes with a code' },
}

const dead: NonNullable<SeamResponse['body']> = { active: false }

const isNobody = ({ form, requestHeader }: ResponseFacts) =>
  !form.get('client_secret') && !form.get('client_assertion') && requestHeader('authorization') === undefined

const bearerOf = ({ requestHeader }: ResponseFacts) => (requestHeader('authorization') ?? '').replace('Bearer ', '')

/** What is taken for an access token. */
const taken: readonly { slug: string; places: string; title: string; is(given: Given | undefined): boolean }[] = [
  {
    slug: 'refreshed-refresh-token-taken',
    places: 'use=second-refresh token=refresh',
    title: 'Takes a refresh token that a refresh gave for an access token',
    is: (given) => given?.kind === 'refresh_token' && given.refreshes > 0,
  },
  {
    slug: 'refreshed-id-token-taken',
    places: 'token=id-of-refresh',
    title: 'Takes the id_token of a refresh for an access token',
    is: (given) => given?.kind === 'id_token' && given.refreshes > 0,
  },
]

/** Refresh tokens of a code whose access token lives on when they are revoked. */
const endedAlone: readonly {
  slug: string
  place: string
  where: string
  isMeant(hint: string | null, revoked: Given | undefined): boolean
}[] = [
  {
    slug: 'access-tokens-live-on-by-hint',
    place: 'token=access-of-code parameter=token_type_hint',
    where: 'is revoked with its hint',
    isMeant: (hint) => hint === 'refresh_token',
  },
  {
    slug: 'access-tokens-live-on-by-wrong-hint',
    place: 'token=access-of-code parameter=token_type_hint value=wrong',
    where: 'is revoked with the hint of an access token',
    isMeant: (hint) => hint === 'access_token',
  },
  {
    slug: 'access-tokens-of-signing-live-on',
    place: 'grant=signing token=access-of-signing',
    where: 'came of the signing flow',
    isMeant: (_hint, revoked) => revoked?.scope.split(' ').includes('authorization') === true,
  },
]

export const laterRefreshFaults: readonly Fault[] = [
  ...told.map(({ breaks, change, ...description }) =>
    fault({
      ...description,
      breaks: [breaks],
      memory,
      response: { ...noting, 'POST /token-info': toldOfLater(change) },
    }),
  ),
  fault({
    id: 'revocation/later-refreshed-forgotten',
    breaks: ['REV-1'],
    places: ['endpoint=token-info use=second-refresh token=access-of-refresh'],
    title: 'Answers 200 to the revocation of the access token of a later refresh and does nothing',
    memory,
    response: noting,
    request: {
      'POST /revoke': (form, _bank, given) => {
        if (isLater(given.of(form.get('token')))) form.set('token', 'not-found')
      },
    },
  }),
  fault({
    id: 'introspection/refreshed-of-another-told',
    breaks: ['INTR-8'],
    places: ['access-of-refresh', 'refresh'].map((token) => `caller=other-client use=second-refresh token=${token}`),
    title: 'Tells every client of what a refresh gave another',
    memory,
    response: {
      ...noting,
      'POST /token-info': (response, facts, given) => {
        const told = toldLast(response, facts, given)
        return isOfAnother(facts.form, given) ? told : response
      },
    },
  }),
  fault({
    id: 'revocation/refreshed-of-another-revoked',
    breaks: ['REV-9'],
    places: ['access-of-refresh', 'refresh'].map((token) => `caller=other-client use=second-refresh token=${token}`),
    title: 'Lets every client take back what a refresh gave another',
    memory,
    response: {
      ...noting,
      'POST /revoke': (response, { form }, given) => {
        if (response.status < 300 && isOfAnother(form, given)) given.ended.set(String(form.get('token')), true)
        return response
      },
      'POST /token-info': (response, { form }, given) =>
        given.ended.has(String(form.get('token'))) ? { ...response, body: dead } : response,
    },
  }),
  ...(['POST /token-info', 'POST /revoke'] as const).map((route) =>
    fault({
      id: `${route === 'POST /revoke' ? 'revocation' : 'introspection'}/refresh-token-of-nobody`,
      breaks: [route === 'POST /revoke' ? 'REV-8' : 'INTR-10'],
      places: ['caller=nobody token=refresh'],
      title: `Asks nobody at ${route} who they are who ask about a refresh token`,
      memory,
      response: {
        ...noting,
        [route]: (response: SeamResponse, facts: ResponseFacts, given: Refreshes): SeamResponse => {
          const isRefresh = given.of(facts.form.get('token'))?.kind === 'refresh_token'
          if (response.status < 300) given.answers.set(route, response)
          return isRefresh && isNobody(facts) ? (given.answers.get(route) ?? response) : response
        },
      },
    }),
  ),
  ...taken.flatMap(({ slug, places, title, is }) =>
    endpoints.map((endpoint) =>
      fault({
        id: `${endpoint}/${slug}`,
        breaks: ['DATA-19'],
        places: [`endpoint=${endpoint} ${places}`],
        title: `${title} at ${endpoint}`,
        memory,
        response: {
          ...noting,
          [`GET /${endpoint}`]: (response: SeamResponse, facts: ResponseFacts, given: Refreshes): SeamResponse => {
            const token = given.of(bearerOf(facts))
            if (response.status === 200) given.answers.set(String(token?.clientId), response)
            return is(token) ? (given.answers.get(String(token?.clientId)) ?? response) : response
          },
        },
      }),
    ),
  ),
  fault({
    id: 'token/later-refresh-with-redirect-uri-refused',
    breaks: ['TOK-29'],
    places: ['use=second-refresh parameter=redirect_uri'],
    title: 'Refuses redirect_uri beside a refresh token that a refresh gave, where the assertion alone says who asks',
    memory,
    response: {
      'POST /token'(response, { form }, given) {
        const used = given.of(form.get('refresh_token') ?? form.get('code'))
        given.note(response, form)
        const isLaterRefresh = form.get('grant_type') === 'refresh_token' && (used?.refreshes ?? 0) > 0
        const isMeant = isLaterRefresh && form.has('redirect_uri') && !form.has('client_id')
        return isMeant && response.status < 300 ? unexpectedRedirectUri : response
      },
    },
  }),
  fault({
    id: 'userinfo/narrowest-without-issuer',
    breaks: ['DATA-9'],
    places: ['token=access-of-refresh'],
    title: 'Leaves iss and aud out of userinfo where nothing but sub is asked for',
    nestedJwt: {
      userinfo: (planned) =>
        String(planned.claims.txn).split(':').slice(1).join() === 'openid'
          ? { ...planned, claims: omit(planned.claims, 'iss', 'aud') }
          : planned,
    },
  }),
  fault({
    id: 'introspection/refreshed-issued-at-login',
    breaks: ['INTR-5'],
    places: ['first', 'second-refresh'].map((use) => `use=${use} token=access-of-refresh member=iat`),
    title: 'Tells as iat of an access token of a refresh when the tokens of the login were issued',
    memory,
    response: {
      ...noting,
      'POST /token-info': (response, { form }, given) => {
        const token = given.of(form.get('token'))
        const isMeant = Object(response.body).active === true && token?.kind === 'access_token' && token.refreshes > 0
        return isMeant ? { ...response, body: { ...Object(response.body), iat: token.since } } : response
      },
    },
  }),
  fault({
    id: 'introspection/revoked-refreshed-told-by-hint',
    breaks: ['INTR-2'],
    places: ['access-of-refresh', 'refresh'].map(
      (token) => `use=after-revocation token=${token} parameter=token_type_hint`,
    ),
    title: 'Tells of a revoked token of a refresh what it told before, where it is asked with a hint',
    collateral: { 'revocation/refresh-token': 'a refresh token of a refresh is looked into with its hint' },
    memory,
    response: {
      ...noting,
      'POST /token-info': (response, { form }, given) => {
        const token = form.get('token') ?? ''
        if (Object(response.body).active === true) given.answers.set(token, response)
        const isMeant = (given.of(token)?.refreshes ?? 0) > 0 && form.has('token_type_hint')
        return isMeant ? (given.answers.get(token) ?? response) : response
      },
    },
  }),
  ...endedAlone.map(({ slug, place, where, isMeant }) =>
    fault({
      id: `revocation/${slug}`,
      breaks: ['REV-2'],
      places: [`endpoint=token-info ${place}`],
      title: `Ends a refresh token alone where it ${where}`,
      memory,
      response: {
        ...noting,
        'POST /revoke': (response: SeamResponse, { form }: ResponseFacts, given: Refreshes) => {
          const token = form.get('token') ?? ''
          const access = given.accessTokens.get(token)
          const isAlone = response.status < 300 && isMeant(form.get('token_type_hint'), given.of(token))
          if (access !== undefined && isAlone) given.ended.set(access, true)
          return response
        },
        'POST /token-info': (response: SeamResponse, facts: ResponseFacts, given: Refreshes) => {
          const told = toldLast(response, facts, given)
          return given.ended.has(facts.form.get('token') ?? '') ? told : response
        },
      },
    }),
  ),
  ...(['POST /token-info', 'POST /revoke'] as const).map((route) =>
    fault({
      id: `${route === 'POST /revoke' ? 'revocation' : 'introspection'}/refreshed-bearer-refused`,
      breaks: [route === 'POST /revoke' ? 'REV-5' : 'INTR-4'],
      places: ['caller=bearer token=access-of-refresh'],
      title: `Takes no access token of a refresh for that of a client at ${route}`,
      memory,
      response: {
        ...noting,
        [route]: (response: SeamResponse, facts: ResponseFacts, given: Refreshes): SeamResponse =>
          response.status < 300 && (given.of(bearerOf(facts))?.refreshes ?? 0) > 0 ? unauthorized() : response,
      },
    }),
  ),
  ...(['POST /token-info', 'POST /revoke'] as const).map((route) =>
    fault({
      id: `${route === 'POST /revoke' ? 'revocation' : 'introspection'}/refresh-token-by-bearer-unknown`,
      breaks: [route === 'POST /revoke' ? 'REV-5' : 'INTR-4'],
      places: ['caller=bearer token=refresh value=right'],
      title: `Knows no refresh token at ${route} where an access token tells who asks`,
      memory,
      response: noting,
      request: {
        [route]: (form: URLSearchParams, _bank: unknown, given: Refreshes) => {
          const isCredential = ['client_secret', 'client_assertion'].some((name) => form.get(name))
          if (!isCredential && given.of(form.get('token'))?.kind === 'refresh_token') form.set('token', 'not-found')
        },
      },
    }),
  ),
  ...endpoints.map((endpoint) =>
    fault({
      id: `${endpoint}/later-refreshed-remembered`,
      breaks: ['DATA-18'],
      places: [`endpoint=${endpoint} use=second-refresh token=access-of-refresh`],
      title: `Answers /${endpoint} out of its memory for the access token of a later refresh`,
      collateral: {
        'revocation/refresh-token': 'an access token of a later refresh ends with its refresh token',
        'revocation/refreshed-access-token': 'a revoked token is dead at once',
      },
      memory,
      response: {
        ...noting,
        [`GET /${endpoint}`]: (response: SeamResponse, facts: ResponseFacts, given: Refreshes): SeamResponse => {
          const token = bearerOf(facts)
          if (response.status === 200) given.answers.set(token, response)
          return isLater(given.of(token)) ? (given.answers.get(token) ?? response) : response
        },
      },
    }),
  ),
]
