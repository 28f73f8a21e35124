import type { Log } from './log.js'

/** Something that a running bank does from time to time. It is asked each minute, and does nothing until it is due. */
export interface Chore {
  name: string
  /** Rejects when it could not be done: it is tried again a minute later. */
  run(): Promise<void>
}

const minute = 60_000

/** What a bank does without being asked: rotates keys, renews certificates, clears up. */
export class Upkeep {
  readonly #chores: readonly Chore[]
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(chores: readonly Chore[], log: Log) {
    this.#chores = chores
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), minute).unref()
  }

  /** Does what is due now, one chore after the other; a chore that fails is logged and keeps no other from its turn. */
  run(): Promise<void> {
    this.#running = this.#running.then(async () => {
      for (const { name, run } of this.#chores) {
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
