import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import { Tinypool } from 'tinypool'
import { faults } from '../bank-idp/faults/index.js'
import { bearsOn, readingOf } from '../conformance/requirements/index.js'
import { rules } from '../conformance/rules/index.js'
import { allowed } from './proof/allowed.js'
import { changedFiles, faultsOf } from './proof/changed.js'
import { judgeFault, judgeRightBank, judgeRules, judgeVariant, nameOf } from './proof/judge.js'
import { compareMatrix, type Matrix, readMatrix, rowOf, writeMatrix } from './proof/matrix.js'
import type { Outcome } from './proof/outcome.js'
import { touches } from './proof/touches.js'
import { variants } from './proof/variants.js'
import type { Job } from './proof/worker.js'

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
  .option('--only <fault...>', 'these faults and variants alone')
  .option('--changed', 'the faults that the uncommitted change bears on')
  .option(
    '--collateral',
    'every rule that could notice, not only those of the broken requirement and the declared ones',
  )
  .option('--update', 'write the rows of the matrix that were run, instead of comparing them')
  .parse()
  .opts<Flags>()

for (const id of flags.only ?? []) {
  if (faults.some((fault) => fault.id === id) || variants.some((variant) => nameOf(variant) === id)) continue
  console.error(`no fault is called '${id}'; bank-idp faults known lists them, scripts/proof/variants.ts the variants`)
  process.exit(2)
}

const started = performance.now()
const pool = new Tinypool({
  filename: new URL('./proof/worker.js', import.meta.url).href,
  maxThreads: availableParallelism(),
  // A thread of the pool says what Node's notices say on its standard error; what failed is in its answer.
  execArgv: ['--no-warnings'],
})
const run = (job: Job) => pool.run(job) as Promise<Outcome[]>

const whole = !flags.only && !flags.changed
// Of few faults the second stage is cheap; of all of them it takes many times as long as the first.
const collateral = flags.collateral || !whole
const chosen = flags.only
  ? faults.filter(({ id }) => flags.only?.includes(id))
  : flags.changed
    ? faultsOf(changedFiles(), faults, rules)
    : faults
const others = whole ? variants : variants.filter((variant) => flags.only?.includes(nameOf(variant)))

const rightBank = await run({ options: {} })
const problems = judgeRightBank(rightBank, allowed)
const matrix: Matrix = {}

async function proveFault(fault: (typeof faults)[number]): Promise<void> {
  const routes = collateral ? touches(fault) : []
  const declared = Object.keys(fault.collateral ?? {})
  const concerned = rightBank.filter(
    ({ rule, requirement, routes: asked }) =>
      fault.breaks.includes(requirement) || declared.includes(rule) || asked.some((route) => routes.includes(route)),
  )
  const outcomes = await run({ options: { faults: [fault.id] }, rules: concerned.map(({ rule }) => rule) })
  problems.push(...judgeFault(fault, outcomes, rightBank))
  matrix[fault.id] = rowOf(fault.title, outcomes, rightBank)
}

async function proveVariant(variant: (typeof variants)[number]): Promise<void> {
  const { options, shape, topic, ambiguity } = variant
  const concerned = rules.filter(({ id, requirement }) =>
    topic ? id.startsWith(`${topic}/`) : collateral || bearsOn(ambiguity, requirement),
  )
  const outcomes = await run({ options, ...(shape && { shape }), rules: concerned.map(({ id }) => id) })
  problems.push(...judgeVariant(variant, outcomes, rightBank))
  matrix[nameOf(variant)] = rowOf(readingOf(ambiguity, variant.reading).text, outcomes, rightBank)
}

await Promise.all([...chosen.map(proveFault), ...others.map(proveVariant)])
await pool.destroy()

if (whole) {
  problems.push(
    ...judgeRules(
      rules.filter(({ requirement }) => requirement.by === 'harness').map(({ id }) => id),
      matrix,
    ),
  )
}
if (flags.update) writeMatrix(whole ? matrix : { ...readMatrix(), ...matrix })
else problems.push(...compareMatrix(readMatrix(), matrix, whole))

for (const problem of problems) console.log(problem)
const seconds = ((performance.now() - started) / 1000).toFixed(1)
const what = `${chosen.length} faults, ${others.length} variants, ${rightBank.length} rules in ${seconds} s`
console.log(problems.length === 0 ? `proven: ${what}` : `not proven: ${problems.length} problems; ${what}`)
process.exitCode = problems.length === 0 ? 0 : 1
