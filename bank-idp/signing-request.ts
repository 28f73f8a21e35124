import { signingFlow } from './capabilities.js'
import { parseSpaceDelimited } from './parse-space-delimited.js'
import { type StructuredScope, signsDocuments } from './structured-scope.js'

/** Claims of a request object that fits its schema (schemas/request-object.schema.json). */
export interface RequestClaims {
  /** Identifier of the transaction. */
  txn: string
  client_id: string
  nonce: string
  state: string
  response_type: string
  /** Seconds. */
  max_age: number
  structured_scope: StructuredScope
  acr_values?: string
  acr_value?: string
  scope?: string
  redirect_uri?: string
  id_token_hint?: string
  ui_locales?: string
  ui_locale?: string
  [claim: string]: unknown
}

/** A request object that POST /ros took. */
export interface SigningRequest {
  /** The last part of its request_uri: 256 random bits as base64url. */
  id: string
  clientId: string
  claims: RequestClaims
  /** As the client signed it. */
  jws: string
  /** Whom it is bound to by an access token. */
  personId?: string
  /** Whom id_token_hint names. */
  hintedId?: string
  /** Seconds since the epoch. */
  expiresAt: number
  /** Whether it was authorized or refused, once and for all. */
  decided: boolean
  /** Thumbprint of the client certificate that it came with: tokens of its authorization are bound to it (RFC 8705 section 3). */
  certificate?: string
}

/** Who alone may authorize a request; undefined when it names nobody. */
export function namedPerson({ personId, hintedId }: SigningRequest): string | undefined {
  return personId ?? hintedId
}

/** What is left of a request object past its end: where its person can be sent back to. */
export interface EndedRequest {
  clientId: string
  /** As the request object said. */
  redirectUri?: string
  state: string
}

/**
 * Scopes that a person is not asked about apart: openid, without which there is no id_token, authorization where the request asks for it,
 * and the six that come with documents. Specification: "Structured scope objects".
 */
export function impliedScopes({ claims }: SigningRequest): string[] {
  const asked = parseSpaceDelimited(claims.scope).filter((scope) => scope === 'authorization')
  return ['openid', ...asked, ...(signsDocuments(claims.structured_scope) ? signingFlow.documentScopes : [])]
}
