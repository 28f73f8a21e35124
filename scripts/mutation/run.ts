import { devNull } from 'node:os'
import { Tinypool } from 'tinypool'
import type { ChosenReadings } from '../../schemas/editions/index.js'
import type { Build, Numbered } from './build.js'
import type { Reach, Run } from './reach.js'
import { type Ruling, rulingOf } from './verdict.js'
import type { Job } from './worker.js'

/** The processes in which banks are changed and examined, each for one job: a change may break down the process with all that it holds. */
export interface Processes {
  run: Run
  close(): Promise<void>
}

/** That the process of a job ended without an answer. */
class BrokeDown extends Error {
  /** Whether the bank had started, and was examined. */
  readonly examined: boolean

  constructor(cause: unknown, examined: boolean) {
    super(messageOf(cause), { cause })
    this.examined = examined
  }
}

/** An error of another process comes as an object that has its members. */
const messageOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)

export interface ProcessOptions {
  /** Processes side by side. */
  workers: number
  /** Minutes for all rules at one mutant: some leave a loop without an end. */
  patience: number
  /** What the bank takes in place of its own readings. */
  readings: ChosenReadings
}

export function openProcesses({ programs }: Pick<Build, 'programs'>, options: ProcessOptions): Processes {
  const { workers, patience, readings } = options
  const pool = new Tinypool({
    filename: `${programs}/dist/scripts/mutation/worker.js`,
    runtime: 'child_process',
    isolateWorkers: true,
    maxThreads: workers,
    minThreads: 0,
    execArgv: ['--no-warnings'],
    // What a right bank kept between starts would stand in for what a changed one makes, and what that keeps would come to others.
    env: { ...process.env, XDG_CACHE_HOME: devNull },
  })
  return {
    async run(job: Job) {
      const signal = job.kind === 'judge' ? AbortSignal.timeout(patience * 60_000) : undefined
      let started = false
      // The process says one thing before its answer: that the bank has started.
      const channel = {
        postMessage() {
          started = true
        },
      }
      try {
        return await pool.run({ ...job, readings }, { channel, ...(signal && { signal }) })
      } catch (error) {
        throw signal?.aborted ? error : new BrokeDown(error, started)
      }
    },
    close: () => pool.destroy(),
  }
}

/** Judges one mutant by the rules that could notice it. */
export async function judgeMutant(
  { number }: Numbered,
  { rulesOf, rightBank }: Pick<Reach, 'rulesOf' | 'rightBank'>,
  run: Run,
  all: boolean,
): Promise<Ruling> {
  const rules = rulesOf(number)
  if (rules.length === 0) return { verdict: 'unreached', by: [] }
  const ask = async (asked: readonly string[]) =>
    rulingOf(await run({ kind: 'judge', mutant: number, rules: asked, rightBank, all }), rightBank)
  try {
    return await confirmed(rules, ask)
  } catch (error) {
    const by = [{ rule: '', requirement: '', reason: messageOf(error) }]
    if (!(error instanceof BrokeDown)) return { verdict: 'timed out', by }
    return { verdict: error.examined ? 'killed' : 'crashed', by }
  }
}

/** How many rules take back what they said, in the company of others, before it is believed: what wears a bank down is seen in company alone. */
const takenBackAtMost = 3

/** A machine that has other things to do makes a rule red as well: it is asked again, alone, and the others without it if it takes it back. */
export async function confirmed(
  rules: readonly string[],
  ask: (rules: readonly string[]) => Promise<Ruling>,
  takenBack = 0,
): Promise<Ruling> {
  const ruling = await ask(rules)
  if (ruling.verdict !== 'killed') return ruling
  const red = ruling.by.map(({ rule }) => rule)
  const again = await ask(red)
  if (again.verdict === 'killed') return again
  if (takenBack + 1 === takenBackAtMost) return ruling
  const others = rules.filter((rule) => !red.includes(rule))
  return others.length > 0 ? confirmed(others, ask, takenBack + 1) : again
}
