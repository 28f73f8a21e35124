import type { Finding } from '../evidence/failure.js'
import type { Results } from '../harness/results.js'
import { alike } from './alike.js'
import { isLate } from './causes.js'

/** The rules about logins of the person of kind full at each level, which begin with the lowest. */
const aboutLevels = ['authorization/acr-declared', 'authorization/acr-reached']

const nameOf = (finding: Finding | undefined) => finding?.variation?.name ?? ''

/** What lies behind several results at once, a line each: to be fixed before single results are read. */
export function remarksOn({ results, evidence }: Results): string[] {
  const late = new Set(evidence.flatMap((item) => (item.kind === 'exchange' && isLate(item) ? [item.id] : [])))
  const unanswered = results.filter(
    ({ finding, timedOut }) => finding && (timedOut || late.has(finding.evidence ?? '')),
  ).length
  const misjudged = results.filter(({ targetAtFault }) => targetAtFault)
  const weak = results.find(({ rule, finding }) => aboutLevels.includes(rule) && /\bloa3$/.test(nameOf(finding)))
  return [
    ...(weak
      ? [
          `The person of kind full does not reach loa3, which the bank declares (${weak.finding?.sentence}): if they have no second factor, give the kind to somebody who has one, and describe its page under login.pages of the target file.`,
        ]
      : []),
    ...alike(misjudged, ({ reason = '' }) => reason)
      .filter(({ length }) => length > 1)
      .map(
        ([{ reason }, ...others]) =>
          `${1 + others.length} rules could not be judged, all for the same reason: ${reason}`,
      ),
    ...(unanswered > 0
      ? [
          `${unanswered} of the results ${unanswered === 1 ? 'is a request that was' : 'are requests that were'} not answered in time. If load is the cause, repeat the run with a lower concurrency or a higher timeout_seconds in the target file.`,
        ]
      : []),
  ]
}
