import type { JWTPayload } from 'jose'
import { BankError } from '../errors.js'
import type { NestedJwt, SeamResponse } from '../seams.js'
import { type Fault, fault, omit } from './fault.js'
import { answers, claims, type Endpoint, endpoints, replies } from './user-data-seam.js'

/** How a token is refused at the two endpoints of user data. */

/** What is refused there: nothing, nothing after the scheme, a token of nobody. */
const notTokens = ['', ' value=missing', ' value=empty', ' value=unknown']

/** Tokens that are no access token, or were one. */
const otherTokens = [' token=access-of-code', ' token=refresh', ' token=id-of-code']

/** Forms of refusal that are none. */
const forms: readonly {
  slug: string
  title: (endpoint: Endpoint) => string
  /** Whether it shows at whatever is refused; a challenge is asked of a bank that answers 401 alone. */
  everywhere: boolean
  refusal: (response: SeamResponse) => Partial<SeamResponse>
}[] = [
  {
    slug: 'no-challenge',
    title: (endpoint) => `Refuses a token at ${endpoint} without a challenge`,
    everywhere: false,
    refusal({ headers }) {
      const { 'www-authenticate': _challenge, ...others } = headers
      return { headers: others }
    },
  },
  {
    slug: 'refused-in-words',
    title: (endpoint) => `Refuses a token at ${endpoint} with a message in place of an error code`,
    everywhere: false,
    refusal: () => ({ body: { message: 'Unauthorized' } }),
  },
  {
    slug: 'refused-as-unknown',
    title: (endpoint) => `Refuses a token at ${endpoint} with 404 not_found`,
    everywhere: true,
    refusal: () => ({ status: 404, body: { error: 'not_found', error_description: 'there is no such token' } }),
  },
  {
    slug: 'refused-with-ok',
    title: (endpoint) => `Refuses a token at ${endpoint} with 200 and an error in the body`,
    everywhere: true,
    refusal: () => ({ status: 200 }),
  },
]

/** Who else is refused at an endpoint with a form of refusal that is none. */
const refusedElsewhere = (endpoint: Endpoint) => ({
  'discovery/endpoints-answer': 'the declared endpoint does not ask for a token',
  'registration/delete-ends-tokens': 'the token of a deleted client is refused in the same way',
  'revocation/access-token': 'a revoked token is refused in the same way',
  ...(endpoint === 'userinfo' && {
    'signing/holder-of-key': 'a token with the certificate of another is refused in the same way',
  }),
})

/** Whether nothing but sub, txn, iss and aud comes although scopes of user data were granted. */
function isBare(claims: JWTPayload): boolean {
  return Object.keys(claims).length <= ('iss' in claims ? 4 : 2) && String(claims.txn).includes(':profile.')
}

function notFound(nestedJwt: NestedJwt): NestedJwt {
  if (isBare(nestedJwt.claims)) throw new BankError('not_found', 'the token has no claims for its scopes')
  return nestedJwt
}

export const userDataRefusalFaults: readonly Fault[] = [
  ...endpoints.flatMap((endpoint) => [
    ...forms.map(({ slug, title, everywhere, refusal }) =>
      fault({
        id: `${endpoint}/${slug}`,
        breaks: ['DATA-7', 'DATA-18', 'DATA-19', 'DATA-20'],
        places: [...notTokens, ...(everywhere ? otherTokens : [])].map((place) => `endpoint=${endpoint}${place}`),
        title: title(endpoint),
        ...(everywhere && { collateral: refusedElsewhere(endpoint) }),
        response: answers(endpoint, (response) =>
          response.status === 401 ? { ...response, ...refusal(response) } : response,
        ),
      }),
    ),
    fault({
      id: `${endpoint}/not-found`,
      breaks: ['DATA-8'],
      places: [`endpoint=${endpoint}`],
      title: `Answers not_found at ${endpoint} to a token whose scopes have no claims there`,
      nestedJwt: replies(endpoint, notFound),
    }),
    ...['sub', 'txn'].map((member) =>
      fault({
        id: `${endpoint}/bare-without-${member}`,
        breaks: ['DATA-8'],
        places: [`endpoint=${endpoint} member=${member}`],
        title: `${endpoint} holds no ${member} for a token whose scopes have no claims there`,
        nestedJwt: claims(endpoint, (all) => (isBare(all) ? omit(all, member) : all)),
      }),
    ),
  ]),
  fault({
    id: 'user-data/refresh-token-taken',
    breaks: ['DATA-19'],
    places: ['endpoint=userinfo token=refresh', 'endpoint=profile token=refresh'],
    title: 'Takes a refresh token in place of an access token at userinfo and profile',
    without: ['access-token/kind'],
  }),
]
