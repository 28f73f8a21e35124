import type { Router } from 'express'
import {
  capabilities,
  declaredScopes,
  grantTypes,
  idTokenSigningAlgs,
  responseTypes,
  secretSigningAlgs,
  subjectTypes,
} from '../capabilities.js'
import type { BankContext } from '../context.js'
import type { Policy } from '../policy.js'
import { devicePaths } from '../provider/device-grant.js'
import { exactRouter } from '../router.js'

/**
 * The discovery document. Specification: "Discovery document". It declares what works in this bank and nothing else: a subset of the
 * table that matches reality (AMB-35), and what libraries of clients need to introspect and revoke (RFC 8414 section 2).
 */
function discoveryDocument(issuer: string, policy: Policy): Record<string, unknown> {
  const authentication = {
    auth_methods_supported: capabilities.tokenEndpointAuthMethods,
    auth_signing_alg_values_supported: [...capabilities.assertionSigningAlgs, ...secretSigningAlgs(policy)],
  }
  const authenticationAt = (endpoint: string) =>
    Object.fromEntries(Object.entries(authentication).map(([member, value]) => [`${endpoint}_${member}`, value]))
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    profile_endpoint: `${issuer}/profile`,
    introspection_endpoint: `${issuer}/token-info`,
    revocation_endpoint: `${issuer}/revoke`,
    end_session_endpoint: `${issuer}/session/end`,
    ...(policy.deviceAuthorization !== 'undeclared' && {
      device_authorization_endpoint: `${issuer}${devicePaths.authorization}`,
    }),
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    service_documentation: `${issuer}/documentation`,
    op_policy_uri: `${issuer}/policy`,
    op_tos_uri: `${issuer}/terms`,
    request_parameter_supported: false,
    claims_parameter_supported: false,
    request_uri_parameter_supported: true,
    require_request_uri_registration: true,
    scopes_supported: declaredScopes(policy),
    acr_values_supported: capabilities.acrValues,
    response_types_supported: responseTypes(policy),
    response_modes_supported: capabilities.responseModes,
    grant_types_supported: grantTypes(policy),
    subject_types_supported: subjectTypes(policy),
    claim_types_supported: ['normal'],
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: capabilities.codeChallengeMethods,
    ...authenticationAt('token_endpoint'),
    ...authenticationAt('introspection_endpoint'),
    ...authenticationAt('revocation_endpoint'),
    id_token_signing_alg_values_supported: idTokenSigningAlgs(policy),
    userinfo_signing_alg_values_supported: capabilities.responseSigningAlgs,
    id_token_encryption_alg_values_supported: capabilities.responseEncryptionAlgs,
    id_token_encryption_enc_values_supported: capabilities.responseEncryptionEncs,
    userinfo_encryption_alg_values_supported: capabilities.responseEncryptionAlgs,
    userinfo_encryption_enc_values_supported: capabilities.responseEncryptionEncs,
    request_object_signing_alg_values_supported: capabilities.requestObjectSigningAlgs,
    request_object_encryption_alg_values_supported: capabilities.requestObjectEncryptionAlgs,
    request_object_encryption_enc_values_supported: capabilities.requestObjectEncryptionEncs,
    ...(policy.profileAlgs === 'own-lists' && {
      profile_signing_alg_values_supported: capabilities.responseSigningAlgs,
      profile_encryption_alg_values_supported: capabilities.responseEncryptionAlgs,
      profile_encryption_enc_values_supported: capabilities.responseEncryptionEncs,
    }),
    claims_supported: capabilities.claims,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    ...(policy.frontChannelLogout === 'offered' && {
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    }),
  }
}

/** GET /.well-known/openid-configuration. Specification: "Exposed by the bank" 1. */
export function discovery({ config, policy }: Pick<BankContext, 'config' | 'policy'>): Router {
  const document = discoveryDocument(config.issuer, policy)
  return exactRouter().get('/.well-known/openid-configuration', (_req, res) => {
    res.json(document)
  })
}
