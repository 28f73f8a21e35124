import { existsSync, readFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ChosenReadings } from '../schemas/editions/index.js'
import { packageFile } from '../schemas/package-file.js'
import { buildInstrumented, folder, type Numbered } from './mutation/build.js'
import { reachOf } from './mutation/reach.js'
import { equivalentsAmong, oneLine, Record, type Result, readEquivalents } from './mutation/record.js'
import { type Room, rooms } from './mutation/rooms.js'
import { ruleKeys } from './mutation/rule-keys.js'
import { judgeMutant, openProcesses } from './mutation/run.js'
import { sampleOf } from './mutation/sample.js'
import { reachTableOf, scoresOf, tableOf } from './mutation/score.js'
import { optionsOf } from './proof/options-of.js'
import { shapedBanks } from './proof/shaped.js'

interface Flags {
  room: readonly Room[]
  sample: number
  seed: string
  resume?: boolean
  again?: boolean
  list?: boolean
  only?: string[]
  readings: string
  workers: number
  patience: number
}

/** The banks that are changed, with the readings that they take: the bundled one, and two that take many other readings at once. */
const banks = new Map<string, ChosenReadings>([
  ['own', {}],
  ...shapedBanks
    .filter(({ name }) => name.startsWith('readings together, '))
    .map(({ name, takes = [] }) => [name.replace(/.*, /, ''), optionsOf(takes).readings ?? {}] as const),
])

function count(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('a number of 1 or more')
  return number
}

const flags = new Command('mutate')
  .description('Changes the bundled bank in many small ways, and tells which changes no rule of the harness notices.')
  .addOption(new Option('--room <room...>', 'parts of the bank').choices(rooms).default(rooms))
  .option('--sample <count>', 'mutants of each room', count, 10)
  .option('--seed <text>', 'decides which', 'mutation')
  .option('--resume', 'take the results that there are, and go on')
  .option('--again', 'as --resume, but judge what no rule failed once more')
  .option('--list', 'print the sample with the results that there are, and judge nothing')
  .option('--only <id...>', 'these mutants, by every rule that reaches them')
  .addOption(
    new Option('--readings <which>', 'other than own: judge what no rule failed, at a bank that takes other readings')
      .choices([...banks.keys()])
      .default('own'),
  )
  .option('--workers <count>', 'banks side by side', count, 1)
  .option('--patience <minutes>', 'for all rules at one mutant', count, 5)
  .parse()
  .opts<Flags>()

function print({ id, file, line, operator, from, to }: Numbered, verdict: string, by: Result['by'], reason = ''): void {
  console.log(`${verdict.padEnd(10)} ${id} ${file}:${line} ${operator}: ${oneLine(from)} → ${oneLine(to) || 'nothing'}`)
  const shown = flags.only ? by : by.slice(0, 1)
  for (const { rule, requirement, reason } of shown)
    console.log(`           ${requirement} ${rule}: ${oneLine(reason)}`)
  if (reason) console.log(`           ${reason}`)
}

// What was made on the way is taken away by an orderly end; results are there, and --resume goes on from them.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

const build = buildInstrumented()
const list = packageFile('scripts/mutation/equivalent.yaml')
const equivalent = equivalentsAmong(build.mutants, existsSync(list) ? readEquivalents(readFileSync(list, 'utf8')) : [])
const record = new Record(`${folder}/results.jsonl`)

const sample = flags.only
  ? build.mutants.filter(({ id }) => flags.only?.includes(id))
  : flags.room.flatMap((room) =>
      sampleOf(
        build.mutants.filter((one) => one.room === room),
        flags.sample,
        flags.seed,
      ),
    )

const isOwn = flags.readings === 'own'

/** Whether a mutant's result is taken as it is. */
function isKnown(result: Result | undefined): boolean {
  if (!result || flags.only) return false
  return flags.again || !isOwn ? result.verdict === 'killed' : flags.resume === true
}

async function judgeAll(): Promise<void> {
  const known = record.read()
  const open = sample.filter(({ id }) => !isKnown(known.get(id)) && !equivalent.has(id))
  const processes = openProcesses(build, { ...flags, readings: banks.get(flags.readings) ?? {} })
  const reach = await reachOf(build, await ruleKeys(), processes.run, flags.readings)
  console.log(`${reachTableOf(build.mutants, reach)}\n`)
  const waiting = [...open]
  const worker = async () => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const began = performance.now()
      const ruling = await judgeMutant(mutant, reach, processes.run, flags.only !== undefined)
      const seconds = Math.round((performance.now() - began) / 1000)
      const date = new Date().toISOString().slice(0, 10)
      const { length } = reach.rulesOf(mutant.number)
      const { readings } = flags
      // What is not seen at other readings may be at the bank's own: that result stays.
      if (isOwn || ruling.verdict === 'killed')
        record.add({ id: mutant.id, key: build.key, readings, ...ruling, rules: length, seconds, date })
      print(mutant, ruling.verdict, ruling.by, flags.only && `${length} rules reach it, ${seconds} s`)
    }
  }
  await Promise.all(Array.from({ length: flags.workers }, worker))
  await processes.close()
}

if (!flags.list) await judgeAll()

const results = record.read()
for (const mutant of flags.list ? sample : []) {
  const result = results.get(mutant.id)
  const reason = equivalent.get(mutant.id)
  print(mutant, reason ? 'equivalent' : (result?.verdict ?? 'not judged'), result?.by ?? [], reason)
}
console.log(`\n${build.mutants.length} mutants in all; ${sample.length} in this sample, seed ${flags.seed}\n`)
console.log(tableOf(scoresOf(sample, results, equivalent)))
