import { createHash, randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { Client } from '../client.js'
import { nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { lifetimesOf } from '../lifetimes.js'
import type { Policy } from '../policy.js'
import { errors, type Provider } from './library.js'
import { makeNestedJwt } from './nested-jwt.js'
import { type IssueIdToken, overrideIdTokens } from './patches.js'

/** Claims that the library gives as the values to be hashed. OpenID Connect Core sections 3.1.3.6 and 3.3.2.11. */
const hashed = ['at_hash', 'c_hash', 's_hash']

/** The left half of the hash that goes with the algorithm: PS512 and ES512 with SHA-512. */
function halfHash(value: unknown, alg: string): string {
  const digest = createHash(`sha${alg.slice(-3)}`)
    .update(String(value))
    .digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

/**
 * Specification: "Authentication" 9 and "Signing / request-object flow" 3: PS256 or ES256, and always encrypted (AMB-12). Never `none`, also
 * for a client that registered it for its logins (AMB-9).
 */
export function inSigningFlow(client: Client, policy: Pick<Policy, 'signingFlowAlgs'>): Client {
  const { record } = client
  const registered = record.id_token_signed_response_alg
  const own = policy.signingFlowAlgs === 'sha512-too' && registered !== 'none'
  return {
    ...client,
    record: {
      ...record,
      id_token_signed_response_alg: own ? registered : 'ES256',
      id_token_encrypted_response_alg: record.id_token_encrypted_response_alg ?? 'RSA-OAEP-256',
    },
  }
}

/** Claims about the authentication, which every id_token carries (published); the library tells them only to who asks for them. */
const authenticationClaims = ['auth_time', 'acr', 'amr']

/**
 * Has id_tokens signed and encrypted by the one place that does so for user data as well: with the bank's current key, to the key that
 * the client's jwks_uri names now.
 */
export function issueIdTokensAsNestedJwt(
  provider: Provider,
  context: Pick<BankContext, 'clientKeys' | 'clients' | 'config' | 'keys' | 'policy' | 'seams' | 'signingRequests'>,
): void {
  const issue: IssueIdToken = async (source, { use, expiresAt }) => {
    const found = source.client && (await context.clients.find(source.client.clientId))
    const grantId = source.ctx?.oidc.entities.Grant?.jti
    const signing = grantId === undefined ? undefined : await context.signingRequests.ofGrant(grantId)
    const client = found && signing ? inSigningFlow(found, context.policy) : found
    if (use !== 'idtoken' || !client) throw new Error(`this bank issues no ${use} token`)
    const issuedAt = nowSeconds()
    const authentication = Object.entries(source.available).filter(([claim]) => authenticationClaims.includes(claim))
    const payload: JWTPayload = {
      ...Object.fromEntries(authentication),
      ...(await source.payload()),
      jti: randomUUID(),
    }
    const accessToken = source.ctx?.oidc.entities.AccessToken
    if (accessToken) payload.at_hash = accessToken.jti
    const alg = client.record.id_token_signed_response_alg
    for (const claim of hashed) {
      // The hash goes with the alg of the signature: without one there is none.
      if (alg === 'none') delete payload[claim]
      else if (payload[claim] !== undefined) payload[claim] = halfHash(payload[claim], alg)
    }
    const claims = {
      ...payload,
      ...(signing && { structured_scope: signing.claims.structured_scope }),
      iss: context.config.issuer,
      aud: client.clientId,
      iat: issuedAt,
      exp: expiresAt ?? issuedAt + lifetimesOf(context, client.clientId).IdToken,
    }
    const grant = source.ctx?.oidc.params?.grant_type
    return makeNestedJwt(context, 'id_token', client, claims, grant === undefined ? grant : String(grant)).catch(
      (error: unknown) => {
        throw error instanceof BankError
          ? new errors.CustomOIDCProviderError(error.code, error.message, { cause: error })
          : error
      },
    )
  }
  overrideIdTokens(provider, issue)
}
