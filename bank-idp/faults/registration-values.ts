import { type Deviation, fault } from './fault.js'
import { isList, slugOf } from './registration-members.js'

/** What else of a record is let through, or is not as it should be: a seam, and where it shows. */
interface Row extends Deviation {
  id: string
  breaks: readonly string[]
  places: readonly string[]
  title: string
  collateral?: Readonly<Record<string, string>>
}

/** For `judgedRecord`: a value in place of those that are let through; a list or scope without them. */
function instead(taken: readonly string[], value?: unknown) {
  return (given: unknown): unknown => {
    if (Array.isArray(given)) return given.filter((one) => !taken.includes(String(one)))
    if (typeof given === 'string' && given.includes(' '))
      return given
        .split(' ')
        .filter((one) => !taken.includes(one))
        .join(' ')
    return taken.includes(String(given)) ? value : given
  }
}

/** Values of a field that are taken though discovery does not declare them, and what the checks see in their place. */
const undeclared: readonly {
  fields: readonly string[]
  breaks: readonly string[]
  values: readonly string[]
  seen?: unknown
}[] = [
  ...['id_token', 'userinfo', 'profile'].flatMap((kind) => [
    { fields: [`${kind}_signed_response_alg`], breaks: ['DISC-13'], values: ['PS384', 'ES384'] },
    { fields: [`${kind}_encrypted_response_alg`], breaks: ['DISC-13'], values: ['RSA-OAEP'], seen: 'RSA-OAEP-256' },
    { fields: [`${kind}_encrypted_response_enc`], breaks: ['DISC-13'], values: ['A128GCM'], seen: 'A256GCM' },
  ]),
  { fields: ['request_object_signing_alg'], breaks: ['DISC-13'], values: ['none'] },
  { fields: ['request_object_encryption_alg'], breaks: ['DISC-13'], values: ['ECDH-ES'], seen: 'RSA-OAEP-256' },
  { fields: ['request_object_encryption_enc'], breaks: ['DISC-13'], values: ['A256CBC-HS512'], seen: 'A256GCM' },
  { fields: ['token_endpoint_auth_signing_alg'], breaks: ['DISC-13'], values: ['ES384'] },
  {
    fields: ['token_endpoint_auth_method'],
    breaks: ['DISC-22'],
    values: ['tls_client_auth', 'self_signed_tls_client_auth'],
    seen: 'private_key_jwt',
  },
  { fields: ['response_types'], breaks: ['DISC-23'], values: ['id_token token'] },
  { fields: ['grant_types'], breaks: ['DISC-23'], values: ['client_credentials'] },
  { fields: ['subject_type'], breaks: [], values: ['Pairwise'], seen: 'pairwise' },
  { fields: ['default_acr_values'], breaks: [], values: ['loa1'] },
  { fields: ['scope'], breaks: [], values: ['profile', 'email', 'address', 'phone'], seen: 'openid' },
]

const takenUndeclared: readonly Row[] = undeclared.flatMap(({ fields: named, breaks, values, seen }) =>
  named.map((field) => ({
    id: `registration/undeclared-${slugOf(field)}`,
    breaks: ['REG-15', ...breaks],
    places: [`method=POST member=${field}`, `method=PUT member=${field}`],
    title: `Takes ${values.join(' and ')} as ${field}, which discovery does not declare`,
    judgedRecord: { [field]: instead(values, seen) },
  })),
)

/** An algorithm is judged by the method that it is for alone. */
const takenBesideNothing: Row = {
  id: 'registration/auth-alg-unjudged-without-method',
  breaks: ['REG-15', 'DISC-13'],
  places: ['POST', 'PUT'].map((method) => `method=${method} member=token_endpoint_auth_method value=missing`),
  title: 'Takes whatever token_endpoint_auth_signing_alg in a record that names no token_endpoint_auth_method',
  judgedRecord: {
    token_endpoint_auth_signing_alg: (value, { record }) =>
      record.token_endpoint_auth_method === undefined ? undefined : value,
  },
}

/** Lists of which the checks see one element alone, and what they see in place of the others. */
const lists = { response_types: 'code', grant_types: 'authorization_code', default_acr_values: 'loa2' }

const judgedInPart: readonly Row[] = (
  [
    ['first', (list: readonly unknown[]) => list.slice(0, 1)],
    ['last', (list: readonly unknown[]) => list.slice(-1)],
  ] as const
).flatMap(([which, part]) => [
  ...Object.entries(lists).map(([field, other]) => ({
    id: `registration/${which}-of-${slugOf(field)}`,
    breaks: ['REG-15', ...(field === 'default_acr_values' ? [] : ['DISC-23'])],
    places: [`method=POST member=${field}`, `method=PUT member=${field}`],
    title: `Looks at the ${which} of ${field} alone`,
    judgedRecord: {
      [field]: (value: unknown) => (isList(value) && value.length > 1 ? [...part(value), other] : value),
    },
  })),
  {
    id: `registration/${which}-of-scope`,
    breaks: ['REG-15'],
    places: ['method=POST member=scope', 'method=PUT member=scope'],
    title: `Looks at the ${which} scope alone`,
    judgedRecord: {
      scope: (value: unknown) => (typeof value === 'string' ? part(value.split(' ')).join(' ') : value),
      // Whether required_scope is in scope is judged by another check, which would see the part alone.
      required_scope: () => undefined,
    },
  },
])

