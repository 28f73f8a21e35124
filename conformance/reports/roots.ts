import type { Evidence } from '../evidence/evidence.js'
import type { Finding } from '../evidence/failure.js'
import type { RuleResult, Status } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { stepRules } from '../harness/step-rules.js'
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
  const failing = explained.filter(({ status }) => status !== 'blocked')
  const own = alike(
    // Of those of one cause, the rule about a step says it best: it does nothing else.
    [...failing.filter(({ rule }) => stepRules.has(rule)), ...failing.filter(({ rule }) => !stepRules.has(rule))],
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
    const asked = `${request.method} ${pathOf(request.url)}`
    if (response && response.status >= 500) return `${asked} ${response.status}`
    const form = finding && formKey(finding, asked)
    if (form !== undefined) return form
  }
  return item && finding ? `${item.id} ${finding.sentence}` : rule
}

/** What an answer looks like, whatever it says. */
const aboutForm = /^(the body|the content type|WWW-Authenticate|Cache-Control|error_description)\b/

/**
 * What is wrong with the form of an answer alone, in its type, its members, a header, or in a status of the same class, as 303 is for 302: one
 * thing that a bank does wherever it answers so. Undefined where more is wrong.
 */
function formKey({ where = '', expected = '', actual = '' }: Finding, asked: string): string | undefined {
  if (aboutForm.test(where) || /carries no JSON/.test(actual)) return [asked, where, expected, actual].join(' ')
  if (/^(only |no member$)/.test(actual)) return `${asked} ${where} without ${expected}`
  // Where nothing is, nothing is right.
  if (actual === '404' && /\b2\d\d\b/.test(expected)) return `${asked} 404`
  const given = /^(?:a redirect \()?([345]\d\d)\b/.exec(actual)?.[1]
  const wanted = expected
    .split(' or ')
    .find((one) => given !== undefined && sameClass(one, given) && otherStatus(one) === otherStatus(actual))
  if (wanted === undefined) return undefined
  return actual.startsWith('3') || actual.startsWith('a redirect')
    ? `redirects by ${given}`
    : `${asked} ${given} for ${wanted}`
}

const statusIn = /\b[345]\d\d\b/
const otherStatus = (answer: string) => answer.replace(statusIn, '')
const sameClass = (answer: string, status: string) => statusIn.exec(answer)?.[0][0] === status[0]

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
