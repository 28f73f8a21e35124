import type { Discovery } from './discovery.js'

/** A client registration record, as on the wire ("Client registration record"). */
export type Metadata = Record<string, unknown>

/** The data scopes that applications register, as far as the bank declares them. */
const dataScopes = [
  'profile.name',
  'profile.email',
  'profile.phonenumber',
  'profile.birthdate',
  'profile.locale',
  'profile.zoneinfo',
]

/**
 * Values that the bank has to declare before they can be registered: the first wanted one that it declares, else the first it
 * declares. A bank that declares nothing for a signing member is taken to do what the specification's table says; one that
 * declares no encryption has none ("Token kinds and required minimum validity").
 */
const negotiated: readonly { member: string; wanted: string; declaredIn: string; optional?: true }[] = [
  { member: 'subject_type', wanted: 'pairwise', declaredIn: 'subject_types_supported' },
  {
    member: 'token_endpoint_auth_signing_alg',
    wanted: 'PS512',
    declaredIn: 'token_endpoint_auth_signing_alg_values_supported',
  },
  { member: 'id_token_signed_response_alg', wanted: 'PS512', declaredIn: 'id_token_signing_alg_values_supported' },
  { member: 'userinfo_signed_response_alg', wanted: 'PS512', declaredIn: 'userinfo_signing_alg_values_supported' },
  {
    member: 'userinfo_encrypted_response_alg',
    wanted: 'RSA-OAEP-256',
    declaredIn: 'userinfo_encryption_alg_values_supported',
    optional: true,
  },
  {
    member: 'userinfo_encrypted_response_enc',
    wanted: 'A256GCM',
    declaredIn: 'userinfo_encryption_enc_values_supported',
    optional: true,
  },
]

/** The data scopes that this bank declares, among those that applications register. */
export function declaredDataScopes(discovery: Discovery): string[] {
  const declared = discovery.declared('scopes_supported')
  return declared ? dataScopes.filter((scope) => declared.includes(scope)) : dataScopes
}

/**
 * The record of an application as rules use it unless they ask otherwise: every field that the published interface requires,
 * and the strongest of what the bank declares.
 * @param base address below which everything of this application lies
 */
export function defaultMetadata(discovery: Discovery, base: string, seed: string): Metadata {
  return {
    client_name: `Conformance ${seed}`,
    application_type: 'web',
    contacts: ['conformance@example.org'],
    redirect_uris: [`${base}/callback`],
    request_uris: [`${base}/request-object`],
    jwks_uri: `${base}/jwks.json`,
    logo_uri: `${base}/logo.png`,
    tos_uri: `${base}/terms`,
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'private_key_jwt',
    require_auth_time: true,
    default_max_age: 3600,
    scope: ['openid', ...declaredDataScopes(discovery)].join(' '),
    ...Object.fromEntries(
      negotiated.flatMap(({ member, wanted, declaredIn, optional }) => {
        const declared = discovery.declared(declaredIn) ?? (optional ? [] : [wanted])
        const value = declared.includes(wanted) ? wanted : declared[0]
        return value === undefined ? [] : [[member, value]]
      }),
    ),
  }
}

/** The fields of a registration record with their types ("Client registration record"). */
export const recordFields: Readonly<Record<string, 'text' | 'uri' | 'list' | 'integer' | 'boolean'>> = {
  redirect_uris: 'list',
  response_types: 'list',
  grant_types: 'list',
  application_type: 'text',
  contacts: 'list',
  client_name: 'text',
  logo_uri: 'uri',
  client_uri: 'uri',
  policy_uri: 'uri',
  tos_uri: 'uri',
  initiate_login_uri: 'uri',
  backchannel_logout_uri: 'uri',
  notification_uri: 'uri',
  jwks_uri: 'uri',
  sector_identifier_uri: 'uri',
  subject_type: 'text',
  id_token_signed_response_alg: 'text',
  userinfo_signed_response_alg: 'text',
  profile_signed_response_alg: 'text',
  id_token_encrypted_response_alg: 'text',
  userinfo_encrypted_response_alg: 'text',
  profile_encrypted_response_alg: 'text',
  id_token_encrypted_response_enc: 'text',
  userinfo_encrypted_response_enc: 'text',
  profile_encrypted_response_enc: 'text',
  request_object_signing_alg: 'text',
  request_object_encryption_alg: 'text',
  request_object_encryption_enc: 'text',
  token_endpoint_auth_method: 'text',
  token_endpoint_auth_signing_alg: 'text',
  default_max_age: 'integer',
  require_auth_time: 'boolean',
  default_acr_values: 'list',
  request_uris: 'list',
  scope: 'text',
  required_scope: 'text',
}
