import { decodeJwt } from 'jose'
import type { ClientStore } from '../client.js'
import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { bySchemeAlone, type Fault, fault } from './fault.js'

/** What a bank takes for the registration access token of a client. */

const managing = ['GET', 'PUT', 'DELETE'] as const

const at = (term: string) => managing.map((method) => `method=${method} ${term}`)

/** Other things that the bank knows of a client, or of the service. */
const others: readonly {
  slug: string
  what: string
  isTaken(token: string, clientId: string, store: ClientStore): Promise<boolean>
}[] = [
  {
    slug: 'client-secret',
    what: 'the client_secret',
    isTaken: async (token, clientId, store) => (await store.find(clientId))?.clientSecret === token,
  },
  { slug: 'assertion', what: 'a RegistrationAuthJWT', isTaken: async (token) => isAssertion(token) },
]

function isAssertion(token: string): boolean {
  try {
    return /\/register$/.test(String(decodeJwt(token).aud))
  } catch {
    return false
  }
}

/** What was answered last to a token: the latest ten thousand. */
type Answers = Latest<SeamResponse>

/** For `response`: serves whoever has a known token as the last word of the Authorization header, as its owner was served. */
function byLastWord(response: SeamResponse, { requestHeader }: ResponseFacts, answers: Answers): SeamResponse {
  const header = requestHeader('authorization') ?? ''
  const token = header.split(' ').at(-1) ?? ''
  if (response.status === 200 && header === `Bearer ${token}`) answers.set(token, response)
  return response.status === 401 && header !== `Bearer ${token}` ? (answers.get(token) ?? response) : response
}

/** The token that such a bank gives every client. */
const oneForAll = 'the-registration-access-token-of-every-client'

export const registrationBearerFaults: readonly Fault[] = [
  ...others.map(({ slug, what, isTaken }) =>
    fault({
      id: `registration/${slug}-for-token`,
      breaks: ['REG-13'],
      places: at('value=unknown'),
      title: `Takes ${what} for the registration access token`,
      clients: {
        authorizes: async (token, { store, clientId }) =>
          (await isTaken(token, clientId, store)) || store.authorizes(clientId, token),
      },
    }),
  ),
  fault({
    id: 'registration/token-under-any-scheme',
    breaks: ['REG-13'],
    places: at('parameter=scheme'),
    title: 'Takes the last word of the Authorization header for the registration access token',
    memory: (): Answers => new Latest(10_000),
    response: Object.fromEntries(managing.map((method) => [`${method} /register/{client_id}`, byLastWord])),
  }),
  ...managing.map((method) =>
    fault({
      id: `registration/${method.toLowerCase()}-scheme-by-letter`,
      breaks: ['REG-13'],
      places: [`method=${method} parameter=scheme value=lower-case`],
      title: `${method} /register/{client_id} knows no scheme but Bearer as it is written`,
      response: { [`${method} /register/{client_id}`]: bySchemeAlone },
    }),
  ),
  ...managing.map((method) =>
    fault({
      id: `registration/${method.toLowerCase()}-empty-token`,
      breaks: ['REG-13'],
      places: [`method=${method} value=empty`],
      title: `${method} /register/{client_id} takes an Authorization header of Bearer with no token behind it`,
      without: [`registration/access-token-filled at ${method}`],
    }),
  ),
  fault({
    id: 'registration/one-token-for-all',
    breaks: ['REG-3', 'REG-13'],
    places: ['use=second-client member=registration_access_token', ...at('caller=other-client')],
    title: 'Gives every client the same registration access token',
    answeredRecord: { registration_access_token: () => oneForAll },
    clients: {
      authorizes: async (token, { store, clientId }) => token === oneForAll || store.authorizes(clientId, token),
    },
  }),
  fault({
    id: 'registration/one-secret-for-all',
    breaks: ['REG-3'],
    places: ['use=second-client member=client_secret'],
    title: 'Gives every client the same client_secret',
    clients: { create: (record, { store }) => store.create(record, 'the-client-secret-of-every-client-'.repeat(3)) },
  }),
  fault({
    id: 'registration/token-revoked-by-try',
    breaks: ['REG-10'],
    places: ['caller=other-client use=after-refusal'],
    title: 'Revokes a registration access token that came to the address of another client',
    memory: () => new Latest<true>(10_000),
    clients: {
      async authorizes(token, { store, clientId }, revoked) {
        const isOwn = await store.authorizes(clientId, token)
        if (!isOwn) revoked.set(token, true)
        return isOwn && !revoked.has(token)
      },
    },
  }),
  fault({
    id: 'registration/client-by-beginning',
    breaks: ['REG-13', 'AUTH-5'],
    places: ['method=GET member=client_id', 'value=superset'],
    title: 'Finds a client by whatever begins with its client_id',
    memory: () => new Latest<true>(10_000),
    clients: {
      async create(record, { store }, ids) {
        const client = await store.create(record)
        ids.set(client.clientId, true)
        return client
      },
      find: async (given, { store }, ids) => (await store.find(given)) ?? store.find(idIn(given, ids)),
      authorizes: (token, { store, clientId }, ids) => store.authorizes(idIn(clientId, ids), token),
    },
  }),
]

/** The client_id that something begins with; itself where it begins with none. */
function idIn(given: string, ids: Latest<true>): string {
  return [...ids.keys()].find((id) => given.startsWith(id)) ?? given
}
