import { dataClaims, dataScopes } from './claims.js'

const signing = ['ES512', 'PS512']
const encryptionAlgs = ['RSA-OAEP-256']
const encryptionEncs = ['A256GCM']

/**
 * What this bank can do. Discovery declares it and registration holds applications to it, so that the document's values "strictly
 * match reality" (specification: "Discovery document").
 */
export const capabilities = {
  scopes: ['openid', ...dataScopes],
  claims: ['sub', 'txn', ...dataClaims].sort(),
  acrValues: ['loa2'],
  responseTypes: ['code'],
  responseModes: ['query'],
  grantTypes: ['authorization_code'],
  subjectTypes: ['public', 'pairwise'],
  tokenEndpointAuthMethods: ['private_key_jwt'],
  assertionSigningAlgs: signing,
  responseSigningAlgs: signing,
  responseEncryptionAlgs: encryptionAlgs,
  responseEncryptionEncs: encryptionEncs,
}
