import type { JWTPayload } from 'jose'
import { Latest } from '../latest.js'
import type { NestedJwt, NestedJwtFacts, SeamResponse } from '../seams.js'
import { type Deviation, type Fault, fault, omit } from './fault.js'
import { isNoted, notesTokensOf, type Seen, seen } from './seen-tokens.js'
import { endpoints } from './user-data-seam.js'

/** Mistakes about user data that depend on how the access token came to be, or on who was there before. */

/** Changes the claims at both endpoints under access tokens of a grant. @param gty how the grant ends in a record */
function underTokensOf(
  gty: string,
  change: (claims: JWTPayload) => JWTPayload,
): Pick<Deviation<Seen>, 'records' | 'nestedJwt'> {
  const changed = (nestedJwt: NestedJwt, facts: NestedJwtFacts, tokens: Seen): NestedJwt =>
    isNoted(nestedJwt, facts, tokens) ? { ...nestedJwt, claims: change(nestedJwt.claims) } : nestedJwt
  return { records: [notesTokensOf(gty)], nestedJwt: { userinfo: changed, profile: changed } }
}

/** For `nestedJwt`: what the first answer to a client said, in every later one. */
const asFirst =
  (names: readonly string[]) =>
  (nestedJwt: NestedJwt, { clientId = '' }: NestedJwtFacts, first: Latest<JWTPayload>): NestedJwt => {
    const before = first.get(clientId) ?? nestedJwt.claims
    first.set(clientId, { ...nestedJwt.claims, ...before })
    const taken = names.filter((name) => name in nestedJwt.claims && name in before)
    return {
      ...nestedJwt,
      claims: { ...nestedJwt.claims, ...Object.fromEntries(taken.map((name) => [name, before[name]])) },
    }
  }

const firsts = () => new Latest<JWTPayload>(1_000)

export const userDataTokenFaults: readonly Fault[] = [
  fault({
    id: 'user-data/refreshed-without-name',
    breaks: ['DATA-15', 'DATA-16'],
    places: ['token=access-of-refresh'],
    title: 'Leaves out the family name under a refreshed access token',
    memory: seen,
    ...underTokensOf('refresh_token', (all) => omit(all, 'family_name')),
  }),
  ...[
    { slug: 'refreshed', gty: 'refresh_token', token: 'access-of-refresh', words: 'a refreshed access token' },
    {
      slug: 'front-channel',
      gty: 'implicit',
      token: 'access-of-front-channel',
      words: 'an access token of the front channel',
    },
  ].map(({ slug, gty, token, words }) =>
    fault({
      id: `user-data/${slug}-other-sub`,
      breaks: ['DATA-9'],
      places: [`token=${token}`],
      title: `Names another sub under ${words}`,
      memory: seen,
      ...underTokensOf(gty, (all) => ({ ...all, sub: `${all.sub}0` })),
    }),
  ),
  fault({
    id: 'profile/refreshed-without-verification',
    breaks: ['DATA-6'],
    places: ['token=access-of-refresh member=verification'],
    title: 'Leaves out the verification under a refreshed access token',
    memory: seen,
    ...underTokensOf('refresh_token', (all) => omit(all, 'verified_claims')),
  }),
  fault({
    id: 'user-data/refreshed-null',
    breaks: ['DATA-10'],
    places: ['token=access-of-refresh'],
    title: 'Holds null for the date of death of the living under a refreshed access token',
    memory: seen,
    ...underTokensOf('refresh_token', (all) => ({ date_of_death: null, ...all })),
  }),
  fault({
    id: 'user-data/front-channel-without-name',
    breaks: ['DATA-15', 'DATA-16'],
    places: ['token=access-of-front-channel'],
    title: 'Leaves out the family name under an access token of the front channel',
    memory: seen,
    ...underTokensOf('implicit', (all) => omit(all, 'family_name')),
  }),
  fault({
    id: 'user-data/front-channel-with-birthdate',
    breaks: ['DATA-3', 'DATA-4'],
    places: ['token=access-of-front-channel'],
    title: 'Holds the birthdate under an access token of the front channel, whatever was granted',
    memory: seen,
    ...underTokensOf('implicit', (all) => ({ birthdate: '1985-04-17', ...all })),
  }),
  fault({
    id: 'user-data/first-person',
    breaks: ['DATA-15', 'DATA-16'],
    places: ['use=second-person'],
    title: 'Gives a client the family name and the birthdate of the first person for everybody',
    memory: firsts,
    nestedJwt: { userinfo: asFirst(['family_name', 'birthdate']), profile: asFirst(['family_name', 'birthdate']) },
  }),
  fault({
    id: 'profile/first-sub',
    breaks: ['DATA-9'],
    places: ['use=second-person'],
    title: 'profile names the sub of the first person for everybody',
    memory: firsts,
    nestedJwt: { profile: asFirst(['sub']) },
  }),
  fault({
    id: 'userinfo/first-audience',
    breaks: ['DATA-9'],
    places: ['use=second-client'],
    title: 'The signed userinfo is made out to the client that asked first',
    memory: () => new Latest<JWTPayload>(1),
    nestedJwt: {
      userinfo: (nestedJwt, facts, first) => asFirst(['aud'])(nestedJwt, { ...facts, clientId: 'first' }, first),
    },
  }),
  ...endpoints.map((endpoint) =>
    fault({
      id: `${endpoint}/revoked-refreshed-served`,
      breaks: ['DATA-18'],
      places: [`endpoint=${endpoint} token=access-of-refresh`],
      title: `Answers at ${endpoint} to a revoked access token of a refresh`,
      memory: () => ({ refreshed: seen(), answers: new Latest<SeamResponse>(1_000) }),
      accessToken: (value, { record }, { refreshed }) => {
        if (String(record.gty).endsWith('refresh_token')) refreshed.set(value, true)
        return value
      },
      response: {
        [`GET /${endpoint}`]: (
          response: SeamResponse,
          { requestHeader }: { requestHeader(name: string): string | undefined },
          { refreshed, answers }: { refreshed: Seen; answers: Latest<SeamResponse> },
        ) => {
          const token = String(requestHeader('authorization')).replace('Bearer ', '')
          if (!refreshed.has(token)) return response
          if (response.status === 200) answers.set(token, response)
          return response.status === 401 ? (answers.get(token) ?? response) : response
        },
      },
    }),
  ),
]
