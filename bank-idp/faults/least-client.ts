import { randomBytes } from 'node:crypto'
import { Latest } from '../latest.js'
import { isLeast, notedRecords, recordsOfClients, type ToldRecord } from './client-memory.js'
import { body, fault } from './fault.js'
import { assertionIn } from './token-memory.js'

/** The scopes of a record. */
const scopesOf = (record: ToldRecord | undefined): string[] => (record?.scope ?? '').split(' ').filter(Boolean)

/** What a bank does wrong for a client of few members alone, where its client is not told by what it asks. */
export const leastClientFaults = [
  fault({
    id: 'client-assertion/believed-of-few-members',
    breaks: ['TOK-39'],
    places: ['endpoint=token-info client-auth=private_key_jwt part=signature'],
    title:
      'Takes the client assertions of a client that registered no more than it needs without a look at their signature',
    memory: recordsOfClients,
    response: notedRecords,
    judgedAssertion: (assertion, { clientId }, records) =>
      isLeast(records.get(String(clientId))) && assertion.header.alg !== 'none'
        ? { ...assertion, believed: true }
        : assertion,
  }),
  fault({
    id: 'token/code-usable-twice-of-few-members',
    breaks: ['TOK-12'],
    places: ['grant=code'],
    title: 'Takes the codes of a client that registered no more than it needs as often as they come',
    memory: () => ({ records: recordsOfClients(), exchanged: new Latest<object>(10_000) }),
    response: {
      'POST /register': (response, facts, { records }) => notedRecords['POST /register'](response, facts, records),
      'POST /token'(response, { form }, { records, exchanged }) {
        const caller = String(form.get('client_id') ?? assertionIn(form)?.sub)
        const exchange = `${caller} ${form.get('code')}`
        if (form.get('grant_type') !== 'authorization_code' || !isLeast(records.get(caller))) return response
        if (response.status < 300) exchanged.set(exchange, response.body as object)
        else if (exchanged.has(exchange)) return { ...response, status: 200, body: exchanged.get(exchange) }
        return response
      },
    },
  }),
  fault({
    id: 'registration/client-kept-of-few-members',
    breaks: ['REG-12'],
    places: ['endpoint=register'],
    title: 'Answers DELETE with success and keeps a client that registered no more than it needs',
    clients: {
      async remove(clientId, { store }) {
        if (!isLeast((await store.find(clientId))?.record)) await store.remove(clientId)
      },
    },
  }),
  fault({
    id: 'token/refresh-token-of-few-members',
    breaks: ['TOK-3'],
    places: ['scope=offline_access value=missing'],
    title: 'Gives a refresh token to a client that registered neither the grant nor offline_access',
    memory: recordsOfClients,
    response: {
      ...notedRecords,
      'POST /token'(response, facts, records) {
        const record = records.get(String(facts.form.get('client_id') ?? assertionIn(facts.form)?.sub))
        if (record === undefined || scopesOf(record).includes('offline_access')) return response
        return body((tokens) =>
          'access_token' in tokens ? { ...tokens, refresh_token: randomBytes(32).toString('base64url') } : tokens,
        )(response, facts)
      },
    },
  }),
]
