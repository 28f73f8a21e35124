import type { Client } from '../client.js'
import { Latest } from '../latest.js'
import { type Fault, fault } from './fault.js'

/** What POST asks of who calls, and GET, PUT and DELETE as well: left out at one of them. */
interface Row {
  slug: string
  /** Of the title, before the method: "GET asks for no client certificate". */
  does: string
  without: readonly string[]
  /** The requirement that a method breaks then, with the place beside the method. */
  breaks: readonly string[]
  term?: string
}

const rows: readonly Row[] = [
  {
    slug: 'without-certificate',
    does: 'asks for no client certificate',
    without: ['registration/certificate-present', 'registration/certificate-trusted'],
    breaks: ['REG-22'],
    term: 'certificate=none',
  },
  {
    slug: 'any-certificate',
    does: 'takes a client certificate of any authority',
    without: ['registration/certificate-trusted'],
    breaks: ['REG-22'],
    term: 'certificate=untrusted',
  },
  {
    slug: 'without-assertion',
    does: 'takes a call without client_assertion',
    without: ['registration/assertion-present'],
    breaks: ['REG-22'],
    term: 'value=missing',
  },
  {
    slug: 'assertion-unverified',
    does: 'does not verify the signature of RegistrationAuthJWT',
    without: ['registration-assertion/signature'],
    breaks: ['REG-6', 'REG-22'],
    term: 'part=signature',
  },
  {
    slug: 'assertion-unsigned',
    does: 'takes a RegistrationAuthJWT without a signature',
    without: ['registration-assertion/algorithm', 'registration-assertion/signature'],
    breaks: ['REG-22'],
    term: 'part=alg',
  },
  {
    slug: 'any-audience',
    does: 'does not look at aud of RegistrationAuthJWT',
    without: ['registration-assertion/aud'],
    breaks: ['REG-7', 'REG-28'],
    term: 'part=aud',
  },
  {
    slug: 'replay',
    does: 'takes a RegistrationAuthJWT as often as it comes',
    without: ['registration-assertion/replay'],
    breaks: ['REG-8'],
  },
  {
    slug: 'any-assertion-type',
    does: 'does not look at client_assertion_type',
    without: ['registration/assertion-type'],
    breaks: ['REG-9'],
  },
  {
    slug: 'expired-assertion',
    does: 'does not look at exp of RegistrationAuthJWT',
    without: ['registration-assertion/exp'],
    breaks: ['REG-28'],
    term: 'part=exp',
  },
  {
    slug: 'assertion-without-jti',
    does: 'takes a RegistrationAuthJWT without jti',
    without: ['registration-assertion/jti'],
    breaks: ['REG-28'],
    term: 'part=jti',
  },
  {
    slug: 'without-token',
    does: 'asks for no registration access token',
    without: ['registration/access-token-present'],
    breaks: ['REG-13'],
    term: 'caller=nobody',
  },
  {
    slug: 'any-token',
    does: 'takes any registration access token, issued or not',
    without: ['registration/access-token-own'],
    breaks: ['REG-13'],
    term: 'value=wrong',
  },
]

const managing = ['GET', 'PUT', 'DELETE'] as const

function atMethod(method: (typeof managing)[number], { slug, does, without, breaks, term }: Row): Fault {
  return fault({
    id: `registration/${method.toLowerCase()}-${slug}`,
    breaks,
    places: [`method=${method}`, ...(term ? [`method=${method} ${term}`] : [])].filter(
      (place) => place.includes(' ') || breaks.some((id) => ['REG-7', 'REG-8', 'REG-9'].includes(id)),
    ),
    title: `${method} /register/{client_id} ${does}`,
    without: without.map((step) => `${step} at ${method}`),
  })
}

/** Registration access tokens by client_id: of the last clients that were registered. */
function issuedTokens(): Latest<string> {
  return new Latest(10_000)
}

/** A fault that knows the registration access tokens, and takes one by comparing it otherwise. */
function tokenTaken(
  id: string,
  title: string,
  term: string,
  takes: (token: string, own: string, others: () => string[]) => boolean,
): Fault {
  return fault({
    id,
    breaks: ['REG-13'],
    places: managing.map((method) => `method=${method} ${term}`),
    title,
    memory: issuedTokens,
    clients: {
      async create(record, { store }, memory) {
        const client = await store.create(record)
        memory.set(client.clientId, client.registrationAccessToken)
        return client
      },
      async authorizes(token, { store, clientId }, memory) {
        const own = memory.get(clientId)
        if (own !== undefined && takes(token, own, () => [...memory.values()])) return true
        return store.authorizes(clientId, token)
      },
    },
  })
}

type Members = Record<string, unknown>

function firstOfLists(record: Members): Members {
  const cut = (value: unknown) => (Array.isArray(value) ? value.slice(0, 1) : value)
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, cut(value)]))
}

