import { Latest } from '../latest.js'
import type { NestedJwt, ResponseFacts, SeamResponse } from '../seams.js'
import { notedRecords, recordsOfClients } from './client-memory.js'
import { fault, omit } from './fault.js'
import { claimsOfIdToken } from './id-token-claims.js'
import { isDirect, isSignedIn, redirectTarget, refusal } from './redirects.js'

const route = 'GET /auth'

/** Changes the id_tokens of logins whose request was answered with a code at once. */
function ofCodeAtOnce(change: (claims: NestedJwt['claims'], asked: { query: URLSearchParams }) => NestedJwt['claims']) {
  return {
    /** The query of such a request, by its nonce. */
    memory: () => new Latest<URLSearchParams>(10_000),
    response: {
      [route]: (response: SeamResponse, facts: ResponseFacts, asked: Latest<URLSearchParams>) => {
        const { query } = facts
        if (isDirect(facts) && redirectTarget(response)?.searchParams.has('code'))
          asked.set(String(query.get('nonce')), query)
        return response
      },
    },
    nestedJwt: {
      id_token: (nestedJwt: NestedJwt, _facts: unknown, asked: Latest<URLSearchParams>): NestedJwt => {
        const query = asked.get(String(nestedJwt.claims.nonce))
        return query ? { ...nestedJwt, claims: change(nestedJwt.claims, { query }) } : nestedJwt
      },
    },
  }
}

