import { styleText } from 'node:util'
import type { Evidence, Exchange } from '../evidence/evidence.js'
import type { Results } from '../examine.js'
import { type RuleResult, readingInWords, type Status, statuses } from '../harness/result.js'
import { waiverLine } from '../harness/waiver.js'
import { alike } from './alike.js'
import { type Card, cardsOf, explainedOf, openedBeside, shownOf } from './card.js'
import { remarksOn } from './remarks.js'
import { skipsByReason } from './skips.js'

type Style = Parameters<typeof styleText>[0]

const styles: Record<Status, Style> = {
  pass: 'green',
  attested: 'green',
  fail: 'red',
  warn: 'yellow',
  observed: 'cyan',
  waived: 'yellow',
  skip: 'gray',
  blocked: 'red',
  error: 'magenta',
}

/** Results that the report explains by cards, the gravest first; those that are blocked come after them. */
const explained: readonly Status[] = ['fail', 'waived', 'warn', 'observed', 'error']

/** Writes the report for people. */
export interface ConsoleReport {
  /** One line for a result as it comes. */
  line(result: RuleResult): string
  /** Everything after the lines. */
  summary(results: Results): string
}

/** @param styled whether colours are wanted */
export function consoleReport({ styled }: { styled: boolean }): ConsoleReport {
  const paint = (style: Style, text: string) => (styled ? styleText(style, text) : text)
  const word = (status: Status) => paint(styles[status], status.padEnd(8))

  /** @param others rules of which the same is to be said */
  function explanation(result: RuleResult, card: Card, evidence: readonly Evidence[], others: string[]): string[] {
    const { requirement } = card
    const rows: [string, string | undefined][] = [
      ['source', requirement.source],
      ['variation', result.finding?.variation?.name],
      ['looked at', result.finding?.where],
      ['expected', card.expected],
      ['actual', card.actual],
      ['waiver', result.waiver && waiverLine(result.waiver)],
      ['the same of', others.length > 0 ? `${others.length} more: ${others.join(', ')}` : undefined],
      ['done', card.did],
      ['likely cause', card.cause],
      ['again with', card.again],
      ['by hand', card.curl],
    ]
    return [
      '',
      `${word(result.status)} ${paint('bold', result.rule)}`,
      `  ${result.requirement} ${result.level}, "${requirement.section}": ${requirement.text}`,
      ...indented(result.reason ?? '', 2),
      ...rows.flatMap(([name, text]) => (text === undefined ? [] : [`  ${`${name}:`.padEnd(14)} ${text}`])),
      ...evidence.flatMap(evidenceLines),
    ]
  }

  /** Rules that one thing blocks: what it is, then a line for each. */
  function blockedGroup([first, ...others]: [RuleResult, ...RuleResult[]], cause: string | undefined): string[] {
    const { blockedBy, reason } = first
    return [
      '',
      `${word('blocked')} ${1 + others.length} ${blockedBy ? `by ${paint('bold', blockedBy)}` : `because ${reason}`}`,
      ...(cause ? [`  likely cause:  ${cause}`] : []),
      ...[first, ...others].map(
        (one) => `  ${one.rule.padEnd(40)} ${one.requirement.padEnd(9)} ${blockedBy ? one.reason : one.title}`,
      ),
    ]
  }

  return {
    line: ({ status, rule, requirement, title }) =>
      `${word(status)} ${rule.padEnd(40)} ${requirement.padEnd(9)} ${title}`,
    summary(results) {
      const { counts, seed, readings, registrationsLeft, selection, notRun } = results
      const cards = cardsOf(results)
      const evidence = new Map(results.evidence.map((item) => [item.id, item]))
      const blocked = results.results.filter(({ status }) => status === 'blocked')
      const causeOf = ({ rule }: RuleResult) => cards.get(rule)?.cause
      return [
        ...explained.flatMap((status) =>
          explainedOf(results.results, status).flatMap(([first, ...others]) => {
            const card = cards.get(first.rule)
            const more = others.map(({ rule }) => rule)
            const shown = [shownOf(first, evidence) ?? [], openedBeside(first, evidence)].flat()
            return card ? explanation(first, card, shown, more) : []
          }),
        ),
        ...alike(blocked, (one) => `${one.blockedBy ?? one.reason} ${causeOf(one)}`).flatMap((group) =>
          blockedGroup(group, causeOf(group[0])),
        ),
        '',
        ...skipsByReason(results.results).map(
          ({ reason, rules }) => `${word('skip')} ${rules.length} because ${reason}: ${rules.join(', ')}`,
        ),
        ...readings.map((reading) => `reading  ${readingInWords(reading)}`),
        ...results.results.flatMap(({ rule, notes }) => notes.map((note) => `note     ${rule}: ${note}`)),
        ...registrationsLeft.map(
          ({ clientId, reason }) => `left     registration ${clientId} is still there: ${reason}`,
        ),
        ...(notRun.length > 0 ? [`The run was ended early; without a result: ${notRun.join(', ')}`] : []),
        ...(selection.leftOut.length > 0 ? [`The selection left ${selection.leftOut.length} rules out.`] : []),
        ...remarksOn(results),
        [
          results.issuer,
          `edition ${results.edition}`,
          statuses
            .filter((status) => counts[status] > 0)
            .map((status) => `${counts[status]} ${status}`)
            .join(', '),
          `${results.milliseconds} ms`,
          `seed ${seed}`,
        ].join('  '),
      ].join('\n')
    },
  }
}

function indented(text: string, spaces: number): string[] {
  return text.split('\n').map((line) => `${' '.repeat(spaces)}${line}`)
}

function evidenceLines(item: Evidence): string[] {
  if (item.kind === 'exchange') return exchangeLines(item)
  if (item.kind === 'page') return [`  ${item.id}: the page at ${item.url}, shown in report.html`]
  if (item.kind === 'opened') {
    const parts = [item.header, item.payload].flatMap((part) => (part === undefined ? [] : [JSON.stringify(part)]))
    return [`  ${item.id}: ${item.what} opened`, ...parts.map((part) => `    ${part}`)]
  }
  const tried = item.tried.map(({ version, suites, outcome }) => `    ${version} ${suites}: ${outcome}`)
  return [`  ${item.id}: TLS handshakes with ${item.address}`, ...tried]
}

function exchangeLines({ id, request, response, failure }: Exchange): string[] {
  const message = (mark: string, first: string, headers: Exchange['request']['headers'], body?: string) => [
    `    ${mark} ${first}`,
    ...Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `    ${mark} ${name}: ${one}`)),
    ...(body === undefined ? [] : [`    ${mark}`, ...indented(body, 0).map((line) => `    ${mark} ${line}`)]),
  ]
  return [
    `  exchange ${id}:`,
    ...message('>', `${request.method} ${request.url}`, request.headers, request.body),
    ...(response ? message('<', String(response.status), response.headers, response.body) : []),
    ...(failure === undefined ? [] : [`    < ${failure}`]),
  ]
}
