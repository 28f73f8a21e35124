import type { JWK, JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { BankError } from '../errors.js'
import type { NestedJwt, NestedJwtFacts, SeamResponse } from '../seams.js'
import { type Deviation, type Fault, fault } from './fault.js'
import { encryptedToRogueKey, type RogueKey, rogueKey, signedByRogueKey } from './rogue-key.js'

type Endpoint = 'userinfo' | 'profile'

/** What a fault is and does at either endpoint. */
type AtEndpoint<Memory = unknown> = Pick<Fault, 'title'> & Pick<Deviation<Memory>, 'response' | 'nestedJwt'>

/** The same of a fault that remembers something. */
type Remembering<Memory> = AtEndpoint<Memory> & { memory: () => Memory }

function signing(
  endpoint: Endpoint,
  title: string,
  change: (plan: { alg: string; key: JWK }, facts: NestedJwtFacts) => NestedJwt['signing'],
): AtEndpoint {
  const seam = (nestedJwt: NestedJwt, facts: NestedJwtFacts) =>
    nestedJwt.signing === 'none' ? nestedJwt : { ...nestedJwt, signing: change(nestedJwt.signing, facts) }
  return { title, nestedJwt: { [endpoint]: seam } }
}

function encryption(
  endpoint: Endpoint,
  title: string,
  change: (plan: NonNullable<NestedJwt['encryption']>, facts: NestedJwtFacts) => NestedJwt['encryption'],
): AtEndpoint {
  const seam = (nestedJwt: NestedJwt, facts: NestedJwtFacts): NestedJwt => ({
    ...nestedJwt,
    encryption: nestedJwt.encryption && change(nestedJwt.encryption, facts),
  })
  return { title, nestedJwt: { [endpoint]: seam } }
}

/** Encrypts to the key that a client had when the fault first saw it; the keys of the latest thousand clients are remembered. */
const oldKey = (endpoint: Endpoint): Remembering<LRUCache<string, JWK>> => ({
  title: `Encrypts ${endpoint} to the key that the client had at first`,
  memory: () => new LRUCache<string, JWK>({ max: 1_000 }),
  nestedJwt: {
    [endpoint]: (nestedJwt: NestedJwt, { clientId = '' }: NestedJwtFacts, firstKeys: LRUCache<string, JWK>) => {
      const { encryption } = nestedJwt
      if (!encryption) return nestedJwt
      const key = firstKeys.get(clientId) ?? encryption.key
      firstKeys.set(clientId, key)
      return { ...nestedJwt, encryption: { ...encryption, key } }
    },
  },
})

function answer(
  endpoint: Endpoint,
  title: string,
  change: NonNullable<Deviation['response']>['GET /userinfo'],
): AtEndpoint {
  return { title, response: { [`GET /${endpoint}`]: change } }
}

const typedAsJson = (endpoint: Endpoint) =>
  answer(endpoint, `Announces the signed and encrypted ${endpoint} as application/json`, (response) =>
    response.status === 200
      ? { ...response, headers: { ...response.headers, 'content-type': 'application/json' } }
      : response,
  )

const unsignedInside = (endpoint: Endpoint) =>
  signing(endpoint, `Encrypts a ${endpoint} that is not signed (alg none)`, () => 'none')

const bareInside = (endpoint: Endpoint): AtEndpoint => ({
  title: `Encrypts the claims of ${endpoint} bare, in no JWT`,
  nestedJwt: { [endpoint]: (nestedJwt: NestedJwt): NestedJwt => ({ ...nestedJwt, bare: true }) },
})

const unpublishedKey = (endpoint: Endpoint): Remembering<RogueKey> => ({
  title: `Signs ${endpoint} with a key that is not published, under the kid of one that is`,
  memory: rogueKey,
  nestedJwt: { [endpoint]: signedByRogueKey },
})

const otherSigningAlg = (endpoint: Endpoint) =>
  signing(endpoint, `Signs ${endpoint} with PS256 where PS512 is registered`, (plan) =>
    plan.alg === 'PS512' ? { alg: 'PS256', key: { ...plan.key, alg: 'PS256' } } : plan,
  )

const alwaysPs512 = (endpoint: Endpoint) =>
  signing(endpoint, `Signs ${endpoint} with PS512 whatever is registered`, (_plan, { bankKey }) => ({
    alg: 'PS512',
    key: bankKey('PS512'),
  }))

const notEncrypted = (endpoint: Endpoint) =>
  encryption(endpoint, `Leaves out the encryption of ${endpoint} that the client registered`, () => undefined)

const otherEnc = (endpoint: Endpoint) =>
  encryption(endpoint, `Encrypts ${endpoint} with A128GCM where A256GCM is registered`, (plan) => ({
    ...plan,
    enc: 'A128GCM',
  }))

const otherAlg = (endpoint: Endpoint) =>
  encryption(endpoint, `Encrypts ${endpoint} with RSA-OAEP where RSA-OAEP-256 is registered`, (plan) => ({
    ...plan,
    alg: 'RSA-OAEP',
  }))

const otherKey = (endpoint: Endpoint): Remembering<RogueKey> => ({
  title: `Encrypts ${endpoint} to a key that is not the client's`,
  memory: rogueKey,
  nestedJwt: { [endpoint]: encryptedToRogueKey },
})

const refusedWith = (endpoint: Endpoint, title: string, refusal: (response: SeamResponse) => Partial<SeamResponse>) =>
  answer(endpoint, title, (response) => (response.status === 401 ? { ...response, ...refusal(response) } : response))

/** Who else is refused at an endpoint with a form of refusal that is none. */
const refusedElsewhere = (endpoint: Endpoint) => ({
  'discovery/endpoints-answer': 'the declared endpoint does not ask for a token',
  'registration/delete-ends-tokens': 'the token of a deleted client is refused in the same way',
  'revocation/access-token': 'a revoked token is refused in the same way',
  ...(endpoint === 'userinfo' && {
    'signing/holder-of-key': 'a token with the certificate of another is refused in the same way',
  }),
})

const noChallenge = (endpoint: Endpoint) =>
  refusedWith(endpoint, `Refuses a token at ${endpoint} without a challenge`, ({ headers }) => {
    const { 'www-authenticate': _challenge, ...others } = headers
    return { headers: others }
  })

const refusedAsUnknown = (endpoint: Endpoint) =>
  refusedWith(endpoint, `Refuses a token at ${endpoint} with 404 not_found`, () => ({
    status: 404,
    body: { error: 'not_found', error_description: 'there is no such token' },
  }))

const refusedWithOk = (endpoint: Endpoint) =>
  refusedWith(endpoint, `Refuses a token at ${endpoint} with 200 and an error in the body`, () => ({ status: 200 }))

/** Whether nothing but sub, txn, iss and aud comes although scopes of user data were granted. */
function isBare(claims: JWTPayload): boolean {
  return Object.keys(claims).length <= ('iss' in claims ? 4 : 2) && String(claims.txn).includes(':profile.')
}

const notFound = (endpoint: Endpoint): AtEndpoint => ({
  title: `Answers not_found at ${endpoint} to a token whose scopes have no claims there`,
  nestedJwt: {
    [endpoint]: (nestedJwt: NestedJwt) => {
      if (isBare(nestedJwt.claims)) throw new BankError('not_found', 'the token has no claims for its scopes')
      return nestedJwt
    },
  },
})

/** DISC-16 wants a declared algorithm to be used where it is registered. */
const notAsRegistered = { 'algorithms/signing': 'an algorithm that is declared and registered is not used' }

/** How user data are signed and encrypted, and when a token is refused. What they hold is in user-data-claims.ts. */
export const userDataFaults = [
  fault({
    id: 'userinfo/content-type-json',
    breaks: ['DATA-1'],
    places: ['member=content-type'],
    ...typedAsJson('userinfo'),
  }),
  fault({
    id: 'userinfo/unsigned-inside',
    breaks: ['DATA-1'],
    places: ['part=signature value=missing'],
    collateral: notAsRegistered,
    ...unsignedInside('userinfo'),
  }),
  fault({
    id: 'userinfo/unpublished-key',
    breaks: ['DATA-1', 'JWKS-4'],
    places: ['part=signature value=wrong', 'token=userinfo'],
    collateral: { 'algorithms/signing': 'what is signed as registered is verified with the published keys (DISC-16)' },
    ...unpublishedKey('userinfo'),
  }),
  fault({
    id: 'userinfo/other-signing-alg',
    breaks: ['DATA-1'],
    places: ['alg=PS512'],
    collateral: notAsRegistered,
    ...otherSigningAlg('userinfo'),
  }),
  fault({
    id: 'userinfo/always-ps512',
    breaks: ['DATA-1'],
    places: ['alg=ES512'],
    collateral: notAsRegistered,
    ...alwaysPs512('userinfo'),
  }),
  fault({
    id: 'userinfo/bare-inside',
    breaks: ['DATA-1'],
    places: ['member=payload value=other-type'],
    ...bareInside('userinfo'),
  }),
  fault({
    id: 'profile/bare-inside',
    breaks: ['DATA-2'],
    places: ['member=payload value=other-type'],
    ...bareInside('profile'),
  }),
  fault({
    id: 'profile/content-type-json',
    breaks: ['DATA-2'],
    places: ['member=content-type'],
    ...typedAsJson('profile'),
  }),
  fault({
    id: 'profile/unsigned-inside',
    breaks: ['DATA-2'],
    places: ['part=signature value=missing'],
    ...unsignedInside('profile'),
  }),
  fault({
    id: 'profile/unpublished-key',
    breaks: ['DATA-2', 'JWKS-4'],
    places: ['part=signature value=wrong', 'token=profile'],
    ...unpublishedKey('profile'),
  }),
  fault({ id: 'profile/other-signing-alg', breaks: ['DATA-2'], places: ['alg=PS512'], ...otherSigningAlg('profile') }),
  fault({ id: 'profile/always-ps512', breaks: ['DATA-2'], places: ['alg=ES512'], ...alwaysPs512('profile') }),
  fault({
    id: 'profile/json-when-accepted',
    breaks: ['DATA-2'],
    places: ['parameter=accept value=other-type'],
    ...answer('profile', 'Announces profile as application/json to a request that accepts it', (response, bank) =>
      bank.requestHeader?.('accept') === 'application/json' && response.status === 200
        ? { ...response, headers: { ...response.headers, 'content-type': 'application/json' } }
        : response,
    ),
  }),
  fault({
    id: 'userinfo/not-encrypted',
    breaks: ['DATA-13', 'DISC-17', 'REG-31'],
    places: ['part=encryption value=missing', 'token=userinfo part=alg'],
    ...notEncrypted('userinfo'),
  }),
  fault({
    id: 'userinfo/other-enc',
    breaks: ['DATA-13', 'DISC-17'],
    places: ['member=enc', 'token=userinfo part=encryption'],
    ...otherEnc('userinfo'),
  }),
  fault({ id: 'userinfo/other-alg', breaks: ['DATA-13'], places: ['alg=RSA-OAEP-256'], ...otherAlg('userinfo') }),
  fault({
    id: 'userinfo/old-key',
    breaks: ['DATA-13', 'REG-31'],
    places: ['use=after-rotation', 'token=userinfo'],
    ...oldKey('userinfo'),
  }),
  fault({
    id: 'userinfo/other-key',
    breaks: ['DATA-13', 'REG-31'],
    places: ['part=encryption value=wrong'],
    ...otherKey('userinfo'),
  }),
  fault({
    id: 'profile/not-encrypted',
    breaks: ['DATA-14', 'REG-31'],
    places: ['part=encryption value=missing'],
    ...notEncrypted('profile'),
  }),
  fault({ id: 'profile/other-enc', breaks: ['DATA-14'], places: ['member=enc'], ...otherEnc('profile') }),
  fault({ id: 'profile/other-alg', breaks: ['DATA-14'], places: ['alg=RSA-OAEP-256'], ...otherAlg('profile') }),
  fault({
    id: 'profile/old-key',
    breaks: ['DATA-14', 'REG-31'],
    places: ['use=after-rotation', 'token=profile'],
    ...oldKey('profile'),
  }),
  fault({
    id: 'profile/other-key',
    breaks: ['DATA-14', 'REG-31'],
    places: ['part=encryption value=wrong'],
    ...otherKey('profile'),
  }),
  fault({
    id: 'userinfo/no-challenge',
    breaks: ['DATA-7', 'DATA-18', 'DATA-19', 'DATA-20'],
    places: [
      'endpoint=userinfo',
      'endpoint=userinfo value=missing',
      'endpoint=userinfo value=empty',
      'endpoint=userinfo value=unknown',
    ],
    ...noChallenge('userinfo'),
  }),
  fault({
    id: 'userinfo/refused-as-unknown',
    breaks: ['DATA-7', 'DATA-18', 'DATA-19', 'DATA-20'],
    places: [
      'endpoint=userinfo',
      'endpoint=userinfo value=missing',
      'endpoint=userinfo value=empty',
      'endpoint=userinfo value=unknown',
      'endpoint=userinfo token=access-of-code',
      'endpoint=userinfo token=refresh',
      'endpoint=userinfo token=id-of-code',
    ],
    collateral: refusedElsewhere('userinfo'),
    ...refusedAsUnknown('userinfo'),
  }),
  fault({
    id: 'userinfo/refused-with-ok',
    breaks: ['DATA-7', 'DATA-18', 'DATA-19', 'DATA-20'],
    places: [
      'endpoint=userinfo',
      'endpoint=userinfo value=missing',
      'endpoint=userinfo value=empty',
      'endpoint=userinfo value=unknown',
      'endpoint=userinfo token=access-of-code',
      'endpoint=userinfo token=refresh',
      'endpoint=userinfo token=id-of-code',
    ],
    collateral: refusedElsewhere('userinfo'),
    ...refusedWithOk('userinfo'),
  }),
  fault({
    id: 'profile/no-challenge',
    breaks: ['DATA-7', 'DATA-18', 'DATA-19', 'DATA-20'],
    places: [
      'endpoint=profile',
      'endpoint=profile value=missing',
      'endpoint=profile value=empty',
      'endpoint=profile value=unknown',
    ],
    ...noChallenge('profile'),
  }),
  fault({
    id: 'profile/refused-as-unknown',
    breaks: ['DATA-7', 'DATA-18', 'DATA-19', 'DATA-20'],
    places: [
      'endpoint=profile',
      'endpoint=profile value=missing',
      'endpoint=profile value=empty',
      'endpoint=profile value=unknown',
      'endpoint=profile token=access-of-code',
      'endpoint=profile token=refresh',
      'endpoint=profile token=id-of-code',
    ],
    collateral: refusedElsewhere('profile'),
    ...refusedAsUnknown('profile'),
  }),
  fault({
    id: 'profile/refused-with-ok',
    breaks: ['DATA-7', 'DATA-18', 'DATA-19', 'DATA-20'],
    places: [
      'endpoint=profile',
      'endpoint=profile value=missing',
      'endpoint=profile value=empty',
      'endpoint=profile value=unknown',
      'endpoint=profile token=access-of-code',
      'endpoint=profile token=refresh',
      'endpoint=profile token=id-of-code',
    ],
    collateral: refusedElsewhere('profile'),
    ...refusedWithOk('profile'),
  }),
  fault({
    id: 'user-data/refresh-token-taken',
    breaks: ['DATA-19'],
    places: ['endpoint=userinfo token=refresh', 'endpoint=profile token=refresh'],
    title: 'Takes a refresh token in place of an access token at userinfo and profile',
    without: ['access-token/kind'],
  }),
  fault({ id: 'userinfo/not-found', breaks: ['DATA-8'], places: ['endpoint=userinfo'], ...notFound('userinfo') }),
  fault({ id: 'profile/not-found', breaks: ['DATA-8'], places: ['endpoint=profile'], ...notFound('profile') }),
]
