import { readReport } from '../certification/read-report.js'
import type { Evidence } from '../evidence/evidence.js'
import type { RuleResult } from '../harness/result.js'
import type { Report, Results } from '../harness/results.js'
import { UsageError } from '../output.js'
import type { Brief } from './json.js'

/** Reads a report.json that has all of its evidence. @throws UsageError when it cannot be read, is none, or has less */
export async function readWholeReport(file: string): Promise<Results> {
  const report = await readReport(file)
  const { schema, bodies, evidence: told, ...results } = report as Report & WholeReport
  const evidence = evidenceIn({ bodies, evidence: told })
  if (!evidence)
    throw new UsageError(`${file} has not all of its evidence: run writes it with --all-evidence, and with --shard`)
  return { agreed: [], ...results, evidence, results: results.results.map(({ card, ...result }: Told) => result) }
}

/** What a report has that {@link Report} does not tell. */
type WholeReport = Parameters<typeof evidenceIn>[0] & { schema: string; results: Told[] }

/** A result as a report tells it, with what explains it to people. */
type Told = RuleResult & { card?: object }

/**
 * The evidence of a report that has all of it, as it was recorded.
 * @param report the members of a report that was made as `whole`
 * @returns undefined where some of it is told briefly
 */
function evidenceIn(report: {
  evidence: (Evidence | Brief)[]
  bodies: Record<string, string>
}): Evidence[] | undefined {
  const items = report.evidence.filter((item): item is Evidence => item.kind !== 'brief')
  if (items.length < report.evidence.length) return undefined
  const bodies = new Map(Object.entries(report.bodies))
  return items.map((item) => withBodies(item, (hash) => bodies.get(hash) ?? hash))
}

function withBodies(item: Evidence, bodyOf: (hash: string) => string): Evidence {
  const whole = <Message extends { body?: string }>(message: Message): Message =>
    message.body === undefined ? message : { ...message, body: bodyOf(message.body) }
  if (item.kind === 'exchange')
    return { ...item, request: whole(item.request), ...(item.response && { response: whole(item.response) }) }
  return item.kind === 'page' ? { ...item, source: bodyOf(item.source) } : item
}
