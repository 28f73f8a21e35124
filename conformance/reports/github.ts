import { legible } from '../../schemas/legible.js'
import type { RuleResult, Status } from '../harness/result.js'
import { statuses } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { explains, type Root, rootsOf } from './roots.js'
import { verdictOf } from './verdict.js'

/** How GitHub shows a result; others are not annotated. */
const levels: Partial<Record<Status, 'error' | 'warning'>> = {
  fail: 'error',
  error: 'error',
  blocked: 'error',
  warn: 'warning',
}

/** Workflow commands, a line each, that annotate a run of GitHub Actions: one for each cause, the gravest first. */
export function githubAnnotations(results: Results): string[] {
  return rootsOf(results).flatMap((root) => {
    const { first } = root
    const level = levels[first.status]
    if (!level || (first.status === 'blocked' && first.level !== 'MUST')) return []
    return [`::${level} title=${property(`${first.requirement} ${first.rule}`)}::${data(told(root))}`]
  })
}

/** The summary of a job of GitHub Actions, in its Markdown. */
export function githubSummary(results: Results): string {
  const { issuer, edition, counts } = results
  const counted = statuses.filter((status) => counts[status] > 0)
  const rows = rootsOf(results).map((root) => {
    const { status, rule, requirement } = root.first
    return `| ${status} | ${requirement} | ${cell(rule)} | ${cell(told(root))} |`
  })
  return [
    `## Conformance of ${cell(issuer)}`,
    '',
    `**${cell(verdictOf(results))}**`,
    '',
    `Edition ${cell(edition)}: ${counted.map((status) => `${counts[status]} ${status}`).join(', ')}.`,
    '',
    ...(rows.length > 0 ? ['| | requirement | rule | what was seen |', '|---|---|---|---|', ...rows, ''] : []),
  ].join('\n')
}

function told(root: Root): string {
  const more = explains(root)
  return `${reasonOf(root.first)}${more > 0 ? ` (explains ${more} more)` : ''}`
}

function reasonOf({ reason, title }: RuleResult): string {
  return reason ?? title
}

/** The text of a workflow command, as people can read it. */
function data(text: string): string {
  return legible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** Text as people can read it, of which no bank makes Markdown or HTML. */
function cell(text: string): string {
  return legible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replace(/\s+/g, ' ')
}
