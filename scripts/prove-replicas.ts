import { parseArgs } from 'node:util'
import { TestPostgres } from '../bank-idp/testing/postgres.js'
import { allowed } from './proof/allowed.js'
import { casesOf } from './proof/cases.js'
import { jobPool } from './proof/job-pool.js'
import { judgeRightBank } from './proof/judge.js'
import { readMatrix } from './proof/matrix.js'
import type { Job } from './proof/worker.js'

/**
 * Shows that several processes on one store are as right as one: node dist/scripts/prove-replicas.js [--replicas 3]. The right bank, and
 * banks of each shape, consist of that many, each on a database of its own; requests go to them in turn.
 */
const { values } = parseArgs({ options: { replicas: { type: 'string', default: '3' } } })
const count = Number(values.replicas)

const postgres = await TestPostgres.start()
const { run, end } = jobPool()
const runReplicas = async (job: Job) => run({ ...job, replicas: { store: await postgres.database(), count } })

let problems = 0
/** Tells what became of a bank as soon as it is known. */
function report(name: string, found: readonly string[]): void {
  problems += found.length
  console.log(`${found.length === 0 ? 'as one bank' : 'not as one'}: ${name}`)
  for (const problem of found) console.log(`  ${problem}`)
}

const rightBank = await runReplicas({ options: {} })
report('the right bank', judgeRightBank(rightBank, allowed))
const { variants } = casesOf(readMatrix())
/** What another bank takes is seen at that one. */
const taken = new Set(variants.flatMap(({ members }) => members))
const shaped = variants.filter(({ name, shapes }) => shapes.length > 0 && !taken.has(name))
await Promise.all(
  shaped.map(async ({ name, options, shapes, own, concerns, judge }) => {
    const rules = new Set([...own, ...rightBank.filter(concerns).map(({ rule }) => rule)])
    report(name, judge(await runReplicas({ options, shapes, rules: [...rules] }), rightBank))
  }),
)
await end()
await postgres.stop()
console.log(`${shaped.length + 1} banks of ${count} each: ${problems} problems`)
process.exitCode = problems === 0 ? 0 : 1
