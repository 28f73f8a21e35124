import { legible } from '../../schemas/legible.js'
import { type RuleResult, readingInWords } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { waiverLine } from '../harness/waiver.js'
import { type Card, cardsOf } from './card.js'
import { furtherInWords } from './explanation.js'

/**
 * The report as JUnit XML, which CI systems read: a test suite for each topic, a test case for each rule. A rule that was blocked is
 * an error of type "blocked" when it is a MUST, for then the run is no success, and else a skip that says so; a failure that is
 * waived is a skip that tells the waiver. Warnings and what else is told of a rule stand in its system-out. It has the elements and
 * attributes alone that Jenkins's xUnit plugin takes (its junit-10.xsd), of which GitLab reads failure, error, skipped and system-out.
 */
export function junitReport(results: Results): string {
  const cards = cardsOf(results)
  const cases = [
    ...results.results.map((result) => testCase(result, cards.get(result.rule))),
    ...results.notRun.map(notRun),
  ].sort((a, b) => (a.rule < b.rule ? -1 : 1))
  if (results.partial) cases.push(endedEarly)
  const topics = [...new Set(cases.map(({ rule }) => topicOf(rule)))]
  const suites = topics.map((topic) => ({ topic, of: cases.filter(({ rule }) => topicOf(rule) === topic) }))
  const attributes = (name: string, of: readonly TestCase[]) => ({
    name,
    tests: of.length,
    failures: of.filter(({ kind }) => kind === 'failure').length,
    errors: of.filter(({ kind }) => kind === 'error').length,
    time: seconds(of.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
  })
  const skipped = (of: readonly TestCase[]) => of.filter(({ kind }) => kind === 'skipped').length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    open('testsuites', {
      ...attributes(`conformance of ${results.issuer}`, cases),
      time: seconds(results.milliseconds),
    }),
    ...suites.flatMap(({ topic, of }) => [
      `  ${open('testsuite', { ...attributes(topic, of), skipped: skipped(of), timestamp: results.started.replace(/\.\d+Z$/, 'Z') })}`,
      '    <properties>',
      `      ${empty('property', { name: 'issuer', value: results.issuer })}`,
      `      ${empty('property', { name: 'edition', value: results.edition })}`,
      `      ${empty('property', { name: 'seed', value: results.seed })}`,
      '    </properties>',
      ...of.map(({ xml }) => xml),
      '  </testsuite>',
    ]),
    '</testsuites>\n',
  ].join('\n')
}

type Kind = 'passed' | 'failure' | 'error' | 'skipped'

interface TestCase {
  rule: string
  kind: Kind
  milliseconds: number
  xml: string
}

function testCase(result: RuleResult, card: Card | undefined): TestCase {
  const kind = kindOf(result)
  const text = explanation(result, card)
  const type = result.status === 'blocked' ? 'blocked' : result.requirement
  const mark = result.waiver ? waiverLine(result.waiver) : result.status === 'blocked' && 'blocked'
  const message = [mark, result.reason].filter(Boolean).join(': ')
  const outcome = {
    passed: text === '' ? '' : `<system-out>${escaped(text)}</system-out>`,
    failure: `${open('failure', { type, message })}${escaped(text)}</failure>`,
    error: `${open('error', { type, message })}${escaped(text)}</error>`,
    skipped: empty('skipped', { message }),
  }[kind]
  return made(result.rule, kind, result.milliseconds, `${result.requirement} ${result.title}`, outcome)
}

function kindOf({ status, level }: RuleResult): Kind {
  switch (status) {
    case 'fail':
      return 'failure'
    case 'error':
      return 'error'
    case 'blocked':
      return level === 'MUST' ? 'error' : 'skipped'
    case 'skip':
    case 'waived':
      return 'skipped'
    default:
      return 'passed'
  }
}

function notRun(rule: string): TestCase {
  const message = 'not run: the run ended early'
  return made(rule, 'skipped', 0, rule, empty('skipped', { message }))
}

const endedEarly = made(
  'run/whole',
  'error',
  0,
  'The run was complete',
  `${open('error', { type: 'partial', message: 'the run ended early: this report is partial' })}</error>`,
)

function made(rule: string, kind: Kind, milliseconds: number, title: string, outcome: string): TestCase {
  const attributes = { classname: topicOf(rule), name: `${rule} ${title}`, time: seconds(milliseconds) }
  const xml = outcome
    ? `    ${open('testcase', attributes)}${outcome}</testcase>`
    : `    ${empty('testcase', attributes)}`
  return { rule, kind, milliseconds, xml }
}

function explanation({ status, reason, finding, notes, readings }: RuleResult, card: Card | undefined): string {
  const lines: [string, string | undefined][] = [
    ['status', status === 'pass' ? undefined : status],
    ['reason', reason],
    ['requirement', card && `"${card.requirement.section}": ${card.requirement.text}`],
    ['variation', finding?.variation?.name],
    ['looked at', finding?.where],
    ['expected', card?.expected],
    ['actual', card?.actual],
    ['wrong too', furtherInWords(finding)],
    ['done', card?.did],
    ['likely cause', card?.cause],
    ['again with', card?.again],
    ['by hand', card?.curl],
    ...readings.map((reading): [string, string] => ['reading', readingInWords(reading)]),
    ...notes.map((note): [string, string] => ['note', note]),
  ]
  return lines.flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`])).join('\n')
}

function topicOf(rule: string): string {
  return rule.split('/')[0] ?? rule
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}

function open(name: string, attributes: Record<string, string | number>): string {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escaped(String(value))}"`)
  return `<${name}${written.join('')}>`
}

function empty(name: string, attributes: Record<string, string | number>): string {
  return open(name, attributes).replace(/>$/, '/>')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as people can read it, and as XML 1.0 takes it: characters that it cannot hold at all become U+FFFD. */
function escaped(text: string): string {
  return legible(text)
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)
    .replace(/\r/g, '&#13;')
}
