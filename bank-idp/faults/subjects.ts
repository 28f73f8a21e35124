import { Latest } from '../latest.js'
import type { EventNotice, NestedJwt, NestedJwtFacts } from '../seams.js'
import { isImplicit, notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { body, type Fault, fault } from './fault.js'
import { ofRefresh } from './refreshed-id-token.js'
import {
  clientOf,
  type KnownClients,
  notePublic,
  noteSector,
  perClient,
  publicClients,
  sectorClients,
} from './subject-plans.js'
import { assertionIn, listen, TokenMemory } from './token-memory.js'

/** For `body`: an introspection that tells the bank's own identifier of the person, where it tells one. */
function internally(members: Record<string, unknown>): Record<string, unknown> {
  return members.sub === undefined ? members : { ...members, sub: `internal-${members.sub}` }
}

/** One person who is to be known as one everywhere, and two as two. */
export const subjectFaults: readonly Fault[] = [
  fault({
    id: 'subjects/userinfo-of-implicit-otherwise',
    breaks: ['SUB-7'],
    places: ['token=access-of-front-channel'],
    title: 'Tells clients of response_type token alone another sub in userinfo than anywhere else',
    collateral: {
      'introspection/live-front-channel': 'INTR-1 holds the sub of such a token against the one in userinfo',
    },
    memory: recordsOfClients,
    response: notedRecords,
    nestedJwt: {
      userinfo: (nestedJwt: NestedJwt, { clientId }: NestedJwtFacts, clients: Records) =>
        isImplicit(clients.get(String(clientId)))
          ? { ...nestedJwt, claims: { ...nestedJwt.claims, sub: `front-${nestedJwt.claims.sub}` } }
          : nestedJwt,
    },
  }),
  fault({
    id: 'subjects/other-in-id-token',
    breaks: ['SUB-7', 'DATA-9'],
    places: ['token=id-of-code'],
    title: 'Gives another sub in the id_token than in userinfo',
    collateral: { 'authorization/optional-parameters': 'as id_token_hint it names nobody that the bank knows' },
    nestedJwt: {
      id_token: (nestedJwt) => ({ ...nestedJwt, claims: { ...nestedJwt.claims, sub: `id:${nestedJwt.claims.sub}` } }),
    },
  }),
  fault({
    id: 'subjects/public-otherwise-in-introspection',
    breaks: ['SUB-7'],
    places: ['endpoint=token-info member=subject_type'],
    title: 'Gives a client of public subjects another sub at /token-info than in userinfo',
    memory: publicClients,
    response: {
      'POST /register': notePublic,
      'POST /token-info'(response, _facts, known) {
        const { client_id: clientId, sub } = Object(response.body)
        return known.has(String(clientId))
          ? { ...response, body: { ...Object(response.body), sub: `pairwise:${sub}` } }
          : response
      },
    },
  }),
  fault({
    id: 'subjects/public-otherwise-in-profile',
    breaks: ['SUB-7'],
    places: ['token=profile member=subject_type'],
    title: 'Gives a client of public subjects another sub in profile than in userinfo',
    memory: publicClients,
    response: { 'POST /register': notePublic },
    nestedJwt: {
      profile: (nestedJwt, { clientId }, known) =>
        known.has(String(clientId))
          ? { ...nestedJwt, claims: { ...nestedJwt.claims, sub: `pairwise:${nestedJwt.claims.sub}` } }
          : nestedJwt,
    },
  }),
  ...[
    {
      what: 'public',
      whose: 'of public subjects',
      member: 'subject_type',
      note: notePublic,
      // Clients have public subjects in one of the dresses.
      collateral: {
        'introspection/live-signing':
          'the id_token of the signing flow has no nonce either, and INTR-1 holds its sub against it',
        'token/refreshed-id-token-claims': 'TOK-34 holds the sub of a refreshed id_token against that of the login',
        'user-data/signing-subject':
          'DATA-9 holds the sub in userinfo against that of the id_token, which has no nonce',
      },
    },
    {
      what: 'of-sector',
      whose: 'with a sector_identifier_uri',
      member: 'sector_identifier_uri',
      note: noteSector,
    },
  ].map(({ what, whose, member, note, collateral }) => {
    const refreshed = ofRefresh(({ claims, ...jwt }) => ({ ...jwt, claims: { ...claims, sub: `host-${claims.sub}` } }))
    return fault({
      id: `subjects/${what}-otherwise-in-refreshed-id-token`,
      breaks: ['SUB-7'],
      places: [`token=id-of-refresh member=${member}`],
      title: `Gives a client ${whose} another sub in the id_token of a refresh than in that of its login`,
      ...(collateral && { collateral }),
      memory: () => ({ clients: new Latest<true>(10_000), seen: refreshed.memory() }),
      response: { 'POST /register': (response, facts, { clients }) => note(response, facts, clients) },
      nestedJwt: {
        id_token: (nestedJwt, { clientId }, { clients, seen }) =>
          clients.has(String(clientId)) ? refreshed.nestedJwt.id_token(nestedJwt, undefined, seen) : nestedJwt,
      },
    })
  }),
  fault({
    id: 'subjects/one-for-all-people',
    breaks: ['SUB-9'],
    places: ['everywhere'],
    title: 'Derives the sub from the sector alone, so that all people share it',
    collateral: {
      'authorization/id-token-hint-of-another': 'with one sub for all a hint of another person names this one',
    },
    subject: (plan) => ({ ...plan, personId: 'person' }),
  }),
  ...(['id_token', 'profile'] as const).map((kind) =>
    fault({
      id: `subjects/of-sector-otherwise-in-${kind.replace('_', '-')}`,
      breaks: ['SUB-7'],
      places: [`token=${kind === 'id_token' ? 'id-of-code' : kind} member=sector_identifier_uri`],
      title: `Gives a client with a sector_identifier_uri another sub in ${kind} than in userinfo`,
      memory: sectorClients,
      response: { 'POST /register': noteSector },
      nestedJwt: {
        [kind]: (nestedJwt: NestedJwt, { clientId }: NestedJwtFacts, known: KnownClients) =>
          known.has(String(clientId))
            ? { ...nestedJwt, claims: { ...nestedJwt.claims, sub: `host-${nestedJwt.claims.sub}` } }
            : nestedJwt,
      },
    }),
  ),
  fault({
    id: 'subjects/of-sector-otherwise-in-introspection',
    breaks: ['SUB-7'],
    places: ['endpoint=token-info member=sector_identifier_uri'],
    title: 'Gives a client with a sector_identifier_uri another sub at /token-info than in userinfo',
    memory: sectorClients,
    response: {
      'POST /register': noteSector,
      'POST /token-info': (response, bank, known) =>
        known.has(String(Object(response.body).client_id)) ? body(internally)(response, bank) : response,
    },
  }),
  fault({
    id: 'subjects/sector-moved-by-path',
    breaks: ['SUB-7'],
    places: ['use=after-put member=redirect_uris'],
    title: 'Gives new subs once a PUT changed the path of the first redirect URI',
    memory: perClient,
    clients: {
      async replace(record, { store, clientId }, moved) {
        const before = await store.find(clientId)
        const [from, to] = [before?.record ?? record, record].map((one) => new URL(String(one.redirect_uris[0])))
        if (from && to && from.host === to.host && from.pathname !== to.pathname)
          moved.set(record.jwks_uri, to.pathname)
        await store.replace(clientId, record)
      },
    },
    subject: (plan, _bank, moved) =>
      plan.sector === undefined ? plan : { ...plan, sector: `${plan.sector}${moved.get(clientOf(plan)) ?? ''}` },
  }),
  fault({
    id: 'subjects/sector-renamed',
    breaks: ['SUB-7'],
    places: ['use=after-put'],
    title: 'Gives new subs once the name of a client was changed',
    memory: perClient,
    subject(plan, _bank, memory) {
      const name = memory.get(clientOf(plan)) ?? plan.record.client_name
      memory.set(clientOf(plan), name)
      return name === plan.record.client_name || plan.sector === undefined
        ? plan
        : { ...plan, sector: `${plan.sector} ${plan.record.client_name}` }
    },
  }),
  fault({
    id: 'subjects/other-in-introspection',
    breaks: ['SUB-7'],
    places: ['endpoint=token-info'],
    title: 'Tells its own identifier of the person in an introspection',
    response: { 'POST /token-info': body(internally) },
  }),
  fault({
    id: 'subjects/one-public-for-all-people',
    breaks: ['SUB-9'],
    places: ['member=subject_type'],
    title: 'Gives all people one public sub',
    subject: (plan) => (plan.sector === undefined ? { ...plan, personId: 'person' } : plan),
  }),
  fault({
    id: 'subjects/one-for-foreigners',
    breaks: ['SUB-9'],
    places: ['person=any'],
    title: 'Derives the sub from the birth number, so that people who have none share it',
    subject: (plan, { people }) =>
      people.byId(plan.personId)?.claims.birthnumber === undefined ? { ...plan, personId: 'person' } : plan,
  }),
  fault({
    id: 'subjects/other-in-introspection-of-refresh',
    breaks: ['SUB-7'],
    places: ['endpoint=token-info token=refresh'],
    title: 'Tells its own identifier of the person in an introspection of a refresh token',
    response: {
      'POST /token-info': body((members) => (members.token_type === 'refresh_token' ? internally(members) : members)),
    },
  }),
  fault({
    id: 'subjects/other-in-introspection-of-refreshed',
    breaks: ['SUB-7'],
    places: ['token=access-of-refresh'],
    title: 'Tells its own identifier of the person in an introspection of the access token of a refresh',
    memory: () => new TokenMemory(),
    response: {
      'POST /token': listen,
      'POST /token-info'(response, bank, tokens) {
        const asked = tokens.of(bank.form.get('token'))
        const refreshed = asked?.kind === 'access_token' && asked.grant === 'refresh_token'
        return refreshed ? body(internally)(response, bank) : response
      },
    },
  }),
  fault({
    id: 'subjects/other-by-session',
    breaks: ['SUB-7'],
    places: ['use=session-login'],
    title: 'Gives another sub in userinfo at a client once somebody logged in there by their session',
    memory: perClient,
    records: [
      {
        model: 'AccessToken',
        kept(record, _bank, sessions) {
          const { clientId, sessionUid, gty } = record
          if (gty !== 'authorization_code') return {}
          const earlier = sessions.get(String(clientId))
          sessions.set(String(clientId), earlier === sessionUid ? 'again' : String(sessionUid))
          return {}
        },
      },
    ],
    nestedJwt: {
      userinfo: ({ claims, ...nestedJwt }, { clientId }, sessions) => ({
        ...nestedJwt,
        claims: sessions.get(String(clientId)) === 'again' ? { ...claims, sub: `again-${claims.sub}` } : claims,
      }),
    },
  }),
  fault({
    id: 'subjects/other-at-second-login',
    breaks: ['SUB-7'],
    places: ['use=second-login'],
    title: 'Gives another sub in the id_token of the second login of a person at a client',
    memory: () => new Latest<number>(10_000),
    nestedJwt: {
      id_token({ claims, ...nestedJwt }, { grant, clientId }, logins) {
        const whose = `${clientId} ${claims.sub}`
        const before = logins.get(whose) ?? 0
        if (grant === 'authorization_code') logins.set(whose, before + 1)
        const isSecond = grant === 'authorization_code' && before === 1
        return { ...nestedJwt, claims: isSecond ? { ...claims, sub: `second-${claims.sub}` } : claims }
      },
    },
  }),
  fault({
    id: 'subjects/other-in-callback',
    breaks: ['SUB-7'],
    places: ['token=id-of-front-channel'],
    title: 'Gives another sub in the id_token of a callback than in that of the code',
    nestedJwt: {
      id_token: ({ claims, ...nestedJwt }, { grant }) => ({
        ...nestedJwt,
        claims: grant === undefined ? { ...claims, sub: `front-${claims.sub}` } : claims,
      }),
    },
  }),
  fault({
    id: 'subjects/other-after-change',
    breaks: ['SUB-7'],
    places: ['use=after-change'],
    title: 'Knows a person by another sub once what it knows of them was changed',
    /** Who was changed, as far as somebody was told. */
    memory: () => new Latest<true>(10_000),
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, changed: Latest<true>) => {
      for (const { personId, content } of planned) if (content.kind === 'notification') changed.set(personId, true)
      return planned
    },
    subject: (plan, _bank, changed) =>
      changed.has(plan.personId) ? { ...plan, personId: `${plan.personId} changed` } : plan,
  }),
  fault({
    id: 'subjects/other-after-logout',
    breaks: ['SUB-7'],
    places: ['use=after-logout'],
    title: 'Gives another sub in the id_tokens of a client once it was told of a logout',
    memory: () => new Latest<true>(10_000),
    nestedJwt: {
      logout_token: (nestedJwt, { clientId }, told) => {
        told.set(String(clientId), true)
        return nestedJwt
      },
      id_token: ({ claims, ...nestedJwt }, { clientId }, told) => ({
        ...nestedJwt,
        claims: told.has(String(clientId)) ? { ...claims, sub: `again-${claims.sub}` } : claims,
      }),
    },
  }),
  fault({
    id: 'subjects/other-after-revocation',
    breaks: ['SUB-7'],
    places: ['use=after-revocation'],
    title: 'Gives a client another sub in userinfo once it revoked an access token',
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /revoke': (response, { form }, revoking) => {
        revoking.set(form.get('client_id') ?? String(assertionIn(form)?.sub), true)
        return response
      },
    },
    nestedJwt: {
      userinfo: ({ claims, ...nestedJwt }, { clientId }, revoking) => ({
        ...nestedJwt,
        claims: revoking.has(String(clientId)) ? { ...claims, sub: `again-${claims.sub}` } : claims,
      }),
    },
  }),
  fault({
    id: 'subjects/other-after-refresh',
    breaks: ['SUB-7'],
    places: ['token=id-of-refresh'],
    title: 'Gives another sub in the id_token of a refresh than in that of the login',
    ...ofRefresh(({ claims, ...nestedJwt }) => ({ ...nestedJwt, claims: { ...claims, sub: `again-${claims.sub}` } })),
  }),
]
