import { dataClaims, dataScopes } from './claims.js'
import type { Policy } from './policy.js'

/** The device authorization grant. RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

const signing = ['ES512', 'PS512']
const encryptionAlgs = ['RSA-OAEP-256']
const encryptionEncs = ['A256GCM']

/**
 * What this bank can do. Discovery declares it and registration holds clients to it, so that the document's values "strictly
 * match reality" (specification: "Discovery document").
 */
export const capabilities = {
  scopes: ['openid', 'offline_access', 'authorization', ...dataScopes],
  claims: ['sub', 'txn', ...dataClaims].sort(),
  /** From the lowest to the highest. */
  acrValues: ['loa2', 'loa3'],
  responseTypes: ['code', 'token'],
  responseModes: ['query'],
  grantTypes: ['authorization_code', 'implicit', 'refresh_token'],
  codeChallengeMethods: ['plain', 'S256'],
  subjectTypes: ['public', 'pairwise'],
  tokenEndpointAuthMethods: ['client_secret_post', 'client_secret_jwt', 'private_key_jwt'],
  assertionSigningAlgs: signing,
  responseSigningAlgs: signing,
  requestObjectSigningAlgs: signing,
  requestObjectEncryptionAlgs: encryptionAlgs,
  requestObjectEncryptionEncs: encryptionEncs,
  responseEncryptionAlgs: encryptionAlgs,
  responseEncryptionEncs: encryptionEncs,
}

/**
 * What the signing flow alone allows. Specification: "Authentication" 9 and 10; discovery, which speaks of the other flows, does not
 * declare it (AMB-12, AMB-13).
 */
export const signingFlow = {
  signingAlgs: ['PS256', 'ES256'],
  responseTypes: ['code', 'code id_token', 'code id_token token'],
  /** Granted with every document to sign, unasked. Specification: "Structured scope objects". */
  documentScopes: [
    'profile.name',
    'profile.titles',
    'profile.birthdate',
    'profile.addresses',
    'profile.email',
    'profile.legalstatus',
  ],
}

/** The scopes that discovery declares; those of the signing flow and of notifications are in no table of it (AMB-16). */
export function declaredScopes(policy: Pick<Policy, 'furtherScopes'>): readonly string[] {
  const beside = ['authorization', 'notification.claims_updated']
  return policy.furtherScopes === 'undeclared'
    ? capabilities.scopes.filter((scope) => !beside.includes(scope))
    : capabilities.scopes
}

/** The response types that are declared and taken (AMB-11). */
export function responseTypes(policy: Pick<Policy, 'responseTypeToken'>): readonly string[] {
  return policy.responseTypeToken === 'refused' ? ['code'] : capabilities.responseTypes
}

/**
 * The grants that are declared and taken: implicit where there is response_type token (AMB-11), that of device_authorization_endpoint
 * unless it is declared alone or not at all (AMB-34).
 */
export function grantTypes(policy: Pick<Policy, 'responseTypeToken' | 'deviceAuthorization'>): readonly string[] {
  const listed = capabilities.grantTypes.filter(
    (grant) => grant !== 'implicit' || policy.responseTypeToken === 'served',
  )
  return policy.deviceAuthorization === 'served' ? [...listed, deviceGrant] : listed
}

/** The subject types that are declared and taken (AMB-40). */
export function subjectTypes(policy: Pick<Policy, 'subjectType'>): readonly string[] {
  return policy.subjectType === 'public-refused' ? ['pairwise'] : capabilities.subjectTypes
}

/** The algorithms of id_tokens. `none` is for clients of the code flow that register it themselves (AMB-9). */
export function idTokenSigningAlgs(policy: Pick<Policy, 'idTokenAlgNone'>): readonly string[] {
  return policy.idTokenAlgNone === 'refused' ? signing : [...signing, 'none']
}

/** The algorithms of assertions that client_secret signs. The table's ES512 and PS512 cannot sign with a secret (AMB-10). */
export function secretSigningAlgs(policy: Pick<Policy, 'clientSecretJwtAlgs'>): readonly string[] {
  return policy.clientSecretJwtAlgs === 'hs512-only' ? ['HS512'] : ['HS256', 'HS384', 'HS512']
}

/** The algorithms of request objects and client assertions in the signing flow (AMB-12). */
export function signingFlowAlgs(policy: Pick<Policy, 'signingFlowAlgs'>): readonly string[] {
  return policy.signingFlowAlgs === 'sha512-too' ? [...signingFlow.signingAlgs, ...signing] : signingFlow.signingAlgs
}

/**
 * What a client may register for its request objects: what discovery declares, which then holds in the login flow, or what the
 * signing flow allows, which then holds there alone (AMB-12).
 */
export const registrableRequestObjectAlgs = [...capabilities.requestObjectSigningAlgs, ...signingFlow.signingAlgs]
