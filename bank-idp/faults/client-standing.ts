import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { assertionIn } from './token-memory.js'

/** Clients that a bank no longer believes, though they prove who they are. */

const notBelieved: SeamResponse = {
  status: 401,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' },
  body: { error: 'invalid_client', error_description: 'the client cannot be authenticated' },
}

/** What is remembered of clients, by client_id. */
const standings = () => new Latest<number>(10_000)
type Standings = Latest<number>

/** The client that a form names, itself or by its assertion. */
function clientOf(form: URLSearchParams): string {
  return form.get('client_id') ?? String(assertionIn(form)?.sub)
}

const errorOf = ({ body }: SeamResponse) => Object(body).error

/** How often a client may fail to prove who it is, by how it sets out to. */
const lockouts = [
  {
    slug: 'secret',
    breaks: ['REG-21'],
    how: 'once a client_secret was wrong three times',
    tries: (form: URLSearchParams) => form.has('client_secret'),
  },
  {
    slug: 'assertion',
    breaks: ['REG-35', 'REG-36'],
    how: 'once an assertion was wrong three times',
    tries: (form: URLSearchParams) => form.has('client_assertion'),
  },
]

/** For `response`: counts what was wrong at an endpoint, and believes nobody of whom it is too much. */
const lockedOut =
  (tries: (form: URLSearchParams) => boolean) =>
  (response: SeamResponse, { form }: ResponseFacts, failures: Standings): SeamResponse => {
    if (!tries(form)) return response
    const failed = failures.get(clientOf(form)) ?? 0
    if (errorOf(response) === 'invalid_client') failures.set(clientOf(form), failed + 1)
    return failed >= 3 ? notBelieved : response
  }

export const clientStandingFaults: readonly Fault[] = [
  ...lockouts.map(({ slug, breaks, how, tries }) =>
    fault({
      id: `client-authentication/locked-out-by-${slug}`,
      breaks,
      places: ['use=after-refusal'],
      title: `Does not believe a client any more ${how}`,
      memory: standings,
      response: { 'POST /token': lockedOut(tries), 'POST /token-info': lockedOut(tries) },
    }),
  ),
  fault({
    id: 'client-authentication/disowned-by-put',
    breaks: ['REG-21', 'REG-35', 'REG-36'],
    places: ['use=after-put'],
    title: 'Does not believe a client at /token once a PUT replaced its record by the same',
    memory: standings,
    response: {
      'POST /register': note,
      'PUT /register/{client_id}': note,
      'POST /token': (response, { form }, replaced) =>
        (replaced.get(clientOf(form)) ?? 0) > 1 && form.get('grant_type') === 'refresh_token' ? notBelieved : response,
    },
  }),
  fault({
    id: 'client-authentication/secret-refused-at-refresh',
    breaks: ['REG-21'],
    places: ['endpoint=token grant=refresh'],
    title: 'Takes no client_secret with a refresh token',
    response: {
      'POST /token': (response, { form }) =>
        response.status === 200 && form.has('client_secret') && form.get('grant_type') === 'refresh_token'
          ? notBelieved
          : response,
    },
  }),
]

/** Counts how often a record of a client was taken. */
function note(response: SeamResponse, _facts: unknown, records: Standings): SeamResponse {
  const { client_id: clientId } = Object(response.body)
  if (response.status < 300 && typeof clientId === 'string') records.set(clientId, (records.get(clientId) ?? 0) + 1)
  return response
}
