import { Latest } from '../latest.js'
import { type Fault, fault } from './fault.js'

/** The fields of the record ("Client registration record"). */
const fields = [
  ...['redirect_uris', 'response_types', 'grant_types', 'application_type', 'contacts', 'client_name'],
  ...['logo_uri', 'client_uri', 'policy_uri', 'tos_uri', 'initiate_login_uri', 'backchannel_logout_uri'],
  ...['notification_uri', 'jwks_uri', 'sector_identifier_uri', 'subject_type'],
  ...['id_token', 'userinfo', 'profile'].flatMap((kind) => [
    `${kind}_signed_response_alg`,
    `${kind}_encrypted_response_alg`,
    `${kind}_encrypted_response_enc`,
  ]),
  ...['request_object_signing_alg', 'request_object_encryption_alg', 'request_object_encryption_enc'],
  ...['token_endpoint_auth_method', 'token_endpoint_auth_signing_alg', 'default_max_age', 'require_auth_time'],
  ...['default_acr_values', 'request_uris', 'scope', 'required_scope'],
]

/** What a record has to hold at least, as the checks are to see it where it holds something else. */
const least: Readonly<Record<string, unknown>> = {
  redirect_uris: ['https://client.example/callback'],
  client_name: 'Client',
  jwks_uri: 'https://client.example/jwks.json',
  scope: 'openid',
  // Without it an enc beside it would be refused.
  userinfo_encrypted_response_alg: 'RSA-OAEP-256',
  profile_encrypted_response_alg: 'RSA-OAEP-256',
}

export const slugOf = (field: string) => field.replaceAll('_', '-')

/** The fields that are no strings, by their type. */
const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...Object.fromEntries(
    ['redirect_uris', 'response_types', 'grant_types', 'contacts', 'default_acr_values', 'request_uris'].map(
      (field) => [field, isList],
    ),
  ),
  default_max_age: Number.isInteger,
  require_auth_time: (value) => typeof value === 'boolean',
}

export function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Whether a value has the type that the table gives the field. */
function isOfType(field: string, value: unknown): boolean {
  return types[field]?.(value) ?? typeof value === 'string'
}

/** What is required of a registration's first answer alone. */
const inEveryAnswer = ['redirect_uris', 'client_name', 'jwks_uri', 'scope']

function dropped(field: string): Fault {
  return fault({
    id: `registration/answered-without-${slugOf(field)}`,
    breaks: ['REG-2', 'REG-10', ...(inEveryAnswer.includes(field) ? ['REG-1'] : [])],
    places: [`method=POST member=${field}`, `method=PUT member=${field}`, `member=${field}`],
    title: `Leaves ${field} out of the records that it answers`,
    ...(field === 'client_name' && {
      collateral: {
        'registration/replace': 'the new name is looked for',
        'registration/replace-as-table': 'the new name is looked for',
      },
    }),
    answeredRecord: { [field]: () => undefined },
  })
}

/** How a list comes back to clients of public subjects alone. */
const listsOfPublic: readonly { method: 'POST' | 'PUT'; title: string; change(list: unknown): unknown }[] = [
  { method: 'POST', title: 'Leaves contacts out of the answer to POST', change: () => undefined },
  {
    method: 'PUT',
    title: 'Gives back the first contact alone in the answer to PUT',
    change: (list) => (isList(list) ? list.slice(0, 1) : list),
  },
]

const toldOfPublic = listsOfPublic.map(({ method, title, change }) =>
  fault({
    id: `registration/contacts-of-public-${method.toLowerCase()}`,
    breaks: ['REG-2'],
    places: [`method=${method} use=second-client`],
    title: `${title}, of clients of public subjects`,
    answeredRecord: {
      contacts: (value, facts) =>
        facts.method === method && facts.record.subject_type === 'public' ? change(value) : value,
    },
  }),
)

function ofAnyType(field: string): Fault {
  return fault({
    id: `registration/any-type-of-${slugOf(field)}`,
    breaks: ['REG-30'],
    places: [`method=POST member=${field}`, `method=PUT member=${field}`],
    title: `Takes ${field} of whatever type`,
    judgedRecord: { [field]: (value) => (value === undefined || isOfType(field, value) ? value : least[field]) },
  })
}

