import type { BankOptions } from '../../bank-idp/bank.js'
import { implicitRows } from '../../conformance/rules/authorization/implicit-rows.js'
import type { Need } from '../../conformance/target/needs.js'
import type { AmbiguityId, Readings } from '../../schemas/editions/index.js'
import type { ShapeName } from './shapes.js'

/** A bank that takes a listed reading of an ambiguity in another way than the bundled one does by itself. */
export interface Variant {
  ambiguity: AmbiguityId
  /** Id of the reading. */
  reading: Readings[AmbiguityId]
  options: BankOptions
  /** The topic whose rules are run, where the others have nothing to go by; all when left out. */
  topic?: string
  /** What the bank is like from the outside, where the reading is about that. */
  shape?: ShapeName
  /** What the target file says the bank does not offer: rules that need it are skipped, which is how the reading shows. */
  lacks?: Need
  /** The rules about what the bank leaves out: they are skipped. */
  skips?: readonly string[]
}

function reading<Id extends AmbiguityId>(ambiguity: Id, id: Readings[Id], options: BankOptions = {}): Variant {
  return { ambiguity, reading: id, options: { ...options, readings: { ...options.readings, [ambiguity]: id } } }
}

/** A reading that shows only while the whole bank is in an outage. */
function readingInOutage<Id extends AmbiguityId>(ambiguity: Id, id: Readings[Id]): Variant {
  const outage = { part: 'bank', from: 0, until: 4_102_444_800, reason: 'maintenance' }
  return { ...reading(ambiguity, id, { outages: [outage] }), topic: 'health' }
}

/** A reading that is about what the bank looks like from the outside: a bank of that shape. */
function shaped<Id extends AmbiguityId>(ambiguity: Id, id: Readings[Id], shape: ShapeName): Variant {
  return { ambiguity, reading: id, options: {}, shape }
}

/** The rules about a grant that two readings do not declare. */
const aboutDeviceGrant = [
  'authorization/device-grant',
  'authorization/device-unknown-parameter',
  'token/unregistered-device-grant',
]

/** The rules about requests that are wrong, in a session in which a good one is given a code without a page. */
export const wrongInSession = [
  ...['state-missing', 'nonce-missing', 'scope-missing', 'scope-without-openid', 'scope-unsupported'],
  ...['scope-not-registered', 'display-unsupported', 'acr-values-unsupported', 'max-age-invalid'],
  ...['response-mode-unsupported', 'ui-locales-invalid', 'registration-parameter'],
  ...['redirect-uri-missing', 'response-type-missing', 'response-type-unsupported', 'prompt-none-combined'],
].map((what) => `authorization/${what}-in-session`)

/** The rules about requests of the response type token. */
const aboutImplicitRequests = [
  'id-token-hint-of-implicit',
  'prompt-none-signed-out-of-implicit',
  'redirect-uri-not-registered-of-implicit',
  'response-mode-unsupported-of-implicit',
  ...implicitRows.map(({ slug }) => slug),
]
  .map((what) => `authorization/${what}`)
  .concat(
    'authorization/response-type-taken-away',
    'consent/approved-data-of-implicit',
    'logout/front-channel-token',
    'subjects/same-everywhere-of-implicit',
  )

/** The rules about the response type token. */
const aboutFrontChannel = [
  'token/front-channel-access-token-lifetime',
  'token/front-channel-access-token-opaque',
  'token/front-channel-refresh-token',
]

/** The rules about id_tokens in front of the person. */
const aboutHybrid = [
  'consent/front-channel-id-token-data',
  'general/issuer-of-callback-tokens',
  'key-set/callback-signatures',
  'subjects/same-in-callback',
  'token/hybrid-access-token-hash',
  'token/hybrid-id-token',
  'token/hybrid-id-token-lifetime',
  'token/hybrid-id-token-signed',
]

/** The rules about what the person declines where a token is asked for, which comes in the fragment. */
const declinedOfImplicit = ['errors/consent-declined-of-implicit', 'errors/sign-in-declined-of-implicit']

