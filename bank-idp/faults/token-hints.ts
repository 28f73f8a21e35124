import type { ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { listen, TokenMemory } from './token-memory.js'

/** Where a client sends a token, and the requirement about hints there. */
const endpoints = {
  introspection: { route: 'POST /token-info', requirement: 'INTR-3', verb: 'find' },
  revocation: { route: 'POST /revoke', requirement: 'REV-3', verb: 'revoke' },
} as const

const kinds = {
  access_token: { place: 'access-of-code', words: 'an access token' },
  refresh_token: { place: 'refresh', words: 'a refresh token' },
} as const

const spellings = ['token_type_hint', 'token_type_hin'] as const

/** What may be said of a hint, and whether a form says it. */
const hints = {
  right: (given: string | null, kind: string) => given === kind,
  wrong: (given: string | null, kind: string) => given !== null && given !== kind && given in kinds,
} as const

interface Miss {
  slug: string
  topic: keyof typeof endpoints
  kind: keyof typeof kinds
  place: string
  /** When it is missed, in words. */
  when: string
  misses: (form: URLSearchParams) => boolean
  collateral?: Readonly<Record<string, string>>
}

const noHint = 'it gives no hint at all'

/** The rules that give no hint, and are not about hints. */
const withoutHint: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'introspection access_token': {
    'introspection/audience': noHint,
    'introspection/caller': noHint,
    'introspection/live-refreshed': noHint,
    'introspection/live-signing': noHint,
    'introspection/live-token': noHint,
    'introspection/second-client': noHint,
    'introspection/second-person': noHint,
  },
  'introspection refresh_token': { 'introspection/live-refreshed': noHint, 'introspection/refresh-token': noHint },
  'revocation refresh_token': {
    'introspection/dead-refreshed': noHint,
    'revocation/refresh-token': noHint,
    'revocation/signing-refresh-token': noHint,
  },
}

/** Each way of giving a hint at which a kind of token can be missed. */
function waysToMiss(topic: keyof typeof endpoints, kind: keyof typeof kinds): Miss[] {
  const { place } = kinds[kind]
  const common = { topic, kind }
  const hinted = spellings.flatMap((name) =>
    (Object.keys(hints) as (keyof typeof hints)[]).map((value) => ({
      ...common,
      slug: `${value}-${name.replaceAll('_', '-')}`,
      place: `token=${place} parameter=${name} value=${value}`,
      when: `${name} is ${value}`,
      misses: (form: URLSearchParams) => hints[value](form.get(name), kind),
    })),
  )
  const unknown = {
    ...common,
    slug: 'unknown-hint',
    place: `token=${place} parameter=token_type_hint value=unknown`,
    when: 'token_type_hint is a word that it does not know',
    misses: (form: URLSearchParams) => form.has('token_type_hint') && !(String(form.get('token_type_hint')) in kinds),
  }
  const without = {
    ...common,
    slug: 'no-hint',
    place: `token=${place} value=missing`,
    when: 'no hint is given',
    misses: (form: URLSearchParams) => spellings.every((name) => !form.has(name)),
    collateral: withoutHint[`${topic} ${kind}`] ?? {},
  }
  // What is known without a hint is a step of nearly every rule, but for revoking.
  const known = topic === 'introspection' || kind === 'access_token'
  return [
    ...hinted,
    ...(known ? [unknown] : []),
    ...(topic === 'revocation' && kind === 'access_token' ? [] : [without]),
  ]
}

const misses = (Object.keys(endpoints) as (keyof typeof endpoints)[]).flatMap((topic) =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) => waysToMiss(topic, kind)),
)

/** Refused with an error that says nothing of the hint. */
const refusedOtherwise = Object.entries(endpoints).map(([topic, { route, requirement }]) =>
  fault({
    id: `${topic}/unknown-hint-invalid-request`,
    breaks: [requirement],
    places: ['token=access-of-code parameter=token_type_hint value=unknown'],
    title: `Refuses a hint that it does not know with invalid_request at ${topic}`,
    response: {
      [route]: (response: SeamResponse, { form }: ResponseFacts) =>
        form.has('token_type_hint') && !(String(form.get('token_type_hint')) in kinds)
          ? { ...response, status: 400, body: { error: 'invalid_request', error_description: 'the hint is unknown' } }
          : response,
    },
  }),
)

