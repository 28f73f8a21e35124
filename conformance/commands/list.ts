import { Command, Option } from 'commander'
import { openEdition } from '../../schemas/editions/index.js'
import { type PlannedRule, plannedRules } from '../harness/planned-rule.js'
import type { Rule } from '../harness/rule.js'
import { SelectionError, select } from '../harness/selection.js'
import type { Output } from '../output.js'
import { rules } from '../rules/index.js'
import type { Need } from '../target/needs.js'
import { editionOption } from './edition-option.js'

interface ListOptions {
  topic?: string[]
  level?: string[]
  needs?: string[]
  edition: string
  json?: true
}

/** conformance list */
export function listCommand(output: Output): Command {
  return new Command('list')
    .description('list the rules: id, requirement, level, title')
    .argument('[pattern...]', 'only these rules; patterns as in run --only')
    .option('--topic <topic...>', 'only rules of these topics; the topic is the first part of an id')
    .addOption(new Option('--level <level...>', 'only rules of these levels').choices(['MUST', 'SHOULD', 'MAY']))
    .option('--needs <need...>', 'only rules that need one of these, such as person (docs/harness.md describes each)')
    .addOption(editionOption())
    .option('--json', 'as a JSON array')
    .action((patterns: string[], options: ListOptions) => {
      const { topic, needs, edition } = options
      refuseUnknown('topic', topic, rules.map(topicOf))
      refuseUnknown(
        'need',
        needs,
        rules.flatMap((rule) => rule.needs.flatMap((need) => [need.replace(/:.*/, ''), need])),
      )
      const selected = plannedRules(openEdition(edition), select(rules, { only: patterns, skip: [] }))
      const listed = selected.filter((rule) => fits(rule, options))
      if (listed.length === 0) throw new SelectionError('no rule matches these options')
      output.out(options.json ? JSON.stringify(listed.map(asJson), null, 2) : table(listed))
    })
}

function topicOf({ id }: Pick<Rule, 'id'>): string {
  return id.split('/')[0] ?? ''
}

/** @throws SelectionError naming what can be asked for; of what has a colon, that which begins alike */
function refuseUnknown(what: string, asked: readonly string[] = [], known: readonly string[]): void {
  const unknown = asked.find((one) => !known.includes(one))
  if (unknown === undefined) return
  const begin = unknown.replace(/:.*/, ':')
  const matching = [...new Set(known)].filter((one) => !one.includes(':') || one.startsWith(begin)).sort()
  throw new SelectionError(`there is no ${what} ${unknown}; known are ${matching.join(', ')}`)
}

function fits(rule: PlannedRule, { topic, level, needs }: ListOptions): boolean {
  const topicFits = topic?.includes(topicOf(rule)) ?? true
  const levelFits = level?.includes(rule.requirement.level) ?? true
  return topicFits && levelFits && (needs?.some((need) => rule.needs.some((one) => isOf(one, need))) ?? true)
}

/** `person` is asked for by a rule that needs a person of any kind. */
function isOf(need: Need, asked: string): boolean {
  return need === asked || need.startsWith(`${asked}:`)
}

function asJson({ id, requirement, title, needs, alone }: PlannedRule) {
  const { id: requirementId, level, section } = requirement
  return { rule: id, requirement: requirementId, level, section, title, needs, alone }
}

function table(listed: readonly PlannedRule[]): string {
  const rows = listed.map(({ id, requirement, title }) => [id, requirement.id, requirement.level, title])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}
