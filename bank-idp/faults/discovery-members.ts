import { body, type Fault, fault } from './fault.js'

const route = 'GET /.well-known/openid-configuration'

/** A row of the tables: what is broken, where, and what the document says in place of the right thing. */
interface Row {
  slug: string
  breaks: string
  places: readonly string[]
  title: string
  change(document: Record<string, unknown>, issuer: string): Record<string, unknown>
  collateral?: Record<string, string>
}

/** A list of the document without a value. */
function without(document: Record<string, unknown>, member: string, value: string): Record<string, unknown> {
  return { [member]: (document[member] as string[]).filter((declared) => declared !== value) }
}

/** A list of the document with a value that the bank does not take. */
function withMore(document: Record<string, unknown>, member: string, value: string): Record<string, unknown> {
  return { [member]: [...(document[member] as string[]), value] }
}

/** Those of which both the scheme and the path are fixed. */
const inTable = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'introspection_endpoint', 'profile_endpoint']

const addresses: readonly Row[] = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'introspection_endpoint',
  'profile_endpoint',
  'end_session_endpoint',
  'device_authorization_endpoint',
  'service_documentation',
  'op_policy_uri',
].map((member) => ({
  slug: `${member.replaceAll('_', '-')}-relative`,
  breaks: 'DISC-3',
  places: [`member=${member}`],
  title: `Declares ${member} without the host`,
  change: (document) => ({ [member]: new URL(String(document[member])).pathname }),
  ...((member.endsWith('_endpoint') || member === 'jwks_uri') && {
    collateral: {
      'general/https': 'what is no address is not of https (GEN-2)',
      ...(inTable.includes(member) && { 'general/paths': "it is not the address of the table's path (GEN-7)" }),
    },
  }),
}))

const withFragments: readonly Row[] = ['authorization_endpoint', 'userinfo_endpoint'].map((member) => ({
  slug: `${member.replaceAll('_', '-')}-with-fragment`,
  breaks: 'DISC-3',
  places: [`member=${member} value=superset`],
  title: `Declares ${member} with a fragment`,
  collateral: {
    'general/paths': "it is not the address of the table's path (GEN-7)",
    ...(member === 'authorization_endpoint' && {
      'authorization/odd-queries': 'a query behind a fragment is a part of it, which is not sent',
    }),
  },
  change: (document) => ({ [member]: `${document[member]}#here` }),
}))

const gone: readonly Row[] = ['end_session_endpoint', 'service_documentation', 'op_policy_uri'].map((member) => ({
  slug: `${member.replaceAll('_', '-')}-gone`,
  breaks: 'DISC-12',
  places: [`member=${member}`],
  title: `Declares an address for ${member} at which nothing is`,
  change: (_document, issuer) => ({ [member]: `${issuer}/gone` }),
}))

const booleans: readonly Row[] = (
  [
    ['claims_parameter_supported', true],
    ['request_uri_parameter_supported', 'yes'],
    ['require_request_uri_registration', false],
  ] as const
).map(([member, value]) => ({
  slug: member.replaceAll('_', '-'),
  breaks: 'DISC-4',
  places: [`member=${member} value=wrong`],
  title: `Declares ${member} ${value}`,
  change: () => ({ [member]: value }),
}))

/** Values of the table that are left out, though the bank takes them. */
const lackingValues: readonly Row[] = (
  [
    ['scopes_supported', 'openid', 'DISC-5', 'scope=openid'],
    ['acr_values_supported', 'loa2', 'DISC-6', 'value=first'],
    ['acr_values_supported', 'loa3', 'DISC-6', 'value=last'],
    ['response_types_supported', 'code', 'DISC-7', 'member=response_types_supported'],
    ['grant_types_supported', 'authorization_code', 'DISC-7', 'member=grant_types_supported'],
    ['claim_types_supported', 'normal', 'DISC-7', 'member=claim_types_supported'],
    ['code_challenge_methods_supported', 'S256', 'DISC-7', 'member=code_challenge_methods_supported'],
    ['code_challenge_methods_supported', 'plain', 'DISC-7', 'member=code_challenge_methods_supported'],
    ['id_token_signing_alg_values_supported', 'ES512', 'DISC-9', 'member=id_token'],
    ['request_object_signing_alg_values_supported', 'ES512', 'DISC-9', 'member=request_object'],
    ['userinfo_encryption_enc_values_supported', 'A256GCM', 'DISC-10', 'member=userinfo'],
    ['request_object_encryption_enc_values_supported', 'A256GCM', 'DISC-10', 'member=request_object'],
    ['claims_supported', 'addresses.city', 'DISC-11', 'claim=addresses.city'],
    ['claims_supported', 'zoneinfo', 'DISC-11', 'claim=zoneinfo'],
  ] as const
).map(([member, value, requirement, place]) => ({
  slug: `${member.replaceAll('_', '-')}-without-${value.toLowerCase().replace(/[^a-z0-9]/g, '-')}`,
  breaks: requirement,
  places: [place],
  title: `Leaves ${value} out of ${member}`,
  change: (document) => without(document, member, value),
}))

