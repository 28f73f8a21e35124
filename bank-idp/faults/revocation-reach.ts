import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { listen, TokenMemory } from './token-memory.js'

type Issued = NonNullable<ReturnType<TokenMemory['of']>>

const revokedAreDead = { 'introspection/dead-refreshed': 'a revoked token is one that is dead' }

/** Tokens whose revocation is answered and not done, by what was given for what; what POST /token did not give came by the front channel. */
const forgotten: readonly {
  slug: string
  breaks: string
  places: string[]
  what: string
  collateral?: Record<string, string>
  is: (issued: Issued | undefined) => boolean
}[] = [
  {
    slug: 'refreshed-access-token',
    breaks: 'REV-1',
    places: ['token-info', 'userinfo', 'profile'].map((endpoint) => `endpoint=${endpoint} token=access-of-refresh`),
    what: 'an access token of a refresh',
    collateral: revokedAreDead,
    is: (issued) => issued?.kind === 'access_token' && issued.grant === 'refresh_token',
  },
  {
    slug: 'signing-token',
    breaks: 'REV-1',
    places: ['endpoint=token-info token=access-of-signing'],
    what: 'an access token of the signing flow',
    is: (issued) => issued?.kind === 'access_token' && issued.scopes.includes('authorization'),
  },
  {
    slug: 'refresh-token',
    breaks: 'REV-2',
    places: ['token-info', 'token'].map((endpoint) => `endpoint=${endpoint} token=refresh`),
    what: 'a refresh token of a code',
    collateral: { 'revocation/refresh-token-hint': 'the token is looked into after its revocation' },
    is: (issued) => issued?.kind === 'refresh_token' && issued.grant === 'authorization_code',
  },
  {
    slug: 'refreshed-refresh-token',
    breaks: 'REV-2',
    places: ['token-info', 'token'].map((endpoint) => `endpoint=${endpoint} use=second-refresh token=refresh`),
    what: 'a refresh token of a refresh',
    collateral: revokedAreDead,
    is: (issued) => issued?.kind === 'refresh_token' && issued.grant === 'refresh_token',
  },
  {
    slug: 'signing-refresh-token',
    breaks: 'REV-2',
    places: ['endpoint=token-info grant=signing token=refresh'],
    what: 'a refresh token of the signing flow',
    is: (issued) => issued?.kind === 'refresh_token' && issued.scopes.includes('authorization'),
  },
]

/** The clients of an application and their tokens, as a bank has them that takes an application for a client. */
class Applications {
  /** client_uri by client_id. */
  readonly #uris = new Latest<string>(10_000)
  /** client_uri by token. */
  readonly #tokens = new Latest<string>(10_000)
  readonly #ended = new Latest<true>(10_000)

  registered({ client_id, client_uri }: Record<string, unknown>): void {
    if (typeof client_uri === 'string') this.#uris.set(String(client_id), client_uri)
  }

  gave(clientId: string | null, token: unknown): void {
    const uri = this.#uris.get(String(clientId))
    if (uri !== undefined && typeof token === 'string') this.#tokens.set(token, uri)
  }

  /** Ends the tokens of every client that has the client_uri of the one whose token is revoked. */
  revoked(token: string | null): void {
    const uri = this.#tokens.get(String(token))
    if (uri === undefined) return
    for (const [one, of] of this.#tokens.entries()) if (of === uri) this.#ended.set(one, true)
  }

  hasEnded(token: string | null): boolean {
    return this.#ended.has(String(token))
  }
}

type Answers = Record<string, (response: SeamResponse, facts: ResponseFacts, memory: Applications) => SeamResponse>

const membersOf = ({ body }: SeamResponse) => (body ?? {}) as Record<string, unknown>

const endsApplications: Answers = {
  'POST /register': (response, _facts, applications) => {
    applications.registered(membersOf(response))
    return response
  },
  'POST /token': (response, { form }, applications) => {
    for (const name of ['access_token', 'refresh_token'])
      applications.gave(form.get('client_id'), membersOf(response)[name])
    return response
  },
  'POST /revoke': (response, { form }, applications) => {
    if (response.status < 300) applications.revoked(form.get('token'))
    return response
  },
  'POST /token-info': (response, { form }, applications) =>
    applications.hasEnded(form.get('token')) ? { ...response, body: { active: false } } : response,
}

/** An access token of a refresh, and whether the refresh named scopes. */
interface Link {
  access: string
  isNarrowed: boolean
}

/** The access tokens of one refresh after the other. */
class Chains {
  /** By the refresh token that is next. */
  readonly #byNext = new Latest<Link[]>(10_000)
  /** What was told last of a token while it was live. */
  readonly #told = new Latest<SeamResponse>(10_000)
  readonly #living = new Latest<true>(10_000)

