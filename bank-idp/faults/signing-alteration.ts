import type { NestedJwt, NestedJwtFacts } from '../seams.js'
import { type Fault, fault } from './fault.js'

export type Members = Record<string, unknown>

/** What was authorized, as it comes back. */
export interface Scope {
  signObject?: { fields: { key: string; value: string; priority: number }[]; signObject_hash: string }
  documentObject?: Members
  documentObjects?: { documents: (Members & { document_priority: number })[]; envelope_name: string }
}

/** A deviation in the id_token of an authorized object. */
export interface Alteration {
  id: string
  breaks: readonly string[]
  places: readonly string[]
  title: string
  collateral?: Readonly<Record<string, string>>
  change(nestedJwt: NestedJwt, scope: Scope, facts: NestedJwtFacts): NestedJwt
}

/** A table of such deviations as faults; id_tokens of other flows are left alone. */
export function altered(alterations: readonly Alteration[]): readonly Fault[] {
  return alterations.map(({ change, ...description }) =>
    fault({
      ...description,
      nestedJwt: {
        id_token: (nestedJwt, facts) => {
          const scope = nestedJwt.claims.structured_scope as Scope | undefined
          return scope ? change(nestedJwt, scope, facts) : nestedJwt
        },
      },
    }),
  )
}
