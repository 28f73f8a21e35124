import type { Evidence, Exchange, Opened } from '../evidence/evidence.js'
import type { RuleResult } from '../harness/result.js'

/** What shows a result: the request with its flaw, the answer that is judged, and the JWTs that belong to them. @param evidence by id */
export function shownWith(result: RuleResult, evidence: ReadonlyMap<string, Evidence>): Evidence[] {
  const decisive = decisiveEvidence(result, evidence)
  const changed = changedExchange(result, evidence)
  const first = changed && changed !== decisive ? [changed] : []
  return [...first, decisive ?? [], openedBeside(result, evidence)].flat()
}

/** The last request before the judged answer of which a step was replaced, in the same variation. */
export function changedExchange(
  { finding, evidence: ids }: RuleResult,
  evidence: ReadonlyMap<string, Evidence>,
): Exchange | undefined {
  if (finding?.evidence === undefined) return undefined
  const [from, to] = [numberOf(finding.variation?.since ?? 'e0'), numberOf(finding.evidence)]
  const before = ids.flatMap((id) => (numberOf(id) >= from && numberOf(id) <= to ? (evidence.get(id) ?? []) : []))
  return before.filter((item) => item.kind === 'exchange').findLast(({ changed }) => changed !== undefined)
}

/** What shows a result: what its finding names, else the last page on which a browser got no further. */
export function decisiveEvidence(
  { finding, evidence: ids }: RuleResult,
  evidence: ReadonlyMap<string, Evidence>,
): Evidence | undefined {
  if (finding?.evidence) return evidence.get(finding.evidence)
  return ids.map((id) => evidence.get(id)).findLast((item) => item?.kind === 'page')
}

/**
 * The JWTs that belong to the exchange that shows a result: those that the harness made since its variation began, or the request before
 * was sent; and those of its answer.
 */
export function openedBeside(
  { finding, evidence: ids }: RuleResult,
  evidence: ReadonlyMap<string, Evidence>,
): Opened[] {
  const items = ids.flatMap((id) => evidence.get(id) ?? [])
  const judged = items.findIndex(({ id }) => id === finding?.evidence)
  if (judged < 0) return []
  const { variation } = finding ?? {}
  const before = items.slice(0, judged)
  const begins = variation
    ? before.findIndex(({ id }) => numberOf(id) >= numberOf(variation.since))
    : before.findLastIndex(isSent) + 1
  const after = items.slice(judged + 1)
  const ends = after.findIndex(isSent)
  const made = begins < 0 ? [] : before.slice(begins).filter(isOpened).filter(isOurs)
  const given = after.slice(0, ends < 0 ? undefined : ends).filter(isOpened)
  return [...made, ...given.filter((jwt) => !isOurs(jwt))]
}

function isOpened(item: Evidence): item is Opened {
  return item.kind === 'opened'
}

/** Whether the harness made a JWT. */
function isOurs({ what }: Opened): boolean {
  return what === 'client_assertion' || what === 'request object'
}

function isSent(item: Evidence): boolean {
  return item.kind === 'exchange' && item.direction === 'sent'
}

function numberOf(id: string): number {
  return Number(id.slice(1))
}
