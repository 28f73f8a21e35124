import { authenticatedBy, type Metadata } from '../../bank/client-metadata.js'
import { format } from '../../harness/expect.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { recordTrials } from '../support/record-trials.js'
import { expectBadRequest, type recordMethods } from '../support/refusals.js'

export type Kind = 'algorithm' | 'authentication' | 'flow' | 'other'

interface Row {
  kind: Kind
  member: string
  /** Where discovery lists the values; the first list that it has counts. */
  declaredIn: readonly string[]
  /** Each of these that is not declared is tried. */
  candidates: readonly string[]
  /** The record's changes for a value; several where it may stand in several places of a list, beside one that is declared. */
  changes?: (value: string, good: string) => Metadata | readonly Metadata[]
}

/** Not PS256 and ES256, which a bank may let be registered for the signing flow (AMB-12). */
const signing = ['RS256', 'RS512', 'PS384', 'ES384', 'HS256', 'HS512']
const encryption = ['RSA1_5', 'RSA-OAEP', 'RSA-OAEP-384', 'RSA-OAEP-512', 'ECDH-ES', 'dir']
const content = ['A128CBC-HS256', 'A256CBC-HS512', 'A128GCM', 'A192GCM']

function nestedJwtRows(kind: string, lists: readonly string[]): Row[] {
  const member = (name: string) => `${kind}_${name}`
  const listed = (name: string) => lists.map((list) => `${list}_${name}_values_supported`)
  return [
    {
      kind: 'algorithm',
      member: member('signed_response_alg'),
      declaredIn: listed('signing_alg'),
      candidates: kind === 'id_token' ? signing : [...signing, 'none'],
    },
    {
      kind: 'algorithm',
      member: member('encrypted_response_alg'),
      declaredIn: listed('encryption_alg'),
      candidates: encryption,
      changes: (value) => ({
        [member('encrypted_response_alg')]: value,
        [member('encrypted_response_enc')]: 'A256GCM',
      }),
    },
    {
      kind: 'algorithm',
      member: member('encrypted_response_enc'),
      declaredIn: listed('encryption_enc'),
      candidates: content,
      changes: (value) => ({
        [member('encrypted_response_alg')]: 'RSA-OAEP-256',
        [member('encrypted_response_enc')]: value,
      }),
    },
  ]
}

/** Members whose values discovery declares, each with values that it might leave out ("Discovery document"). */
const rows: readonly Row[] = [
  ...nestedJwtRows('id_token', ['id_token']),
  ...nestedJwtRows('userinfo', ['userinfo']),
  ...nestedJwtRows('profile', ['profile', 'userinfo']),
  {
    kind: 'algorithm',
    member: 'request_object_signing_alg',
    declaredIn: ['request_object_signing_alg_values_supported'],
    candidates: [...signing, 'none'],
  },
  {
    kind: 'algorithm',
    member: 'request_object_encryption_alg',
    declaredIn: ['request_object_encryption_alg_values_supported'],
    candidates: encryption,
    changes: (value) => ({ request_object_encryption_alg: value, request_object_encryption_enc: 'A256GCM' }),
  },
  {
    kind: 'algorithm',
    member: 'request_object_encryption_enc',
    declaredIn: ['request_object_encryption_enc_values_supported'],
    candidates: content,
    changes: (value) => ({ request_object_encryption_alg: 'RSA-OAEP-256', request_object_encryption_enc: value }),
  },
  {
    kind: 'algorithm',
    member: 'token_endpoint_auth_signing_alg',
    declaredIn: ['token_endpoint_auth_signing_alg_values_supported'],
    candidates: ['RS256', 'PS384', 'ES384', 'HS256', 'none'],
    // A record need not name the method that the algorithm is for, as one value shows.
    changes: (token_endpoint_auth_signing_alg) => [
      { token_endpoint_auth_signing_alg },
      ...(token_endpoint_auth_signing_alg === 'RS256'
        ? [{ token_endpoint_auth_signing_alg, token_endpoint_auth_method: undefined }]
        : []),
    ],
  },
  {
    kind: 'authentication',
    member: 'token_endpoint_auth_method',
    declaredIn: ['token_endpoint_auth_methods_supported'],
    candidates: ['client_secret_basic', 'tls_client_auth', 'self_signed_tls_client_auth', 'none'],
    changes: authenticatedBy,
  },
  {
    kind: 'flow',
    member: 'response_types',
    declaredIn: ['response_types_supported'],
    // Not the response types of the signing flow (AMB-13).
    candidates: ['id_token', 'id_token token', 'code token', 'none', 'device'],
    changes: (value) => [{ response_types: ['code', value] }, { response_types: [value, 'code'] }],
  },
  {
    kind: 'flow',
    member: 'grant_types',
    declaredIn: ['grant_types_supported'],
    candidates: ['password', 'client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    changes: (value) => [
      { grant_types: ['authorization_code', value] },
      { grant_types: [value, 'authorization_code'] },
      { grant_types: ['authorization_code', 'refresh_token', value] },
    ],
  },
  {
    kind: 'other',
    member: 'subject_type',
    declaredIn: ['subject_types_supported'],
    candidates: ['ephemeral', 'Pairwise'],
  },
  {
    kind: 'other',
    member: 'default_acr_values',
    declaredIn: ['acr_values_supported'],
    candidates: ['loa9', 'loa1', 'LOA2'],
    changes: (value) => [
      { default_acr_values: [value] },
      { default_acr_values: ['loa2', value] },
      { default_acr_values: [value, 'loa2'] },
    ],
  },
  {
    kind: 'other',
    member: 'scope',
    declaredIn: ['scopes_supported'],
    // The last two: scopes in another case, and a list by another separator.
    candidates: [
      'profile.horoscope',
      'profile',
      'profile.name.first',
      'email',
      'address',
      'phone',
      'Profile.Name',
      'openid,profile.name',
    ],
    changes: (value, good) => [
      { scope: `openid ${value}` },
      { scope: `${value} openid` },
      { scope: `openid ${value} ${good}` },
    ],
  },
]

