import type { Results } from '../harness/results.js'
import { alike } from './alike.js'
import { isLate } from './causes.js'

/** What lies behind several results at once, a line each: to be fixed before single results are read. */
export function remarksOn({ results, evidence }: Results): string[] {
  const late = new Set(evidence.flatMap((item) => (item.kind === 'exchange' && isLate(item) ? [item.id] : [])))
  const unanswered = results.filter(
    ({ finding, timedOut }) => finding && (timedOut || late.has(finding.evidence ?? '')),
  ).length
  const misjudged = results.filter(({ targetAtFault }) => targetAtFault)
  return [
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
