import { Command } from 'commander'
import { plannedRules } from '../conformance/harness/planned-rule.js'
import { rules } from '../conformance/rules/index.js'
import { openEdition } from '../schemas/editions/index.js'
import { casesOf } from './proof/cases.js'
import { countOf, FailedExpectations, inWords } from './proof/expectations.js'
import { jobPool } from './proof/job-pool.js'
import { type KnownOfRule, readKnown, writeKnown } from './proof/known-expectations.js'
import { readMatrix } from './proof/matrix.js'
import type { Outcome } from './proof/outcome.js'
import { firstTries, type Search } from './proof/sharpness.js'

const command = new Command('expectations')
  .description('Shows that each expectation of a rule can fail: by a wrong answer, a fault or another reading.')
  .argument('[rule...]', 'ids of the rules to look at; all when left out')
  .option('--update', 'seek anew what makes them fail, and write it, instead of trying what is known')
  .parse()
const { update = false } = command.opts<{ update?: boolean }>()
const named = command.args

for (const id of named) {
  if (rules.some((rule) => rule.id === id)) continue
  console.error(`no rule is called '${id}'; npm run conformance -- --list names them`)
  process.exit(2)
}

const started = performance.now()
const { threads, run, end } = jobPool()

/** What a bank attests is read in the target file: nothing of it is asked on the wire. */
const examined = plannedRules(openEdition(), rules)
  .filter(({ id, requirement }) => requirement.by !== 'manual' && (named.length === 0 || named.includes(id)))
  .map(({ id }) => id)
const checkedIn = readKnown()
const failed = new FailedExpectations()

/** What is known comes first. @param anew whether everything else is tried, too, as it is of a rule of which nothing is known */
function searchOf(rule: string, anew: boolean): Search {
  const known = checkedIn[rule]
  return { tries: known?.tries ?? [], ...(known && !anew && { first: firstTries }) }
}

/** Rules that judge what the others asked for: what they have to judge depends on which of these are beside them, and here on none. */
const last = new Set(rules.filter((rule) => rule.last).map(({ id }) => id))

/** Has rules judge wrong answers: some in each job, so that a thread that is done with some takes others. */
async function judgeWrongAnswers(ids: readonly string[], anew: boolean): Promise<Outcome[]> {
  const jobs = threads * 6
  const others = ids.filter((id) => !last.has(id))
  const shares = [
    ...Array.from({ length: jobs }, (_, share) => others.filter((__, index) => index % jobs === share)),
    ...ids.filter((id) => last.has(id)).map((id) => [id]),
  ]
  const outcomes = await Promise.all(
    shares
      .filter((share) => share.length > 0)
      .map((share) =>
        run({
          options: {},
          rules: share,
          wrongAnswers: Object.fromEntries(share.map((rule) => [rule, searchOf(rule, anew)])),
        }),
      ),
  )
  return outcomes.flat()
}

/** Tries the rules, each of their variations, against the faults and variants that turn them red; of those of which enough is known against these. */
async function tryCases(open: ReadonlySet<string>, anew: boolean): Promise<void> {
  const matrix = readMatrix()
  const { faults, variants } = casesOf(matrix)
  await Promise.all(
    [...faults, ...variants].map(async ({ name, options, shapes }) => {
      const red = Object.keys(matrix[name]?.red ?? {}).filter((rule) => open.has(rule))
      const asked = red.filter((rule) => anew || (checkedIn[rule]?.cases?.includes(name) ?? true))
      if (asked.length > 0) failed.note(await run({ options, shapes, rules: asked, thorough: true }), name)
    }),
  )
}

/** Has rules judge wrong answers and wrong banks. */
async function judge(ids: readonly string[], anew: boolean): Promise<Outcome[]> {
  const rightBank = await judgeWrongAnswers(ids, anew)
  failed.note(rightBank)
  await tryCases(new Set(failed.open(rightBank).map(({ rule }) => rule)), anew)
  return rightBank
}

const rightBank = await judge(examined, update)
/** Rules whose expectations fail no more by what is known. */
const stale = update ? [] : [...new Set(failed.open(rightBank).map(({ rule }) => rule))]
if (stale.length > 0) await judge(stale, true)
await end()

const open = failed.open(rightBank)
if (update) {
  const found = rightBank.map((outcome): [string, KnownOfRule] => {
    const { rule, tries } = outcome
    const never = open.filter((one) => one.rule === rule).map(({ name }) => name)
    const count = countOf(outcome)
    const ofRule = { tries, cases: failed.casesOf(outcome), open: never.toSorted() }
    return [rule, { ...ofRule, ...(count !== undefined && { count }) }]
  })
  writeKnown({ ...(named.length > 0 ? checkedIn : {}), ...Object.fromEntries(found) })
}

for (const one of open) console.log(`${inWords(one)} never failed`)
if (stale.length > 0) {
  console.log(`What is known of ${stale.length} rules was not enough; to write it anew:`)
  console.log(`npm run expectations -- ${stale.join(' ')} --update`)
}
const { length: reached } = rightBank.flatMap(({ expectations }) => expectations.filter(({ held }) => held))
const seconds = ((performance.now() - started) / 1000).toFixed(1)
console.log(`${reached} expectations of ${rightBank.length} rules; ${open.length} are not known to fail; ${seconds} s`)
process.exitCode = open.length === 0 ? 0 : 1
