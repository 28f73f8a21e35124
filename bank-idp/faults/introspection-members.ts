import { createHash } from 'node:crypto'
import { Latest } from '../latest.js'
import { type Fault, fault, omit } from './fault.js'
import { listen, TokenMemory } from './token-memory.js'

type Members = Record<string, unknown>

/** The kinds of token, as places name them, and in words. */
const kinds = {
  'access-of-code': 'an access token of a code',
  'access-of-refresh': 'an access token of a refresh',
  'access-of-front-channel': 'an access token of the front channel',
  'access-of-signing': 'an access token of the signing flow',
  refresh: 'a refresh token',
} as const
type Kind = keyof typeof kinds
const everyKind = Object.keys(kinds) as Kind[]

/** The kind of a token that is asked about: what POST /token did not give came by the front channel. */
function kindOf(token: string | null, memory: TokenMemory): Kind {
  const issued = memory.of(token)
  if (!issued) return 'access-of-front-channel'
  if (issued.kind === 'refresh_token') return 'refresh'
  if (issued.grant === 'refresh_token') return 'access-of-refresh'
  return issued.scopes.includes('authorization') ? 'access-of-signing' : 'access-of-code'
}

/** What is told wrongly of tokens of some kinds, one kind at a time. */
interface Deviation {
  slug: string
  breaks: string
  /** What it does to a kind of token. */
  title: (what: string) => string
  /** What follows the kind in the name of the place. */
  member?: string
  kinds: readonly Kind[]
  change: (members: Members) => Members
}

/** The number that a person has in a bank of its own, whoever asks. */
function ownNumber(sub: unknown): string {
  return createHash('sha256').update(`person ${sub}`).digest('hex').slice(0, 32)
}

const deviations: readonly Deviation[] = [
  {
    slug: 'own-number',
    breaks: 'INTR-1',
    title: (what) => `Names the person of ${what} by a number that no client knows`,
    kinds: everyKind,
    change: (members) => ({ ...members, sub: ownNumber(members.sub) }),
  },
  {
    slug: 'other-client',
    breaks: 'INTR-1',
    title: (what) => `Names a client of ${what} that nobody registered`,
    kinds: everyKind,
    change: (members) => ({ ...members, client_id: `${members.client_id}-2` }),
  },
  {
    slug: 'type-empty',
    breaks: 'INTR-1',
    title: (what) => `Gives an empty token_type of ${what}`,
    kinds: everyKind.filter((kind) => kind !== 'refresh'),
    change: (members) => ({ ...members, token_type: '' }),
  },
  {
    slug: 'exp-in-milliseconds',
    breaks: 'INTR-5',
    title: (what) => `Gives exp of ${what} in milliseconds`,
    member: 'exp',
    kinds: everyKind,
    change: (members) => ({ ...members, exp: Number(members.exp) * 1000 }),
  },
  {
    slug: 'iat-unknown',
    breaks: 'INTR-5',
    title: (what) => `Gives 0 as iat of ${what}`,
    member: 'iat',
    kinds: everyKind,
    change: (members) => ({ ...members, iat: 0 }),
  },
  {
    slug: 'scopes-two-spaces',
    breaks: 'INTR-5',
    title: (what) => `Parts the scopes of ${what} by two spaces`,
    member: 'scope',
    kinds: everyKind,
    change: (members) => ({ ...members, scope: String(members.scope).replaceAll(' ', '  ') }),
  },
]

function faultOf({ slug, breaks, title, member, change }: Deviation, kind: Kind): Fault {
  return fault({
    id: `introspection/${slug}-of-${kind}`,
    breaks: [breaks],
    places: [`token=${kind}${member === undefined ? '' : ` member=${member}`}`],
    title: title(kinds[kind]),
    memory: () => new TokenMemory(),
    response: {
      'POST /token': listen,
      'POST /token-info': (response, { form }, memory) => {
        const members = response.body as Members
        const meant = members.active === true && kindOf(form.get('token'), memory) === kind
        return meant ? { ...response, body: change(members) } : response
      },
    },
  })
}

/** What is told wrongly of every live access token, or of what a refresh token is besides. */
const told: readonly (Omit<Deviation, 'kinds' | 'title' | 'member'> & { title: string; places: readonly string[] })[] =
  [
    {
      slug: 'client-missing',
      breaks: 'INTR-1',
      places: ['token=access-of-code member=client_id'],
      title: 'Leaves client_id out of what it tells of a token',
      change: (members) => omit(members, 'client_id'),
    },
    {
      slug: 'sub-missing',
      breaks: 'INTR-1',
      places: ['token=access-of-code member=sub'],
      title: 'Leaves sub out of what it tells of a token',
      change: (members) => omit(members, 'sub'),
    },
    {
      slug: 'other-type',
      breaks: 'INTR-1',
      places: ['token=access-of-code member=token_type'],
      title: 'Calls an access token an id_token',
      change: (members) => (members.token_type === 'access_token' ? { ...members, token_type: 'id_token' } : members),
    },
    {
      slug: 'audience-number',
      breaks: 'INTR-5',
      places: ['token=access-of-code member=aud'],
      title: 'Gives a number as aud',
      change: (members) => ({ ...members, aud: 1 }),
    },
    {
      slug: 'issuer-other',
      breaks: 'INTR-5',
      places: ['token=access-of-code member=iss'],
      title: 'Names another issuer with a slash at its end',
      change: (members) => ({ ...members, iss: `${members.iss}/` }),
    },
    {
      slug: 'times-in-milliseconds',
      breaks: 'INTR-5',
      places: ['exp', 'iat'].map((member) => `token=access-of-code member=${member} value=other-unit`),
      title: 'Gives exp and iat in milliseconds',
      change: (members) => ({ ...members, exp: Number(members.exp) * 1000, iat: Number(members.iat) * 1000 }),
    },
  ]

