import type { Results } from '../harness/results.js'
import { alike } from './alike.js'

/** How many client_ids a line names. */
const named = 3

/** The registrations that still exist at the bank, a line for each reason. @param all whether each is named */
export function leftLines(left: Results['registrationsLeft'], { all }: { all: boolean }): string[] {
  const why = ({ clientId, reason }: Results['registrationsLeft'][number]) => reason.replaceAll(clientId, '{client_id}')
  return alike(left, why).map((group) => {
    const [first] = group
    if (group.length === 1) return `registration ${first.clientId} still exists: ${first.reason}`
    const ids = group.map(({ clientId }) => clientId)
    const told = all ? ids : ids.slice(0, named)
    const more = told.length < ids.length ? ` and ${ids.length - told.length} more (report.json names them)` : ''
    return `${ids.length} registrations still exist: ${why(first)}: ${told.join(', ')}${more}`
  })
}