const methods = ['POST', 'PUT'] as const
const at = (...terms: readonly string[]) => methods.flatMap((method) => terms.map((term) => `method=${method} ${term}`))

function redirectUris(change: (uris: readonly string[]) => readonly string[]): Row['judgedRecord'] {
  return { redirect_uris: (value) => (isList(value) ? change(value) : value) }
}

function requiredScope(change: (required: string, scope: string) => string): Row['judgedRecord'] {
  return {
    required_scope: (value, { record }) => (typeof value === 'string' ? change(value, String(record.scope)) : value),
  }
}

/** A part of required_scope is looked at alone. */
function partOfRequired(index: number): Row['judgedRecord'] {
  return requiredScope((required) => required.split(' ').at(index) ?? required)
}

/** What stands for a value of another type, and is taken for it. */
const alike: Readonly<Record<string, (value: unknown) => unknown>> = {
  default_max_age: (value) => (value === '' ? 0 : value),
  require_auth_time: (value) => (value === 0 || value === '' ? false : value),
  client_name: (value) => (value === true ? 'true' : value),
  scope: (value) => (value === false ? 'openid' : value),
}

/** Members of which the beginning is looked at alone, or a part that stands for the whole. */
const carelessAddresses: Readonly<Record<string, RegExp>> = {
  jwks_uri: /^https:\/\/./,
  tos_uri: /^\//,
  notification_uri: /^https:/,
}

