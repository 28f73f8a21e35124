import type { JWTPayload } from 'jose'
import type { BankFacts, NestedJwt, NestedJwtFacts, SeamResponse } from '../seams.js'
import { type Deviation, type Fault, fault } from './fault.js'

/** The two endpoints of user data. */
export const endpoints = ['userinfo', 'profile'] as const
export type Endpoint = (typeof endpoints)[number]

/** For `response`: changes what one endpoint answers. */
export function answers(
  endpoint: Endpoint,
  change: (response: SeamResponse, facts: { requestHeader(name: string): string | undefined }) => SeamResponse,
): NonNullable<Deviation['response']> {
  return { [`GET /${endpoint}`]: change }
}

/** For `nestedJwt`: changes how one endpoint's reply is made. */
export function replies<Memory = unknown>(
  endpoint: Endpoint,
  change: (nestedJwt: NestedJwt, bank: BankFacts & NestedJwtFacts, memory: Memory) => NestedJwt,
): NonNullable<Deviation<Memory>['nestedJwt']> {
  return { [endpoint]: change }
}

/** Changes the claims of a reply before they are signed. */
export type Change = (claims: JWTPayload, bank: BankFacts) => JWTPayload

/** For `nestedJwt`: changes one endpoint's claims. */
export function claims(endpoint: Endpoint, change: Change): NonNullable<Deviation['nestedJwt']> {
  return replies(endpoint, (nestedJwt, bank) => ({ ...nestedJwt, claims: change(nestedJwt.claims, bank) }))
}

/** A mistake in what an endpoint holds: a part of its fault. */
export interface ClaimRow extends Pick<Fault, 'places' | 'title' | 'collateral'> {
  /** The id without the endpoint. */
  slug: string
  /** Left out where it is what the others of its table break. */
  breaks?: readonly string[]
  change: Change
}

/** A fault for each mistake in what an endpoint holds. @param breaks what they break that do not say it themselves */
export function claimFaults(endpoint: Endpoint, breaks: readonly string[], rows: readonly ClaimRow[]): Fault[] {
  return rows.map(({ slug, change, ...description }) =>
    fault({ breaks, ...description, id: `${endpoint}/${slug}`, nestedJwt: claims(endpoint, change) }),
  )
}
