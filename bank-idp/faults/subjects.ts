import type { SubjectPlan } from '../seams.js'
import { fault } from './fault.js'

/** For `subject`: changes the sector of pairwise subjects. */
function sector(change: (plan: SubjectPlan, sector: string) => string) {
  return (plan: SubjectPlan): SubjectPlan =>
    plan.sector === undefined ? plan : { ...plan, sector: change(plan, plan.sector) }
}

export const subjectFaults = [
  fault({
    id: 'subjects/one-for-all-sectors',
    breaks: ['SUB-1'],
    title: 'Gives a person the same pairwise sub in every sector',
    subject: sector(() => 'all'),
  }),
  fault({
    id: 'subjects/sector-uri-ignored',
    breaks: ['SUB-2', 'SUB-6'],
    title: 'Takes the host of the redirect URI for the sector although there is a sector_identifier_uri',
    subject: sector(({ record }) => new URL(String(record.redirect_uris[0])).hostname),
  }),
  fault({
    id: 'subjects/redirect-uri-whole',
    breaks: ['SUB-3'],
    title: 'Takes the whole redirect URI for the sector',
    collateral: {
      'subjects/sector-identifier-host': 'SUB-2 is seen by comparing with a client without sector_identifier_uri',
    },
    subject: sector(({ record }, host) => (record.sector_identifier_uri ? host : String(record.redirect_uris[0]))),
  }),
  fault({
    id: 'subjects/sector-uri-whole',
    breaks: ['SUB-2', 'SUB-10'],
    title: 'Takes the whole sector_identifier_uri for the sector',
    subject: sector(({ record }, host) => String(record.sector_identifier_uri ?? host)),
  }),
  fault({
    id: 'subjects/several-hosts-taken',
    breaks: ['SUB-4'],
    title: 'Takes redirect URIs on several hosts without sector_identifier_uri',
    without: ['registration/one-sector'],
  }),
  fault({
    id: 'subjects/unlisted-redirect-taken',
    breaks: ['SUB-5'],
    title: 'Reads the document at sector_identifier_uri but does not look for the redirect URIs in it',
    without: ['registration/sector-lists-redirects'],
  }),
  fault({
    id: 'subjects/unreadable-sector-taken',
    breaks: ['SUB-11'],
    title: 'Takes a sector_identifier_uri that cannot be read',
    without: ['registration/sector-document'],
  }),
  fault({
    id: 'subjects/other-in-id-token',
    breaks: ['SUB-7', 'DATA-9'],
    title: 'Gives another sub in the id_token than in userinfo',
    collateral: { 'authorization/optional-parameters': 'as id_token_hint it names nobody that the bank knows' },
    nestedJwt: {
      id_token: (nestedJwt) => ({ ...nestedJwt, claims: { ...nestedJwt.claims, sub: `id:${nestedJwt.claims.sub}` } }),
    },
  }),
  fault({
    id: 'subjects/public-by-sector',
    breaks: ['SUB-8'],
    title: 'Gives pairwise subs where public is registered',
    subject: (plan) => ({ ...plan, sector: plan.sector ?? new URL(String(plan.record.redirect_uris[0])).hostname }),
  }),
  fault({
    id: 'subjects/one-for-all-people',
    breaks: ['SUB-9'],
    title: 'Derives the sub from the sector alone, so that all people share it',
    collateral: {
      'authorization/id-token-hint-of-another': 'with one sub for all a hint of another person names this one',
    },
    subject: (plan) => ({ ...plan, personId: 'person' }),
  }),
]
