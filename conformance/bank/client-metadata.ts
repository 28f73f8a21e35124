import { encs } from '../service/algorithms.js'
import { dataScopes, type UserData } from './claims.js'
import type { Discovery } from './discovery.js'

/** Where a bank declares lists of values. */
type Declaring = Pick<Discovery, 'declared'>

/** A client registration record, as on the wire ("Client registration record"). */
export type Metadata = Record<string, unknown>

/** Changes of the default record for a client that authenticates by this method, with whatever algorithm. */
export function authenticatedBy(method: string): Metadata {
  return { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: undefined }
}

/** Changes of the default record for a client beside the default one, which is like it but for its name. */
export const anotherClient: Metadata = { client_name: 'Another client' }

interface Negotiated {
  member: string
  /** In the order of preference: what the harness can make and read. */
  wanted: readonly string[]
  /** What discovery calls the list of its values. */
  list: string
  optional?: true
}

/** What the keys of a client sign with in the login flow. */
const signatures = ['PS512', 'ES512']

/**
 * Values that the bank has to declare before they can be registered: the first wanted one that it declares, else the first it
 * declares. A bank that declares nothing for a signing member is taken to do what the specification's table says; one that
 * declares no encryption has none ("Token kinds and required minimum validity").
 */
const negotiated: readonly Negotiated[] = [
  { member: 'subject_type', wanted: ['pairwise'], list: 'subject_types_supported' },
  { member: 'id_token_signed_response_alg', wanted: signatures, list: 'id_token_signing_alg_values_supported' },
  ...userDataAlgorithms('userinfo'),
  ...userDataAlgorithms('profile'),
]

/** What is registered for the answers of an endpoint: its members, the values wanted, and where the bank declares them. */
function userDataAlgorithms(endpoint: UserData): Negotiated[] {
  const members = [
    ['signed_response_alg', signatures, 'signing_alg'],
    ['encrypted_response_alg', ['RSA-OAEP-256'], 'encryption_alg'],
    ['encrypted_response_enc', encs, 'encryption_enc'],
  ] as const
  return members.map(([member, wanted, kind]) => ({
    member: `${endpoint}_${member}`,
    wanted,
    list: listFor(endpoint, kind),
    ...(kind !== 'signing_alg' && { optional: true }),
  }))
}

/** What a list in discovery holds: one of profile what that of userinfo does, where it is not there (AMB-49); undefined when there is neither. */
export function declaredIn(discovery: Declaring, list: string): readonly string[] | undefined {
  return discovery.declared(list) ?? discovery.declared(list.replace(/^profile_/, 'userinfo_'))
}

/** What a record says so that id_tokens are encrypted; nothing where the bank declares no encryption of them. */
export function encryptedIdTokens(discovery: Declaring): Metadata {
  if (!discovery.declared('id_token_encryption_alg_values_supported')?.length) return {}
  return { id_token_encrypted_response_alg: 'RSA-OAEP-256', id_token_encrypted_response_enc: 'A256GCM' }
}

type Kind = 'signing_alg' | 'encryption_alg' | 'encryption_enc'

function listFor(endpoint: UserData, kind: Kind): string {
  return `${endpoint}_${kind}_values_supported`
}

/** What the bank declares for the answers of an endpoint; undefined when it has no such list. */
export function declaredFor(discovery: Declaring, endpoint: UserData, kind: Kind): readonly string[] | undefined {
  return declaredIn(discovery, listFor(endpoint, kind))
}

/** The methods by which clients authenticate unless a rule asks otherwise: the first that the bank declares. */
const methods = ['private_key_jwt', 'client_secret_jwt', 'client_secret_post', 'client_secret_basic']

/** Why clients cannot authenticate by one of these methods, as the bank declares; undefined where they can, or it declares nothing. */
export function undeclaredMethods(discovery: Declaring, ...wanted: string[]): string | undefined {
  const list = 'token_endpoint_auth_methods_supported'
  const declared = discovery.declared(list)
  if (!declared || wanted.some((method) => declared.includes(method))) return undefined
  return `${list} has ${declared.join(', ') || 'nothing'}, not ${wanted.join(' or ')}`
}

