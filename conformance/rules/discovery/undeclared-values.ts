import { authenticatedBy, type Metadata } from '../../bank/client-metadata.js'
import type { Tools } from '../../harness/rule.js'
import { answerTo, expectBadRequest } from '../support/refusals.js'

export type Kind = 'algorithm' | 'authentication' | 'flow' | 'other'

interface Row {
  kind: Kind
  member: string
  /** Where discovery lists the values; the first list that it has counts. */
  declaredIn: readonly string[]
  /** The first of these that is not declared is tried. */
  candidates: readonly string[]
  /** The record's changes for a value. */
  change?: (value: string) => Metadata
}

const signing = ['RS256', 'PS384', 'HS256']
const encryption = ['RSA1_5', 'RSA-OAEP', 'RSA-OAEP-384']
const content = ['A128CBC-HS256', 'A128GCM', 'A192GCM']

function nestedJwtRows(kind: string, lists: readonly string[]): Row[] {
  const member = (name: string) => `${kind}_${name}`
  const listed = (name: string) => lists.map((list) => `${list}_${name}_values_supported`)
  return [
    {
      kind: 'algorithm',
      member: member('signed_response_alg'),
      declaredIn: listed('signing_alg'),
      candidates: signing,
    },
    {
      kind: 'algorithm',
      member: member('encrypted_response_alg'),
      declaredIn: listed('encryption_alg'),
      candidates: encryption,
      change: (value) => ({ [member('encrypted_response_alg')]: value, [member('encrypted_response_enc')]: 'A256GCM' }),
    },
    {
      kind: 'algorithm',
      member: member('encrypted_response_enc'),
      declaredIn: listed('encryption_enc'),
      candidates: content,
      change: (value) => ({
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
    candidates: signing,
  },
  {
    kind: 'algorithm',
    member: 'request_object_encryption_alg',
    declaredIn: ['request_object_encryption_alg_values_supported'],
    candidates: encryption,
    change: (value) => ({ request_object_encryption_alg: value, request_object_encryption_enc: 'A256GCM' }),
  },
  {
    kind: 'algorithm',
    member: 'request_object_encryption_enc',
    declaredIn: ['request_object_encryption_enc_values_supported'],
    candidates: content,
    change: (value) => ({ request_object_encryption_alg: 'RSA-OAEP-256', request_object_encryption_enc: value }),
  },
  {
    kind: 'algorithm',
    member: 'token_endpoint_auth_signing_alg',
    declaredIn: ['token_endpoint_auth_signing_alg_values_supported'],
    candidates: ['RS256', 'PS384', 'ES256'],
  },
  {
    kind: 'authentication',
    member: 'token_endpoint_auth_method',
    declaredIn: ['token_endpoint_auth_methods_supported'],
    candidates: ['client_secret_basic', 'tls_client_auth', 'none'],
    change: authenticatedBy,
  },
  {
    kind: 'flow',
    member: 'response_types',
    declaredIn: ['response_types_supported'],
    candidates: ['id_token', 'code token', 'device'],
    change: (value) => ({ response_types: ['code', value] }),
  },
  {
    kind: 'flow',
    member: 'grant_types',
    declaredIn: ['grant_types_supported'],
    candidates: ['password', 'client_credentials'],
    change: (value) => ({ grant_types: ['authorization_code', value] }),
  },
  {
    kind: 'other',
    member: 'subject_type',
    declaredIn: ['subject_types_supported'],
    candidates: ['ephemeral'],
  },
  {
    kind: 'other',
    member: 'default_acr_values',
    declaredIn: ['acr_values_supported'],
    candidates: ['loa9'],
    change: (value) => ({ default_acr_values: [value] }),
  },
  {
    kind: 'other',
    member: 'scope',
    declaredIn: ['scopes_supported'],
    candidates: ['profile.horoscope'],
    change: (value) => ({ scope: `openid ${value}` }),
  },
]

/** Registers each value of these kinds that discovery does not declare, and expects each to be refused with 400. */
export async function expectUndeclaredRefused(
  { bank, expect, inVariation }: Tools,
  kinds: readonly Kind[],
): Promise<void> {
  const discovery = await bank.discovery()
  for (const { kind, member, declaredIn, candidates, change } of rows) {
    const declared = declaredIn.map((list) => discovery.declared(list)).find((list) => list !== undefined)
    const value = candidates.find((one) => !declared?.includes(one))
    if (!kinds.includes(kind) || !declared || value === undefined) continue
    await inVariation(`${member} ${value}`, async () =>
      expectBadRequest(expect, await answerTo(bank, change?.(value) ?? { [member]: value })),
    )
  }
}