/** Mistakes about acr_values, and the level of authentication that they ask for. */
export const levelFaults = [
  fault({
    id: 'registration/default-acr-values-ignored',
    breaks: ['REG-34'],
    places: ['value=right'],
    title: 'Logs in at loa2 when the request names no acr_values',
    request: {
      [route]: (parameters) => {
        if (!parameters.has('acr_values')) parameters.set('acr_values', 'loa2')
      },
    },
  }),
  fault({
    id: 'registration/default-acr-values-of-openid-alone',
    breaks: ['REG-34'],
    places: ['scope=openid'],
    title: 'Forgets default_acr_values of a client that registered the scope openid alone',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records) {
        const isMeant = records.get(parameters.get('client_id') ?? '')?.scope === 'openid'
        if (isMeant && !parameters.has('acr_values')) parameters.set('acr_values', 'loa2')
      },
    },
  }),
  fault({
    id: 'registration/default-acr-values-first',
    breaks: ['REG-34'],
    places: ['parameter=acr_values'],
    title: 'Puts default_acr_values in place of the acr_values of a request',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records) {
        const [level] = records.get(parameters.get('client_id') ?? '')?.default_acr_values ?? []
        if (level !== undefined) parameters.set('acr_values', level)
      },
    },
  }),
  fault({
    id: 'registration/default-acr-values-of-session',
    breaks: ['REG-34'],
    places: ['use=session-login'],
    title: 'Tells the level that a session had at its first client, where default_acr_values of another asks for more',
    /** The client and the level by which a session began. */
    memory: () => new Latest<{ clientId: unknown; acr: unknown }>(10_000),
    records: [
      {
        model: 'AuthorizationCode',
        kept(record, _bank, sessions) {
          const { clientId, acr, sessionUid } = record
          const begun = sessions.get(String(sessionUid)) ?? { clientId, acr }
          sessions.set(String(sessionUid), begun)
          return begun.clientId === clientId ? {} : { record: { ...record, acr: begun.acr } }
        },
      },
    ],
  }),
  fault({
    id: 'authorization/acr-one',
    breaks: ['AUTH-33', 'DISC-20', 'TOK-34'],
    places: ['use=first member=loa2'],
    title: 'Calls the level loa2 "1" in the id_token of a login',
    nestedJwt: claimsOfIdToken((claims) =>
      claims.acr === 'loa2' && claims.structured_scope === undefined ? { ...claims, acr: '1' } : claims,
    ),
  }),
  fault({
    id: 'authorization/acr-not-reached',
    breaks: ['AUTH-33', 'DISC-20'],
    places: ['use=first member=loa3'],
    title: 'Logs in at loa2, whatever is asked for',
    collateral: {
      'request-object/parameters-inside': 'loa3 is asked for inside of a request object too',
      'signing/document-acr': 'the id_token of a document that was authorized says loa2 as well',
    },
    nestedJwt: claimsOfIdToken((claims) => ({ ...claims, acr: 'loa2' })),
  }),
  fault({
    id: 'authorization/acr-of-first-login',
    breaks: ['AUTH-33'],
    places: ['use=session-login member=loa3'],
    title: 'Tells the level of the sign-in as acr of the id_token, after a step up too',
    memory: () => new Latest<true>(10_000),
    response: {
      [route]: (response, { query, requestHeader }, steppedUp) => {
        if (query.get('acr_values') === 'loa3' && isSignedIn({ requestHeader }))
          steppedUp.set(String(query.get('nonce')), true)
        return response
      },
    },
    nestedJwt: {
      id_token: (nestedJwt, _facts, steppedUp) =>
        steppedUp.has(String(nestedJwt.claims.nonce))
          ? { ...nestedJwt, claims: { ...nestedJwt.claims, acr: 'loa2' } }
          : nestedJwt,
    },
  }),
  fault({
    id: 'authorization/acr-untold-without-pages',
    breaks: ['AUTH-33'],
    places: ['use=session-login member=loa3'],
    title: 'Leaves acr out of the id_token of a login by session that needed no page',
    ...ofCodeAtOnce(({ acr: _, ...claims }) => claims),
  }),
  fault({
    id: 'authorization/acr-below-session',
    breaks: ['AUTH-33'],
    places: ['use=session-login member=loa2'],
    title: 'Tells the lowest level of all as acr of the id_token where less is asked for than the session has reached',
    ...ofCodeAtOnce((claims, { query }) =>
      query.get('acr_values') === 'loa2' && claims.acr === 'loa3' ? { ...claims, acr: 'loa1' } : claims,
    ),
  }),
  fault({
    id: 'authorization/acr-of-accounts-untold',
    breaks: ['AUTH-33'],
    places: ['person=several-accounts'],
    title: 'Leaves acr out of the id_token of who chose one of several accounts',
    records: [
      {
        model: 'AuthorizationCode',
        kept(record, { people }) {
          const chosen = people.byId(String(record.accountId))?.login
          const accounts = [...people.identities()].filter(({ login }) => login === chosen)
          return accounts.length > 1 ? { record: omit(record, 'acr') } : {}
        },
      },
    ],
  }),
  fault({
    id: 'authorization/acr-claimed',
    breaks: ['AUTH-33'],
    places: ['claim=acr'],
    title: 'Takes whoever can reach loa3 for one who has reached it: no second factor is asked for',
    collateral: {
      'authorization/prompt-none-interaction': 'no interaction is left to be needed',
    },
    records: [
      { model: 'Session', found: (session) => (session.acr === 'loa2' ? { ...session, acr: 'loa3' } : session) },
    ],
  }),
  fault({
    id: 'authorization/acr-of-first-value',
    breaks: ['AUTH-33'],
    places: ['person=loa2-only value=both'],
    title: 'Tells the first of two acr_values as acr of the id_token, reached or not',
    memory: () => new Latest<true>(10_000),
    request: {
      [route](parameters, _bank, asked) {
        if (parameters.get('acr_values') === 'loa3 loa2') asked.set(parameters.get('nonce') ?? '', true)
      },
    },
    nestedJwt: {
      id_token: (nestedJwt, _facts, asked) =>
        asked.has(String(nestedJwt.claims.nonce))
          ? { ...nestedJwt, claims: { ...nestedJwt.claims, acr: 'loa3' } }
          : nestedJwt,
    },
  }),
  fault({
    id: 'authorization/acr-beside-hint-ignored',
    breaks: ['AUTH-33'],
    places: ['use=session-login parameter=id_token_hint'],
    title: 'Does not look at acr_values where id_token_hint names the person of the session',
    request: {
      [route](parameters) {
        if (parameters.has('id_token_hint')) parameters.delete('acr_values')
      },
    },
  }),
  fault({
    id: 'authorization/loa3-refused',
    breaks: ['DISC-20'],
    title: 'Declares loa3, and refuses a login for it as access_denied',
    collateral: {
      'authorization/optional-parameters': 'loa3 is a valid value of acr_values',
      'authorization/acr-stepped-up': 'AUTH-33 steps up to loa3',
      'authorization/acr-out-of-reach-in-session': 'a request for loa3 is refused before the level is judged',
      'authorization/acr-out-of-reach': 'a login for loa3 is refused before anybody has signed in',
      'authorization/prompt-none-interaction': 'AUTH-47 asks for loa3',
    },
    response: {
      [route]: (response, { query }) =>
        query.get('acr_values') === 'loa3' && query.has('redirect_uri')
          ? refusal(response, query, 'access_denied')
          : response,
    },
  }),
]
