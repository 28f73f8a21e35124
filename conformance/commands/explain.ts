import { Command } from 'commander'
import type { Rule } from '../harness/rule.js'
import { didYouMean } from '../nearest.js'
import { type Output, UsageError } from '../output.js'
import {
  type Ambiguity,
  ambiguities,
  bearsOn,
  type Requirement,
  readingsOf,
  requirements,
} from '../requirements/index.js'
import { type ProvenFault, provenFaults } from '../requirements/proof.js'
import { rules } from '../rules/index.js'

/** conformance explain */
export function explainCommand(output: Output): Command {
  return new Command('explain')
    .description('explain a rule, a requirement, an ambiguity of the specification, or a fault of the bundled bank')
    .argument('<id>', 'such as token/scope-listed, TOK-2, AMB-15')
    .action((id: string) => output.out(explanationOf(id)))
}

/** @throws UsageError when nothing has this id, with what comes near */
function explanationOf(id: string): string {
  const rule = rules.find((one) => one.id === id)
  const fault = provenFaults().find((one) => one.id === id)
  const requirement = requirements.find((one) => one.id === id)
  const ambiguity = ambiguities.find((one) => one.id === id)
  const texts = [
    rule && aboutRule(rule),
    fault && aboutFault(fault),
    requirement && aboutRequirement(requirement),
    ambiguity && aboutAmbiguity(ambiguity),
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

function aboutRule(rule: Rule): string {
  const { requirement } = rule
  return written(`rule ${rule.id}: ${rule.title}`, [
    ...attestation(requirement),
    ...ambiguities.filter(({ id }) => bearsOn(id, requirement)).map(reading),
    ['needs', rule.needs.join(', ')],
    ['alone with', rule.alone.join(', ')],
    ...provenFaults()
      .filter(({ red }) => red[rule.id] !== undefined)
      .map(({ id, title }): Row => ['proven by', `fault ${id}: ${title}`]),
    ['run it with', `conformance run --target FILE --only ${rule.id}`],
  ])
}

function aboutRequirement(requirement: Requirement): string {
  const own = rules.filter((rule) => rule.requirement.id === requirement.id)
  return written(`requirement ${requirement.id}`, [
    ...attestation(requirement),
    ['shown by', shownBy[requirement.by]],
    ['consists of', requirement.of?.join(', ')],
    ...ambiguities.filter(({ id }) => bearsOn(id, requirement)).map(reading),
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

function reading(ambiguity: Ambiguity): Row {
  return ['readings', `${ambiguity.id}: ${ambiguity.text} (${numbered(ambiguity).join('; ')})`]
}

function numbered({ id }: Ambiguity): string[] {
  return readingsOf(id).map(({ number, text }) => `${number}: ${text}`)
}

function aboutAmbiguity(ambiguity: Ambiguity): string {
  return written(`ambiguity ${ambiguity.id}: ${ambiguity.text}`, [
    ...numbered(ambiguity).map((text): Row => ['reading', text]),
    ...requirements
      .filter((one) => bearsOn(ambiguity.id, one))
      .map(({ id, text }): Row => ['bears on', `${id}: ${text}`]),
  ])
}

function aboutFault({ id, title, red }: ProvenFault): string {
  return written(`fault ${id} of the bundled bank: ${title}`, [
    ...rules
      .filter((rule) => red[rule.id] !== undefined)
      .map(({ id: rule, title, requirement }): Row => ['rule', `${rule} (${red[rule]}): ${title} (${requirement.id})`]),
    ['switch it on', `bank-idp faults on ${id}`],
  ])
}
