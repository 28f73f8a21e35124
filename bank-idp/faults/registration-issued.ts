import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import type { RecordFacts } from '../seams.js'
import { type Fault, fault } from './fault.js'

/** What the bank issues with a registration, as it is told otherwise by POST. */
const told: readonly {
  slug: string
  breaks: string
  place: string
  title: string
  collateral?: Record<string, string>
  member: string
  change(value: unknown, method: unknown): unknown
}[] = [
  {
    slug: 'client-id-untold',
    breaks: 'REG-1',
    place: 'member=client_id',
    title: 'Leaves client_id out of the answer',
    member: 'client_id',
    change: () => undefined,
  },
  ...['client_secret_post', 'client_secret_jwt'].map((method) => ({
    slug: `${method.replaceAll('_', '-')}-without-secret`,
    breaks: 'REG-1',
    place: `client-auth=${method} member=client_secret`,
    title: `Gives a client that registers ${method} no client_secret`,
    member: 'client_secret',
    change: (value: unknown, registered: unknown) => (registered === method ? undefined : value),
  })),
  {
    slug: 'secret-null',
    breaks: 'REG-1',
    place: 'client-auth=client_secret_post member=client_secret',
    title: 'Gives null as client_secret to a client that registers client_secret_post',
    member: 'client_secret',
    change: (value, registered) => (registered === 'client_secret_post' ? null : value),
  },
  {
    slug: 'client-id-number',
    breaks: 'REG-3',
    place: 'member=client_id',
    title: 'Gives client_id as a number',
    collateral: { 'registration/create': 'a client in another dress is none where its client_id is no text' },
    member: 'client_id',
    change: () => 20_250_001,
  },
  {
    slug: 'registration-token-empty',
    breaks: 'REG-3',
    place: 'member=registration_access_token',
    title: 'Gives an empty registration_access_token',
    member: 'registration_access_token',
    change: () => '',
  },
]

/** Scopes that are dropped when a client registers, and what else shows it. */
const droppedScopes = ['openid', 'offline_access']

/** Rules that have a client prove who it is with what a PUT told. */
const byAsterisks = Object.fromEntries(
  ['client-authentication/secret-jwt', 'client-authentication/secret-post', 'registration/change-of-secret'].map(
    (id) => [id, 'a client does not get far with asterisks'],
  ),
)

export const registrationIssuedFaults: readonly Fault[] = [
  fault({
    id: 'registration/forwarded-host-believed',
    breaks: ['REG-1'],
    places: ['member=registration_client_uri value=wrong'],
    title: 'Makes registration_client_uri of the host that a caller tells as a proxy would',
    response: {
      'POST /register'(response, { issuer, requestHeader }) {
        const told = requestHeader('x-forwarded-host')
        const { registration_client_uri: address, ...body } = Object(response.body)
        if (told === undefined || address === undefined) return response
        const registration_client_uri = String(address).replace(new URL(issuer).host, told)
        return { ...response, body: { ...body, registration_client_uri } }
      },
    },
  }),
  ...told.map(({ slug, breaks, place, member, change, ...description }) =>
    fault({
      ...description,
      id: `registration/${slug}`,
      breaks: [breaks],
      places: [place],
      answeredRecord: {
        [member]: (value, { method, record }) =>
          method === 'POST' ? change(value, record.token_endpoint_auth_method) : value,
      },
    }),
  ),
  ...(
    [
      ['registration_client_uri', 'another registration_client_uri', (address) => `${address}/record`],
      ['client_id_issued_at', 'client_id_issued_at in milliseconds', (seconds) => Number(seconds) * 1000],
    ] as const satisfies [string, string, (value: unknown) => unknown][]
  ).map(([member, what, change]) =>
    fault({
      id: `registration/put-${member.replaceAll('_', '-')}-otherwise`,
      breaks: ['REG-3'],
      places: [`method=PUT member=${member}`],
      title: `Answers PUT with ${what}`,
      answeredRecord: {
        [member]: (value: unknown, { method }: RecordFacts) => (method === 'PUT' ? change(value) : value),
      },
    }),
  ),
  ...(
    [
      ['GET', 'REG-10', 'member=client_id_issued_at'],
      ['PUT', 'REG-3', 'method=PUT member=client_id_issued_at'],
    ] as const
  ).map(([by, breaks, place]) =>
    fault({
      id: `registration/${by.toLowerCase()}-issued-anew`,
      breaks: [breaks],
      places: [place, ...(by === 'GET' ? [`use=after-put ${place}`] : [])],
      title: `Answers ${by} with the present as the time when the client_id was issued`,
      answeredRecord: {
        client_id_issued_at: (value, { method }) => (method === by ? nowSeconds() : value),
      },
    }),
  ),
  ...(['GET', 'PUT'] as const).flatMap((method) =>
    (['client_secret', 'registration_access_token'] as const).map((member) =>
      fault({
        id: `registration/${method.toLowerCase()}-${member.replaceAll('_', '-')}-masked`,
        breaks: ['REG-3'],
        places: [`method=${method} member=${member}`],
        title: `Answers ${method} with asterisks in place of ${member}`,
        ...(method === 'PUT' && member === 'client_secret' && { collateral: byAsterisks }),
        answeredRecord: {
          [member]: (value: unknown, facts: RecordFacts) => (facts.method === method ? '*'.repeat(8) : value),
        },
      }),
    ),
  ),
  ...droppedScopes.map((dropped) =>
    fault({
      id: `registration/${dropped.replace('_', '-')}-dropped`,
      breaks: ['REG-25'],
      places: [`scope=${dropped}`],
      title: `Drops the scope ${dropped} of a registration`,
      keptRecord: {
        scope: (value) =>
          String(value)
            .split(' ')
            .filter((one) => one !== dropped)
            .join(' '),
      },
    }),
  ),
  fault({
    id: 'registration/secret-chosen',
    breaks: ['CLIENT-1'],
    places: ['endpoint=token-info use=after-put'],
    title: 'Takes the client_secret that a PUT names for the one of the client',
    memory: () => new Latest<string>(10_000),
    without: ['replacement/client-secret'],
    judgedRecord: {
      client_secret(value, { method, record }, secrets) {
        if (method === 'PUT' && typeof value === 'string') secrets.set(String(record.client_id), value)
        return value
      },
    },
    clients: {
      async find(clientId, { store }, secrets) {
        const client = await store.find(clientId)
        return client && { ...client, clientSecret: secrets.get(clientId) ?? client.clientSecret }
      },
    },
  }),
  fault({
    id: 'registration/put-at-client-id',
    breaks: ['REG-13'],
    places: ['method=PUT member=client_id'],
    title: 'Replaces the record of the client that a PUT names, whoever it is addressed to',
    memory: () => ({ named: undefined as unknown }),
    without: ['replacement/client-id'],
    judgedRecord: {
      client_id(value, _facts, memory) {
        memory.named = value
        return value
      },
    },
    clients: {
      replace: (record, { store, clientId }, { named }) =>
        store.replace(typeof named === 'string' ? named : clientId, record),
    },
  }),
  fault({
    id: 'registration/encrypts-to-any-key',
    breaks: ['REG-31'],
    places: ['id-of-code', 'id-of-refresh', 'userinfo', 'profile'].map((token) => `token=${token}`),
    title: "Encrypts to the first of a client's keys that fits the algorithm, whatever its use",
    without: ['client-keys/use'],
  }),
]
