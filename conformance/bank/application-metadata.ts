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

/** Whether this bank declares what gives a refresh token: the grant and the scope. */
function declaresOffline(discovery: Discovery): boolean {
  const declares = (member: string, value: string) => discovery.declared(member)?.includes(value)
  return Boolean(declares('grant_types_supported', 'refresh_token') && declares('scopes_supported', 'offline_access'))
}

/**
 * The record of an application as rules use it unless they ask otherwise: every field that the published interface requires,
 * and the strongest of what the bank declares.
 * @param base address below which everything of this application lies
 */
export function defaultMetadata(discovery: Discovery, base: string, seed: string): Metadata {
  const offline = declaresOffline(discovery)
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
    grant_types: ['authorization_code', ...(offline ? ['refresh_token'] : [])],
    token_endpoint_auth_method: 'private_key_jwt',
    require_auth_time: true,
    default_max_age: 3600,
    scope: ['openid', ...declaredDataScopes(discovery), ...(offline ? ['offline_access'] : [])].join(' '),
    ...Object.fromEntries(
      negotiated.flatMap(({ member, wanted, declaredIn, optional }) => {
        const declared = discovery.declared(declaredIn) ?? (optional ? [] : [wanted])
        const value = declared.includes(wanted) ? wanted : declared[0]
        return value === undefined ? [] : [[member, value]]
      }),
    ),
  }
}
