import { BankError } from '../errors.js'
import { Latest } from '../latest.js'
import type { ResponseFacts, Route, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { redirectTarget } from './redirects.js'
import { listen, TokenMemory } from './token-memory.js'

/** Ways in which a value that is not a token's leads to it, at both endpoints. */
const lookalikes: readonly { value: string; title: string; means: (given: string, token: string) => boolean }[] = [
  {
    value: 'prefix',
    title: 'Knows a token by its first 30 characters',
    means: (given, token) => given !== token && given.length >= 30 && token.startsWith(given),
  },
  {
    value: 'superset',
    title: 'Does not look at what follows a token',
    means: (given, token) => given !== token && given.startsWith(token),
  },
]

/** Ways in which a value that is like a code or a refresh token leads to it, at /token. */
const grantLookalikes: readonly {
  value: string
  title: (what: string) => string
  means: (given: string, one: string) => boolean
}[] = [
  {
    value: 'prefix',
    title: (what) => `Takes the beginning of ${what} for it`,
    means: (given, one) => given.length > 16 && one.startsWith(given),
  },
  {
    value: 'superset',
    title: (what) => `Does not look at what follows ${what}`,
    means: (given, one) => given.startsWith(one),
  },
  {
    value: 'upper-case',
    title: (what) => `Takes ${what} in any case of its letters`,
    means: (given, one) => given.toLowerCase() === one.toLowerCase(),
  },
]

/** What is exchanged at /token, by the parameter, and the route whose answer gives it. */
const grants: readonly {
  parameter: 'code' | 'refresh_token'
  grant: string
  what: string
  route: Route
  given: (response: SeamResponse) => unknown
}[] = [
  {
    parameter: 'code',
    grant: 'code',
    what: 'a code',
    route: 'GET /auth',
    given: (response) => redirectTarget(response)?.searchParams.get('code'),
  },
  {
    parameter: 'refresh_token',
    grant: 'refresh',
    what: 'a refresh token',
    route: 'POST /token',
    given: ({ body }) => ({ refresh_token: undefined, ...(body as object) }).refresh_token,
  },
]

const grantLookalikeFaults = grants.flatMap(({ parameter, grant, what, route, given }) =>
  grantLookalikes.map(({ value, title, means }) =>
    fault({
      id: `token/${parameter.replace('_', '-')}-by-${value}`,
      breaks: ['TOK-17'],
      places: [`grant=${grant} error=invalid_grant value=${value}`],
      title: title(what),
      memory: () => new Latest<true>(10_000),
      response: {
        [route]: (response: SeamResponse, _bank: unknown, known: Latest<true>) => {
          const one = given(response)
          if (typeof one === 'string') known.set(one, true)
          return response
        },
      },
      request: {
        'POST /token'(form: URLSearchParams, _bank: unknown, known: Latest<true>) {
          const value = form.get(parameter)
          if (value === null || known.has(value)) return
          const one = [...known.keys()].find((one) => means(value, one))
          if (one !== undefined) form.set(parameter, one)
        },
      },
    }),
  ),
)

/** What a token of no form that the bank's own have looks like. */
const oddForms = [
  {
    slug: 'long-token',
    value: 'long',
    what: 'more than 1024 characters',
    is: (token: string) => token.length > 1024,
  },
  {
    slug: 'token-of-signs',
    value: 'encoded',
    what: 'other than letters, digits and signs of base64url',
    is: (token: string) => /[^\w.-]/.test(token),
  },
]

const byLookalike =
  (means: (given: string, token: string) => boolean) =>
  (form: URLSearchParams, _facts: unknown, tokens: TokenMemory) => {
    const given = form.get('token') ?? ''
    const token = tokens.find((one) => means(given, one))
    if (token !== undefined) form.set('token', token)
  }

/** What no column of a careless bank has room for. */
const tooLong = (value: string | null | undefined) => (value ?? '').length > 1024

const failed: SeamResponse = {
  status: 500,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: { error: 'server_error', error_description: 'the value is too long for its column' },
}

/** Where a bank fails over what is too long. */
const failures: readonly {
  slug: string
  breaks: string
  place: string
  title: string
  route: Route
  collateral?: Readonly<Record<string, string>>
  isMeant(facts: ResponseFacts): boolean
}[] = [
  ...(['code', 'refresh_token'] as const).map((parameter) => {
    const grant = parameter === 'code' ? 'code' : 'refresh'
    return {
      slug: `token/long-${parameter.replace('_', '-')}-fails`,
      breaks: 'TOK-17',
      place: `grant=${grant} error=invalid_grant value=long`,
      title: `Fails with 500 over a ${parameter} of more than 1024 characters`,
      route: 'POST /token' as const,
      isMeant: ({ form }: ResponseFacts) => tooLong(form.get(parameter)),
    }
  }),
  ...(['userinfo', 'profile'] as const).map((endpoint) => ({
    slug: `${endpoint}/long-token-fails`,
    breaks: 'DATA-7',
    place: `endpoint=${endpoint} value=long`,
    title: `Fails with 500 over an access token of more than 1024 characters at ${endpoint}`,
    route: `GET /${endpoint}` as const,
    collateral: { 'user-data/id-token-refused': 'an id_token of a large dress is as long' },
    isMeant: ({ requestHeader }: ResponseFacts) => tooLong(requestHeader('authorization')),
  })),
]

export const tokenLookalikeFaults: readonly Fault[] = [
  ...grantLookalikeFaults,
  ...failures.map(({ slug, breaks, place, title, route, collateral, isMeant }) =>
    fault({
      id: slug,
      breaks: [breaks],
      places: [place],
      title,
      ...(collateral && { collateral }),
      response: { [route]: (response: SeamResponse, facts: ResponseFacts) => (isMeant(facts) ? failed : response) },
    }),
  ),
  ...lookalikes.map(({ value, title, means }) =>
    fault({
      id: `token-callers/token-${value}`,
      breaks: ['INTR-2', 'REV-10'],
      places: [`value=${value}`],
      title: `${title}, at /token-info and /revoke`,
      memory: () => new TokenMemory(),
      response: { 'POST /token': listen },
      request: { 'POST /token-info': byLookalike(means), 'POST /revoke': byLookalike(means) },
    }),
  ),
  ...(
    [
      ['token-info', 'INTR-2'],
      ['revoke', 'REV-10'],
    ] as const
  ).map(([endpoint, requirement]) =>
    fault({
      id: `token-callers/jwt-refused-at-${endpoint}`,
      breaks: [requirement],
      places: ['member=jwt'],
      title: `Refuses a JWT that it did not sign at /${endpoint}`,
      memory: () => new TokenMemory(),
      response: { 'POST /token': listen },
      request: {
        [`POST /${endpoint}`]: (form: URLSearchParams, _facts: unknown, tokens: TokenMemory) => {
          const token = form.get('token')
          if (/^e[\w-]+\.[\w-]+\.[\w-]+$/.test(token ?? '') && !tokens.of(token))
            throw new BankError('invalid_request', 'the signature of the token is wrong')
        },
      },
    }),
  ),
  ...oddForms.flatMap(({ slug, value, what, is }) =>
    (
      [
        ['token-info', 'INTR-2'],
        ['revoke', 'REV-10'],
      ] as const
    ).map(([endpoint, requirement]) =>
      fault({
        id: `token-callers/${slug}-refused-at-${endpoint}`,
        breaks: [requirement],
        places: [`value=${value}`],
        title: `Refuses a token of ${what} at /${endpoint}`,
        request: {
          [`POST /${endpoint}`](form: URLSearchParams) {
            if (is(form.get('token') ?? '')) throw new BankError('invalid_request', `the token is of ${what}`)
          },
        },
      }),
    ),
  ),
  fault({
    id: 'token-callers/token-upper-case',
    breaks: ['INTR-2'],
    places: ['value=upper-case'],
    title: 'Takes a token in capitals for the token, at /token-info',
    memory: () => new TokenMemory(),
    response: { 'POST /token': listen },
    request: {
      'POST /token-info': byLookalike((given, token) => given !== token && given === token.toUpperCase()),
    },
  }),
]
