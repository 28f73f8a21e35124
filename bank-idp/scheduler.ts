import type { Log } from './log.js'

/** Something that a running bank does from time to time. It is asked each minute, and does nothing until it is due. */
export interface Job {
  name: string
  /** Rejects when it could not be done: it is tried again a minute later. */
  run(): Promise<void>
}

/** How often the jobs are asked. */
const intervalMs = 60_000

/** What a bank does without being asked: rotates keys, renews certificates, clears up. */
export class Scheduler {
  readonly #jobs: readonly Job[]
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(jobs: readonly Job[], log: Log) {
    this.#jobs = jobs
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), intervalMs).unref()
  }

  /** Does what is due now, one job after the other; a job that fails is logged and keeps no other from its turn. */
  run(): Promise<void> {
    this.#running = this.#running.then(async () => {
      for (const { name, run } of this.#jobs) {
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
