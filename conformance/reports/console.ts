import { styleText } from 'node:util'
import type { Results } from '../examine.js'
import type { Evidence, Exchange } from '../harness/evidence.js'
import { type RuleResult, type Status, statuses } from '../harness/result.js'
import { requirementOf } from '../requirements/index.js'

type Style = Parameters<typeof styleText>[0]

const styles: Record<Status, Style> = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  observed: 'cyan',
  skip: 'gray',
  blocked: 'red',
  error: 'magenta',
}

/** Results that the report explains one by one. */
const explained: readonly Status[] = ['fail', 'error', 'blocked', 'warn', 'skip']

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

  function explanation(result: RuleResult, { evidence, seed }: Results): string[] {
    const requirement = requirementOf(result.requirement)
    const lines = ['', `${word(result.status)} ${paint('bold', result.rule)}`]
    lines.push(`  ${requirement.id} ${requirement.level}, "${requirement.section}": ${requirement.text}`)
    if (result.reason) lines.push(...indented(result.reason, 2))
    if (result.status === 'skip') return lines
    if (result.blockedBy) {
      lines.push(`  blocked by:  ${result.blockedBy}, the rule about this step`)
      return lines
    }
    const { expected, actual, where } = result.finding ?? {}
    if (where) lines.push(`  looked at:   ${where}`)
    if (expected !== undefined) lines.push(`  expected:    ${expected}`)
    if (actual !== undefined) lines.push(`  actual:      ${actual}`)
    lines.push(`  again with:  --only ${result.rule} --seed ${seed}`)
    const shown = evidence.find(({ id }) => id === result.finding?.evidence)
    if (shown) lines.push(...evidenceLines(shown))
    return lines
  }

  return {
    line: ({ status, rule, requirement, title }) =>
      `${word(status)} ${rule.padEnd(40)} ${requirement.padEnd(9)} ${title}`,
    summary(results) {
      const { counts, seed, readings, registrationsLeft, selection, notRun } = results
      const troubled = explained.flatMap((status) => results.results.filter((result) => result.status === status))
      return [
        ...troubled.flatMap((result) => explanation(result, results)),
        '',
        ...readings.map(({ ambiguity, reading, text }) => `reading  ${ambiguity} (${reading}): ${text}`),
        ...results.results.flatMap(({ rule, notes }) => notes.map((note) => `note     ${rule}: ${note}`)),
        ...registrationsLeft.map(
          ({ clientId, reason }) => `left     registration ${clientId} is still there: ${reason}`,
        ),
        ...(notRun.length > 0 ? [`The run was ended early; without a result: ${notRun.join(', ')}`] : []),
        ...(selection.leftOut.length > 0 ? [`The selection left ${selection.leftOut.length} rules out.`] : []),
        [
          results.issuer,
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
  if (item.kind === 'opened') return [`  ${item.id}: ${item.what} ${JSON.stringify(item.header)}`]
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
