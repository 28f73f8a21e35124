import type { JWK } from 'jose'
import { Latest } from '../latest.js'
import type { NestedJwt, NestedJwtFacts, SeamResponse } from '../seams.js'
import { fault } from './fault.js'
import { rogueKey, signedByRogueKey } from './rogue-key.js'
import { answers, type Endpoint, endpoints, replies } from './user-data-seam.js'

/** How the replies of the two endpoints of user data are announced and signed. */

const requirement: Readonly<Record<Endpoint, string>> = { userinfo: 'DATA-1', profile: 'DATA-2' }

function asJson(response: SeamResponse): SeamResponse {
  return response.status === 200
    ? { ...response, headers: { ...response.headers, 'content-type': 'application/json' } }
    : response
}

/** For `replies`: changes by what a reply is signed. */
const signing =
  (change: (plan: { alg: string; key: JWK }, facts: NestedJwtFacts) => NestedJwt['signing']) =>
  (nestedJwt: NestedJwt, facts: NestedJwtFacts): NestedJwt =>
    nestedJwt.signing === 'none' ? nestedJwt : { ...nestedJwt, signing: change(nestedJwt.signing, facts) }

const unsigned = signing(() => 'none')

const byPs256 = signing((plan) => (plan.alg === 'PS512' ? { alg: 'PS256', key: { ...plan.key, alg: 'PS256' } } : plan))

const byPs512 = signing((_plan, { bankKey }) => ({ alg: 'PS512', key: bankKey('PS512') }))

const bare = (nestedJwt: NestedJwt): NestedJwt => ({ ...nestedJwt, bare: true })

/** Of profile discovery declares no algorithms; of userinfo DISC-16 wants a declared one to be used where it is registered. */
const elsewhere = (endpoint: Endpoint, reason: string) =>
  endpoint === 'userinfo' && { collateral: { 'algorithms/signing': reason } }

export const userDataSignatureFaults = endpoints.flatMap((endpoint) => {
  const breaks = [requirement[endpoint]]
  const notAsRegistered = elsewhere(endpoint, 'an algorithm that is declared and registered is not used')
  return [
    fault({
      id: `${endpoint}/content-type-json`,
      breaks,
      places: ['member=content-type'],
      title: `Announces the signed and encrypted ${endpoint} as application/json`,
      response: answers(endpoint, asJson),
    }),
    fault({
      id: `${endpoint}/algorithm-remembered`,
      breaks,
      places: ['use=after-put part=signature'],
      title: `Signs ${endpoint} with the algorithm of a client's first, whatever it registered since`,
      memory: () => new Latest<NestedJwt['signing']>(10_000),
      nestedJwt: {
        [endpoint](nestedJwt: NestedJwt, { clientId = '' }: NestedJwtFacts, known: Latest<NestedJwt['signing']>) {
          const signing = known.get(clientId) ?? nestedJwt.signing
          known.set(clientId, signing)
          return { ...nestedJwt, signing }
        },
      },
    }),
    fault({
      id: `${endpoint}/json-for-anything`,
      breaks,
      places: ['parameter=accept value=superset'],
      title: `Announces ${endpoint} as application/json to a request that accepts anything`,
      response: answers(endpoint, (response, { requestHeader }) =>
        requestHeader('accept') === '*/*' ? asJson(response) : response,
      ),
    }),
    fault({
      id: `${endpoint}/unsigned-inside`,
      breaks,
      places: ['part=signature value=missing'],
      ...notAsRegistered,
      title: `Encrypts a ${endpoint} that is not signed (alg none)`,
      nestedJwt: replies(endpoint, unsigned),
    }),
    fault({
      id: `${endpoint}/unpublished-key`,
      breaks: [...breaks, 'JWKS-4'],
      places: ['part=signature value=wrong', `token=${endpoint}`],
      ...elsewhere(endpoint, 'what is signed as registered is verified with the published keys (DISC-16)'),
      title: `Signs ${endpoint} with a key that is not published, under the kid of one that is`,
      memory: rogueKey,
      nestedJwt: replies(endpoint, signedByRogueKey),
    }),
    fault({
      id: `${endpoint}/other-signing-alg`,
      breaks,
      places: ['alg=PS512'],
      ...notAsRegistered,
      title: `Signs ${endpoint} with PS256 where PS512 is registered`,
      nestedJwt: replies(endpoint, byPs256),
    }),
    fault({
      id: `${endpoint}/always-ps512`,
      breaks,
      places: ['alg=ES512'],
      ...notAsRegistered,
      title: `Signs ${endpoint} with PS512 whatever is registered`,
      nestedJwt: replies(endpoint, byPs512),
    }),
    fault({
      id: `${endpoint}/bare-inside`,
      breaks,
      places: ['member=payload value=other-type'],
      title: `Encrypts the claims of ${endpoint} bare, in no JWT`,
      nestedJwt: replies(endpoint, bare),
    }),
  ]
})

export const plainProfileAcceptFault = fault({
  id: 'profile/bare-when-json-accepted',
  breaks: ['DATA-2'],
  places: ['part=encryption parameter=accept value=other-type'],
  title: 'Answers a request that accepts JSON with the bare claims where profile is signed alone',
  response: answers('profile', (response, { requestHeader }) => {
    const parts = String(response.body).split('.')
    if (response.status !== 200 || parts.length !== 3 || requestHeader('accept') !== 'application/json') return response
    return { ...asJson(response), body: Buffer.from(parts[1] ?? '', 'base64url').toString() }
  }),
})

export const profileAcceptFault = fault({
  id: 'profile/json-when-accepted',
  breaks: ['DATA-2'],
  places: ['parameter=accept value=other-type', 'token=access-of-refresh parameter=accept value=other-type'],
  title: 'Announces profile as application/json to a request that accepts it',
  response: answers('profile', (response, { requestHeader }) =>
    requestHeader('accept') === 'application/json' ? asJson(response) : response,
  ),
})

export const userinfoAcceptFault = fault({
  id: 'userinfo/json-where-first',
  breaks: ['DATA-1'],
  places: ['parameter=accept value=reordered'],
  title: 'Announces userinfo as application/json to a request that names JSON before a JWT',
  response: answers('userinfo', (response, { requestHeader }) =>
    /^application\/json,/.test(requestHeader('accept') ?? '') ? asJson(response) : response,
  ),
})