/** The rules about id_tokens of refreshes. */
const aboutRefreshedIdTokens = [
  'signing/refreshed-result',
  'token/refreshed-access-token-hash',
  'token/refreshed-id-token-claims',
  'token/refreshed-id-token-encrypted',
  'token/refreshed-id-token-issued-later',
  'token/refreshed-id-token-lifetime',
  'token/refreshed-id-token-signed',
]
/** The rules about data under an access token of the front channel. */
const byFrontChannel = [
  ...['userinfo', 'profile'].flatMap((endpoint) =>
    ['nothing-else', 'known', 'signed', 'encrypted'].map((what) => `${endpoint}/front-channel-${what}`),
  ),
  'user-data/front-channel-subject',
]

/** The rules about the encryption of user data. */
const aboutEncryption = ['userinfo', 'profile'].flatMap((endpoint) =>
  ['', 'by-session-', 'of-all-', 'of-openid-', 'refreshed-', 'second-client-', 'signing-'].map(
    (which) => `${endpoint}/${which}encrypted`,
  ),
)

/** The rules about clients that register the encryption of one reply alone, or of one later. */
const encryptedAlone = ['userinfo', 'profile'].flatMap((endpoint) =>
  ['encrypted-alone', 'after-put-encrypted'].map((which) => `${endpoint}/${which}`),
)

/** Rules about access tokens that /auth gives. */
const ofFrontChannel = [
  'introspection/live-front-channel',
  'introspection/same-times-front-channel',
  'introspection/types-front-channel',
  'revocation/front-channel-token',
]

