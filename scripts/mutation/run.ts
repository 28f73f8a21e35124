import { Tinypool } from 'tinypool'
import type { Build, Numbered } from './build.js'
import type { Reach, Run } from './reach.js'
import { type Ruling, rulingOf } from './verdict.js'
import type { Job } from './worker.js'

/** The threads in which banks are changed and examined. */
export interface Threads {
  run: Run
  close(): Promise<void>
}

/**
 * @param workers threads side by side
 * @param patience minutes for all rules at one mutant: some leave a loop without an end
 */
export function openThreads({ programs }: Build, workers: number, patience: number): Threads {
  const filename = `${programs}/dist/scripts/mutation/worker.js`
  const options = { filename, maxThreads: workers, minThreads: 0, idleTimeout: 60_000, execArgv: ['--no-warnings'] }
  const lasting = new Tinypool(options)
  const fresh = new Tinypool({ ...options, isolateWorkers: true })
  return {
    run: (job: Job, isolated: boolean) => {
      const signal = job.kind === 'judge' ? { signal: AbortSignal.timeout(patience * 60_000) } : {}
      return (isolated ? fresh : lasting).run(job, signal)
    },
    async close() {
      await Promise.all([lasting.destroy(), fresh.destroy()])
    },
  }
}

/** Judges one mutant by the rules that could notice it. */
export async function judgeMutant(
  { number }: Numbered,
  { start, rulesOf, rightBank }: Reach,
  run: Run,
  all: boolean,
): Promise<Ruling> {
  const rules = rulesOf(number)
  if (rules.length === 0) return { verdict: 'unreached', by: [] }
  const ask = async (asked: readonly string[]) =>
    rulingOf(await run({ kind: 'judge', mutant: number, rules: asked, rightBank, all }, start.has(number)), rightBank)
  try {
    return await confirmed(rules, ask)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const timedOut = error instanceof Error && /abort/i.test(`${error.name} ${reason}`)
    return { verdict: timedOut ? 'timed out' : 'crashed', by: [{ rule: '', requirement: '', reason }] }
  }
}

/** A machine that has other things to do makes a rule red as well: it is asked again, alone, and the others without it if it takes it back. */
export async function confirmed(
  rules: readonly string[],
  ask: (rules: readonly string[]) => Promise<Ruling>,
): Promise<Ruling> {
  const ruling = await ask(rules)
  if (ruling.verdict !== 'killed') return ruling
  const red = ruling.by.map(({ rule }) => rule)
  const again = await ask(red)
  if (again.verdict === 'killed') return again
  const others = rules.filter((rule) => !red.includes(rule))
  return others.length > 0 ? confirmed(others, ask) : again
}
