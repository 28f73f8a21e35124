import { pathToFileURL } from 'node:url'
import { legible } from '../../schemas/legible.js'
import type { RuleResult, Status } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { type Card, cardsOf, isExplained } from './card.js'

/** What a result is in SARIF 2.1.0 (3.27.9, 3.27.10); what it does not explain is not reported. */
const told: Partial<Record<Status, { kind: 'fail' | 'open'; level: 'error' | 'warning' | 'note' | 'none' }>> = {
  fail: { kind: 'fail', level: 'error' },
  waived: { kind: 'fail', level: 'error' },
  warn: { kind: 'fail', level: 'warning' },
  observed: { kind: 'fail', level: 'note' },
  blocked: { kind: 'open', level: 'none' },
  error: { kind: 'open', level: 'none' },
}

/**
 * The report as SARIF 2.1.0, which code scanning reads: a result for each rule that the report explains. Its place is the target file,
 * since what is examined has no source here; a waiver is a suppression. Its texts are for people.
 */
export function sarifReport(results: Results): string {
  const cards = cardsOf(results)
  const explained = results.results.filter(isExplained)
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { ...results.harness, rules: explained.map((result) => ruleOf(result, cards.get(result.rule))) },
        },
        invocations: [{ executionSuccessful: !results.partial, startTimeUtc: results.started }],
        properties: { issuer: results.issuer, edition: results.edition, seed: results.seed },
        results: explained.map((result, ruleIndex) => resultOf(result, ruleIndex, cards.get(result.rule), results)),
      },
    ],
  }
  const readable = (_name: string, value: unknown) => (typeof value === 'string' ? legible(value) : value)
  return `${JSON.stringify(log, readable, 2)}\n`
}

function ruleOf({ rule, requirement, title }: RuleResult, card: Card | undefined) {
  return {
    id: rule,
    shortDescription: { text: title },
    ...(card && {
      fullDescription: { text: `${requirement}, "${card.requirement.section}": ${card.requirement.text}` },
    }),
  }
}

function resultOf(result: RuleResult, ruleIndex: number, card: Card | undefined, { issuer, files }: Results) {
  const { rule, status, reason, title, waiver } = result
  const text = [reason ?? title, card?.cause && `Likely cause: ${card.cause}`].filter(Boolean).join('\n')
  return {
    ruleId: rule,
    ruleIndex,
    ...told[status],
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: files ? placeOf(files.target) : issuer } } }],
    partialFingerprints: { 'issuerAndRule/v1': `${issuer} ${rule}` },
    ...(waiver && { suppressions: [{ kind: 'external', justification: waiver.reason }] }),
  }
}

/** A file as SARIF refers to it: a relative path stays one. */
function placeOf(file: string): string {
  return file.startsWith('/') ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/')
}