/** For `response`: what is told of a live token stays, but for a member that is another's: the first that was asked about. */
function ofFirst(member: string) {
  return {
    memory: () => ({ first: undefined as unknown }),
    response: {
      'POST /token-info': (
        response: { status: number; headers: Record<string, string | string[]>; body: unknown },
        _bank: unknown,
        memory: { first: unknown },
      ) => {
        const members = response.body as Members
        if (members.active !== true) return response
        memory.first ??= members[member]
        return { ...response, body: { ...members, [member]: memory.first } }
      },
    },
  }
}

/** Times that are another with each call, by so many seconds. */
const sliding: readonly {
  name: 'exp' | 'iat'
  step: number
  title: (what: string) => string
  /** Where those of all tokens slide. */
  collateral: Readonly<Record<string, string>>
  /** The same of access tokens of refreshes alone. */
  collateralOfRefreshed?: Readonly<Record<string, string>>
}[] = [
  {
    name: 'exp',
    step: 1,
    title: (what: string) => `Gives ${what} a second more each time that it is asked about`,
    collateral: {
      'introspection/live-token': 'the same is to be told with a hint',
      'token/later-login': 'the earlier token is asked about before and after',
      'token/later-declined': 'the earlier token is asked about before and after',
      'token/refresh-widened-keeps': 'the refresh token is asked about before and after',
    },
    collateralOfRefreshed: { 'token/later-login': 'the earlier token is asked about before and after' },
  },
  {
    name: 'iat',
    step: -1,
    title: (what: string) => `Gives another iat each time that ${what} is asked about`,
    collateral: { 'introspection/live-token': 'the same is to be told with a hint' },
  },
]

/** The kinds of which a time may slide while those of others stand still. */
const slidingKinds = ['access-of-refresh', 'access-of-front-channel', 'access-of-signing'] as const

/** What is told of a token, one of its times by so many seconds later than at the call before. @param asked how often each token was asked about */
function slid(members: Members, form: URLSearchParams, asked: Latest<number>, name: string, step: number): Members {
  const token = String(form.get('token'))
  const times = asked.get(token) ?? 0
  asked.set(token, times + 1)
  return { ...members, [name]: Number(members[name]) + times * step }
}

export const introspectionMemberFaults: readonly Fault[] = [
  ...deviations.flatMap((deviation) => deviation.kinds.map((kind) => faultOf(deviation, kind))),
  ...told.map(({ slug, breaks, places, title, change }) =>
    fault({
      id: `introspection/${slug}`,
      breaks: [breaks],
      places,
      title,
      response: {
        'POST /token-info': (response) => {
          const members = response.body as Members
          return members.active === true ? { ...response, body: change(members) } : response
        },
      },
    }),
  ),
  fault({
    id: 'introspection/audience-of-all',
    breaks: ['INTR-1', 'INTR-5'],
    places: ['token=access-of-code member=aud', 'use=second-client token=access-of-code'],
    title: 'Gives as aud its client and every client that got a token by then',
    memory: () => new Latest<true>(1000),
    response: {
      'POST /token': (response, { form }, clients) => {
        const client = form.get('client_id')
        if (response.status === 200 && client !== null) clients.set(client, true)
        return response
      },
      'POST /token-info': (response, _bank, clients) => {
        const members = response.body as Members
        if (members.active !== true) return response
        clients.set(String(members.client_id), true)
        return { ...response, body: { ...members, aud: [...clients.keys()] } }
      },
    },
  }),
  fault({
    id: 'introspection/audience-of-first',
    breaks: ['INTR-1'],
    places: ['use=second-client token=access-of-code'],
    title: 'Gives the aud of the first token that is asked about for every other',
    ...ofFirst('aud'),
  }),
  fault({
    id: 'introspection/person-of-first',
    breaks: ['INTR-1'],
    places: ['use=second-person token=access-of-code'],
    title: 'Gives the sub of the first token that is asked about for every other',
    ...ofFirst('sub'),
  }),
  ...sliding.map(({ name, step, title, collateral }) =>
    fault({
      id: `introspection/sliding-${name}`,
      breaks: ['INTR-5'],
      places: ['access-of-code', 'refresh'].map((token) => `use=second-call token=${token} member=${name}`),
      title: title('a token'),
      collateral,
      memory: () => new Latest<number>(10_000),
      response: {
        'POST /token-info': (response, { form }, asked) => {
          const members = response.body as Members
          return members.active === true ? { ...response, body: slid(members, form, asked, name, step) } : response
        },
      },
    }),
  ),
  ...sliding.flatMap(({ name, step, title, collateralOfRefreshed }) =>
    slidingKinds.map((kind) =>
      fault({
        id: `introspection/sliding-${name}-of-${kind}`,
        breaks: ['INTR-5'],
        places: [`use=second-call token=${kind} member=${name}`],
        title: title(kinds[kind]),
        ...(kind === 'access-of-refresh' && collateralOfRefreshed && { collateral: collateralOfRefreshed }),
        memory: () => ({ tokens: new TokenMemory(), asked: new Latest<number>(10_000) }),
        response: {
          'POST /token': (response, facts, { tokens }) => listen(response, facts, tokens),
          'POST /token-info': (response, { form }, { tokens, asked }) => {
            const members = response.body as Members
            const meant = members.active === true && kindOf(form.get('token'), tokens) === kind
            return meant ? { ...response, body: slid(members, form, asked, name, step) } : response
          },
        },
      }),
    ),
  ),
]
