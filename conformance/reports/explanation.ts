import { styleText } from 'node:util'
import type { Evidence, Exchange } from '../evidence/evidence.js'
import type { Finding } from '../evidence/failure.js'
import type { RuleResult, Status } from '../harness/result.js'
import { waiverLine } from '../harness/waiver.js'
import { type Card, cardOf, type Shown } from './card.js'
import { explains, type Root } from './roots.js'
import { shownWith } from './shown-evidence.js'

export type Style = Parameters<typeof styleText>[0]

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

/** How words are made to stand out. */
export interface WordStyles {
  paint(style: Style, text: string): string
  /** A status, in its colour and as wide as any. */
  status(status: Status): string
}

/** @param styled whether colours are wanted */
export function wordStyles({ styled }: { styled: boolean }): WordStyles {
  const paint = (style: Style, text: string) => (styled ? styleText(style, text) : text)
  return { paint, status: (status) => paint(styles[status], status.padEnd(8)) }
}

/** What a reader needs to act on one result, without colours: what a test runner shows. @param results what is known of the run so far */
export function explanationOf(result: RuleResult, results: Shown): string {
  const evidence = new Map(results.evidence.map((item) => [item.id, item]))
  const root = { first: result, same: [], blocked: [] }
  const shown = shownWith(result, evidence)
  return explanationLines(root, cardOf(result, results, evidence), shown, wordStyles({ styled: false })).join('\n')
}

/** Variations that are named beside the first that failed. */
const mostNamed = 5

/** What was found wrong in further variations, where anything was. */
export function furtherInWords(finding: Finding | undefined): string | undefined {
  if (!finding?.further) return undefined
  const { further } = finding
  const rest = further.length - mostNamed
  return [...further.slice(0, mostNamed), ...(rest > 0 ? [`and in ${rest} more`] : [])].join('; ')
}

/** A root with the card of its first result. @param shown what shows it */
export function explanationLines(
  root: Root,
  card: Card,
  shown: readonly Evidence[],
  { paint, status }: WordStyles,
): string[] {
  const { first: result, same, blocked } = root
  const { requirement } = card
  const rows: [string, string | undefined][] = [
    ['source', requirement.source],
    ['variation', result.finding?.variation?.name],
    ['looked at', result.finding?.where],
    ['expected', card.expected],
    ['actual', card.actual],
    ['wrong too', furtherInWords(result.finding)],
    ['waiver', result.waiver && waiverLine(result.waiver)],
    ['the same of', counted(same)],
    ['blocks', counted(blocked)],
    ['done', card.did],
    ['likely cause', card.cause],
    ['again with', card.again],
    ['by hand', card.curl],
  ]
  return [
    `${status(result.status)} ${paint('bold', result.rule)}${explains(root) > 0 ? `  explains ${explains(root)} more` : ''}`,
    `  ${result.requirement} ${result.level}, "${requirement.section}": ${requirement.text}`,
    ...indented(result.reason ?? '', 2),
    ...rows.flatMap(([name, text]) => (text === undefined ? [] : [`  ${`${name}:`.padEnd(14)} ${text}`])),
    ...shown.flatMap(evidenceLines),
  ]
}

/** Rules that are named of those of which the same is to be said; the other reports have them all. */
const mostRules = 10

function counted(results: readonly RuleResult[]): string | undefined {
  if (results.length === 0) return undefined
  const rest = results.length - mostRules
  const named = results.slice(0, mostRules).map(({ rule }) => rule)
  return `${results.length} more: ${[...named, ...(rest > 0 ? [`and ${rest} others`] : [])].join(', ')}`
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