/** A bank that lets the hint decide: a token is not found, though it is there. */
const missed = misses.map(({ slug, topic, kind, place, when, misses, collateral }) =>
  fault({
    id: `${topic}/${kind.replace('_', '-')}-missed-by-${slug}`,
    breaks: [endpoints[topic].requirement],
    places: [place],
    title: `Does not ${endpoints[topic].verb} ${kinds[kind].words} where ${when}`,
    ...(collateral && { collateral }),
    memory: () => new TokenMemory(),
    response: { 'POST /token': listen },
    request: {
      [endpoints[topic].route]: (form: URLSearchParams, _bank: unknown, tokens: TokenMemory) => {
        if (tokens.of(form.get('token'))?.kind === kind && misses(form)) form.set('token', 'not-found')
      },
    },
  }),
)

/** Hints that are of unknown value, or count as left out: the token is there all the same. */
const oddHints = [
  { value: 'upper-case', slug: 'hint-in-capitals', words: 'in capitals', of: (kind: string) => kind.toUpperCase() },
  { value: 'empty', slug: 'empty-hint', words: 'without a value', of: () => '' },
] as const

const missedByOddHints = oddHints.flatMap(({ value, slug, words, of }) =>
  (['access_token', 'refresh_token'] as const).map((kind) =>
    fault({
      id: `introspection/${kind.replace('_', '-')}-missed-by-${slug}`,
      breaks: ['INTR-3'],
      places: [`token=${kinds[kind].place} parameter=token_type_hint value=${value}`],
      title: `Does not find ${kinds[kind].words} where its token_type_hint is ${words}`,
      memory: () => new TokenMemory(),
      response: { 'POST /token': listen },
      request: {
        'POST /token-info'(form, _bank, tokens) {
          if (tokens.of(form.get('token'))?.kind === kind && form.get('token_type_hint') === of(kind))
            form.set('token', 'not-found')
        },
      },
    }),
  ),
)

const ofRefresh = fault({
  id: 'revocation/refreshed-refresh-token-missed-by-wrong-hint',
  breaks: ['REV-3'],
  places: ['use=second-refresh token=refresh parameter=token_type_hint value=wrong'],
  title: 'Does not revoke a refresh token that a refresh gave where token_type_hint is wrong',
  memory: () => new TokenMemory(),
  response: { 'POST /token': listen },
  request: {
    'POST /revoke'(form, _bank, tokens) {
      const { kind, grant } = tokens.of(form.get('token')) ?? {}
      if (kind === 'refresh_token' && grant === 'refresh_token' && hints.wrong(form.get('token_type_hint'), kind))
        form.set('token', 'not-found')
    },
  },
})

/** Hints by which an access token is missed: of a refresh by some, of a code by others. */
const missedOtherwise = [
  ...spellings.flatMap((name) =>
    (
      [
        ['wrong', (given: string | null) => hints.wrong(given, 'access_token')],
        ['unknown', (given: string | null) => Boolean(given) && !(String(given) in kinds)],
      ] as const
    ).map(([value, isMeant]) => ({
      name,
      value,
      isMeant,
      of: 'refresh_token',
      place: `use=second-refresh token=access-of-refresh parameter=${name} value=${value}`,
    })),
  ),
  {
    name: 'token_type_hin',
    value: 'unknown',
    isMeant: (given: string | null) => Boolean(given) && !(String(given) in kinds),
    of: 'authorization_code',
    place: 'token=access-of-code parameter=token_type_hin value=unknown',
  },
  {
    name: 'token_type_hint',
    value: 'empty',
    isMeant: (given: string | null) => given === '',
    of: 'authorization_code',
    place: 'token=access-of-code parameter=token_type_hint value=empty',
  },
].map(({ name, value, isMeant, of, place }) =>
  fault({
    id: `revocation/access-token-of-${of === 'refresh_token' ? 'refresh' : 'code'}-missed-by-${value}-${name.replaceAll('_', '-')}`,
    breaks: ['REV-3'],
    places: [place],
    title: `Does not revoke an access token of a ${of === 'refresh_token' ? 'refresh' : 'code'} where ${name} is ${value}`,
    memory: () => new TokenMemory(),
    response: { 'POST /token': listen },
    request: {
      'POST /revoke'(form, _bank, tokens) {
        const { kind, grant } = tokens.of(form.get('token')) ?? {}
        if (kind === 'access_token' && grant === of && isMeant(form.get(name))) form.set('token', 'not-found')
      },
    },
  }),
)

export const tokenHintFaults: readonly Fault[] = [
  ...missed,
  ...refusedOtherwise,
  ofRefresh,
  ...missedOtherwise,
  ...missedByOddHints,
]
