import { encs } from '../service/algorithms.js'
import { authenticatedBy, declaredDataScopes, declaredFor, type Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { type Discovery, discover } from './discovery.js'
import { type Dress, dressNow } from './dress.js'
import { sampleChallenge } from './sample-challenge.js'
import { sectorDocument } from './sector-document.js'
import type { SignedKind } from './signed-kind.js'

/** What a dress has in place of the default one, as far as the bank declares it. */
interface Dressing {
  /** A name for state or nonce as it is sent. */
  named(name: string): string
  /**
   * The scopes that a login asks for, where a rule names none.
   * @param registered those that the client registered, openid and offline_access apart
   */
  scopes(registered: readonly string[], offline: boolean): readonly string[]
  /** Parameters of an authorization request that ask for what is so anyhow, or for one more sign-in. @param isForCode whether no token is asked for */
  parameters(discovery: Discovery, isForCode: boolean): Record<string, string>
  /**
   * Members of a client's record.
   * @param base address below which everything of this client lies
   * @param changes of the record that a rule asks for, which these members have to go with
   */
  metadata(conversation: Conversation, base: string, changes: Metadata): Promise<Metadata>
  /** Whether /auth is asked by a form, where a bank takes one (OpenID Connect Core section 3.1.2.1). */
  posts: boolean
  /** Which of its redirect URIs a client uses. */
  redirectUri(registered: readonly unknown[]): unknown
  /** Whether a PUT replaced the record of a client by the same before it is used. */
  replaced: boolean
  /** The kind of person that does what a rule lets anybody do; undefined: the first one. */
  anybody?: string
  /** How a client of the signing flow authenticates. */
  signing: Metadata
  /** What is to be authorized, where a rule does not say it. */
  kind: SignedKind
  /** What a request object asks for, where the bank takes that there (AMB-13). */
  signingResponseType: 'code id_token' | 'code id_token token'
  /** Whether clients show the service's certificate wherever one may be asked for: it is required in the signing flow alone (AMB-65). */
  certificate?: true
  /** Whether people stay signed in from one login to the next, so that most are by a session. */
  staysSignedIn?: true
  /** Whether a record has no more members than the bank asks for (AMB-58). */
  ofFewest?: true
}

const declares = (discovery: Discovery, list: string, value: string) =>
  discovery.declared(list)?.includes(value) === true

/** Everything that may be there is there, several values where one would do, and what is asked for is asked for in many words. */
const anotherDress: Dressing = {
  named: (name) => `${name} &=%+/é ${'long'.repeat(40)}`,
  scopes: (registered) => [...registered.slice(0, 4), 'openid'],
  parameters(discovery, isForCode) {
    // PKCE is about codes (RFC 7636): a bank may refuse a challenge where none is asked for.
    const takesChallenge = isForCode && declares(discovery, 'code_challenge_methods_supported', 'S256')
    // A token never travels in the query (AMB-11).
    const takesMode = isForCode && declares(discovery, 'response_modes_supported', 'query')
    const levels = discovery.declared('acr_values_supported') ?? []
    return {
      prompt: 'login',
      display: 'page',
      max_age: '3000',
      ui_locales: 'cs en',
      sep_id: 'another-organization',
      ...(levels.length > 0 && { acr_values: levels.join(' ') }),
      // What says that it is not read is ignored (AMB-55).
      ...(discovery.member('claims_parameter_supported') === false && {
        claims: '{"userinfo":{"claims_updated":null}}',
      }),
      ...(takesChallenge && sampleChallenge),
      ...(takesMode && { response_mode: 'query' }),
    }
  },
  async metadata(conversation, base, changes) {
    const discovery = await discover(conversation)
    const bySecret = declares(discovery, 'token_endpoint_auth_methods_supported', 'client_secret_post')
    const redirect_uris = [`${base}/other-callback`, `${base}/callback`, `${base}/further-callback`]
    return {
      contacts: ['conformance@example.org', 'another@example.org'],
      redirect_uris,
      // The document lists the addresses of every client that names it.
      ...(!changes.redirect_uris && { sector_identifier_uri: await sectorDocument(conversation, redirect_uris) }),
      request_uris: [`${base}/other-request-object`, `${base}/request-object`],
      client_uri: `${base}/`,
      policy_uri: `${base}/policy`,
      initiate_login_uri: `${base}/initiate`,
      backchannel_logout_uri: `${base}/logout`,
      notification_uri: `${base}/notify`,
      default_max_age: 1800,
      ...(isAsked('openid', changes) && { required_scope: 'openid' }),
      ...(declares(discovery, 'acr_values_supported', 'loa2') && { default_acr_values: ['loa2'] }),
      ...(declares(discovery, 'subject_types_supported', 'public') && { subject_type: 'public' }),
      ...(bySecret && authenticatesAnyhow(changes) && authenticatedBy('client_secret_post')),
      ...(declares(discovery, 'id_token_signing_alg_values_supported', 'ES512') && {
        id_token_signed_response_alg: 'ES512',
      }),
      ...(declares(discovery, 'userinfo_signing_alg_values_supported', 'ES512') && {
        userinfo_signed_response_alg: 'ES512',
      }),
      ...(declaredFor(discovery, 'profile', 'signing_alg')?.includes('ES512') && {
        profile_signed_response_alg: 'ES512',
      }),
    }
  },
  posts: false,
  redirectUri: (registered) => registered[1] ?? registered[0],
  replaced: true,
  anybody: 'foreigner',
  signing: authenticatedBy('private_key_jwt'),
  kind: 'document',
  signingResponseType: 'code id_token',
}

/** Everything that is registered is asked for, by a form, and id_tokens are sealed. */
const thirdDress: Dressing = {
  named: (name) => `{"to":"/${name}#?"}`,
  scopes: (registered, offline) => ['openid', ...registered, ...(offline ? ['offline_access'] : [])],
  parameters: () => ({ prompt: 'consent' }),
  async metadata(conversation, base, changes) {
    const discovery = await discover(conversation)
    const bySecret = declares(discovery, 'token_endpoint_auth_methods_supported', 'client_secret_jwt')
    return {
      redirect_uris: [`${base}/of%20conformance/callback`],
      default_max_age: 86_400,
      require_auth_time: false,
      ...(bySecret && authenticatesAnyhow(changes) && authenticatedBy('client_secret_jwt')),
      ...idTokenEncryption(discovery),
    }
  },
  posts: true,
  redirectUri: (registered) => registered[0],
  replaced: false,
  anybody: 'second',
  signing: authenticatedBy('private_key_jwt'),
  kind: 'documents',
  signingResponseType: 'code id_token token',
  certificate: true,
}

/** How id_tokens are encrypted where the bank declares what can be read here: by the last enc of those. */
export function idTokenEncryption(discovery: Discovery): Metadata {
  const enc = encs.findLast((one) => declares(discovery, 'id_token_encryption_enc_values_supported', one))
  return declares(discovery, 'id_token_encryption_alg_values_supported', 'RSA-OAEP-256') && enc !== undefined
    ? { id_token_encrypted_response_alg: 'RSA-OAEP-256', id_token_encrypted_response_enc: enc }
    : {}
}

/**
 * Members that no client needs: the reading of AMB-58 that asks for the fewest has `client_name`, `jwks_uri`, `redirect_uris` and `scope`. What
 * stands for grant_types and response_types is authorization_code and code (OpenID Connect Dynamic Client Registration section 2). How a client
 * authenticates stays, and so does what signs its id_tokens and data: what stands for these a bank may settle for itself.
 */
const spared = [
  ...['application_type', 'contacts', 'response_types', 'grant_types', 'subject_type'],
  ...['userinfo', 'profile'].flatMap((reply) => [`${reply}_encrypted_response_alg`, `${reply}_encrypted_response_enc`]),
]

/** A client of few members and one data scope, which asks for all that it may: whatever else there is is refused to it. */
const leastDress: Dressing = {
  named: (name) => name,
  scopes: (registered) => ['openid', ...registered],
  parameters: () => ({}),
  async metadata(conversation) {
    const [scope] = declaredDataScopes(await discover(conversation))
    return {
      ...Object.fromEntries(spared.map((member) => [member, undefined])),
      scope: ['openid', ...(scope === undefined ? [] : [scope])].join(' '),
    }
  },
  posts: false,
  redirectUri: (registered) => registered[0],
  replaced: false,
  signing: {},
  kind: 'text',
  signingResponseType: 'code id_token',
  ofFewest: true,
  staysSignedIn: true,
}

const dressings: Readonly<Record<Dress, Dressing>> = {
  'another dress': anotherDress,
  'a third dress': thirdDress,
  'the least dress': leastDress,
}

/** What the dress has that the code runs in; undefined in the default one. */
export function dressing(): Dressing | undefined {
  const dress = dressNow()
  return dress && dressings[dress]
}

/** Whether a record with these changes leaves open how its client authenticates: not every algorithm goes with every method. */
function authenticatesAnyhow(changes: Metadata): boolean {
  return !changes.token_endpoint_auth_method && !changes.token_endpoint_auth_signing_alg
}

/** Whether a record with these changes registers a scope that the default one has. */
function isAsked(scope: string, { scope: changed = scope }: Metadata): boolean {
  return String(changed).split(' ').includes(scope)
}