/** Every reading that the bundled bank can take in place of its own. */
export const variants: readonly Variant[] = [
  reading('AMB-1', 'redirect'),
  reading('AMB-2', 'redirect'),
  reading('AMB-2', 'not-found'),
  reading('AMB-3', 'redirect'),
  reading('AMB-4', 'code'),
  // Which spellings are read shows only where a hint can be wrong.
  reading('AMB-5', 'token-type-hint-only', { readings: { 'AMB-56': 'refused' } }),
  reading('AMB-6', 'verified-email'),
  reading('AMB-7', 'no-claim'),
  reading('AMB-8', 'addresses-only'),
  reading('AMB-9', 'refused'),
  reading('AMB-10', 'hs512-only'),
  {
    ...reading('AMB-11', 'refused'),
    skips: [
      'authorization/code-not-registered',
      'consent/absent-scopes-of-implicit',
      'consent/absent-scopes-of-implicit-in-session',
      ...declinedOfImplicit,
      ...aboutImplicitRequests,
      ...aboutFrontChannel,
      ...byFrontChannel,
      ...ofFrontChannel,
    ],
  },
  reading('AMB-12', 'sha512-too'),
  { ...reading('AMB-13', 'code-only'), skips: aboutHybrid },
  reading('AMB-14', 'jwt'),
  reading('AMB-15', 'created'),
  reading('AMB-16', 'undeclared'),
  { ...reading('AMB-17', 'absent'), skips: ['signing/refreshed-scopes', 'token/refresh-scope-listed'] },
  readingInOutage('AMB-18', 'outage'),
  reading('AMB-19', 'claims-updated'),
  reading('AMB-20', 'ui-locales-only'),
  reading('AMB-21', 'unless-private-key-jwt'),
  reading('AMB-22', 'refused'),
  reading('AMB-23', 'required'),
  reading('AMB-25', 'tls13-too'),
  reading('AMB-26', 'called-endpoint-too'),
  reading('AMB-27', 'redirect'),
  reading('AMB-29', 'unauthorized'),
  shaped('AMB-30', 'as-published', 'objects refused at /authorize'),
  shaped('AMB-30', 'as-published', 'objects refused in the callback'),
  shaped('AMB-30', 'in-target-file', 'signing elsewhere'),
  reading('AMB-31', 'delete-ok'),
  { ...reading('AMB-31', 'put-no-content'), skips: ['registration/record-echoed-put'] },
  reading('AMB-32', 'challenge-only'),
  // A scope of which profile may have no claim gives a token that it may refuse.
  reading('AMB-32', 'forbidden', { readings: { 'AMB-7': 'no-claim' } }),
  reading('AMB-32', 'bad-request'),
  reading('AMB-33', 'sub-and-txn'),
  { ...reading('AMB-34', 'grant-refused'), skips: aboutDeviceGrant },
  { ...reading('AMB-34', 'undeclared'), skips: aboutDeviceGrant },
  {
    ambiguity: 'AMB-35',
    reading: 'subset',
    options: {},
    shape: 'declares less',
    skips: [
      ...aboutDeviceGrant,
      'token/refresh-by-reference',
      ...['algorithms/encryption', 'registration/left-out-encryption', 'registration/response-keys'],
      ...['encrypted-access-token-hash', 'encrypted-id-token-claims', 'encrypted-id-token-lifetime'].map(
        (one) => `token/${one}`,
      ),
      ...['encrypted-id-token-signed', 'id-token-encrypted', 'id-token-encrypted-throughout'].map(
        (one) => `token/${one}`,
      ),
      'token/refreshed-id-token-encrypted',
      'userinfo/nothing-to-tell',
      'errors/request-uri',
      'authorization/acr-of-next-person',
      'authorization/acr-of-two',
      'authorization/acr-out-of-reach-of-next-person',
      'authorization/acr-out-of-reach-in-request-object',
      'authorization/acr-out-of-reach-in-session',
      'authorization/acr-stepped-up',
      'authorization/claims-ignored-by-reference',
      'authorization/code-not-registered',
      'authorization/id-token-hint-in-request-object',
      'authorization/max-age-auth-time-in-request-object',
      'authorization/max-age-in-request-object',
      'authorization/prompt-consent-in-request-object',
      'authorization/prompt-login-in-request-object',
      'authorization/request-uri-taken-away',
      'consent/absent-scopes-of-implicit',
      'consent/absent-scopes-of-implicit-in-session',
      'consent/openid-alone-in-request-object',
      'errors/interaction-required',
      ...declinedOfImplicit,
      ...aboutImplicitRequests,
      'authorization/prompt-none-interaction',
      'pkce/client-secret',
      ...ofFrontChannel,
      ...['sent', 'allowed-claims', 'subject', 'reach'].map((one) => `notifications/${one}-of-second-person`),
      ...['sent', 'reach'].map((one) => `notifications/${one}-of-majority`),
      'callback/authentication-declined-by-reference',
      'callback/consent-declined-by-reference',
      'errors/consent-declined-by-reference',
      'client-authentication/other-algorithm',
      'client-authentication/secret-jwt',
      ...['audience-at-revoke', 'audience-at-token-info', 'claims', 'lifetime', 'replay', 'signature', 'unsigned'].map(
        (one) => `client-authentication/secret-jwt-${one}`,
      ),
      'client-authentication/secret-in-query',
      'client-authentication/secret-post',
      'client-authentication/wrong-secret',
      'client-authentication/wrong-secret-at-refresh',
      ...aboutEncryption,
      ...encryptedAlone,
      'profile/after-put-signed',
      'profile/encrypted-throughout',
      'profile/refreshed-verification',
      'profile/verification',
      'registration/change-of-algorithm',
      'registration/change-of-method',
      'registration/change-of-secret',
      'registration/left-out-assertion-algorithm',
      'registration/default-acr-values-in-session',
      'registration/default-acr-values-named',
      'registration/default-acr-values-variations',
      ...byFrontChannel,
      'request-object/algorithms',
      'request-object/beside-sep-id',
      'request-object/content-invalid',
      'request-object/expired',
      'request-object/foreign-keys',
      'request-object/hash-fragment',
      'request-object/iss-aud-nbf',
      'request-object/keys-at-jwks-uri',
      'request-object/kind',
      'request-object/left-out-algorithms',
      'request-object/nonce-missing',
      'request-object/optional-parameters',
      'request-object/other-algorithms',
      'request-object/parameters-inside',
      'request-object/redirect-uri-not-registered',
      'request-object/registered-algorithms',
      'request-object/registration-beside',
      'request-object/registration-inside',
      'request-object/scope-missing',
      'request-object/scope-not-registered',
      'request-object/served',
      'request-object/served-again',
      'request-object/state-missing',
      'request-object/uri-invalid',
      'request-object/value-invalid',
      'revocation/nameless-assertion-by-secret',
      'signing/method-changed',
      'signing/stepped-up',
      'signing/text-by-loa2',
      ...aboutFrontChannel,
      'token/access-token-hash-es512',
      'token/code-exchange-by-secret',
      'token/id-token-signed-after-put',
      'token/id-token-signed-es512',
      'token/redirect-uri-by-reference',
      'user-data/scope-of-other-endpoint',
      'userinfo/after-put-signed',
      'userinfo/encrypted-throughout',
    ],
  },
  // Where endpoints are: the bank has no such setting, but a fault that moves one.
  { ambiguity: 'AMB-36', reading: 'other-addresses', options: { faults: ['general/userinfo-elsewhere'] } },
  reading('AMB-37', 'bits-128'),
  { ...shaped('AMB-38', 'not-served', 'without signing'), topic: 'signing', lacks: 'signing' },
  reading('AMB-39', 'required'),
  { ...reading('AMB-40', 'public-refused'), skips: ['signing/subject-public', 'subjects/same-everywhere-public'] },
  reading('AMB-40', 'public-by-default'),
  reading('AMB-41', 'host-only'),
  {
    ...reading('AMB-42', 'kept'),
    skips: ['token/refresh-old-discarded', 'expiry/replaced-refresh-token', 'token/refresh-old-discarded-later'],
  },
  reading('AMB-43', 'online-tokens'),
  reading('AMB-44', 'grant-only'),
  reading('AMB-45', 'offline-access-too'),
  { ...reading('AMB-46', 'shown-again'), skips: ['token/refresh-token-issued-silently'] },
  {
    ...reading('AMB-47', 'credentials-only'),
    skips: ['introspection/own-refresh-token', 'revocation/own-refresh-token'],
  },
  reading('AMB-48', 'always'),
  {
    ...reading('AMB-48', 'registration-required'),
    skips: [...encryptedAlone, 'profile/plain-accept-json', 'registration/left-out-encryption'],
  },
  reading('AMB-49', 'own-lists'),
  reading('AMB-50', 'published-too'),
  reading('AMB-51', 'fixed-address', { service: 'https://localhost:{port}' }),
  {
    ...reading('AMB-52', 'not-offered'),
    skips: ['logout/front-channel', 'logout/returned', 'logout/unregistered-return'],
  },
  reading('AMB-53', 'served'),
  reading('AMB-54', 'redirect'),
  reading('AMB-55', 'ignored'),
  reading('AMB-56', 'refused'),
  readingInOutage('AMB-57', 'service-unavailable'),
  { ...reading('AMB-58', 'as-published'), skips: ['registration/left-out-age'] },
  reading('AMB-60', 'iso-8601'),
  { ...reading('AMB-61', 'query'), skips: aboutHybrid },
  reading('AMB-62', 'acr-values-only'),
  reading('AMB-63', 'any-mix'),
  reading('AMB-64', 'required'),
  shaped('AMB-65', 'whole-host', 'certificates everywhere'),
  shaped('AMB-65', 'own-address', 'certificates at an address of their own'),
  reading('AMB-66', 'registered'),
  { ...reading('AMB-67', 'absent'), skips: aboutRefreshedIdTokens },
  reading('AMB-68', 'accepted'),
  reading('AMB-69', 'ok-json'),
  reading('AMB-69', 'no-content'),
  reading('AMB-70', 'refused'),
  reading('AMB-70', 'unshown'),
  reading('AMB-71', 'http-too'),
  reading('AMB-72', 'client'),
  {
    ...reading('AMB-72', 'service'),
    shape: 'objects signed by the service',
    // The service of the bundled bank has no key for PS256.
    skips: ['signing/algorithms'],
  },
  reading('AMB-76', 'page'),
  reading('AMB-78', 'required'),
  reading('AMB-79', 'registered'),
  reading('AMB-80', 'parameter'),
]
