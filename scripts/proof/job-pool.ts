import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'
import type { Outcome } from './outcome.js'
import type { Job } from './worker.js'

/** Threads that run jobs, one for each processor. */
export interface JobPool {
  threads: number
  run(job: Job): Promise<Outcome[]>
  /** Ends the threads. */
  end(): Promise<void>
}

export function jobPool(): JobPool {
  const threads = availableParallelism()
  const pool = new Tinypool({
    filename: new URL('./worker.js', import.meta.url).href,
    maxThreads: threads,
    // A thread of the pool says what Node's notices say on its standard error; what failed is in its answer.
    execArgv: ['--no-warnings'],
  })
  return { threads, run: (job) => pool.run(job) as Promise<Outcome[]>, end: () => pool.destroy() }
}