/** What is authenticated at one method and not at another. */
export const registrationMethodFaults = [
  ...managing.flatMap((method) => rows.map((row) => atMethod(method, row))),
  tokenTaken(
    'registration/token-of-any-client',
    'Takes the registration access token of any client for any other',
    'caller=other-client',
    (token, _own, others) => others().includes(token),
  ),
  tokenTaken(
    'registration/token-by-prefix',
    'Takes the beginning of a registration access token for the whole',
    'value=prefix',
    (token, own) => token.length >= 8 && own.startsWith(token),
  ),
  tokenTaken(
    'registration/token-and-more',
    'Takes a registration access token with more behind it',
    'value=superset',
    (token, own) => token.startsWith(own),
  ),
  tokenTaken(
    'registration/token-whatever-case',
    'Takes a registration access token in any case of its letters',
    'value=upper-case',
    (token, own) => token.toLowerCase() === own.toLowerCase(),
  ),
  fault({
    id: 'registration/assertion-unsigned',
    breaks: ['REG-6'],
    places: ['part=alg'],
    title: 'Registers a client by a RegistrationAuthJWT without a signature',
    without: ['registration-assertion/algorithm at POST', 'registration-assertion/signature at POST'],
  }),
  fault({
    id: 'registration/deleted-client-served',
    breaks: ['REG-12'],
    places: ['endpoint=auth', 'endpoint=token', 'endpoint=auth use=session-login'],
    title: 'Takes a registration away at DELETE, and serves the client at /auth and /token as before',
    collateral: {
      'authorization/client-deleted': 'a client that is found is served at /auth',
      'logout/strangers': 'a client that is found is told of logouts',
    },
    memory: () => new Latest<Client>(10_000),
    clients: {
      async remove(clientId, { store }, memory) {
        const client = await store.find(clientId)
        if (client) memory.set(clientId, client)
        await store.remove(clientId)
      },
      find: async (clientId, { store }, memory) => (await store.find(clientId)) ?? memory.get(clientId),
    },
  }),
  fault({
    id: 'registration/deleted-client-keeps-tokens',
    breaks: ['REG-12', 'REG-26'],
    places: [
      'endpoint=auth',
      'endpoint=token',
      ...['code', 'refresh'].map((token) => `endpoint=token token=${token}`),
      ...['userinfo', 'profile'].flatMap((endpoint) =>
        ['access-of-code', 'access-of-refresh'].map((token) => `endpoint=${endpoint} token=${token}`),
      ),
    ],
    title: 'Takes away at DELETE the registration access token alone: the client is served as before, with its tokens',
    collateral: {
      'authorization/client-deleted': 'a client that is kept is served at /auth',
      'logout/strangers': 'a client that is kept is told of logouts',
      'notifications/opted-in': 'a client that is kept is told of changes',
    },
    memory: () => new Latest<true>(10_000),
    clients: {
      async remove(clientId, _bank, removed) {
        removed.set(clientId, true)
      },
      authorizes: async (token, { store, clientId }, removed) =>
        !removed.has(clientId) && store.authorizes(clientId, token),
    },
  }),
  fault({
    id: 'registration/end-user-token-taken',
    breaks: ['REG-13'],
    places: managing.map((method) => `method=${method} token=access-of-code`),
    title: "Takes an end-user's access token of the client for its registration access token",
    memory: () => new Latest<string>(10_000),
    accessToken(value, { record }, owners) {
      owners.set(value, String(record.clientId))
      return value
    },
    clients: {
      authorizes: async (token, { store, clientId }, owners) =>
        owners.get(token) === clientId || store.authorizes(clientId, token),
    },
  }),
  ...(
    [
      ['first-of-lists', 'use=after-put', 'the first element alone of each list', firstOfLists],
      [
        'issued-in-milliseconds',
        'use=after-put member=client_id_issued_at',
        'client_id_issued_at in milliseconds',
        (record: Members) => ({ ...record, client_id_issued_at: Number(record.client_id_issued_at) * 1000 }),
      ],
    ] as const
  ).map(([slug, place, what, change]) =>
    fault({
      id: `registration/read-after-put-${slug}`,
      breaks: ['REG-10'],
      places: [place],
      title: `GET /register/{client_id} gives ${what} once a PUT replaced the record`,
      memory: () => new Latest<true>(10_000),
      response: {
        'PUT /register/{client_id}': (response, _bank, replaced) => {
          if (response.status < 300) replaced.set(String((response.body as Members).client_id), true)
          return response
        },
        'GET /register/{client_id}': (response, _bank, replaced) => {
          const record = (response.body ?? {}) as Members
          return replaced.has(String(record.client_id)) ? { ...response, body: change(record) } : response
        },
      },
    }),
  ),
]
