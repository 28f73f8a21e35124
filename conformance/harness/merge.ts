import { openEdition } from '../../schemas/editions/index.js'
import type { Agreed } from '../bank/agreed.js'
import type { KeysAt, SeenKey } from '../bank/keys-seen.js'
import type { Evidence } from '../evidence/evidence.js'
import type { RuleResult } from './result.js'
import { bySeverity, type Part, type Results, summaryOf } from './results.js'
import type { Rule } from './rule.js'
import { select } from './selection.js'

/** Parts that are none of one run; the message has a line for each contradiction. */
export class MergeError extends Error {}

/**
 * One run of what its parts found, each with all of its evidence (`--shard`). Evidence gets numbers of its own, part after part. Where a part
 * is missing its rules are told as not run.
 * @param parts with the name by which a contradiction tells of each, at least one
 * @param rules those that the parts were selected of
 * @throws MergeError when they are no parts of one run
 */
export function merge(parts: readonly { name: string; results: Results }[], rules: readonly Rule[]): Results {
  const problems = contradictionsOf(parts)
  const runs = renumbered(parts.map(({ results }) => results).toSorted(byPart))
  const [first] = runs
  if (!first || problems.length > 0) throw new MergeError(problems.join('\n'))
  const results = oneForEach(runs.flatMap((run) => run.results)).sort((a, b) => (a.rule < b.rule ? -1 : 1))
  const { only, skip } = first.selection
  const wanted = select(rules, { only, skip })
  const notRun = idsBut(
    wanted,
    results.map(({ rule }) => rule),
  ).sort()
  const began = Math.min(...runs.map(({ started }) => Date.parse(started)))
  const ended = Math.max(...runs.map(({ started, milliseconds }) => Date.parse(started) + milliseconds))
  return {
    ...first,
    seed: runs.map(({ seed }) => seed).join(' '),
    started: new Date(began).toISOString(),
    milliseconds: ended - began,
    selection: {
      only,
      skip,
      leftOut: idsBut(
        rules,
        wanted.map(({ id }) => id),
      ),
    },
    parts: runs.map((run) => partOf(run, results)),
    partial: notRun.length > 0,
    notRun,
    ...summaryOf(results, [], openEdition(first.edition)),
    waiversUnused: runs.flatMap(({ waiversUnused }) => waiversUnused),
    agreed: agreedByAll(runs),
    keySet: keysOfAll(runs),
    registrationsLeft: runs.flatMap(({ registrationsLeft }) => registrationsLeft),
    results,
    evidence: runs.flatMap(({ evidence }) => evidence),
  }
}

/** Of a rule that each part has, since it judges all that a run saw, the result that is worst; one that was skipped says nothing where others judged. */
function oneForEach(results: readonly RuleResult[]): RuleResult[] {
  const weight = ({ status }: RuleResult) => (status === 'skip' ? bySeverity.length : bySeverity.indexOf(status))
  const worst = new Map<string, RuleResult>()
  for (const result of results) {
    const known = worst.get(result.rule)
    if (!known || weight(result) < weight(known)) worst.set(result.rule, result)
  }
  return [...worst.values()]
}

/** What all parts of a run have in common. */
const common: Readonly<Record<string, (results: Results) => string>> = {
  'by the harness': ({ harness }) => `${harness.name} ${harness.version}`,
  'by its bank': ({ issuer }) => issuer,
  'by its edition': ({ edition }) => edition,
  'by its selection': ({ selection: { only, skip } }) => JSON.stringify([only, skip]),
  'by the number of parts': ({ selection: { shard = '' } }) => shard.replace(/.*\//, ''),
}

function contradictionsOf(parts: readonly { name: string; results: Results }[]): string[] {
  const whole = parts.filter(({ results }) => results.selection.shard === undefined)
  if (whole.length > 0) return whole.map(({ name }) => `${name} is no part of a run: parts are made with run --shard`)
  const [first] = parts
  return parts.flatMap(({ name, results }, i) => {
    const twin = parts.slice(0, i).find((other) => other.results.selection.shard === results.selection.shard)
    return [
      ...Object.entries(common).flatMap(([what, tellOf]) => {
        const [expected, actual] = [first && tellOf(first.results), tellOf(results)]
        return actual === expected
          ? []
          : [`${name} is another run than ${first?.name} ${what}: ${actual}, not ${expected}`]
      }),
      ...(twin ? [`${name} is part ${results.selection.shard}, and so is ${twin.name}`] : []),
    ]
  })
}

function byPart(a: Results, b: Results): number {
  const [one, other] = [a, b].map(({ selection: { shard = '' } }) => Number.parseInt(shard, 10))
  return (one ?? 0) - (other ?? 0)
}

function idsBut(rules: readonly Rule[], others: readonly string[]): string[] {
  return rules.flatMap(({ id }) => (others.includes(id) ? [] : [id]))
}

/** @param kept the results of all parts together */
function partOf({ seed, started, milliseconds, selection, results }: Results, kept: readonly RuleResult[]): Part {
  const rules = results.filter((result) => kept.includes(result)).map(({ rule }) => rule)
  return { seed, started, milliseconds, shard: selection.shard ?? '', rules }
}

/** The runs with evidence of which no two items have one number. */
function renumbered(runs: readonly Results[]): Results[] {
  let before = 0
  return runs.map((run) => {
    const shift = before
    const moved = (id: string) => `e${Number(id.slice(1)) + shift}`
    before += run.evidence.length
    return {
      ...run,
      results: run.results.map((result) => withEvidence(result, moved)),
      evidence: run.evidence.map((item): Evidence => ({ ...item, id: moved(item.id) })),
    }
  })
}

function withEvidence(result: RuleResult, moved: (id: string) => string): RuleResult {
  const { finding } = result
  return {
    ...result,
    ...(finding && {
      finding: {
        ...finding,
        ...(finding.evidence !== undefined && { evidence: moved(finding.evidence) }),
        ...(finding.variation && { variation: { ...finding.variation, since: moved(finding.variation.since) } }),
      },
    }),
    evidence: result.evidence.map(moved),
  }
}

/** Where parts agreed on several values, each of them. */
function agreedByAll(runs: readonly Results[]): Agreed[] {
  const inWords = (one: Agreed) => JSON.stringify([one.what, one.value, one.preferred])
  const all = new Map(runs.flatMap(({ agreed }) => agreed.map((one) => [inWords(one), one] as const)))
  return [...all.values()]
}

/** Every key that any part saw, at the latest time at which one of them looked. */
function keysOfAll(runs: readonly Results[]): KeysAt {
  const keys = new Map<string, SeenKey>()
  for (const { keySet } of runs)
    for (const key of keySet.keys)
      keys.set(key.kid, { ...key, signed: key.signed || keys.get(key.kid)?.signed === true })
  const at = runs.map(({ keySet }) => keySet.at).reduce((a, b) => (Date.parse(a) > Date.parse(b) ? a : b))
  return { at, keys: [...keys.values()].sort((a, b) => (a.kid < b.kid ? -1 : 1)) }
}