/** Fields that PUT keeps as they were: where the new record does not name them, or whatever it names. */
const kept = {
  whenLeftOut: [
    ...['contacts', 'logo_uri', 'client_uri', 'policy_uri', 'tos_uri', 'initiate_login_uri', 'backchannel_logout_uri'],
    ...['notification_uri', 'sector_identifier_uri', 'default_max_age', 'default_acr_values', 'request_uris'],
    ...['require_auth_time', 'required_scope', 'id_token_encrypted_response_alg', 'id_token_encrypted_response_enc'],
    ...['request_object_encryption_alg', 'request_object_encryption_enc'],
  ],
  always: [
    ...['client_name', 'contacts', 'redirect_uris', 'sector_identifier_uri', 'jwks_uri', 'logo_uri', 'client_uri'],
    ...['policy_uri', 'tos_uri', 'initiate_login_uri', 'backchannel_logout_uri', 'notification_uri', 'request_uris'],
    ...['default_max_age', 'require_auth_time', 'default_acr_values', 'scope', 'required_scope', 'grant_types'],
    ...['subject_type', 'id_token_signed_response_alg', 'userinfo_signed_response_alg', 'profile_signed_response_alg'],
    ...['request_object_signing_alg', 'token_endpoint_auth_signing_alg'],
  ],
}

function keptWhenLeftOut(field: string): Fault {
  return fault({
    id: `registration/put-merges-${slugOf(field)}`,
    breaks: ['REG-11'],
    places: [`member=${field} value=missing`],
    title: `Keeps ${field} when a PUT leaves it out`,
    keptRecord: { [field]: (value, { replaced }) => value ?? replaced?.[field] },
  })
}

/** What else shows that a field was kept, by requirement, and at which of its places. */
const shownBy: Readonly<Record<string, readonly [requirement: string, ...places: string[]]>> = {
  redirect_uris: ['REG-29', 'member=redirect_uris'],
  scope: ['REG-29', 'member=scope'],
  request_uris: ['REG-29', 'member=request_uris'],
  default_max_age: ['REG-19', 'use=after-put'],
  default_acr_values: ['REG-34', 'use=after-put'],
  jwks_uri: ['REG-18', 'endpoint=token-info use=after-put'],
  token_endpoint_auth_signing_alg: ['REG-24', 'endpoint=token-info use=after-put'],
  userinfo_signed_response_alg: ['DATA-1', 'use=after-put part=signature'],
  profile_signed_response_alg: ['DATA-2', 'use=after-put part=signature'],
}

/** Rules of other requirements that fail too where a field is kept, and why. */
const shownToo: Readonly<Record<string, NonNullable<Fault['collateral']>>> = {
  jwks_uri: { 'registration/response-keys': 'what is encrypted for the client is encrypted to a key there' },
}

function keptAlways(field: string): Fault {
  const [requirement, ...shown] = shownBy[field] ?? []
  return fault({
    id: `registration/put-keeps-${slugOf(field)}`,
    breaks: ['REG-11', ...(requirement ? [requirement] : [])],
    places: [...new Set([`member=${field}`, ...shown])],
    title: `Keeps ${field} as it was, whatever a PUT names`,
    ...(shownToo[field] && { collateral: shownToo[field] }),
    keptRecord: { [field]: (value, { replaced }) => replaced?.[field] ?? value },
  })
}

const decoded = (value: unknown) => (typeof value === 'string' ? decodeURIComponent(value) : value)
const eachOf = (change: (text: string) => string) => (value: unknown) =>
  Array.isArray(value) ? value.map((one) => change(String(one))) : value

