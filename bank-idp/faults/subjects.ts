import { Latest } from '../latest.js'
import type { NestedJwt, NestedJwtFacts, SeamResponse, SubjectPlan } from '../seams.js'
import { isImplicit, notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { body, fault } from './fault.js'
import { ofRefresh } from './refreshed-id-token.js'
import { listen, TokenMemory } from './token-memory.js'

/** The clients that registered public subjects. */
const publicClients = () => new Latest<true>(10_000)

function notePublic(response: SeamResponse, _facts: unknown, known: Latest<true>): SeamResponse {
  const { client_id: clientId, subject_type: type } = Object(response.body)
  if (type === 'public') known.set(String(clientId), true)
  return response
}

type Known = Latest<true>

/** The clients that registered a sector_identifier_uri on another host than their redirect URIs. */
const sectorClients = (): Known => new Latest(10_000)

function noteSector(response: SeamResponse, _facts: unknown, known: Known): SeamResponse {
  const { client_id: clientId, sector_identifier_uri: sectorUri, redirect_uris: uris } = Object(response.body)
  if (typeof sectorUri === 'string' && new URL(sectorUri).hostname !== new URL(uris[0]).hostname)
    known.set(String(clientId), true)
  return response
}

/** For `subject`: changes the sector of pairwise subjects. */
function sector(change: (plan: SubjectPlan, sector: string) => string) {
  return (plan: SubjectPlan): SubjectPlan =>
    plan.sector === undefined ? plan : { ...plan, sector: change(plan, plan.sector) }
}

/** What is remembered of clients. */
function perClient(): Latest<string> {
  return new Latest(10_000)
}

/** What tells a client from the others as long as it lives. */
function clientOf({ record }: SubjectPlan): string {
  return record.jwks_uri
}

/** For `subject`: the sector as it was the first time. */
function remembered(of: (plan: SubjectPlan) => string | undefined) {
  return (plan: SubjectPlan, _bank: unknown, memory: Latest<string>): SubjectPlan => {
    const sector = memory.get(clientOf(plan)) ?? of(plan)
    if (sector !== undefined) memory.set(clientOf(plan), sector)
    return plan.sector === undefined ? plan : { ...plan, sector }
  }
}

/** For `body`: an introspection that tells the bank's own identifier of the person, where it tells one. */
function internally(members: Record<string, unknown>): Record<string, unknown> {
  return members.sub === undefined ? members : { ...members, sub: `internal-${members.sub}` }
}

export const subjectFaults = [
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
    id: 'subjects/sector-of-secret-clients-ignored',
    breaks: ['SUB-2'],
    places: ['client-auth=client_secret_post'],
    title: 'Takes the host of the redirect URI for the sector of clients of client_secret_post, whatever they name',
    collateral: { 'subjects/shared-sector': 'SUB-6 says of the sector that clients name that they share it' },
    subject: sector(({ record }, named) =>
      record.token_endpoint_auth_method === 'client_secret_post'
        ? new URL(String(record.redirect_uris[0])).hostname
        : named,
    ),
  }),
  fault({
    id: 'subjects/one-for-all-sectors',
    breaks: ['SUB-1'],
    places: ['everywhere'],
    title: 'Gives a person the same pairwise sub in every sector',
    subject: sector(() => 'all'),
  }),
  fault({
    id: 'subjects/sector-uri-ignored',
    breaks: ['SUB-2', 'SUB-6'],
    places: ['use=first', 'everywhere'],
    title: 'Takes the host of the redirect URI for the sector although there is a sector_identifier_uri',
    subject: sector(({ record }) => new URL(String(record.redirect_uris[0])).hostname),
  }),
  fault({
    id: 'subjects/redirect-uri-whole',
    breaks: ['SUB-3'],
    places: ['everywhere'],
    title: 'Takes the whole redirect URI for the sector',
    collateral: {
      'subjects/sector-identifier-host': 'SUB-2 is seen by comparing with a client without sector_identifier_uri',
    },
    subject: sector(({ record }, host) => (record.sector_identifier_uri ? host : String(record.redirect_uris[0]))),
  }),
  fault({
    id: 'subjects/sector-with-port',
    breaks: ['SUB-3'],
    places: ['everywhere'],
    title: 'Takes the host with its port for the sector',
    collateral: { 'subjects/sector-identifier-host': 'the host of sector_identifier_uri has its port too' },
    subject: sector(({ record }) => new URL(String(record.sector_identifier_uri ?? record.redirect_uris[0])).host),
  }),
  fault({
    id: 'subjects/sector-as-written',
    breaks: ['SUB-3'],
    places: ['everywhere'],
    title: 'Takes the host of the redirect URI as it is written for the sector, in capitals for another one',
    subject: sector(({ record }, host) =>
      record.sector_identifier_uri === undefined ? (String(record.redirect_uris[0]).split(/[/:?#]+/)[1] ?? host) : host,
    ),
  }),
  ...(
    [
      ['below', 'host below another', (one: string, other: string) => one.endsWith(`.${other}`)],
      ['beginning-alike', 'host that begins as another does', (one: string, other: string) => one.startsWith(other)],
    ] as const
  ).map(([slug, what, same]) =>
    fault({
      id: `subjects/several-hosts-${slug}`,
      breaks: ['SUB-4'],
      places: ['POST', 'PUT'].map((method) => `method=${method} value=superset`),
      title: `Takes a ${what} for the same`,
      judgedRecord: {
        redirect_uris(uris, { record }) {
          const given = Array.isArray(uris) ? uris.map(String) : []
          if (record.sector_identifier_uri !== undefined || !given.every((uri) => URL.canParse(uri))) return uris
          const hosts = given.map((uri) => new URL(uri).hostname)
          return given.filter((_uri, i) => !hosts.some((host) => host !== hosts[i] && same(hosts[i] ?? '', host)))
        },
      },
    }),
  ),
  fault({
    id: 'subjects/sector-uri-with-port',
    breaks: ['SUB-2'],
    places: ['use=first'],
    title: 'Takes the host of sector_identifier_uri with its port for the sector',
    subject: sector(({ record: { sector_identifier_uri: named } }, host) =>
      typeof named === 'string' ? new URL(named).host : host,
    ),
  }),
  fault({
    id: 'subjects/sector-with-folder',
    breaks: ['SUB-3'],
    places: ['everywhere'],
    title: 'Takes the host of the redirect URI with the first part of its path for the sector',
    collateral: {
      'subjects/sector-identifier-host': 'SUB-2 is seen by comparing with a client without sector_identifier_uri',
    },
    subject: sector(({ record }, host) =>
      record.sector_identifier_uri === undefined
        ? `${host}/${new URL(String(record.redirect_uris[0])).pathname.split('/')[1]}`
        : host,
    ),
  }),
  fault({
    id: 'subjects/sector-with-redirect-query',
    breaks: ['SUB-3'],
    places: ['everywhere'],
    title: 'Takes the whole redirect URI for the sector where it has a query',
    subject: sector(({ record: { redirect_uris: uris, sector_identifier_uri: named } }, host) =>
      named === undefined && String(uris[0]).includes('?') ? String(uris[0]) : host,
    ),
  }),
  fault({
    id: 'subjects/sector-cut-short',
    breaks: ['SUB-1'],
    places: ['value=prefix'],
    title: 'Takes the first sixteen characters of a host for the sector',
    subject: sector((_plan, host) => host.slice(0, 16)),
  }),
  fault({
    id: 'subjects/sector-without-www',
    breaks: ['SUB-1'],
    places: ['everywhere'],
    title: 'Takes a host for the same sector with www before it and without',
    subject: sector((_plan, host) => host.replace(/^www\./, '')),
  }),
  fault({
    id: 'subjects/ports-as-hosts',
    breaks: ['SUB-4'],
    places: ['member=port'],
    title: 'Takes redirect URIs on several ports of one host for ones on several hosts',
    judgedRecord: {
      redirect_uris: (uris, { record }) => {
        if (!Array.isArray(uris) || record.sector_identifier_uri !== undefined) return uris
        return uris.map((uri) => String(uri).replace(/^(https:\/\/[^/:]+):(\d+)/, '$1.of-port-$2'))
      },
    },
  }),
  fault({
    id: 'subjects/several-hosts-never',
    breaks: ['SUB-4'],
    places: ['value=right'],
    title: 'Refuses redirect URIs on several hosts, whatever sector_identifier_uri there is',
    judgedRecord: {
      sector_identifier_uri: (uri, { record }) => {
        const uris = Array.isArray(record.redirect_uris) ? record.redirect_uris.map(String) : []
        const hosts = new Set(uris.filter((one) => URL.canParse(one)).map((one) => new URL(one).hostname))
        return hosts.size > 1 ? undefined : uri
      },
    },
  }),
  ...(['POST', 'PUT'] as const).flatMap((by) => [
    fault({
      id: `subjects/listed-without-query-${by.toLowerCase()}`,
      breaks: ['SUB-5'],
      places: [`method=${by} member=query`],
      title: `Looks up redirect URIs with a query by ${by} in no document of a sector`,
      judgedRecord: {
        sector_identifier_uri: (uri, { record, method }) => {
          const isAsked = [record.redirect_uris ?? []].flat().some((one) => String(one).includes('?'))
          return isAsked && method === by ? undefined : uri
        },
      },
    }),
  ]),
  fault({
    id: 'subjects/last-of-several-redirect-uris',
    breaks: ['SUB-3'],
    places: ['everywhere'],
    title: 'Takes the whole of the last redirect URI for the sector where there are several',
    subject: sector(({ record: { redirect_uris: uris, sector_identifier_uri: named } }, host) =>
      named === undefined && uris.length > 1 ? String(uris.at(-1)) : host,
    ),
  }),
  fault({
    id: 'subjects/sector-beside-notifications',
    breaks: ['SUB-6'],
    places: ['everywhere'],
    title: 'Keeps clients that are told of changes in a sector of their own beside that of their sector_identifier_uri',
    subject: sector(({ record }, host) =>
      record.sector_identifier_uri !== undefined && record.notification_uri !== undefined ? `${host}.told` : host,
    ),
  }),
  fault({
    id: 'subjects/public-by-authentication',
    breaks: ['SUB-8'],
    places: ['everywhere'],
    title: 'Has a public sub of its own for clients that authenticate by client_secret_post',
    subject: (plan) =>
      plan.sector === undefined && plan.record.token_endpoint_auth_method === 'client_secret_post'
        ? { ...plan, sector: 'by-secret.example' }
        : plan,
  }),
  fault({
    id: 'subjects/shared-by-algorithm',
    breaks: ['SUB-6'],
    places: ['everywhere'],
    title: 'Keeps clients of ES512 id_tokens in a sector of their own beside that of their sector_identifier_uri',
    subject: sector(({ record }, host) =>
      record.sector_identifier_uri !== undefined && record.id_token_signed_response_alg === 'ES512'
        ? `${host}.es512`
        : host,
    ),
  }),
  fault({
    id: 'subjects/public-once-replaced',
    breaks: ['SUB-8'],
    places: ['use=after-put'],
    title: 'Gives pairwise subs at a client of public subjects once a PUT has replaced its record',
    /** The names that clients had after a PUT, by their key sets. */
    memory: perClient,
    response: {
      'PUT /register/{client_id}'(response, _bank, memory) {
        const { client_name: name, jwks_uri: uri } = Object(response.body)
        if (response.status < 300) memory.set(String(uri), String(name))
        return response
      },
    },
    subject: (plan, _bank, memory) =>
      plan.sector === undefined && memory.get(clientOf(plan)) === plan.record.client_name
        ? { ...plan, sector: 'replaced.example' }
        : plan,
  }),
  fault({
    id: 'subjects/sector-with-query',
    breaks: ['SUB-10'],
    title: 'Takes the whole sector_identifier_uri for the sector where it has a query',
    subject: sector(({ record }, host) =>
      String(record.sector_identifier_uri).includes('?') ? String(record.sector_identifier_uri) : host,
    ),
  }),
  fault({
    id: 'subjects/sector-uri-whole',
    breaks: ['SUB-2', 'SUB-10'],
    places: ['use=first', 'everywhere'],
    title: 'Takes the whole sector_identifier_uri for the sector',
    subject: sector(({ record }, host) => String(record.sector_identifier_uri ?? host)),
  }),
  fault({
    id: 'subjects/several-hosts-taken',
    breaks: ['SUB-4'],
    places: ['method=POST value=both'],
    title: 'Takes redirect URIs on several hosts without sector_identifier_uri',
    without: ['registration/one-sector'],
  }),
  fault({
    id: 'subjects/several-hosts-by-default-taken',
    breaks: ['SUB-4'],
    places: ['method=POST value=missing'],
    title: 'Takes redirect URIs on several hosts without sector_identifier_uri where the record names no subject_type',
    judgedRecord: { subject_type: (given) => given ?? 'public' },
  }),
  fault({
    id: 'subjects/unlisted-redirect-taken',
    breaks: ['SUB-5'],
    places: ['wrong', 'last', 'prefix', 'superset'].map((value) => `method=POST value=${value}`),
    title: 'Reads the document at sector_identifier_uri but does not look for the redirect URIs in it',
    without: ['registration/sector-lists-redirects'],
  }),
  fault({
    id: 'subjects/unreadable-sector-taken',
    breaks: ['SUB-11'],
    places: ['method=POST value=missing', 'method=POST value=other-type'],
    title: 'Takes a sector_identifier_uri that cannot be read',
    without: ['registration/sector-document'],
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
    id: 'subjects/public-by-sector',
    breaks: ['SUB-8'],
    places: ['everywhere'],
    title: 'Gives pairwise subs where public is registered',
    subject: (plan) => ({ ...plan, sector: plan.sector ?? new URL(String(plan.record.redirect_uris[0])).hostname }),
  }),
  fault({
    id: 'subjects/public-of-named-sector-pairwise',
    breaks: ['SUB-8'],
    places: ['member=sector_identifier_uri'],
    title: 'Gives pairwise subs where public is registered with a sector_identifier_uri',
    subject: (plan) =>
      plan.sector === undefined && plan.record.sector_identifier_uri !== undefined
        ? { ...plan, sector: new URL(String(plan.record.sector_identifier_uri)).hostname }
        : plan,
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
  fault({
    id: 'subjects/host-of-second-redirect-uri',
    breaks: ['SUB-6'],
    places: ['member=redirect_uris value=both'],
    title: 'Takes the host of the second redirect URI for the sector, whatever sector_identifier_uri says',
    subject(plan) {
      const [, second] = plan.record.redirect_uris
      return second === undefined || plan.sector === undefined ? plan : { ...plan, sector: new URL(second).hostname }
    },
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
  ...(
    [
      [
        'several-hosts',
        'SUB-4',
        'one-sector',
        'redirect URIs on several hosts without sector_identifier_uri',
        ['both'],
      ],
      [
        'unlisted-redirect',
        'SUB-5',
        'sector-lists-redirects',
        'a redirect URI that is not listed',
        ['wrong', 'last', 'prefix', 'superset'],
      ],
      [
        'unreadable-sector',
        'SUB-11',
        'sector-document',
        'a sector_identifier_uri that cannot be read',
        ['missing', 'other-type'],
      ],
    ] as const
  ).map(([slug, requirement, check, what, values]) =>
    fault({
      id: `subjects/${slug}-put`,
      breaks: [requirement],
      places: values.map((value) => `method=PUT value=${value}`),
      title: `Takes ${what} by PUT`,
      without: [`registration/${check} at PUT`],
    }),
  ),
  fault({
    id: 'subjects/sector-kept',
    breaks: ['SUB-2', 'SUB-3'],
    places: ['use=after-put'],
    title: 'Keeps a client in the sector that it was in when somebody logged in first',
    memory: perClient,
    subject: remembered((plan) => plan.sector),
  }),
  fault({
    id: 'subjects/sector-once-named',
    breaks: ['SUB-2'],
    places: ['use=after-put value=missing'],
    title: 'Keeps a client in the sector of its sector_identifier_uri once a PUT has left that out',
    memory: perClient,
    subject(plan, _bank, memory) {
      const uri = plan.record.sector_identifier_uri
      if (plan.sector !== undefined && uri !== undefined) memory.set(clientOf(plan), plan.sector)
      return plan.sector === undefined ? plan : { ...plan, sector: memory.get(clientOf(plan)) ?? plan.sector }
    },
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
        [kind]: (nestedJwt: NestedJwt, { clientId }: NestedJwtFacts, known: Known) =>
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
    id: 'subjects/two-hosts-compared',
    breaks: ['SUB-4'],
    places: ['method=POST value=last', 'method=PUT value=last'],
    title: 'Looks at the hosts of the first two redirect URIs, and at no other',
    judgedRecord: { redirect_uris: (value) => (Array.isArray(value) ? value.slice(0, 2) : value) },
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
    id: 'subjects/other-after-refresh',
    breaks: ['SUB-7'],
    places: ['token=id-of-refresh'],
    title: 'Gives another sub in the id_token of a refresh than in that of the login',
    ...ofRefresh(({ claims, ...nestedJwt }) => ({ ...nestedJwt, claims: { ...claims, sub: `again-${claims.sub}` } })),
  }),
]