  refreshed(form: URLSearchParams, { access_token: access, refresh_token: next }: Record<string, unknown>): void {
    const used = form.get('refresh_token')
    if (used === null || typeof access !== 'string') return
    const chain = [...(this.#byNext.get(used) ?? []), { access, isNarrowed: form.has('scope') }]
    this.#byNext.set(typeof next === 'string' ? next : used, chain)
  }

  /** Keeps some alive where the refresh token of a chain is revoked. */
  revoked(token: string | null, kept: (chain: readonly Link[]) => readonly Link[]): void {
    for (const { access } of kept(this.#byNext.get(String(token)) ?? [])) this.#living.set(access, true)
  }

  told(token: string, response: SeamResponse): SeamResponse {
    if (membersOf(response).active === true) this.#told.set(token, response)
    return this.#living.has(token) ? (this.#told.get(token) ?? response) : response
  }
}

/** Access tokens of refreshes that live on when the refresh token is revoked. */
const livingOn: readonly { slug: string; place: string; which: string; kept: Parameters<Chains['revoked']>[1] }[] = [
  {
    slug: 'earlier-refreshed-live-on',
    place: 'use=second-refresh token=access-of-refresh',
    which: 'all refreshes but the last',
    kept: (chain) => chain.slice(0, -1),
  },
  {
    slug: 'narrowed-live-on',
    place: 'token=access-of-refresh value=subset',
    which: 'refreshes that named scopes',
    kept: (chain) => chain.filter(({ isNarrowed }) => isNarrowed),
  },
]

const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
const unknownToken = { error: 'invalid_request', error_description: 'the token is unknown' }

/** Kinds of token that are dead in a way of their own. */
const deadKinds = {
  'access-of-code': {
    words: 'an access token of a code',
    is: (issued: Issued | undefined) => issued?.kind === 'access_token' && issued.grant === 'authorization_code',
  },
  'access-of-refresh': {
    words: 'an access token of a refresh',
    is: (issued: Issued | undefined) => issued?.kind === 'access_token' && issued.grant === 'refresh_token',
  },
  refresh: { words: 'a refresh token', is: (issued: Issued | undefined) => issued?.kind === 'refresh_token' },
} as const

export const revocationReachFaults: readonly Fault[] = [
  ...forgotten.map(({ slug, breaks, places, what, collateral, is }) =>
    fault({
      id: `revocation/${slug}-forgotten`,
      breaks: [breaks],
      places,
      title: `Answers 200 to the revocation of ${what} and does nothing`,
      ...(collateral && { collateral }),
      memory: () => new TokenMemory(),
      response: { 'POST /token': listen },
      request: {
        'POST /revoke': (form, _bank, tokens) => {
          if (is(tokens.of(form.get('token')))) form.set('token', 'not-found')
        },
      },
    }),
  ),
  fault({
    id: 'revocation/front-channel-token-forgotten',
    breaks: ['REV-1'],
    places: ['endpoint=token-info token=access-of-front-channel'],
    title: 'Answers 200 to the revocation of an access token of the front channel and does nothing',
    /** The tokens that /auth gave. */
    memory: () => new Latest<true>(10_000),
    response: {
      'GET /auth': (response, _bank, given) => {
        const { hash } = new URL(String(response.headers.location ?? ''), 'https://bank.example')
        const token = new URLSearchParams(hash.slice(1)).get('access_token')
        if (token) given.set(token, true)
        return response
      },
    },
    request: {
      'POST /revoke': (form, _bank, given) => {
        if (given.has(String(form.get('token')))) form.set('token', 'not-found')
      },
    },
  }),
  fault({
    id: 'revocation/refused-and-done',
    breaks: ['REV-8'],
    places: ['client_secret', 'client_assertion'].map(
      (parameter) => `caller=nobody parameter=${parameter} value=wrong`,
    ),
    title: 'Takes a token back before it judges who asks for it',
    collateral: {
      'revocation/nameless-assertion-of-another': 'another client is refused too, and the token taken back',
    },
    /** What it took back. */
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /revoke': (response, { form }, ended) => {
        const credentials = ['client_secret', 'client_assertion'].some((name) => form.get(name))
        if (response.status >= 400 && credentials) ended.set(String(form.get('token')), true)
        return response
      },
      'POST /token-info': (response, { form }, ended) =>
        ended.has(String(form.get('token'))) ? { ...response, body: { active: false } } : response,
    },
  }),
  ...livingOn.map(({ slug, place, which, kept }) =>
    fault({
      id: `revocation/${slug}`,
      breaks: ['REV-2'],
      places: [`endpoint=token-info ${place}`],
      title: `Lets the access tokens of ${which} live when the refresh token is revoked`,
      memory: () => new Chains(),
      response: {
        'POST /token': (response, { form }, chains) => {
          chains.refreshed(form, membersOf(response))
          return response
        },
        'POST /revoke': (response, { form }, chains) => {
          if (response.status < 300) chains.revoked(form.get('token'), kept)
          return response
        },
        'POST /token-info': (response, { form }, chains) => chains.told(String(form.get('token')), response),
      },
    }),
  ),
  fault({
    id: 'revocation/whole-application',
    breaks: ['REV-1', 'REV-2'],
    places: ['use=second-login', 'use=second-client'],
    title: 'Ends with a token all those of the clients that have the same client_uri',
    memory: () => new Applications(),
    response: endsApplications,
  }),
  fault({
    id: 'revocation/revoked-is-an-error',
    breaks: ['REV-10'],
    places: ['use=after-revocation'],
    title: 'Answers 400 where the token was revoked before',
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /revoke': (response, { form }, revoked) => {
        const token = String(form.get('token'))
        if (response.status >= 300) return response
        const before = revoked.has(token)
        revoked.set(token, true)
        return before ? { status: 400, headers: json, body: unknownToken } : response
      },
    },
  }),
  fault({
    id: 'revocation/logged-out-is-an-error',
    breaks: ['REV-10'],
    places: ['use=after-logout'],
    title: 'Answers 400 where a client that was told of a logout revokes a token from before',
    memory: () => ({ owners: new Latest<string>(10_000), told: new Latest<true>(10_000) }),
    records: [
      {
        model: 'AccessToken',
        kept(record, _bank, { owners, told }) {
          const { jti, clientId } = record
          if (!told.has(String(clientId))) owners.set(String(jti), String(clientId))
          return { record }
        },
      },
    ],
    nestedJwt: {
      logout_token(nestedJwt, { clientId = '' }, { told }) {
        told.set(clientId, true)
        return nestedJwt
      },
    },
    response: {
      'POST /revoke': (response, { form }, { owners, told }) =>
        response.status < 300 && told.has(owners.get(String(form.get('token'))) ?? '')
          ? { status: 400, headers: json, body: unknownToken }
          : response,
    },
  }),
  fault({
    id: 'revocation/short-is-an-error',
    breaks: ['REV-10'],
    places: ['value=lower-bound'],
    title: 'Answers 400 where the token is too short to be one of its own',
    response: {
      'POST /revoke': (response, { form }) =>
        response.status < 300 && String(form.get('token')).length < 20
          ? { status: 400, headers: json, body: unknownToken }
          : response,
    },
  }),
  fault({
    id: 'revocation/unknown-with-hint-is-an-error',
    breaks: ['REV-10'],
    places: ['parameter=token_type_hint value=unknown'],
    title: 'Answers 400 where no token of the kind that the hint names is known',
    memory: () => new TokenMemory(),
    response: {
      'POST /token': listen,
      'POST /revoke': (response, { form }, tokens) =>
        form.has('token_type_hint') && response.status < 300 && !tokens.of(form.get('token'))
          ? { status: 400, headers: json, body: unknownToken }
          : response,
    },
  }),
  ...(['access-of-code', 'access-of-refresh', 'refresh'] as const).map((kind) =>
    fault({
      id: `introspection/dead-${kind}-is-an-error`,
      breaks: ['INTR-2'],
      places: [`use=after-revocation token=${kind}`],
      title: `Answers 400 where ${deadKinds[kind].words} is dead`,
      ...(kind === 'access-of-code' && { collateral: { 'expiry/introspection': 'a token that has expired is dead' } }),
      memory: () => new TokenMemory(),
      response: {
        'POST /token': listen,
        'POST /token-info': (response, { form }, tokens) => {
          const dead = (response.body as { active?: unknown }).active === false
          return dead && deadKinds[kind].is(tokens.of(form.get('token')))
            ? { status: 400, headers: json, body: unknownToken }
            : response
        },
      },
    }),
  ),
]
