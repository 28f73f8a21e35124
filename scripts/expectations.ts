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

/** What is known of a rule; undefined where that is sought anew. */
function knownOf(rule: string): KnownOfRule | undefined {
  return update ? undefined : checkedIn[rule]
}

function searchOf(rule: string): Search {
  const known = knownOf(rule)
  return known ? { tries: known.tries ?? [], first: firstTries } : { tries: [] }
}

/** Has the rules judge wrong answers: some in each job, so that a thread that is done with some takes others. */
async function judgeWrongAnswers(): Promise<Outcome[]> {
  const jobs = threads * 6
  const shares = Array.from({ length: jobs }, (_, share) => examined.filter((__, index) => index % jobs === share))
  const outcomes = await Promise.all(
    shares
      .filter((share) => share.length > 0)
      .map((share) =>
        run({
          options: {},
          rules: share,
          wrongAnswers: Object.fromEntries(share.map((rule) => [rule, searchOf(rule)])),
        }),
      ),
  )
  return outcomes.flat()
}

/** Tries the rules, each of their variations, against the faults and variants that turn them red; of those of which enough is known against these. */
async function tryCases(open: ReadonlySet<string>): Promise<void> {
  const matrix = readMatrix()
  const { faults, variants } = casesOf(matrix)
  await Promise.all(
    [...faults, ...variants].map(async ({ name, options, shape }) => {
      const red = Object.keys(matrix[name]?.red ?? {}).filter((rule) => open.has(rule))
      const asked = red.filter((rule) => knownOf(rule)?.cases?.includes(name) ?? true)
      if (asked.length > 0) failed.note(await run({ options, shape, rules: asked, thorough: true }), name)
    }),
  )
}

const rightBank = await judgeWrongAnswers()
failed.note(rightBank)
await tryCases(new Set(failed.open(rightBank).map(({ rule }) => rule)))
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

const problems = update ? [] : open.filter(({ rule, name }) => !checkedIn[rule]?.open?.includes(name))
for (const one of problems) console.log(`${inWords(one)} never failed`)
const { length: reached } = rightBank.flatMap(({ expectations }) => expectations.filter(({ held }) => held))
const seconds = ((performance.now() - started) / 1000).toFixed(1)
console.log(`${reached} expectations of ${rightBank.length} rules; ${open.length} are not known to fail; ${seconds} s`)
process.exitCode = problems.length === 0 ? 0 : 1