/** What a secret signs with, the strongest first. */
const secretSignatures = ['HS512', 'HS384', 'HS256']

/** The signatures of client assertions, by the method that has them. */
const assertionSignatures: Readonly<Record<string, readonly string[]>> = {
  private_key_jwt: signatures,
  client_secret_jwt: secretSignatures,
}

/** The strongest algorithm that the bank declares for a secret; HS512 where it declares none (AMB-10). */
export function secretSignature(discovery: Declaring): string {
  const declared = discovery.declared('token_endpoint_auth_signing_alg_values_supported')
  return secretSignatures.find((alg) => declared?.includes(alg)) ?? 'HS512'
}

/** How a client authenticates: by the strongest method, with an algorithm where it has one. */
function authentication(discovery: Declaring): Metadata {
  const declared = discovery.declared('token_endpoint_auth_methods_supported')
  const method = methods.find((one) => declared?.includes(one)) ?? 'private_key_jwt'
  const wanted = assertionSignatures[method]
  if (!wanted) return authenticatedBy(method)
  const algs = discovery.declared('token_endpoint_auth_signing_alg_values_supported') ?? wanted
  const alg = wanted.find((one) => algs.includes(one)) ?? (method === 'private_key_jwt' ? algs[0] : undefined)
  return { token_endpoint_auth_method: method, ...(alg !== undefined && { token_endpoint_auth_signing_alg: alg }) }
}

/** The data scopes that this bank declares, among those that clients register. */
export function declaredDataScopes(discovery: Declaring): readonly string[] {
  const declared = discovery.declared('scopes_supported')
  return declared ? dataScopes.filter((scope) => declared.includes(scope)) : dataScopes
}

/** Whether this bank declares what gives a refresh token: the grant and the scope. */
function declaresOffline(discovery: Declaring): boolean {
  const declares = (member: string, value: string) => discovery.declared(member)?.includes(value)
  return Boolean(declares('grant_types_supported', 'refresh_token') && declares('scopes_supported', 'offline_access'))
}

/**
 * The record of a client as rules use it unless they ask otherwise: every field that the published interface requires,
 * and the strongest of what the bank declares.
 * @param base address below which everything of this client lies
 */
export function defaultMetadata(discovery: Declaring, base: string, seed: string): Metadata {
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
    ...authentication(discovery),
    require_auth_time: true,
    default_max_age: 3600,
    scope: ['openid', ...declaredDataScopes(discovery), ...(offline ? ['offline_access'] : [])].join(' '),
    ...responses(discovery),
  }
}

/** The record as it is where a bank declares everything that the harness would register. */
export function preferredMetadata(): Metadata {
  const lists: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(negotiated.map(({ wanted, list }) => [list, wanted])),
    token_endpoint_auth_methods_supported: methods,
    scopes_supported: [...dataScopes, 'offline_access'],
    grant_types_supported: ['refresh_token'],
  }
  return defaultMetadata({ declared: (list) => lists[list] }, 'https://service.invalid', '')
}

/** What is registered for id_tokens and user data. An alg has its enc, since a bank may refuse it without. */
function responses(discovery: Declaring): Metadata {
  const chosen: Metadata = Object.fromEntries(
    negotiated.flatMap(({ member, wanted, list, optional }) => {
      const declared = declaredIn(discovery, list) ?? (optional ? [] : wanted)
      const value = wanted.find((one) => declared.includes(one)) ?? declared[0]
      return value === undefined ? [] : [[member, value]]
    }),
  )
  for (const { member, wanted } of negotiated.filter(({ member }) => member.endsWith('_enc'))) {
    if (chosen[member.replace(/enc$/, 'alg')] !== undefined) chosen[member] ??= wanted[0]
  }
  return chosen
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
