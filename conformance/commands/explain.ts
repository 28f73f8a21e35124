import { Command } from 'commander'
import {
  type Ambiguity,
  type Edition,
  openEdition,
  type Reading,
  type Requirement,
} from '../../schemas/editions/index.js'
import { type PlannedRule, plannedRules } from '../harness/planned-rule.js'
import { type ProvenFault, provenFaults } from '../harness/proven-faults.js'
import { didYouMean } from '../nearest.js'
import { type Output, UsageError } from '../output.js'
import { rules } from '../rules/index.js'
import { editionOption } from './edition-option.js'

/** conformance explain */
export function explainCommand(output: Output): Command {
  return new Command('explain')
    .description('explain a rule, a requirement, an ambiguity of the specification, or a fault of the bundled bank')
    .argument('<id>', 'such as token/scope-listed, TOK-2, AMB-15')
    .addOption(editionOption())
    .action((id: string, { edition }: { edition: string }) => output.out(explanationOf(id, openEdition(edition))))
}

/** @throws UsageError when nothing has this id, with what comes near */
function explanationOf(id: string, edition: Edition): string {
  const { requirements, ambiguities } = edition
  const planned = plannedRules(edition, rules)
  const rule = planned.find((one) => one.id === id)
  const fault = provenFaults().find((one) => one.id === id)
  const requirement = requirements.find((one) => one.id === id)
  const ambiguity = ambiguities.find((one) => one.id === id)
  const texts = [
    rule && aboutRule(rule, edition),
    fault && aboutFault(fault),
    requirement && aboutRequirement(requirement, edition),
    ambiguity && aboutAmbiguity(ambiguity, edition),
  ].filter((text) => text !== undefined)
  if (texts.length > 0) return texts.join('\n\n')
  const known = [rules, requirements, ambiguities, provenFaults()].flatMap((things) => things.map((thing) => thing.id))
  throw new UsageError(
    `nothing is called ${id}${didYouMean(id, known) || ': conformance list shows the rules and their requirements'}`,
  )
}

type Row = readonly [string, string | undefined]

function written(heading: string, rows: readonly Row[]): string {
  const lines = rows.flatMap(([name, text]) => (text ? [`  ${`${name}:`.padEnd(14)} ${text}`] : []))
  return [heading, ...lines].join('\n')
}

function aboutRule(rule: PlannedRule, edition: Edition): string {
  const { requirement } = rule
  return written(`rule ${rule.id}: ${rule.title}`, [
    ...attestation(requirement),
    ...readingRows(requirement, edition),
    ['needs', rule.needs.join(', ')],
    ['alone with', rule.alone.join(', ')],
    ...provenFaults()
      .filter(({ red }) => red[rule.id] !== undefined)
      .map(({ id, title }): Row => ['proven by', `fault ${id}: ${title}`]),
    ['run it with', `conformance run --target FILE --only ${rule.id}`],
  ])
}

function aboutRequirement(requirement: Requirement, edition: Edition): string {
  const own = rules.filter((rule) => rule.requirement === requirement.id)
  return written(`requirement ${requirement.id}`, [
    ...attestation(requirement),
    ['shown by', shownBy[requirement.by]],
    ['consists of', requirement.of?.join(', ')],
    ...readingRows(requirement, edition),
    ...own.map(({ id, title }): Row => ['rule', `${id}: ${title}`]),
    ...provenFaults()
      .filter(({ red }) => own.some((rule) => red[rule.id] !== undefined))
      .map(({ id, title }): Row => ['proven by', `${id}: ${title}`]),
  ])
}

function attestation({ id, level, section, text, accept, source }: Requirement): Row[] {
  return [
    ['requirement', `${id} ${level}, "${section}": ${text}`],
    ['source', source],
    ['accepted', accept],
  ]
}

const shownBy: Record<Requirement['by'], string> = {
  harness: 'the harness, from outside, on any bank',
  mock: 'a test of the bundled bank: it cannot be seen from outside',
  service: "a test of the service's side",
  manual: 'an attestation of the bank, in the file that the target file names as attestations',
  sum: 'the requirements that it consists of',
}

/** The ambiguities that bear on a requirement, each with its readings. */
function readingRows(requirement: Requirement, { ambiguities, bearsOn }: Edition): Row[] {
  return ambiguities
    .filter(({ id }) => bearsOn(id, requirement))
    .map(({ id, text, readings }) => ['readings', `${id}: ${text} (${readings.map(inWords).join('; ')})`])
}

function inWords({ id, text, level }: Reading): string {
  return `${id}: ${text}${level === 'warn' ? ' (warn)' : ''}`
}

function aboutAmbiguity(ambiguity: Ambiguity, { requirements, bearsOn }: Edition): string {
  return written(`ambiguity ${ambiguity.id}: ${ambiguity.text}`, [
    ...ambiguity.readings.map((reading): Row => ['reading', inWords(reading)]),
    ...requirements
      .filter((one) => bearsOn(ambiguity.id, one))
      .map(({ id, text }): Row => ['bears on', `${id}: ${text}`]),
  ])
}

function aboutFault({ id, title, red }: ProvenFault): string {
  return written(`fault ${id} of the bundled bank: ${title}`, [
    ...rules
      .filter((rule) => red[rule.id] !== undefined)
      .map(({ id: rule, title, requirement }): Row => ['rule', `${rule} (${red[rule]}): ${title} (${requirement})`]),
    ['switch it on', `bank-idp faults on ${id}`],
  ])
}
