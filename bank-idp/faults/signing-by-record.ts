import { Latest } from '../latest.js'
import { notedRecords, type Records, recordsOfClients, type ToldRecord } from './client-memory.js'
import { type Fault, fault } from './fault.js'
import { hasDocuments, type Members } from './signing-leniency.js'

/** What a request object has to say itself, and a bank takes from the record of its client, which is about logins. */
const byDefault: readonly {
  slug: string
  places: readonly string[]
  title: string
  repair(claims: Members, record: ToldRecord): void
}[] = [
  {
    slug: 'level-by-default',
    places: ['member=default_acr_values value=missing'],
    title: 'Takes a document without acr_values where the default_acr_values of its client are loa3',
    repair(claims, { default_acr_values }) {
      const said = claims.acr_values ?? claims.acr_value
      if (said === undefined && hasDocuments(claims) && default_acr_values?.includes('loa3')) claims.acr_values = 'loa3'
    },
  },
  {
    slug: 'level-raised-by-default',
    places: ['member=default_acr_values value=wrong'],
    title: 'Takes a document with acr_values loa2 where the default_acr_values of its client are loa3',
    repair(claims, { default_acr_values }) {
      if (claims.acr_values === 'loa2' && hasDocuments(claims) && default_acr_values?.includes('loa3'))
        claims.acr_values = 'loa3'
    },
  },
]

/** What the bank keeps of clients decides what it should not. */
export const signingByRecordFaults: readonly Fault[] = [
  ...byDefault.map(({ slug, places, title, repair }) =>
    fault({
      id: `signing/${slug}`,
      breaks: ['SIGN-5'],
      places,
      title,
      memory: recordsOfClients,
      response: notedRecords,
      requestObject({ claims }, _bank, records: Records) {
        repair(claims, records.get(String(claims.client_id)) ?? {})
      },
    }),
  ),
  fault({
    id: 'signing/redirect-uri-of-any-client-in-query',
    breaks: ['SIGN-45'],
    places: ['endpoint=authorize caller=other-client parameter=redirect_uri'],
    title: 'Takes at /authorize, where the request object names none, a redirect URI that any client registered',
    memory: recordsOfClients,
    response: notedRecords,
    requestObject({ claims }, _bank, records: Records) {
      claims.redirect_uri ??= records.get(String(claims.client_id))?.redirect_uris?.[0]
    },
    request: {
      'GET /authorize'(parameters, _bank, records: Records) {
        const given = parameters.get('redirect_uri') ?? ''
        const isKnown = [...records.values()].some(({ redirect_uris = [] }) => redirect_uris.includes(given))
        if (isKnown) parameters.delete('redirect_uri')
      },
    },
  }),
  fault({
    id: 'signing/first-of-session-returned',
    breaks: ['SIGN-36'],
    places: ['use=session-login'],
    title: 'Puts into the id_token what was authorized first in the session',
    /** By the name of the session in id_tokens. */
    memory: () => new Latest<object>(10_000),
    nestedJwt: {
      id_token(planned, _facts, authorized) {
        const { structured_scope: own, sid } = planned.claims
        if (typeof own !== 'object' || own === null || typeof sid !== 'string') return planned
        const first = authorized.get(sid)
        if (first === undefined) authorized.set(sid, own)
        return first === undefined ? planned : { ...planned, claims: { ...planned.claims, structured_scope: first } }
      },
    },
  }),
]
