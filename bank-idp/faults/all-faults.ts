import type { Fault } from './fault.js'
import { faults } from './index.js'

/** Every fault there is. In a bundle they are put together when they are first asked for (scripts/bundle.ts): that takes a tenth of a start. */
export function allFaults(): readonly Fault[] {
  return faults
}
