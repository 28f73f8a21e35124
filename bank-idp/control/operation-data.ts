import type { Certificate } from '../keys/certificates.js'
import type { PrivateKeys } from './client-keys.js'

export type { NewPerson } from '../make-person.js'

// What goes into the operations that are methods of a bank, and what comes out. These types are public, and mention nothing that needs types
// of others.

export interface NewClient {
  redirect_uris: string[]
  client_name?: string
  /** Space-delimited; default: all that there is. */
  scope?: string
  token_endpoint_auth_method?: string
  /** Where the client's own keys are published; default: keys are made. */
  jwks_uri?: string
  /** Further members of the registration record, as on the wire. */
  record?: Record<string, unknown>
}

/** A registered client with all that it needs. */
export interface MadeClient {
  client_id: string
  client_secret?: string
  redirect_uris: string[]
  /** Private JWK set; absent where the client publishes keys of its own. */
  private_jwks?: PrivateKeys
  /** The key that signs its assertions (PS512), as PKCS #8 in PEM. */
  private_key_pem?: string
  /** For mutual TLS, both PEM: the bank trusts it. */
  certificate: Certificate
  registration_access_token: string
  registration_client_uri: string
  /** The answer to the registration, as it is. */
  record: Record<string, unknown>
}

export interface LoginInput {
  client_id: string
  /** Login name of the person. */
  login: string
  /** Space-delimited; default: openid. */
  scope?: string
  /** Default: the first that the client registered. */
  redirect_uri?: string
  prompt?: string
  acr_values?: string
  max_age?: number
  /** Default: a random one. */
  nonce?: string
  /** Whether to use PKCE, S256 (RFC 7636); default: true. */
  pkce?: boolean
  /** The claims parameter (OpenID Connect Core section 5.5). */
  claims?: Record<string, unknown>
  /** Which scopes the person approves; default: all. */
  consent?: string[]
  /** Where the person turns back. */
  decline?: 'login' | 'consent'
  /** Id of the identity, for a person who has several; default: the first. */
  account?: string
  /** Private keys of a client that was not made here since the start. */
  private_jwks?: PrivateKeys
}

/** What a login gave. */
export interface LoginAnswer {
  /** The answer of POST /token, as it is. */
  tokens: { access_token: string; id_token: string; refresh_token?: string; scope?: string; [member: string]: unknown }
  /** Of the id_token: decrypted and read, not verified. */
  claims: { iss: string; sub: string; [name: string]: unknown }
}

export interface MintInput {
  client_id: string
  /** Login name of the person. */
  login: string
  /** Space-delimited; default: openid. */
  scope?: string
  /** Seconds until the access token expires; less than 0: it expired so long ago. Default: as the bank's tokens do. */
  expires_in?: number
}

/** Tokens as POST /token gives them; without an id_token, since nobody logged in. */
export interface MintedTokens {
  access_token: string
  /** There where the scope has offline_access. */
  refresh_token?: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

/** A snapshot, by its id. The last ones are kept, for as long as the process lives. */
export interface Snapshot {
  id: string
}
