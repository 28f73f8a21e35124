import type { Log } from './log.js'

/** Something that a running bank does from time to time. It is asked each minute, and does nothing until it is due. */
export interface Job {
  name: string
  /** Whether each replica does it for itself; else one of them does it for all. */
  everywhere?: true
  /** Rejects when it could not be done: it is tried again a minute later. */
  run(): Promise<void>
}

/** How often the jobs are asked. */
const intervalMs = 60_000

/** What a bank does without being asked: rotates keys, renews certificates, clears up. */
export class Scheduler {
  readonly #jobs: readonly Job[]
  readonly #log: Log
  readonly #hasJobs: () => Promise<boolean>
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #hadJobs = false

  /** @param hasJobs whether this replica is the one that does what one does for all */
  constructor(jobs: readonly Job[], log: Log, hasJobs: () => Promise<boolean> = async () => true) {
    this.#jobs = jobs
    this.#log = log
    this.#hasJobs = hasJobs
  }

  start(): void {
    const tick = async () => this.#do((await this.#hasJobs()) ? this.#jobs : this.#jobs.filter((job) => job.everywhere))
    this.#timer = setInterval(() => void tick(), intervalMs).unref()
  }

  /** Goes on with what another replica did until it ended. */
  async takeOver(): Promise<void> {
    const has = await this.#hasJobs()
    if (has && !this.#hadJobs) await this.run()
    this.#hadJobs = has
  }

  /** Does what is due now, whichever replica does it else: two that do it side by side come to the same. */
  run(): Promise<void> {
    return this.#do(this.#jobs)
  }

  /** One job after the other; a job that fails is logged and keeps no other from its turn. */
  #do(jobs: readonly Job[]): Promise<void> {
    this.#running = this.#running.then(async () => {
      for (const { name, run } of jobs) {
        await run().catch(({ message, stack }: Error) => {
          this.#log({ event: 'error', message: `${name}: ${message}`, stack })
        })
      }
    })
    return this.#running
  }

  /** Resolves when what is running is done. */
  stop(): Promise<void> {
    clearInterval(this.#timer)
    return this.#running
  }
}
