import { Latest } from '../latest.js'
import type { SeamResponse } from '../seams.js'
import { isLeast } from './client-memory.js'
import type { Deviation, Fault } from './fault.js'

/** What is known of a request where a condition is asked for. */
interface Known {
  /** The parameters of the request, where it has some. */
  parameters: URLSearchParams
  header(name: string): string | undefined
  /** The record of the client, as it was told last; empty where none is known. */
  record: Readonly<Record<string, unknown>>
  /** Whether a PUT replaced it. */
  replaced: boolean
  /** Whether an authorization request came as a form. */
  posted: boolean
}

type Holds = (known: Known) => boolean

const asked =
  (name: string): Holds =>
  ({ parameters }) =>
    parameters.has(name)

const registers =
  (member: string, value?: string): Holds =>
  ({ record }) =>
    value === undefined ? record[member] !== undefined : record[member] === value

/** What a bank tells apart that makes no difference, as it stands at the end of an id and of a title. */
const conditions = {
  'beside-max-age': { words: 'beside max_age', holds: asked('max_age') },
  'beside-display': { words: 'beside display', holds: asked('display') },
  'beside-ui-locales': { words: 'beside ui_locales', holds: asked('ui_locales') },
  'beside-acr-values': { words: 'beside acr_values', holds: asked('acr_values') },
  'beside-prompt': { words: 'beside prompt', holds: asked('prompt') },
  'beside-claims': { words: 'beside claims', holds: asked('claims') },
  'beside-sep-id': { words: 'beside sep_id', holds: asked('sep_id') },
  'beside-response-mode': { words: 'beside response_mode', holds: asked('response_mode') },
  'beside-challenge': { words: 'beside a challenge of PKCE', holds: asked('code_challenge') },
  'beside-long-nonce': {
    words: 'beside a long nonce',
    holds: ({ parameters }: Known) => String(parameters.get('nonce')).length > 100,
  },
  'beside-header': {
    words: 'beside X-Sep-identifier',
    holds: ({ header }: Known) => header('x-sep-identifier') !== undefined,
  },
  'by-secret': {
    words: 'for clients of client_secret_post',
    holds: registers('token_endpoint_auth_method', 'client_secret_post'),
  },
  public: { words: 'for clients of public subjects', holds: registers('subject_type', 'public') },
  'of-sector': { words: 'for clients with a sector_identifier_uri', holds: registers('sector_identifier_uri') },
  'of-es512': {
    words: 'for clients of ES512 id_tokens',
    holds: registers('id_token_signed_response_alg', 'ES512'),
  },
  'of-required-scope': { words: 'for clients with a required_scope', holds: registers('required_scope') },
  'of-notified': { words: 'for clients with a notification_uri', holds: registers('notification_uri') },
  'of-several-addresses': {
    words: 'for clients of several redirect URIs',
    holds: ({ record }: Known) => [record.redirect_uris ?? []].flat().length > 1,
  },
  'of-long-default-max-age': {
    words: 'for clients with a default_max_age of more than an hour',
    holds: ({ record }: Known) => Number(record.default_max_age) > 3_600,
  },
  'by-secret-jwt': {
    words: 'for clients of client_secret_jwt',
    holds: registers('token_endpoint_auth_method', 'client_secret_jwt'),
  },
  'of-sealed-id-tokens': {
    words: 'for clients of encrypted id_tokens',
    holds: registers('id_token_encrypted_response_alg'),
  },
  'of-optional-auth-time': {
    words: 'for clients that do not require auth_time',
    holds: ({ record }: Known) => record.require_auth_time === false,
  },
  'beside-consent': {
    words: 'beside prompt consent',
    holds: ({ parameters }: Known) => parameters.get('prompt') === 'consent',
  },
  'beside-offline-access': {
    words: 'beside the scope offline_access',
    holds: ({ parameters }: Known) => (parameters.get('scope') ?? '').split(' ').includes('offline_access'),
  },
  'beside-brackets': {
    words: 'beside a state with brackets and quotation marks',
    holds: ({ parameters }: Known) => /[{}"]/.test(parameters.get('state') ?? ''),
  },
  posted: { words: 'where the request comes as a form', holds: ({ posted }: Known) => posted },
  'of-few-members': {
    words: 'for clients that registered no more than they need',
    holds: ({ record }: Known) => 'client_id' in record && isLeast(record),
  },
  'of-few-scopes': {
    words: 'for clients of one scope beside openid',
    holds: ({ record }: Known) => String(record.scope ?? '').split(' ').length === 2,
  },
  'of-one-grant': {
    words: 'for clients of the grant authorization_code alone',
    holds: ({ record }: Known) => [record.grant_types].flat().join() === 'authorization_code',
  },
  'once-replaced': { words: 'for clients whose record a PUT replaced', holds: ({ replaced }: Known) => replaced },
} as const satisfies Record<string, { words: string; holds: Holds }>

/** A fault that shows everywhere, where it is to show alone, and what is broken or red there, where that is something else. */
type Row = readonly [
  fault: string,
  condition: keyof typeof conditions,
  otherwise?: Partial<Pick<Fault, 'breaks' | 'places' | 'collateral'>>,
]

const rows: readonly Row[] = [
  ['authorization/auth-time-left-out', 'once-replaced', { places: ['use=after-put'], collateral: {} }],
  ['authorization/ui-locales-cleaned', 'of-sector'],
  ['authorization/claims-grant-essential', 'beside-max-age'],
  ['authorization/display-capitals', 'beside-challenge'],
  ['authorization/display-not-checked', 'beside-acr-values'],
  ['authorization/display-not-checked', 'beside-claims'],
  ['authorization/scope-capitals', 'of-required-scope'],
  ['authorization/scope-capitals', 'beside-display'],
  ['authorization/client-id-in-braces', 'beside-long-nonce'],
  ['authorization/ui-locales-cleaned', 'beside-prompt'],
  ['authorization/claims-grant-essential', 'beside-ui-locales'],
  ['authorization/claims-grant-essential', 'beside-sep-id'],
  ['errors/state-in-ascii', 'beside-header'],
  ['token/code-invalid-request-undescribed', 'by-secret'],
  ['introspection/unknown-hint-invalid-request', 'once-replaced'],
  ['introspection/access-token-missed-by-unknown-hint', 'of-notified'],
  [
    'introspection/sliding-exp',
    'once-replaced',
    {
      places: ['use=second-call token=access-of-code member=exp'],
      collateral: { 'token/later-login': 'the earlier token is asked about before and after' },
    },
  ],
  ['authorization/max-age-ignored', 'of-long-default-max-age', { places: ['member=default_max_age'], collateral: {} }],
  ['authorization/max-age-ignored', 'by-secret', { places: ['use=second-client'], collateral: {} }],
  ['authorization/prompt-login-ignored', 'beside-challenge', { places: ['use=second-client'], collateral: {} }],
  ['authorization/prompt-consent-ignored', 'public', { places: ['scope=openid'], collateral: {} }],
  ['authorization/prompt-consent-ignored', 'beside-acr-values', { places: ['parameter=acr_values'], collateral: {} }],
  ['authorization/state-of-none-unchecked', 'public'],
  ['authorization/response-type-default', 'beside-sep-id'],
  ['authorization/display-not-checked', 'beside-response-mode'],
  ['registration/default-max-age-ignored', 'by-secret', { places: ['use=second-client'] }],
  ['general/id-token-of-other-issuer', 'by-secret', { places: ['token=id-of-code'], collateral: {} }],
  ['jwks/unpublished-signing-key', 'once-replaced', { places: ['token=id-of-code'], collateral: {} }],
  ['profile/other-signing-alg', 'of-es512', { places: ['parameter=accept value=other-type'] }],
  ['user-data/signing-without-name', 'public', { breaks: ['DATA-16'] }],
  [
    'client-assertion/sub-by-superset',
    'of-several-addresses',
    { places: ['endpoint=token client-auth=client_secret_jwt part=sub'] },
  ],
  ['token/unsupported-grant-undescribed', 'of-sealed-id-tokens'],
  ['authorization/registration-too-long', 'of-sealed-id-tokens'],
  ['authorization/max-age-sign', 'of-sealed-id-tokens'],
  ['authorization/scope-shortened', 'beside-brackets'],
  ['authorization/display-capitals', 'beside-consent'],
  ['authorization/unregistered-code-otherwise', 'beside-offline-access'],
  ['authorization/display-too-long', 'of-sealed-id-tokens'],
  ['token/refresh-id-token-iat-milliseconds', 'of-optional-auth-time'],
  ['userinfo/other-issuer', 'of-sealed-id-tokens'],
  ['authorization/claims-array-taken', 'of-optional-auth-time'],
  ['token/redirect-uri-scheme-ignored', 'by-secret-jwt'],
  ['token/refresh-token-since-first', 'by-secret-jwt'],
  ['client-assertion/rs256-of-ec-client', 'of-notified'],
  ['client-assertion/key-brought-along', 'once-replaced', { places: ['endpoint=token-info part=signature alg=ES512'] }],
  ['authorization/max-age-zero-refused', 'once-replaced', { collateral: {} }],
  ['authorization/acr-values-reordered-refused', 'of-sealed-id-tokens'],
  [
    'authorization/prompt-consent-ignored',
    'beside-offline-access',
    { collateral: { 'authorization/prompt-unsupported': 'without consent, none stands alone' } },
  ],
]

/** What is wrong with a parameter is wrong in a form too. */
const postedRows = [
  ...['state-not-asked', 'nonce-not-asked', 'scope-default', 'scope-openid-added', 'scope-capitals'],
  ...['display-not-checked', 'prompt-not-checked', 'acr-values-not-checked', 'max-age-not-checked'],
  ...['response-mode-not-checked', 'ui-locales-cleaned', 'registration-ignored'],
  ...['redirect-uri-missing-redirected', 'response-type-default', 'response-type-capitals'],
].map((slug): Row => [`authorization/${slug}`, 'posted', { places: ['method=POST'], collateral: {} }])

/** What a client is refused, given or told that registered little. */
const leastRows: readonly Row[] = [
  ['authorization/state-not-asked', 'of-few-members'],
  ['authorization/nonce-not-asked', 'of-one-grant'],
  ['authorization/scope-default', 'of-few-scopes', { places: ['value=missing'] }],
  ['authorization/scope-openid-added', 'of-few-scopes'],
  ['authorization/scope-last-ignored', 'of-few-members'],
  ['authorization/scope-authorization-unregistered', 'of-few-members'],
  ['authorization/display-not-checked', 'of-few-members'],
  ['authorization/prompt-not-checked', 'of-one-grant'],
  ['authorization/acr-values-not-checked', 'of-few-members'],
  ['authorization/max-age-not-checked', 'of-few-members'],
  ['authorization/response-mode-not-checked', 'of-one-grant'],
  ['authorization/registration-ignored', 'of-few-members'],
  ['authorization/response-type-default', 'of-few-members'],
  ['authorization/response-type-any', 'of-one-grant', { collateral: {} }],
  ['token/scope-missing', 'of-few-members', { breaks: ['TOK-1'], places: ['grant=code member=scope'], collateral: {} }],
  ['token/expires-in-short', 'of-one-grant'],
  ['token/stored-by-caches', 'of-few-members'],
  ['token/nonce-dropped', 'of-few-members', { collateral: {} }],
  ['token/code-id-token-short-lived', 'of-few-members'],
  ['token/code-id-token-other-hash', 'of-one-grant'],
  ['token/unknown-grant', 'of-one-grant', { collateral: {} }],
  ['token/unregistered-grant', 'of-few-members'],
  ['token/grant-type-defaulted', 'of-few-members', { places: ['grant=code parameter=grant_type'], collateral: {} }],
  ['token/redirect-uri-path-ignored', 'of-one-grant', { places: ['value=wrong'] }],
  ['token/code-invalid-grant-undescribed', 'of-few-members'],
  ['client-assertion/exp-missing', 'of-few-members'],
  [
    'client-assertion/aud-missing',
    'of-few-members',
    { breaks: ['TOK-14'], places: ['endpoint=token client-auth=private_key_jwt part=aud value=missing'] },
  ],
  ['introspection/client-missing', 'of-few-members'],
  ['introspection/times-in-milliseconds', 'of-one-grant'],
  [
    'introspection/dead-is-an-error',
    'of-few-members',
    { breaks: ['INTR-2'], places: ['value=unknown'], collateral: {} },
  ],
  ['client-assertion/alg-none', 'of-few-members', { places: ['endpoint=token-info alg=none'] }],
  ['authorization/redirect-uri-by-default', 'of-few-members', { places: ['value=missing'] }],
  ['authorization/redirect-uri-by-prefix', 'of-one-grant'],
  ['authorization/redirect-uri-any-host', 'of-few-scopes'],
  ['authorization/redirect-uri-of-anyone', 'of-few-members'],
  ['introspection/unknown-hint-invalid-request', 'of-few-members'],
  [
    'userinfo/unasked-claim',
    'of-few-scopes',
    {
      places: ['scope=profile.name'],
      collateral: { 'user-data/notification-scope': 'a client of one scope that leads to no data is given some' },
    },
  ],
  ['userinfo/other-sub', 'of-few-members', { breaks: ['DATA-9'], places: ['endpoint=userinfo part=sub'] }],
  ['profile/unasked-claim', 'of-one-grant', { collateral: {} }],
  ['registration/read-in-part', 'of-few-members'],
  ['registration/put-created', 'of-few-members'],
]

/** What a bank was told of its clients since a fault was switched on. */
class Clients {
  readonly #records = new Latest<Known['record']>(10_000)
  readonly #replaced = new Latest<true>(10_000)

  note({ status, body }: SeamResponse, byPut: boolean): void {
    const record = (body ?? {}) as Known['record']
    const { client_id: clientId } = record
    if (status >= 300 || typeof clientId !== 'string') return
    this.#records.set(clientId, record)
    if (byPut) this.#replaced.set(clientId, true)
  }

  known(clientId: string | null | undefined): Pick<Known, 'record' | 'replaced'> {
    const id = clientId ?? ''
    return { record: this.#records.get(id) ?? {}, replaced: this.#replaced.has(id) }
  }
}

const nothing = { parameters: new URLSearchParams(), header: () => undefined, posted: false }

/** A deviation as it is where a condition holds; elsewhere it sees what it sees, and changes nothing. */
function limited<Memory>(deviation: Deviation<Memory>, holds: Holds, clients: Clients): Deviation<Memory> {
  const { request = {}, response = {}, nestedJwt = {}, judgedAssertion } = deviation
  const noting = { 'POST /register': response['POST /register'], 'PUT /register/{client_id}': undefined, ...response }
  return {
    ...deviation,
    request: mapped(request, (change) => (parameters, bank, memory) => {
      const { posted = false } = bank
      const known = { ...nothing, parameters, posted, ...clients.known(parameters.get('client_id')) }
      change(holds(known) ? parameters : new URLSearchParams(parameters), bank, memory)
    }),
    response: mapped(noting, (change, route) => (answer, bank, memory) => {
      if (route.includes('/register')) clients.note(answer, route.startsWith('PUT'))
      const parameters = new URLSearchParams([...bank.query, ...bank.form])
      const asked = { parameters, header: bank.requestHeader, posted: bank.posted }
      const { client_id: told } = (answer.body ?? {}) as Known['record']
      const clientId = route.includes('/register') && typeof told === 'string' ? told : parameters.get('client_id')
      const known = { ...asked, ...clients.known(clientId) }
      const changed = change?.(structuredClone(answer), bank, memory) ?? answer
      return holds(known) ? changed : answer
    }),
    nestedJwt: mapped(nestedJwt, (change) => async (planned, bank, memory) => {
      const changed = await change(structuredClone(planned), bank, memory)
      return holds({ ...nothing, ...clients.known(bank.clientId) }) ? changed : planned
    }),
    ...(judgedAssertion && {
      judgedAssertion(assertion, bank, memory) {
        const changed = judgedAssertion(structuredClone(assertion), bank, memory)
        return holds({ ...nothing, ...clients.known(bank.clientId) }) ? changed : assertion
      },
    }),
  }
}

function mapped<Key extends string, From, To>(
  of: Partial<Record<Key, From>>,
  change: (from: From, key: Key) => To,
): Partial<Record<Key, To>> {
  const entries = Object.entries(of) as [Key, From][]
  return Object.fromEntries(entries.map(([key, from]) => [key, change(from, key)])) as Partial<Record<Key, To>>
}

/** The faults that show only where something else is so, made of those that show everywhere. */
export function limitedFaults(everywhere: readonly Fault[]): readonly Fault[] {
  return [...rows, ...postedRows, ...leastRows].map(([id, condition, otherwise]) => {
    const fault = everywhere.find((one) => one.id === id)
    if (!fault) throw new Error(`no fault is called ${id}`)
    const { words, holds } = conditions[condition]
    return Object.freeze({
      ...fault,
      ...otherwise,
      id: `${id}-${condition}`,
      title: `${fault.title}, only ${words}`,
      activate() {
        const activated = fault.activate()
        const clients = new Clients()
        return (use) => activated((deviation, memory) => use(limited(deviation, holds, clients), memory))
      },
    } satisfies Fault)
  })
}
