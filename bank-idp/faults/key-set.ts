import type { JWK } from 'jose'
import type { NestedJwt } from '../seams.js'
import { body, byNameAlone, fault, omit, unauthorized } from './fault.js'
import { idTokensOf } from './id-token-origin.js'

const route = 'GET /.well-known/jwks.json'

/** Changes each key of the set. */
function eachKey(change: (key: JWK, keys: JWK[]) => JWK) {
  return { [route]: body(({ keys }) => ({ keys: (keys as JWK[]).map((key) => change(key, keys as JWK[])) })) }
}

/** Changes each key for encryption, so that no signature suffers. */
function eachEncryptionKey(change: (key: JWK, keys: JWK[]) => JWK) {
  return eachKey((key, keys) => (key.use === 'enc' ? change(key, keys) : key))
}

/** What is base64url, in base64. */
function padded(text = ''): string {
  return Buffer.from(text, 'base64url').toString('base64')
}

/** A number in base64url with an octet of zero in front. */
function afterZero(number = ''): string {
  return Buffer.concat([Buffer.alloc(1), Buffer.from(number, 'base64url')]).toString('base64url')
}

/** A kid that no published key has. */
const unknownKid = 'key-of-last-year'

/** Signs with the right key, under a name that nobody finds. */
function underUnknownKid({ signing, ...nestedJwt }: NestedJwt): NestedJwt {
  return {
    ...nestedJwt,
    signing: signing === 'none' ? signing : { ...signing, key: { ...signing.key, kid: unknownKid } },
  }
}

/** An id_token that the bank cannot verify itself is no hint to it. */
const asHint = {
  'authorization/id-token-hint-of-another': 'the bank does not take such an id_token as a hint',
  'authorization/optional-parameters': 'the bank does not take such an id_token as a hint',
}