/** Other members of what is answered and kept. */
const others = [
  fault({
    id: 'registration/answered-otherwise',
    breaks: ['REG-2'],
    places: ['POST', 'PUT', 'GET'].flatMap((method) =>
      ['member=contacts value=upper-case', 'member=policy_uri value=encoded', 'member=request_uris value=suffix'].map(
        (place) => `method=${method} ${place}`,
      ),
    ),
    title: 'Answers contacts in lower case, addresses decoded, and request_uris without fragments',
    answeredRecord: {
      contacts: eachOf((contact) => contact.toLowerCase()),
      policy_uri: decoded,
      request_uris: eachOf((uri) => uri.replace(/(.)#.*/, '$1')),
    },
  }),
  fault({
    id: 'registration/put-encrypts-to-former-keys',
    breaks: ['REG-31', 'REG-18'],
    places: [
      ...['id-of-code', 'userinfo', 'profile'].map((token) => `use=after-put token=${token}`),
      'endpoint=token-info use=after-put',
    ],
    title: 'Goes on to read the keys of clients at the first jwks_uri that they registered',
    memory: () => new Latest<string>(10_000),
    clients: {
      async replace(record, { store, clientId }, told) {
        const before = await store.find(clientId)
        told.set(clientId, record.jwks_uri)
        await store.replace(clientId, before ? { ...record, jwks_uri: before.record.jwks_uri } : record)
      },
    },
    answeredRecord: { jwks_uri: (value, { record }, told) => told.get(String(record.client_id)) ?? value },
  }),
  fault({
    id: 'registration/put-keeps-response-types',
    breaks: ['REG-29'],
    places: ['member=response_types'],
    title: 'Keeps response_types as they were, whatever a PUT names',
    keptRecord: { response_types: (value, { replaced }) => replaced?.response_types ?? value },
  }),
  fault({
    id: 'registration/put-keeps-token-endpoint-auth-method',
    breaks: ['REG-37'],
    places: ['endpoint=token-info use=after-put'],
    title: 'Keeps token_endpoint_auth_method as it was, whatever a PUT names',
    keptRecord: {
      token_endpoint_auth_method: (value, { replaced }) => replaced?.token_endpoint_auth_method ?? value,
    },
  }),
  fault({
    id: 'registration/answered-without-registration-client-uri',
    breaks: ['REG-1', 'REG-3'],
    places: ['member=registration_client_uri'],
    title: 'Leaves registration_client_uri out of the records that it answers',
    answeredRecord: { registration_client_uri: () => undefined },
  }),
  fault({
    id: 'registration/least-without-issued-at',
    breaks: ['REG-1'],
    places: ['value=subset'],
    title: 'Leaves client_id_issued_at out of the answer to a record without terms of service',
    answeredRecord: { client_id_issued_at: (value, { record }) => ('tos_uri' in record ? value : undefined) },
  }),
  fault({
    id: 'registration/secret-empty',
    breaks: ['REG-3'],
    places: ['member=client_secret'],
    title: 'Answers a registration for private_key_jwt with an empty client_secret',
    answeredRecord: {
      client_secret: (value, { record }) => (record.token_endpoint_auth_method === 'private_key_jwt' ? '' : value),
    },
  }),
  fault({
    id: 'registration/secret-empty-for-assertions',
    breaks: ['REG-1', 'REG-3'],
    places: ['client-auth=client_secret_jwt member=client_secret', 'member=client_secret'],
    title: 'Gives a client that registers client_secret_jwt an empty client_secret',
    answeredRecord: {
      client_secret: (value, { record }) => (record.token_endpoint_auth_method === 'client_secret_jwt' ? '' : value),
    },
  }),
  fault({
    id: 'registration/read-without-client-id',
    breaks: ['REG-10'],
    places: ['member=client_id'],
    title: 'Leaves client_id out when the record is read',
    answeredRecord: { client_id: (value, { method }) => (method === 'GET' ? undefined : value) },
  }),
  fault({
    id: 'registration/read-issued-later',
    breaks: ['REG-10'],
    places: ['member=client_id_issued_at'],
    title: 'Gives another client_id_issued_at when the record is read than when it was registered',
    answeredRecord: {
      client_id_issued_at: (value, { method }) => (method === 'GET' ? Number(value) + 60 : value),
    },
  }),
  fault({
    id: 'registration/read-of-another',
    breaks: ['REG-10'],
    places: ['use=second-client'],
    title: 'Gives the redirect URIs of the last client registered when a record is read',
    memory: () => ({ last: undefined as unknown }),
    answeredRecord: {
      redirect_uris(value, { method }, memory) {
        if (method === 'POST') memory.last = value
        return method === 'GET' ? (memory.last ?? value) : value
      },
    },
  }),
  fault({
    id: 'registration/put-of-no-contacts-ignored',
    breaks: ['REG-11'],
    places: ['member=contacts value=empty'],
    title: 'Keeps the contacts of a client where a PUT empties their list',
    keptRecord: {
      contacts: (value, { replaced }) => (Array.isArray(value) && value.length === 0 ? replaced?.contacts : value),
    },
  }),
  fault({
    id: 'registration/put-without-client-id-in-part',
    breaks: ['REG-11'],
    places: ['member=client_id value=missing'],
    title: 'Keeps the name of a client when a PUT does not name its client_id',
    memory: () => ({ named: true }),
    judgedRecord: {
      client_id(value, _bank, memory) {
        memory.named = value !== undefined
        return value
      },
    },
    keptRecord: {
      client_name: (value, { replaced }, memory) => (memory.named ? value : (replaced?.client_name ?? value)),
    },
  }),
]

/** The fields of the record, one by one. */
export const registrationMemberFaults = [
  ...toldOfPublic,
  ...fields.map(dropped),
  ...fields.map(ofAnyType),
  ...kept.whenLeftOut.map(keptWhenLeftOut),
  ...kept.always.map(keptAlways),
  ...others,
]
