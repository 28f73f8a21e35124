import { capabilities, registrableRequestObjectAlgs } from '../capabilities.js'

/** Values allowed, by member of a record. */
export type Allowed = Record<string, readonly string[]>

/** Algorithms that discovery declares; the userinfo lists hold for profile (AMB-49). Specification: "Discovery document". */
export const algorithms: Allowed = {
  ...Object.fromEntries(
    ['id_token', 'userinfo', 'profile'].flatMap((kind) => [
      [`${kind}_signed_response_alg`, capabilities.responseSigningAlgs],
      [`${kind}_encrypted_response_alg`, capabilities.responseEncryptionAlgs],
      [`${kind}_encrypted_response_enc`, capabilities.responseEncryptionEncs],
    ]),
  ),
  request_object_signing_alg: registrableRequestObjectAlgs,
  request_object_encryption_alg: capabilities.responseEncryptionAlgs,
  request_object_encryption_enc: capabilities.responseEncryptionEncs,
}

export const authenticationMethods: Allowed = { token_endpoint_auth_method: capabilities.tokenEndpointAuthMethods }

export const otherValues: Allowed = { default_acr_values: capabilities.acrValues, application_type: ['web'] }

/**
 * The grant that each response type needs. OpenID Connect Dynamic Client Registration section 2; by RFC 7591 section 2.1 a bank refuses
 * records that are inconsistent, which would else fail at their first use.
 */
export const grantOf: Readonly<Record<string, string>> = { code: 'authorization_code', token: 'implicit' }

/** Each enc with the alg without which it means nothing. */
export const encOfAlg = [
  'id_token_encrypted_response',
  'userinfo_encrypted_response',
  'profile_encrypted_response',
  'request_object_encryption',
]

/** Addresses that the bank fetches, posts to, or sends a browser to: https alone, and nothing hidden in them. */
export const httpsOnly = [
  'jwks_uri',
  'sector_identifier_uri',
  'initiate_login_uri',
  'backchannel_logout_uri',
  'frontchannel_logout_uri',
  'post_logout_redirect_uris',
  'notification_uri',
]

/** Addresses that a page may link to or show. */
export const linked = ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri']

/** Both replies with user data are encrypted by the readings of AMB-48 that leave no choice. */
export const userDataEncryption = ['userinfo_encrypted_response_alg', 'profile_encrypted_response_alg']

/** Required as published, beyond what the schema requires (AMB-58). */
export const publishedRequired = ['request_uris', 'require_auth_time', 'default_max_age', 'tos_uri', 'logo_uri']
