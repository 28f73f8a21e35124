import { type Deviation, type Fault, fault } from './fault.js'
import { isList, slugOf } from './registration-members.js'

/** What the checks of a registration record take for right by a careless look, at POST and at PUT. */
interface Row {
  slug: string
  requirement: string
  /** Beside the method. */
  terms: readonly string[]
  title: string
  judgedRecord: NonNullable<Deviation['judgedRecord']>
}

const good = 'https://client.example/callback'

/** Redirect URIs that are taken, by the value class. */
const redirectUris: readonly Row[] = (
  [
    ['http-at-localhost', 'value=unknown', 'of http at the own machine', /^http:\/\/(localhost|127\.0\.0\.1)\b/],
    ['https-somewhere', 'value=suffix', 'that has https somewhere in it', /https/],
    ['scheme-left-out', 'value=missing', 'without a scheme', /^\/\//],
  ] as const
).map(([slug, term, what, taken]) => ({
  slug: `redirect-uri-${slug}`,
  requirement: 'REG-4',
  terms: [term],
  title: `Takes a redirect URI ${what}`,
  judgedRecord: {
    redirect_uris: (uris) => (isList(uris) ? uris.map((uri) => (taken.test(uri) ? good : uri)) : uris),
  },
}))

/** A value, or each element of a list, as it is declared. */
function asDeclared(change: (text: string) => string) {
  return (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    return isList(value) ? value.map(change) : value
  }
}

const whateverCase: readonly Row[] = [
  ...['grant_types', 'response_types', 'default_acr_values', 'token_endpoint_auth_method', 'subject_type'].map(
    (field) => [field, asDeclared((text) => text.toLowerCase())] as const,
  ),
  // Some of the scopes that are declared have capitals, and none has capitals alone.
  ['scope', asDeclared((text) => text.replace(/\b[A-Z._]{6,}\b/g, (scope) => scope.toLowerCase()))] as const,
  ...[
    ...['id_token', 'userinfo', 'profile'].flatMap((kind) =>
      ['signed_response_alg', 'encrypted_response_alg', 'encrypted_response_enc'].map((name) => `${kind}_${name}`),
    ),
    ...['request_object_signing_alg', 'request_object_encryption_alg', 'request_object_encryption_enc'],
    'token_endpoint_auth_signing_alg',
  ].map((field) => [field, asDeclared((text) => text.toUpperCase())] as const),
].map(([field, change]) => ({
  slug: `${slugOf(field)}-whatever-case`,
  requirement: 'REG-15',
  terms: [`member=${field}`],
  title: `Compares ${field} with what discovery declares without regard to case`,
  judgedRecord: { [field]: change },
}))

/** Lists of which the checks see whether the first element has the right type, and no other. */
const firstOfType: readonly Row[] = [
  ...['redirect_uris', 'response_types', 'grant_types', 'contacts', 'default_acr_values', 'request_uris'],
].map((field) => ({
  slug: `first-type-of-${slugOf(field)}`,
  requirement: 'REG-30',
  terms: [`member=${field}`],
  title: `Looks at the type of the first of ${field} alone`,
  judgedRecord: {
    [field]: (value) => (Array.isArray(value) ? value.filter((one, i) => i === 0 || typeof one === 'string') : value),
  },
}))

/** Addresses of which the checks see that they are text. */
const anyText: readonly Row[] = [
  ...['logo_uri', 'client_uri', 'policy_uri', 'tos_uri', 'initiate_login_uri', 'backchannel_logout_uri'],
  ...['notification_uri', 'jwks_uri', 'sector_identifier_uri'],
].map((field) => ({
  slug: `any-text-as-${slugOf(field)}`,
  requirement: 'REG-30',
  terms: [`member=${field}`],
  title: `Takes any text as ${field}`,
  judgedRecord: {
    [field](value) {
      if (typeof value !== 'string' || URL.canParse(value)) return value
      return field === 'jwks_uri' ? 'https://client.example/jwks.json' : undefined
    },
  },
}))

const others: readonly Row[] = [
  {
    slug: 'scope-in-the-middle-unchecked',
    requirement: 'REG-15',
    terms: ['member=scope'],
    title: 'Looks at the first and the last scope alone',
    judgedRecord: {
      scope(value) {
        const scopes = typeof value === 'string' ? value.split(' ') : []
        return scopes.length > 2 ? `${scopes[0]} ${scopes.at(-1)}` : value
      },
    },
  },
  {
    slug: 'required-scope-whatever-case',
    requirement: 'REG-16',
    terms: ['value=upper-case'],
    title: 'Looks whether required_scope is in scope without regard to case',
    judgedRecord: {
      required_scope(value, { record }) {
        const scopes = String(record.scope).split(' ')
        const meant = (one: string) => scopes.find((scope) => scope.toLowerCase() === one.toLowerCase()) ?? one
        return typeof value === 'string' ? value.split(' ').map(meant).join(' ') : value
      },
    },
  },
  {
    slug: 'text-of-members',
    requirement: 'REG-30',
    terms: ['member=client_name'],
    title: 'Takes an object as client_name',
    judgedRecord: { client_name: (value) => (typeof value === 'object' ? 'Client' : value) },
  },
  {
    slug: 'max-age-yes',
    requirement: 'REG-30',
    terms: ['member=default_max_age'],
    title: 'Takes true as default_max_age',
    judgedRecord: { default_max_age: (value) => (value === true ? 1 : value) },
  },
]

/** Added to a redirect URI in place of taking its place. */
const addedByPut = fault({
  id: 'registration/put-adds-redirect-uris',
  breaks: ['REG-11'],
  places: ['member=redirect_uris'],
  title: 'Adds the redirect URIs that a PUT names to those that there were',
  keptRecord: {
    redirect_uris: (value, { replaced }) => {
      const before = replaced?.redirect_uris
      return isList(value) && isList(before) ? [...new Set([...before, ...value])] : value
    },
  },
})

const rows = [...redirectUris, ...whateverCase, ...firstOfType, ...anyText, ...others]

export const registrationComparisonFaults: readonly Fault[] = [
  ...rows.map(({ slug, requirement, terms, title, judgedRecord }) =>
    fault({
      id: `registration/${slug}`,
      breaks: [requirement],
      places: ['POST', 'PUT'].flatMap((method) => terms.map((term) => `method=${method} ${term}`)),
      title,
      judgedRecord,
    }),
  ),
  addedByPut,
]
