import { Latest } from '../latest.js'
import type { SeamResponse, SubjectPlan } from '../seams.js'

/** What faults about subjects know of clients, and how they change whom the bank takes a person for. */

export type KnownClients = Latest<true>

/** The clients that registered public subjects. */
export const publicClients = (): KnownClients => new Latest(10_000)

export function notePublic(response: SeamResponse, _facts: unknown, known: KnownClients): SeamResponse {
  const { client_id: clientId, subject_type: type } = Object(response.body)
  if (type === 'public') known.set(String(clientId), true)
  return response
}

/** The clients that registered a sector_identifier_uri on another host than their redirect URIs. */
export const sectorClients = (): KnownClients => new Latest(10_000)

export function noteSector(response: SeamResponse, _facts: unknown, known: KnownClients): SeamResponse {
  const { client_id: clientId, sector_identifier_uri: sectorUri, redirect_uris: uris } = Object(response.body)
  if (typeof sectorUri === 'string' && new URL(sectorUri).hostname !== new URL(uris[0]).hostname)
    known.set(String(clientId), true)
  return response
}

/** For `subject`: changes the sector of pairwise subjects. */
export function sector(change: (plan: SubjectPlan, sector: string) => string) {
  return (plan: SubjectPlan): SubjectPlan =>
    plan.sector === undefined ? plan : { ...plan, sector: change(plan, plan.sector) }
}

/** What is remembered of clients. */
export function perClient(): Latest<string> {
  return new Latest(10_000)
}

/** What tells a client from the others as long as it lives. */
export function clientOf({ record }: SubjectPlan): string {
  return record.jwks_uri
}
