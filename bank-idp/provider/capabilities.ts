import { userinfoClaims } from './claims.js'

const signing = ['ES512', 'PS512']
const encryptionAlgs = ['RSA-OAEP-256']
const encryptionEncs = ['A256GCM']

/**
 * What this bank can do. Discovery declares it and registration holds applications to it, so that the document's values "strictly
 * match reality" (specification: "Discovery document").
 */
export const capabilities = {
  scopes: ['openid', ...Object.keys(userinfoClaims)],
  claims: [...new Set(['sub', 'txn', ...Object.values(userinfoClaims).flat()])].sort(),
  acrValues: ['loa2'],
  responseTypes: ['code'],
  responseModes: ['query'],
  grantTypes: ['authorization_code'],
  codeChallengeMethods: ['plain', 'S256'],
  subjectTypes: ['public', 'pairwise'],
  tokenEndpointAuthMethods: ['private_key_jwt'],
  assertionSigningAlgs: signing,
  responseSigningAlgs: signing,
  responseEncryptionAlgs: encryptionAlgs,
  responseEncryptionEncs: encryptionEncs,
}
