import { Command } from 'commander'
import { faults } from '../bank-idp/faults/index.js'
import { plannedRules } from '../conformance/harness/planned-rule.js'
import { rules } from '../conformance/rules/index.js'
import { openEdition } from '../schemas/editions/index.js'
import { allowed } from './proof/allowed.js'
import type { Case } from './proof/case.js'
import { casesOf } from './proof/cases.js'
import { changedFiles, faultsOf } from './proof/changed.js'
import { neverJudged } from './proof/expectations.js'
import { groupsOf } from './proof/groups.js'
import { jobPool } from './proof/job-pool.js'
import { judgeRightBank, judgeRules } from './proof/judge.js'
import { readKnown } from './proof/known-expectations.js'
import { compareMatrix, type Matrix, type Row, readMatrix, rowOf, writeMatrix } from './proof/matrix.js'
import { optionsOf } from './proof/options-of.js'
import type { Outcome } from './proof/outcome.js'
import { type Ask, suspicions } from './proof/suspicion.js'
import { inKnownVariations, variationsOf } from './proof/variations-of.js'

interface Flags {
  only?: string[]
  changed?: boolean
  collateral?: boolean
  update?: boolean
}

const flags = new Command('prove')
  .description(
    'Shows that the harness can be believed: faults turn its rules red, other readings and the right bank do not.',
  )
  .option('--only <case...>', 'these faults and variants alone, against every rule that could notice them')
  .option('--changed', 'the faults that the uncommitted change bears on')
  .option(
    '--collateral',
    'faults against every rule that could notice them, and not those alone that are known to; those of --only in groups',
  )
  .option('--update', 'write the rows of the matrix that were run, instead of comparing them')
  .parse()
  .opts<Flags>()

const checkedIn = readMatrix()
const { faults: faultCases, variants: variantCases } = casesOf(checkedIn)
const known = [...faultCases, ...variantCases]

for (const name of flags.only ?? []) {
  if (known.some((one) => one.name === name)) continue
  console.error(`no fault and no variant is called '${name}'; scripts/proof/matrix.json lists them`)
  process.exit(2)
}

const started = performance.now()
const { run, end } = jobPool()

const named = flags.only ?? (flags.changed ? faultsOf(changedFiles(), faults, rules).map(({ id }) => id) : undefined)
const whole = named === undefined
/** Faults that are judged by the rules known to notice them; of the others those that might are found out. */
const judgedByKnown = whole && !flags.collateral ? faultCases : []
const chosen = known.filter(({ name }) => named?.includes(name))
/** Banks that take many readings at once, each with the cases of those that no earlier one takes: what it shows of these is seen once. */
const together = whole
  ? variantCases.flatMap((bank, i) => {
      const { members } = bank
      const earlier = variantCases.slice(0, i).flatMap((one) => one.members)
      const of = (name: string) => members.includes(name) && !earlier.includes(name)
      return members.length > 0 ? [{ bank, cases: variantCases.filter(({ name }) => of(name)) }] : []
    })
  : []
const taken = new Set(together.flatMap(({ bank }) => [bank.name, ...bank.members]))
const groups = named
  ? flags.collateral
    ? groupsOf(chosen)
    : chosen.map((one) => [one])
  : [
      ...(flags.collateral ? groupsOf(faultCases) : []),
      ...groupsOf(variantCases.filter(({ name }) => !taken.has(name))),
    ]

/** What a bank attests is read in the target file: no bank breaks that, and it is shown by tests. */
const examined = plannedRules(openEdition(), rules)
  .filter(({ requirement }) => requirement.by !== 'manual')
  .map(({ id }) => id)

/** All others are judged by it; what can be asked of them meanwhile is. */
const examinedRight = run({ options: {}, noted: true })
const matrix: Matrix = {}
let problems = 0

/** Tells problems as they are found. */
function report(found: readonly string[]): void {
  problems += found.length
  for (const problem of found) console.log(problem)
}

/** The rules that the matrix names for a case; those of its requirements where it has no row yet. */
function redKnown({ name, own }: Case): readonly string[] {
  const row = checkedIn[name]
  return row ? Object.keys(row.red) : own
}

/** @param seen what came of all rules at a bank that has the whole group, where that is known */
async function proveGroup(group: readonly Case[], seen?: readonly Outcome[]): Promise<void> {
  const ask: Ask = (cases, requested) =>
    run({ options: optionsOf(cases), shapes: cases.flatMap(({ shapes }) => shapes), rules: [...requested] })
  const suspected = await suspicions(group, await examinedRight, ask, seen)
  await Promise.all(group.map((one) => proveCase(one, [...one.own, ...(suspected.get(one) ?? [])])))
}

async function proveCase(one: Case, rulesToRun: readonly string[], known?: Row): Promise<void> {
  const { name, options, shapes } = one
  const ask = (rules: readonly string[], variations: Readonly<Record<string, string>> = {}) =>
    run({ options, shapes, rules: [...rules], variations })
  const tell = (rules: readonly string[]) =>
    console.log(`${name}: the variation that is known of ${rules.join(', ')} shows nothing, so that all are tried`)
  const outcomes = await (known ? inKnownVariations(rulesToRun, known, ask, tell) : ask(rulesToRun))
  await prove(one, outcomes)
  const row = matrix[name]
  if (row && flags.update && faultCases.includes(one)) row.in = await variationsOf(outcomes, await examinedRight, ask)
}

async function prove({ name, title, judge }: Case, outcomes: readonly Outcome[]): Promise<void> {
  const rightBank = await examinedRight
  report(judge(outcomes, rightBank))
  matrix[name] = rowOf(title, outcomes, rightBank)
}

async function proveTogether({ bank, cases }: { bank: Case; cases: readonly Case[] }): Promise<void> {
  const outcomes = await run({ options: bank.options, shapes: bank.shapes, rules: [...bank.own] })
  await prove(bank, outcomes)
  await proveGroup(cases, outcomes)
}

await Promise.all([
  examinedRight.then((rightBank) => {
    report(judgeRightBank(rightBank, allowed))
    report(neverJudged(rightBank, readKnown()))
  }),
  ...together.map(proveTogether),
  ...groups.map((group) => proveGroup(group)),
  ...judgedByKnown.map((one) => proveCase(one, redKnown(one), flags.update ? undefined : checkedIn[one.name])),
])
await end()

if (whole) report(judgeRules(examined, matrix))
if (flags.update) writeMatrix(whole ? matrix : { ...checkedIn, ...matrix })
else report(compareMatrix(checkedIn, matrix, whole))

const seconds = ((performance.now() - started) / 1000).toFixed(1)
const what = `${Object.keys(matrix).length} faults and variants, ${(await examinedRight).length} rules in ${seconds} s`
console.log(problems === 0 ? `proven: ${what}` : `not proven: ${problems} problems; ${what}`)
process.exitCode = problems === 0 ? 0 : 1
