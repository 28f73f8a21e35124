import type { Evidence } from '../evidence/evidence.js'
import type { RuleResult, Status } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { alike } from './alike.js'
import { isExplained } from './card.js'
import { pathOf } from './steps-taken.js'

/** Results that have one cause, which one card tells. */
export interface Root {
  /** Whose card it is. */
  first: RuleResult
  /** Others of which the same is to be said. */
  same: readonly RuleResult[]
  /** What was not reached because of it. */
  blocked: readonly RuleResult[]
}

/** The gravest first. */
const order: readonly Status[] = ['fail', 'error', 'blocked', 'waived', 'warn', 'observed']

/** How many results a root explains beside the one whose card it is. */
export function explains({ same, blocked }: Root): number {
  return same.length + blocked.length
}

/** Everything that the report explains, by its cause: the gravest first, of these what explains most. */
export function rootsOf({ results, evidence }: Pick<Results, 'results' | 'evidence'>): Root[] {
  const items = new Map(evidence.map((item) => [item.id, item]))
  const explained = results.filter(isExplained)
  const own = alike(
    explained.filter(({ status }) => status !== 'blocked'),
    (result) => `${result.status} ${causeKey(result, items)}`,
  ).map(([first, ...same]) => ({ first, same, blocked: [] as RuleResult[] }))
  const rootOf = new Map(own.flatMap((root) => [root.first, ...root.same].map(({ rule }) => [rule, root])))
  const rootOfCause = new Map(own.map((root) => [causeKey(root.first, items), root]))
  const rest = explained.filter((result) => {
    if (result.status !== 'blocked') return false
    const root = rootOf.get(lastBlocking(result, results)) ?? rootOfCause.get(causeKey(result, items))
    root?.blocked.push(result)
    return root === undefined
  })
  const unexplained = alike(rest, (result) => `${result.blockedBy} ${causeKey(result, items)} ${result.reason}`)
  return [...own, ...unexplained.map(([first, ...same]) => ({ first, same, blocked: [] }))].sort(
    (a, b) => order.indexOf(a.first.status) - order.indexOf(b.first.status) || explains(b) - explains(a),
  )
}

/** Tells results of one cause: what the bank does at one address, or to one request, is one thing whoever notices it. */
function causeKey({ status, rule, reason = '', finding }: RuleResult, evidence: ReadonlyMap<string, Evidence>): string {
  if (status === 'error') return reason
  const item = evidence.get(finding?.evidence ?? '')
  if (item?.kind === 'exchange') {
    if (item.failure !== undefined) return item.failure
    const { request, response } = item
    if (response && response.status >= 500) return `${request.method} ${pathOf(request.url)} ${response.status}`
  }
  return item && finding ? `${item.id} ${finding.sentence}` : rule
}

/** The rule at the end of the chain: what blocks may be blocked itself. */
function lastBlocking(result: RuleResult, results: readonly RuleResult[]): string {
  const passed = new Set<string>()
  let current: RuleResult | undefined = result
  let name = result.rule
  while (current?.status === 'blocked' && current.blockedBy !== undefined && !passed.has(name)) {
    passed.add(name)
    name = current.blockedBy
    current = results.find(({ rule }) => rule === name)
  }
  return name
}
