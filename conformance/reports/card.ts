import { type Edition, openEdition } from '../../schemas/editions/index.js'
import type { Evidence, Exchange } from '../evidence/evidence.js'
import type { RuleResult } from '../harness/result.js'
import type { Results } from '../harness/results.js'
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

/** What a card is made of, beside the result: a whole run, or what is known of it so far. */
export type Shown = Pick<Results, 'files' | 'edition' | 'seed' | 'parts' | 'results' | 'evidence'>

/** The cards of the results that need one, by rule. */
export function cardsOf(results: Shown): ReadonlyMap<string, Card> {
  const evidence = new Map(results.evidence.map((item) => [item.id, item]))
  return new Map(results.results.filter(isExplained).map((result) => [result.rule, cardOf(result, results, evidence)]))
}

/** The card of one result. @param evidence by id */
export function cardOf(result: RuleResult, results: Shown, evidence: ReadonlyMap<string, Evidence>): Card {
  const edition = openEdition(results.edition)
  const { text, section, source, accept } = edition.requirementOf(result.requirement)
  const decisive = evidence.get(result.finding?.evidence ?? '')
  const exchange = decisive?.kind === 'exchange' ? decisive : undefined
  const actual = result.finding && (result.finding.actual ?? (exchange && answerOf(exchange)))
  const cause = likelyCause(result, exchange, results)
  const curl = exchange && curlLine(exchange, results.files?.ca)
  return {
    requirement: { text, section, ...(source && { source }), ...(accept && { accept: withReadings(accept, edition) }) },
    ...(result.finding && { expected: result.finding.expected ?? result.title }),
    ...(actual && { actual }),
    did: stepsTaken(result, evidence),
    ...(cause && { cause }),
    again: commandFor(result.rule, results),
    ...(curl && { curl }),
  }
}

/** What is accepted, each ambiguity that it names with the readings of it. */
function withReadings(accept: string, { readingsOf }: Edition): string {
  return accept.replace(
    /AMB-\d+/g,
    (id) =>
      `${id} (${readingsOf(id)
        .map(({ text }) => text)
        .join('; ')})`,
  )
}

function answerOf({ response, failure }: Exchange): string | undefined {
  if (!response) return failure
  const type = response.headers['content-type']
  return [`status ${response.status}`, type && `content type ${type}`, response.body?.slice(0, 200)]
    .filter(Boolean)
    .join(', ')
}

function commandFor(rule: string, { files, parts, ...whole }: Shown): string {
  const { seed } = parts?.find(({ rules }) => rules.includes(rule)) ?? whole
  const words = ['conformance', 'run', '--target', files?.target ?? 'FILE', '--only', rule, '--seed', seed]
  return words.map(quoted).join(' ')
}
