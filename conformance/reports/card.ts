import { openEdition } from '../../schemas/editions/index.js'
import type { Evidence, Exchange, Opened } from '../evidence/evidence.js'
import type { RuleResult, Status } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { alike } from './alike.js'
import { likelyCause } from './causes.js'
import { curlLine, quoted } from './curl.js'
import { stepsTaken } from './steps-taken.js'

/**
 * What a reader needs to act on a result, beside what the result says itself (what was expected, what came): the same in every
 * form of the report.
 */
export interface Card {
  /** What the requirement says, and where. */
  requirement: { text: string; section: string; source?: string; accept?: string }
  /** What the rule expected: what the finding names, else what the rule holds the bank to. Absent where nothing was found. */
  expected?: string
  /** What came: what the finding names, else what the judged answer was. */
  actual?: string
  /** What was done, in one sentence. */
  did: string
  /** The likely cause, where one is known. */
  cause?: string
  /** The command that runs this rule alone, under the same names. */
  again: string
  /** The curl line that sends the judged request again, when it carries no secret. */
  curl?: string
}

/** Whether the report explains a result: everything but what holds and what was not asked. */
export function isExplained({ status, finding }: RuleResult): boolean {
  if (status === 'observed') return finding !== undefined
  return status !== 'pass' && status !== 'attested' && status !== 'skip'
}

/** The results of a status that the report explains; errors of one reason together, for they are told by that reason alone. */
export function explainedOf(results: readonly RuleResult[], status: Status): [RuleResult, ...RuleResult[]][] {
  const explained = results.filter((result) => result.status === status && isExplained(result))
  return alike(explained, ({ rule, reason = '' }) => (status === 'error' ? reason : rule))
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

/** What a card is made of, beside the result: a whole run, or what is known of it so far. */
export type Shown = Pick<Results, 'files' | 'edition' | 'seed' | 'results' | 'evidence'>

/** The cards of the results that need one, by rule. */
export function cardsOf(results: Shown): ReadonlyMap<string, Card> {
  const evidence = new Map(results.evidence.map((item) => [item.id, item]))
  return new Map(results.results.filter(isExplained).map((result) => [result.rule, cardOf(result, results, evidence)]))
}

/** The card of one result. @param evidence by id */
export function cardOf(result: RuleResult, results: Shown, evidence: ReadonlyMap<string, Evidence>): Card {
  const { text, section, source, accept } = openEdition(results.edition).requirementOf(result.requirement)
  const decisive = evidence.get(result.finding?.evidence ?? '')
  const exchange = decisive?.kind === 'exchange' ? decisive : undefined
  const actual = result.finding && (result.finding.actual ?? (exchange && answerOf(exchange)))
  const cause = likelyCause(result, exchange, results)
  const curl = exchange && curlLine(exchange, results.files?.ca)
  return {
    requirement: { text, section, ...(source && { source }), ...(accept && { accept }) },
    ...(result.finding && { expected: result.finding.expected ?? result.title }),
    ...(actual && { actual }),
    did: stepsTaken(result, evidence),
    ...(cause && { cause }),
    again: commandFor(result.rule, results),
    ...(curl && { curl }),
  }
}

function answerOf({ response, failure }: Exchange): string | undefined {
  if (!response) return failure
  const type = response.headers['content-type']
  return [`status ${response.status}`, type && `content type ${type}`, response.body?.slice(0, 200)]
    .filter(Boolean)
    .join(', ')
}

function commandFor(rule: string, { files, seed }: Shown): string {
  const words = ['conformance', 'run', '--target', files?.target ?? 'FILE', '--only', rule, '--seed', seed]
  return words.map(quoted).join(' ')
}