const others: readonly Row[] = [
  ...Object.entries(alike).map(
    ([field, change]): Row => ({
      id: `registration/alike-for-${slugOf(field)}`,
      breaks: ['REG-30'],
      places: at(`member=${field}`),
      title: `Takes for ${field} what is of another type and comes to one, such as nothing for 0 and 0 for false`,
      judgedRecord: { [field]: change },
      keptRecord: { [field]: change },
    }),
  ),
  ...Object.entries(carelessAddresses).map(
    ([field, looks]): Row => ({
      id: `registration/careless-${slugOf(field)}`,
      breaks: ['REG-30'],
      places: at(`member=${field}`),
      title: `Looks at the beginning of ${field} alone`,
      judgedRecord: {
        [field]: (value) => (typeof value === 'string' && looks.test(value) ? 'https://app.example/' : value),
      },
    }),
  ),
  {
    id: 'registration/scope-in-any-case',
    breaks: ['REG-15'],
    places: at('member=scope'),
    title: 'Knows scopes of user data whatever the case of their letters',
    judgedRecord: {
      scope: (value) => (typeof value === 'string' ? value.replace(/\bprofile\.name\b/gi, 'profile.name') : value),
    },
  },
  {
    id: 'registration/first-of-redirect-uris',
    breaks: ['REG-4', 'SUB-4', 'SUB-5'],
    places: at('value=last', 'value=both'),
    title: 'Looks at the first redirect URI, and at no other',
    judgedRecord: redirectUris((uris) => uris.slice(0, 1)),
  },
  {
    id: 'registration/last-of-redirect-uris',
    breaks: ['REG-4', 'SUB-4', 'SUB-5'],
    places: at('value=first', 'value=both'),
    title: 'Looks at the last redirect URI, and at no other',
    judgedRecord: redirectUris((uris) => uris.slice(-1)),
  },
  {
    id: 'registration/http-in-capitals',
    breaks: ['REG-4'],
    places: at('value=upper-case'),
    title: 'Looks for http: in small letters when it looks for a redirect URI that is not https',
    judgedRecord: redirectUris((uris) => uris.map((uri) => uri.replace(/^HTTP:/, 'https:'))),
  },
  {
    id: 'registration/wss-redirect',
    breaks: ['REG-4'],
    places: at('member=other-scheme'),
    title: 'Takes any redirect URI whose scheme goes by TLS',
    judgedRecord: redirectUris((uris) => uris.map((uri) => uri.replace(/^wss:/, 'https:'))),
  },
  {
    id: 'registration/http-redirect-put',
    breaks: ['REG-4'],
    places: ['method=PUT value=wrong'],
    title: 'Takes a redirect URI that is not https by PUT',
    without: ['registration/redirect-uri-https at PUT'],
  },
  {
    id: 'registration/required-scope-first-alone',
    breaks: ['REG-16'],
    places: at('value=superset'),
    title: 'Looks whether the first of required_scope is in scope, and at no other',
    judgedRecord: partOfRequired(0),
  },
  {
    id: 'registration/required-scope-last-alone',
    breaks: ['REG-16'],
    places: at('value=superset'),
    title: 'Looks whether the last of required_scope is in scope, and at no other',
    judgedRecord: partOfRequired(-1),
  },
  {
    id: 'registration/required-scope-ends-alone',
    breaks: ['REG-16'],
    places: ['method=POST value=second'],
    title: 'Looks whether the first and the last of required_scope are in scope, and at none between them',
    judgedRecord: requiredScope((required) => {
      const scopes = required.split(' ')
      return scopes.length > 2 ? `${scopes[0]} ${scopes.at(-1)}` : required
    }),
  },
  {
    id: 'registration/required-scope-as-text',
    breaks: ['REG-16'],
    places: at('value=prefix'),
    title: 'Takes for a part of scope whatever stands in its text',
    judgedRecord: requiredScope((required, scope) =>
      scope.includes(required) ? (scope.split(' ')[0] ?? '') : required,
    ),
  },
  {
    id: 'registration/required-scope-by-commas',
    breaks: ['REG-16'],
    places: at('value=equivalent'),
    title: 'Takes a required_scope whose scopes a comma separates',
    judgedRecord: requiredScope((required) => required.replaceAll(',', ' ')),
  },
  {
    id: 'registration/required-scope-in-order',
    breaks: ['REG-16'],
    places: at('value=subset'),
    title: 'Refuses a required_scope that names the scopes in another order than scope',
    judgedRecord: requiredScope((required, scope) => {
      const places = required.split(' ').map((one) => scope.split(' ').indexOf(one))
      return places.some((place, i) => place < (places[i - 1] ?? 0)) ? 'no-scope' : required
    }),
  },
  {
    id: 'registration/required-scope-put',
    breaks: ['REG-16'],
    places: ['method=PUT value=wrong'],
    title: 'Takes a required_scope that is not in scope by PUT',
    without: ['registration/required-scope at PUT'],
  },
  ...['id_token', 'userinfo', 'profile'].map((kind) => encAlone(`${kind}_encrypted_response`)),
  encAlone('request_object_encryption'),
  {
    id: 'registration/sector-unreachable',
    breaks: ['SUB-11'],
    places: at('value=unknown'),
    title: 'Takes a sector_identifier_uri at a host that there is not',
    judgedRecord: { sector_identifier_uri: (value) => (/\.invalid\//.test(String(value)) ? undefined : value) },
  },
  {
    id: 'registration/max-age-zero-for-none',
    breaks: ['REG-19'],
    places: ['value=lower-bound'],
    title: 'Takes a default_max_age of 0 for none',
    keptRecord: { default_max_age: (value) => (value === 0 ? undefined : value) },
  },
]

/** Members that are not judged in the record of a client that authenticates by client_secret_post, and what the checks see in their place. */
const unjudgedBySecret: readonly {
  slug: string
  requirement: string
  what: string
  members: Readonly<Record<string, (value: unknown) => unknown>>
}[] = [
  {
    slug: 'http-redirect',
    requirement: 'REG-4',
    what: 'a redirect URI that is not https',
    members: {
      redirect_uris: (value) => (isList(value) ? value.map((uri) => uri.replace(/^http:/, 'https:')) : value),
      sector_identifier_uri: () => undefined,
      subject_type: () => 'public',
    },
  },
  {
    slug: 'undeclared-algorithm',
    requirement: 'REG-15',
    what: 'whatever profile_signed_response_alg',
    members: { profile_signed_response_alg: () => undefined },
  },
  {
    slug: 'required-scope',
    requirement: 'REG-16',
    what: 'a required_scope that is not in scope',
    members: { required_scope: () => undefined },
  },
  {
    slug: 'age-in-digits',
    requirement: 'REG-30',
    what: 'a default_max_age that is text',
    members: { default_max_age: (value) => Number(value ?? 0) },
  },
]

const takenBySecret: readonly Row[] = unjudgedBySecret.map(({ slug, requirement, what, members }) => ({
  id: `registration/${slug}-by-secret`,
  breaks: [requirement],
  places: ['method=POST client-auth=client_secret_post'],
  title: `Takes ${what} from a client that authenticates by client_secret_post`,
  judgedRecord: Object.fromEntries(
    Object.entries(members).map(([name, change]) => [
      name,
      (value, { record }) => (record.token_endpoint_auth_method === 'client_secret_post' ? change(value) : value),
    ]),
  ),
}))

function encAlone(name: string): Row {
  return {
    id: `registration/${slugOf(name)}-enc-alone`,
    breaks: ['REG-17'],
    places: at(`member=${name}_enc`),
    title: `Takes ${name}_enc without ${name}_alg, and gives it back`,
    judgedRecord: { [`${name}_enc`]: (value, { record }) => (`${name}_alg` in record ? value : undefined) },
  }
}

/** Values of a registration record that are taken, and should not be. */
export const registrationValueFaults = [
  ...takenUndeclared,
  takenBesideNothing,
  ...judgedInPart,
  ...others,
  ...takenBySecret,
].map((row) => fault(row))