/** Lists that are none, or that hold something else than text. */
const oddLists: readonly Row[] = (
  [
    ['acr_values_supported', 'DISC-6', 'value=other-type'],
    ['grant_types_supported', 'DISC-7', 'member=grant_types_supported'],
    ['token_endpoint_auth_methods_supported', 'DISC-8', 'member=token_endpoint_auth_methods_supported'],
    ['userinfo_signing_alg_values_supported', 'DISC-9', 'member=userinfo'],
    ['id_token_encryption_alg_values_supported', 'DISC-10', 'member=id_token'],
    ['claims_supported', 'DISC-11', 'claim=sub'],
  ] as const
).flatMap(([member, requirement, place]): Row[] => [
  {
    slug: `${member.replaceAll('_', '-')}-as-text`,
    breaks: requirement,
    places: [place],
    title: `Declares ${member} as one text with spaces`,
    change: (document) => ({ [member]: (document[member] as string[]).join(' ') }),
    ...(member === 'grant_types_supported' && {
      collateral: { 'discovery/addresses': 'the device grant is not declared to who reads a list (AMB-34)' },
    }),
  },
  {
    slug: `${member.replaceAll('_', '-')}-with-number`,
    breaks: requirement,
    places: [place],
    title: `Declares a number among ${member}`,
    change: (document) => ({ [member]: [...(document[member] as string[]), 42] }),
  },
])

/** Values beyond the table, which the bank refuses. */
const vainValues: readonly Row[] = (
  [
    [
      'token_endpoint_auth_methods_supported',
      'tls_client_auth',
      'DISC-15',
      'client-auth=private_key_jwt value=unknown',
    ],
    ['token_endpoint_auth_signing_alg_values_supported', 'PS384', 'DISC-15', 'alg=PS384'],
    ['id_token_signing_alg_values_supported', 'ES384', 'DISC-16', 'token=id-of-code value=unknown'],
    ['userinfo_signing_alg_values_supported', 'ES384', 'DISC-16', 'token=userinfo value=unknown'],
    ['id_token_encryption_alg_values_supported', 'RSA-OAEP-512', 'DISC-17', 'token=id-of-code value=unknown'],
    ['userinfo_encryption_enc_values_supported', 'A128GCM', 'DISC-17', 'token=userinfo value=unknown'],
    ['grant_types_supported', 'client_credentials', 'DISC-19', 'parameter=grant_type value=unknown'],
    ['response_types_supported', 'id_token', 'DISC-19', 'parameter=response_type value=unknown'],
    ['response_modes_supported', 'fragment', 'DISC-19', 'parameter=response_mode value=unknown'],
    ['scopes_supported', 'profile.vehicles', 'DISC-21', 'endpoint=register'],
  ] as const
).map(([member, value, requirement, place]) => ({
  slug: `${value.toLowerCase().replace(/[^a-z0-9]/g, '-')}-of-${member.replaceAll('_', '-')}-in-vain`,
  breaks: requirement,
  places: [place],
  title: `Declares ${value} in ${member}, and does not take it`,
  change: (document) => withMore(document, member, value),
}))

/** The issuer's host in capitals. */
const issuerInCapitals: Row = {
  slug: 'issuer-in-capitals',
  breaks: 'DISC-2',
  places: ['value=upper-case'],
  title: 'Declares its issuer with the host in capitals',
  change: (_document, issuer) => ({ issuer: issuer.replace(new URL(issuer).host, (host) => host.toUpperCase()) }),
}

export const discoveryMemberFaults: readonly Fault[] = [
  ...addresses,
  ...withFragments,
  ...gone,
  ...booleans,
  ...lackingValues,
  ...oddLists,
  ...vainValues,
  issuerInCapitals,
].map(({ slug, breaks, places, title, change, collateral }) =>
  fault({
    id: `discovery/${slug}`,
    breaks: [breaks],
    places,
    title,
    ...(collateral && { collateral }),
    response: { [route]: body((document, { issuer }) => ({ ...document, ...change(document, issuer) })) },
  }),
)
