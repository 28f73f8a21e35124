import type { Latest } from '../latest.js'
import type { SubjectPlan } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { clientOf, perClient, sector } from './subject-plans.js'

/** For `subject`: the sector as it was the first time. */
function remembered(of: (plan: SubjectPlan) => string | undefined) {
  return (plan: SubjectPlan, _bank: unknown, memory: Latest<string>): SubjectPlan => {
    const sector = memory.get(clientOf(plan)) ?? of(plan)
    if (sector !== undefined) memory.set(clientOf(plan), sector)
    return plan.sector === undefined ? plan : { ...plan, sector }
  }
}

/** From what a bank derives the sector of a client: its sector_identifier_uri, or its redirect URIs. */
export const sectorFaults: readonly Fault[] = [
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
    id: 'subjects/sector-with-query',
    breaks: ['SUB-10'],
    places: ['everywhere'],
    title: 'Takes the whole sector_identifier_uri for the sector where it has a query',
    subject: sector(({ record }, host) =>
      String(record.sector_identifier_uri).includes('?') ? String(record.sector_identifier_uri) : host,
    ),
  }),
  fault({
    id: 'subjects/sector-uri-as-written',
    breaks: ['SUB-10'],
    places: ['value=upper-case'],
    title: 'Takes the host of sector_identifier_uri as it is written, in capitals or not',
    subject: sector(
      ({ record }, host) => /^https:\/\/([^/:]+)/.exec(String(record.sector_identifier_uri))?.[1] ?? host,
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
]