export const keySetFaults = [
  fault({
    id: 'jwks/not-acceptable',
    breaks: ['JWKS-1'],
    places: ['parameter=accept'],
    title: 'The key set is served to who asks for JSON by name alone',
    collateral: { 'discovery/endpoints-answer': 'the declared jwks_uri does not answer with a key set' },
    response: { [route]: byNameAlone },
  }),
  fault({
    id: 'jwks/bare-array',
    breaks: ['JWKS-1'],
    places: ['everywhere'],
    title: 'The key set is a bare array of keys',
    collateral: { 'discovery/endpoints-answer': 'the declared jwks_uri does not answer with a key set' },
    response: { [route]: body(({ keys }) => keys) },
  }),
  fault({
    id: 'jwks/as-text',
    breaks: ['JWKS-1'],
    places: ['everywhere'],
    title: 'The key set is announced as text/plain',
    collateral: { 'discovery/endpoints-answer': 'the declared jwks_uri does not answer with a key set' },
    response: {
      [route]: (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/plain' } }),
    },
  }),
  fault({
    id: 'jwks/by-kid',
    breaks: ['JWKS-1'],
    places: ['everywhere'],
    title: 'keys of the key set is an object, with the keys by kid',
    collateral: { 'discovery/endpoints-answer': 'the declared jwks_uri does not answer with a key set' },
    response: {
      [route]: body(({ keys }) => ({ keys: Object.fromEntries((keys as JWK[]).map((key) => [key.kid, key])) })),
    },
  }),
  fault({
    id: 'jwks/needs-token',
    breaks: ['JWKS-1'],
    places: ['everywhere'],
    title: 'The key set needs a token',
    collateral: { 'discovery/endpoints-answer': 'the declared jwks_uri does not answer with a key set' },
    response: { [route]: unauthorized },
  }),
  fault({
    id: 'jwks/no-alg',
    breaks: ['JWKS-2'],
    places: ['member=alg'],
    title: 'The keys have no alg',
    response: eachKey((key) => omit(key, 'alg') as JWK),
  }),
  fault({
    id: 'jwks/alg-of-another-type',
    breaks: ['JWKS-2'],
    places: ['member=alg value=wrong'],
    title: 'An EC key in reserve has the alg of RSA keys',
    response: {
      [route]: body(({ keys }) => {
        const reserve = (keys as JWK[]).filter(({ kty }) => kty === 'EC')
        return { keys: [...(keys as JWK[]), ...reserve.map((key) => ({ ...key, kid: `${key.kid}-2`, alg: 'PS512' }))] }
      }),
    },
  }),
  fault({
    id: 'jwks/no-kid',
    breaks: ['JWKS-2'],
    places: ['member=kid'],
    title: 'The key for encryption has no kid',
    response: eachEncryptionKey((key) => omit(key, 'kid') as JWK),
  }),
  fault({
    id: 'jwks/operations-of-other-use',
    breaks: ['JWKS-2'],
    places: ['member=key_ops'],
    title: 'The key for encryption has the key_ops of a key for signatures',
    response: eachEncryptionKey((key) => ({ ...key, key_ops: ['verify'] })),
  }),
  fault({
    id: 'jwks/operations-as-text',
    breaks: ['JWKS-2'],
    places: ['member=key_ops'],
    title: 'The key for encryption has its key_ops as text',
    response: eachEncryptionKey((key) => ({ ...key, key_ops: 'wrapKey' }) as unknown as JWK),
  }),
  fault({
    id: 'jwks/private-members',
    breaks: ['JWKS-3'],
    places: ['member=d'],
    title: 'The RSA keys are published with a private exponent (one that is made up)',
    response: eachKey((key) => (key.kty === 'RSA' ? { ...key, d: [...String(key.n)].reverse().join('') } : key)),
  }),
  fault({
    id: 'jwks/unpublished-signing-key',
    breaks: ['JWKS-4'],
    places: ['token=id-of-code'],
    title: 'Every id_token is signed under a kid that is not published',
    collateral: {
      ...asHint,
      'token/id-token-signed': 'TOK-7 verifies the id_token with the published keys',
      'algorithms/signing': 'what is signed as registered is verified with the published keys (DISC-16)',
    },
    nestedJwt: { id_token: underUnknownKid },
  }),
  fault({
    id: 'jwks/unpublished-key-for-results',
    breaks: ['JWKS-4'],
    places: ['token=id-of-signing'],
    title: 'The id_token of an authorized object is signed under a kid that is not published',
    nestedJwt: idTokensOf('signing', underUnknownKid),
  }),
  fault({
    id: 'jwks/unpublished-key-for-refreshes',
    breaks: ['JWKS-4', 'TOK-7'],
    places: ['token=id-of-refresh'],
    title: 'The id_token of a refresh is signed under a kid that is not published',
    nestedJwt: idTokensOf('refresh', underUnknownKid),
  }),
  fault({
    id: 'jwks/unpublished-key-in-front',
    breaks: ['JWKS-4', 'TOK-7'],
    places: ['token=id-of-front-channel'],
    title: 'The id_token of the callback is signed under a kid that is not published',
    nestedJwt: idTokensOf('front-channel', underUnknownKid),
  }),
  fault({
    id: 'jwks/no-kid-in-header',
    breaks: ['JWKS-4'],
    places: ['token=id-of-code'],
    title: 'The header of the id_token has no kid',
    nestedJwt: {
      id_token: ({ signing, ...nestedJwt }) => ({
        ...nestedJwt,
        signing: signing === 'none' ? signing : { ...signing, key: omit(signing.key, 'kid') as JWK },
      }),
    },
  }),
  fault({
    id: 'jwks/certificate-of-other-key',
    breaks: ['JWKS-9'],
    places: ['value=wrong'],
    title: 'x5c holds the certificate of another key',
    response: eachKey((key, keys) => ({ ...key, x5c: keys[(keys.indexOf(key) + 1) % keys.length]?.x5c })),
  }),
  fault({
    id: 'jwks/certificate-alone',
    breaks: ['JWKS-9'],
    places: ['value=other-type'],
    title: 'x5c is a certificate in place of a list',
    response: eachKey((key) => ({ ...key, x5c: key.x5c?.[0] }) as unknown as JWK),
  }),
  fault({
    id: 'jwks/certificate-as-pem',
    breaks: ['JWKS-9'],
    places: ['value=other-type'],
    title: 'x5c holds PEM',
    response: eachKey((key) => ({
      ...key,
      x5c: key.x5c?.map((der) => `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----`),
    })),
  }),
  fault({
    id: 'jwks/kid-twice',
    breaks: ['JWKS-10'],
    title: 'The key for encryption has the kid of a key for signatures',
    response: eachEncryptionKey((key, keys) => ({ ...key, kid: keys.find(({ use }) => use === 'sig')?.kid })),
  }),
  fault({
    id: 'jwks/no-encryption-key',
    breaks: ['JWKS-11'],
    title: 'Declares encrypted request objects, but publishes no key for them',
    response: {
      'GET /.well-known/openid-configuration': body((document) => ({
        ...document,
        request_object_encryption_alg_values_supported: ['RSA-OAEP-256'],
        request_object_encryption_enc_values_supported: ['A256GCM'],
      })),
      [route]: body(({ keys }) => ({ keys: (keys as JWK[]).filter(({ use }) => use === 'sig') })),
    },
  }),
  ...(['kty', 'use'] as const).map((member) =>
    fault({
      id: `jwks/no-${member}`,
      breaks: ['JWKS-2'],
      places: [`member=${member}`],
      title: `The key for encryption has no ${member}`,
      response: eachEncryptionKey((key) => omit(key, member) as JWK),
    }),
  ),
  ...[
    {
      slug: 'coordinates-in-base64',
      place: 'member=x',
      title: 'Writes the coordinates of EC keys in base64, with its padding',
      change: (key: JWK) => (key.kty === 'EC' ? { ...key, x: padded(key.x), y: padded(key.y) } : key),
    },
    {
      slug: 'modulus-in-base64',
      place: 'member=n',
      title: 'Writes the modulus of RSA keys in base64, with its padding',
      change: (key: JWK) => (key.kty === 'RSA' ? { ...key, n: padded(key.n) } : key),
    },
    {
      slug: 'modulus-after-zero',
      place: 'member=n value=long',
      title: 'Writes the modulus of RSA keys as a signed number, with a zero in front',
      change: (key: JWK) => (key.kty === 'RSA' ? { ...key, n: afterZero(key.n) } : key),
    },
  ].map(({ slug, place, title, change }) =>
    fault({ id: `jwks/${slug}`, breaks: ['JWKS-1'], places: [place], title, response: eachKey(change) }),
  ),
  fault({
    id: 'jwks/private-primes',
    breaks: ['JWKS-3'],
    places: ['member=p'],
    title: 'The RSA keys are published with a private prime (one that is made up)',
    response: eachKey((key) => (key.kty === 'RSA' ? { ...key, p: [...String(key.n)].reverse().join('') } : key)),
  }),
  fault({
    id: 'jwks/symmetric-key',
    breaks: ['JWKS-3'],
    places: ['member=k'],
    title: 'A symmetric key is published',
    response: {
      [route]: body(({ keys }) => ({
        keys: [...(keys as JWK[]), { kty: 'oct', kid: 'hmac', use: 'sig', alg: 'HS512', k: 'c2VjcmV0' }],
      })),
    },
  }),
  fault({
    id: 'jwks/second-certificate-broken',
    breaks: ['JWKS-9'],
    places: ['value=second'],
    title: 'The second certificate of x5c is cut off',
    response: eachKey((key) => ({ ...key, ...(key.x5c && { x5c: [...key.x5c, String(key.x5c[0]).slice(0, 40)] }) })),
  }),
  fault({
    id: 'jwks/other-alg-named',
    breaks: ['JWKS-4'],
    places: ['part=alg'],
    title: 'Names PS256 as the algorithm of keys that it signs with by PS512',
    response: eachKey((key) => (key.alg === 'PS512' ? { ...key, alg: 'PS256' } : key)),
  }),
]
