import type { OpenedRequest } from '../seams.js'
import { type Fault, fault } from './fault.js'

export type Members = Record<string, unknown>

/** A deviation that takes a bad request object for a good one. */
export interface Leniency {
  id: string
  breaks: readonly string[]
  places: readonly string[]
  title: string
  collateral?: Readonly<Record<string, string>>
  /** Makes good what is bad. */
  repair(claims: Members, request: OpenedRequest): void
  /** Checks that cannot be satisfied by a repair. */
  without?: readonly string[]
}

/** The objects that a request asks to authorize, by their kinds. */
export function structuredScope({ structured_scope }: Members): Record<string, Members> {
  return (structured_scope ?? {}) as Record<string, Members>
}

/** What a request asks to authorize, by the names of its places. */
export function kindOf(claims: Members): string | undefined {
  const { signObject, documentObject, documentObjects } = structuredScope(claims)
  if (documentObject) return signObject ? 'text-and-document' : 'documentObject'
  if (documentObjects) return signObject ? 'text-and-documents' : 'documentObjects'
  return signObject && 'signObject'
}

export function hasDocuments(claims: Members): boolean {
  const { documentObject, documentObjects } = structuredScope(claims)
  return documentObject !== undefined || documentObjects !== undefined
}

export function isHinted({ id_token_hint }: Members): boolean {
  return id_token_hint !== undefined
}

export function hasBearer({ headers }: OpenedRequest): boolean {
  return headers.authorization !== undefined
}

/** The values of a claim that are separated by spaces. */
export function valuesOf(claim: unknown): string[] {
  return String(claim ?? '')
    .split(' ')
    .filter(Boolean)
}

/** A table of such deviations as faults. */
export function lenient(leniencies: readonly Leniency[]): readonly Fault[] {
  return leniencies.map(({ repair, ...description }) =>
    fault({ ...description, requestObject: (request) => repair(request.claims, request) }),
  )
}
