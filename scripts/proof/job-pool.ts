import { availableParallelism } from 'node:os'
import { kQueueOptions, type Task, type TaskQueue, Tinypool } from 'tinypool'
import type { Outcome } from './outcome.js'
import type { Job } from './worker.js'

/** Threads that run jobs: one for each processor, and one for the time in which others wait for what a bank sends by itself. With more each job costs more. */
export interface JobPool {
  threads: number
  run(job: Job): Promise<Outcome[]>
  /** Ends the threads. */
  end(): Promise<void>
}

/** How long a job takes, as the number of its rules tells. */
type Length = { rules: number }

/** Jobs that wait, the longest first, since the last ones leave processors without work: one that runs all rules takes longer than a hundred of the others. */
class LongestFirst implements TaskQueue {
  readonly #tasks: Task[] = []

  get size(): number {
    return this.#tasks.length
  }

  push(task: Task): void {
    const before = this.#tasks.findLastIndex((other) => lengthOf(other) >= lengthOf(task))
    this.#tasks.splice(before + 1, 0, task)
  }

  shift(): Task | null {
    return this.#tasks.shift() ?? null
  }

  remove(task: Task): void {
    this.#tasks.splice(this.#tasks.indexOf(task), 1)
  }

  cancel(): void {
    for (const task of this.#tasks.splice(0)) task.cancel()
  }
}

function lengthOf({ [kQueueOptions]: length }: Task): number {
  return (length as Length).rules
}

/** The job as the queue takes it. */
function withLength(job: Job): Job & { [kQueueOptions]: Length } {
  return { ...job, [kQueueOptions]: { rules: job.rules?.length ?? Infinity } }
}

export function jobPool(): JobPool {
  const threads = availableParallelism() + 1
  const pool = new Tinypool({
    filename: new URL('./worker.js', import.meta.url).href,
    maxThreads: threads,
    taskQueue: new LongestFirst(),
    // What a bank and its harness say to each other is soon forgotten: with room for more of it less is looked through.
    resourceLimits: { maxYoungGenerationSizeMb: 192 },
    // A thread of the pool says what Node's notices say on its standard error; what failed is in its answer.
    execArgv: ['--no-warnings'],
  })
  return { threads, run: (job) => pool.run(withLength(job)) as Promise<Outcome[]>, end: () => pool.destroy() }
}