/** What a careless comparison takes for the value. */
function inOtherCase(value: string): string {
  return value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase()
}

/** The members whose undeclared values are tried. */
export const undeclaredMembers: readonly string[] = rows.map(({ member }) => member)

/**
 * Brings each value of these kinds that discovery does not declare in a record, and expects each to be refused with 400; tells how many it
 * were. A bank may leave a value out or register another in its place (RFC 7591 sections 2 and 3.2.1), as its answer then shows: it is warned.
 *
 * @param most how many values of a member are tried
 */
export async function expectUndeclaredRefused(
  tools: Tools,
  kinds: readonly Kind[],
  method: (typeof recordMethods)[number] = 'POST',
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { bank, expect, inVariation, warn } = tools
  const discovery = await bank.discovery()
  const tried = rows
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ member, declaredIn, candidates, changes = (value) => ({ [member]: value }) }) => {
      const declared = declaredIn.map((list) => discovery.declared(list)).find((list) => list !== undefined)
      if (!declared) return []
      const good = declared.find((one) => one !== 'openid') ?? 'openid'
      const undeclared = [...candidates, inOtherCase(good)].filter((one) => !declared.includes(one))
      return undeclared
        .slice(0, most)
        .flatMap((value) => [changes(value, good)].flat().map((change) => ({ member, value, change })))
    })
  const trials = recordTrials(tools)
  const replaced = new Set<string>()
  for (const { member, value, change } of tried) {
    const leftOut = Object.keys(change).filter((name) => change[name] === undefined)
    const how = [format(change[member]), ...leftOut.map((name) => `without ${name}`)].join(' ')
    await inVariation(`${method} of ${member} ${how}`, async () => {
      const response = await trials[method](change)
      if (registersOther(response, member, value)) replaced.add(member)
      else expectBadRequest(expect, response)
    })
  }
  const last = tried.at(-1)
  if (method === 'PUT' && last) {
    const { redirectUri } = await bank.client()
    await inVariation('PUT of several changes, one of them to be refused', async () => {
      const redirect_uris = [redirectUri, `${redirectUri}/refused`]
      const others = { client_name: 'Conformance refused', tos_uri: 'https://example.org/refused', redirect_uris }
      const response = await trials.PUT({ ...others, ...last.change })
      if (!registersOther(response, last.member, last.value)) expectBadRequest(expect, response)
    })
  }
  await trials.expectKept()
  if (replaced.size > 0) warn(`${method} leaves out or replaces undeclared values of ${[...replaced].join(', ')}`)
  return tried.length
}

/** Whether a record was taken, and shows that it holds something else than this value of a member. */
export function registersOther(response: HttpResponse, member: string, value: string): boolean {
  if (response.status >= 300 || typeof response.member('client_id') !== 'string') return false
  const registered = response.member(member)
  // A list holds whole values, such as the response type "id_token token"; text holds one, or the scopes.
  const values = Array.isArray(registered) ? registered : [registered, ...String(registered).split(' ')]
  return !values.includes(value)
}
