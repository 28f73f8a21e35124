import type { JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { NestedJwt, NestedJwtFacts, SeamResponse, StoredRecord } from '../seams.js'
import { type Deviation, type Fault, fault, omit } from './fault.js'
import { endpoints } from './user-data-seam.js'

/** Mistakes about user data that depend on how the access token came to be, or on who was there before. */

/** Clients with the scopes of their tokens of some grant: the latest thousand. */
type Seen = LRUCache<string, true>

const seen = (): Seen => new LRUCache({ max: 1_000 })

/** What an access token and the data under it have in common. */
const nameOf = (clientId: unknown, scopes: readonly string[]) => `${clientId} ${[...scopes].sort().join(' ')}`

/** Changes the claims at both endpoints under access tokens of a grant. @param gty how the grant ends in a record */
function underTokensOf(
  gty: string,
  change: (claims: JWTPayload) => JWTPayload,
): Pick<Deviation<Seen>, 'records' | 'nestedJwt'> {
  const note = (record: StoredRecord, _bank: unknown, tokens: Seen) => {
    if (String(record.gty).endsWith(gty)) tokens.set(nameOf(record.clientId, String(record.scope).split(' ')), true)
    return record
  }
  const changed = (nestedJwt: NestedJwt, { clientId }: NestedJwtFacts, tokens: Seen): NestedJwt => {
    const [, ...scopes] = String(nestedJwt.claims.txn).split(':')
    return tokens.has(nameOf(clientId, scopes)) ? { ...nestedJwt, claims: change(nestedJwt.claims) } : nestedJwt
  }
  return { records: [{ model: 'AccessToken', found: note }], nestedJwt: { userinfo: changed, profile: changed } }
}

/** For `nestedJwt`: what the first answer to a client said, in every later one. */
const asFirst =
  (names: readonly string[]) =>
  (nestedJwt: NestedJwt, { clientId = '' }: NestedJwtFacts, first: LRUCache<string, JWTPayload>): NestedJwt => {
    const before = first.get(clientId) ?? nestedJwt.claims
    first.set(clientId, { ...nestedJwt.claims, ...before })
    const taken = names.filter((name) => name in nestedJwt.claims && name in before)
    return {
      ...nestedJwt,
      claims: { ...nestedJwt.claims, ...Object.fromEntries(taken.map((name) => [name, before[name]])) },
    }
  }

const firsts = () => new LRUCache<string, JWTPayload>({ max: 1_000 })

export const userDataTokenFaults: readonly Fault[] = [
  fault({
    id: 'user-data/refreshed-without-name',
    breaks: ['DATA-15', 'DATA-16'],
    places: ['token=access-of-refresh'],
    title: 'Leaves out the family name under a refreshed access token',
    memory: seen,
    ...underTokensOf('refresh_token', (all) => omit(all, 'family_name')),
  }),
  fault({
    id: 'user-data/refreshed-other-sub',
    breaks: ['DATA-9'],
    places: ['token=access-of-refresh'],
    title: 'Names another sub under a refreshed access token',
    memory: seen,
    ...underTokensOf('refresh_token', (all) => ({ ...all, sub: `${all.sub}0` })),
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
    memory: () => new LRUCache<string, JWTPayload>({ max: 1 }),
    nestedJwt: {
      userinfo: (nestedJwt, facts, first) => asFirst(['aud'])(nestedJwt, { ...facts, clientId: 'first' }, first),
    },
  }),
  fault({
    id: 'user-data/of-the-login',
    breaks: ['DATA-15', 'DATA-16'],
    places: ['use=after-change'],
    title: 'Gives the e-mail address that was known at the first call, though it was changed since',
    memory: firsts,
    nestedJwt: { userinfo: ofFirstCall, profile: ofFirstCall },
  }),
  ...endpoints.map((endpoint) =>
    fault({
      id: `${endpoint}/revoked-refreshed-served`,
      breaks: ['DATA-18'],
      places: [`endpoint=${endpoint} token=access-of-refresh`],
      title: `Answers at ${endpoint} to a revoked access token of a refresh`,
      memory: () => ({ refreshed: seen(), answers: new LRUCache<string, SeamResponse>({ max: 1_000 }) }),
      accessToken: (value, { record }, { refreshed }) => {
        if (String(record.gty).endsWith('refresh_token')) refreshed.set(value, true)
        return value
      },
      response: {
        [`GET /${endpoint}`]: (
          response: SeamResponse,
          { requestHeader }: { requestHeader(name: string): string | undefined },
          { refreshed, answers }: { refreshed: Seen; answers: LRUCache<string, SeamResponse> },
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

/** For `nestedJwt`: the e-mail address of a person, by sub, as it was first given. */
function ofFirstCall(nestedJwt: NestedJwt, _bank: unknown, first: LRUCache<string, JWTPayload>): NestedJwt {
  const { claims } = nestedJwt
  if (typeof claims.email !== 'string') return nestedJwt
  const sub = String(claims.sub)
  const { email } = first.get(sub) ?? claims
  first.set(sub, { email })
  return { ...nestedJwt, claims: { ...claims, email } }
}
