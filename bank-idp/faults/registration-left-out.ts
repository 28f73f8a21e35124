import { Latest } from '../latest.js'
import type { RecordFacts } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { slugOf } from './registration-members.js'

/** Fields that a bank fills in, or may, where a record does not name them, with two values that it could fill in. */
const filledIn: Readonly<Record<string, readonly [one: unknown, other: unknown]>> = {
  subject_type: ['pairwise', 'public'],
  id_token_signed_response_alg: ['PS512', 'ES512'],
  userinfo_signed_response_alg: ['PS512', 'ES512'],
  profile_signed_response_alg: ['PS512', 'ES512'],
  request_object_signing_alg: ['PS512', 'ES512'],
  token_endpoint_auth_signing_alg: ['PS512', 'ES512'],
  response_types: [['code'], ['code', 'token']],
  grant_types: [['authorization_code'], ['authorization_code', 'implicit']],
}

/** Whose record did not name a field when it was last judged, by jwks_uri, which no two clients share. */
type LeftOut = Latest<boolean>

const memory = (): LeftOut => new Latest(10_000)

function noted(field: string) {
  return {
    [field](value: unknown, { record }: RecordFacts, leftOut: LeftOut) {
      leftOut.set(String(record.jwks_uri), value === undefined)
      return value
    },
  }
}

function keptWhenLeftOut(field: string): Fault {
  return fault({
    id: `registration/put-merges-${slugOf(field)}`,
    breaks: ['REG-11'],
    places: [`member=${field} value=missing`],
    title: `Keeps ${field} when a PUT leaves it out`,
    memory,
    judgedRecord: noted(field),
    keptRecord: {
      [field]: (value, { record, replaced }, leftOut) =>
        leftOut.get(String(record.jwks_uri)) ? (replaced?.[field] ?? value) : value,
    },
  })
}

function readOtherwise(field: string, [one, other]: readonly [unknown, unknown]): Fault {
  return fault({
    id: `registration/read-other-${slugOf(field)}`,
    breaks: ['REG-10'],
    places: [`member=${field} value=missing`],
    title: `Fills in another ${field} when a record is read that names none than when it is registered`,
    memory,
    judgedRecord: noted(field),
    answeredRecord: {
      [field]: (value, { record, method }, leftOut) =>
        leftOut.get(String(record.jwks_uri)) ? (method === 'GET' ? other : one) : value,
    },
  })
}

/** What is taken for none, or given back in part. */
const oddValues: readonly { member: string; term: string; title: string; told(value: unknown): unknown }[] = [
  {
    member: 'default_max_age',
    term: 'value=lower-bound',
    title: 'Leaves a default_max_age of 0 out of its answers',
    told: (value) => (value === 0 ? undefined : value),
  },
  {
    member: 'require_auth_time',
    term: 'value=lower-bound',
    title: 'Leaves require_auth_time out of its answers where it is false',
    told: (value) => value || undefined,
  },
  {
    member: 'response_types',
    term: 'value=second',
    title: 'Gives back the first response type alone',
    told: (value) => (Array.isArray(value) ? value.slice(0, 1) : value),
  },
  {
    member: 'client_name',
    term: 'value=long',
    title: 'Gives back the first hundred characters of client_name',
    told: (value) => String(value).slice(0, 100),
  },
  {
    member: 'client_name',
    term: 'value=encoded',
    title: 'Gives back client_name as a page would write it',
    told: (value) => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  },
]

/** Told for each redirect URI that was registered: the one that a library for addresses makes of it. */
const normalized = fault({
  id: 'registration/redirect-uris-as-a-library-writes',
  breaks: ['REG-2'],
  places: ['POST', 'PUT', 'GET'].map((method) => `method=${method} member=redirect_uris value=lower-bound`),
  title: 'Gives redirect URIs a path, and takes the port of https from them, in its answers',
  answeredRecord: {
    redirect_uris: (value) => (Array.isArray(value) ? value.map((uri) => new URL(String(uri)).href) : value),
  },
})

/** As where the members of a record are written one after the other, before all of them are checked. */
const keptOfRefused = fault({
  id: 'registration/refused-put-kept-in-part',
  breaks: ['REG-15'],
  places: ['method=PUT use=after-refusal'],
  title: 'Keeps the tos_uri of a PUT that it refuses',
  memory: () => new Latest<{ value: unknown }>(10_000),
  judgedRecord: {
    tos_uri(value, { record }, latest) {
      latest.set(String(record.jwks_uri), { value })
      return value
    },
  },
  answeredRecord: {
    tos_uri: (value, { record, method }, latest) =>
      method === 'GET' ? (latest.get(String(record.jwks_uri)) ?? { value }).value : value,
  },
})

/** Taken for an attack by what stands before a bank. */
const apostropheRefused = (['POST', 'PUT'] as const).map((at) =>
  fault({
    id: `registration/${at.toLowerCase()}-apostrophe-refused`,
    breaks: ['REG-2'],
    places: [`method=${at} member=client_name value=encoded`],
    title: `Refuses a ${at} that has an apostrophe in client_name`,
    judgedRecord: {
      client_name: (value, { method }) => (method === at && String(value).includes("'") ? { refused: value } : value),
    },
  }),
)

/** What is left out beside its alg is filled in as OpenID Connect Dynamic Client Registration section 2 has it. */
function filledInAsOpenId(kind: 'userinfo' | 'profile' | 'id_token', method: 'POST' | 'PUT'): Fault {
  const enc = `${kind}_encrypted_response_enc`
  const alg = `${kind}_encrypted_response_alg`
  return fault({
    id: `registration/${method.toLowerCase()}-${slugOf(enc)}-by-default-undeclared`,
    breaks: ['REG-15'],
    places: [`method=${method} member=${enc} value=missing`],
    title: `Fills in A128CBC-HS256, which it does not declare, where ${enc} is left out of a ${method}`,
    memory,
    judgedRecord: {
      [enc]: (value, { record }, leftOut) => {
        leftOut.set(String(record.jwks_uri), value === undefined && record[alg] !== undefined)
        return value
      },
    },
    keptRecord: {
      [enc]: (value, { record, replaced }, leftOut) =>
        leftOut.get(String(record.jwks_uri)) && (replaced !== undefined) === (method === 'PUT')
          ? 'A128CBC-HS256'
          : value,
    },
  })
}

export const registrationLeftOutFaults: readonly Fault[] = [
  normalized,
  ...apostropheRefused,
  keptOfRefused,
  ...(['userinfo', 'profile', 'id_token'] as const).flatMap((kind) =>
    (['POST', 'PUT'] as const).map((method) => filledInAsOpenId(kind, method)),
  ),
  ...[...Object.keys(filledIn), 'token_endpoint_auth_method'].map(keptWhenLeftOut),
  ...Object.entries(filledIn).map(([field, values]) => readOtherwise(field, values)),
  ...oddValues.flatMap(({ member, term, title, told }) =>
    (['POST', 'PUT', 'GET'] as const).map((at) =>
      fault({
        id: `registration/${at.toLowerCase()}-odd-${slugOf(member)}${member === 'client_name' ? `-${term.slice(6)}` : ''}`,
        // Every record has it, so that what reads one back misses it as well.
        breaks: at === 'GET' && member === 'require_auth_time' ? ['REG-2', 'REG-10'] : ['REG-2'],
        places: [`method=${at} member=${member} ${term}`],
        title: `${title} to ${at}`,
        answeredRecord: { [member]: (value, { method }) => (method === at ? told(value) : value) },
      }),
    ),
  ),
]
