import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import type { Outcome } from './outcome.js'
import type { Job } from './worker.js'

/** Threads that run jobs: one for each processor, and one for the time in which others wait for what a bank sends by itself. With more each job costs more. */
export interface JobPool {
  threads: number
  run(job: Job): Promise<Outcome[]>
  /** Ends the threads. */
  end(): Promise<void>
}

export function jobPool(): JobPool {
  const threads = availableParallelism() + 1
  const pool = new Tinypool({
    filename: new URL('./worker.js', import.meta.url).href,
    maxThreads: threads,
    // What a bank and its harness say to each other is soon forgotten: with room for more of it less is looked through.
    resourceLimits: { maxYoungGenerationSizeMb: 192 },
    // A thread of the pool says what Node's notices say on its standard error; what failed is in its answer.
    execArgv: ['--no-warnings'],
  })
  return { threads, run: (job) => pool.run(job) as Promise<Outcome[]>, end: () => pool.destroy() }
}
