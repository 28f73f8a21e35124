import { ActiveFaults } from '../faults/active.js'

/** The seams of a part that is tested without a bank around it: no fault is on. */
export function withoutFaults(): ActiveFaults {
  return new ActiveFaults({ people: { byId: () => undefined, identities: () => [] }, scopes: [], documentScopes: [] })
}
