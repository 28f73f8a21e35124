import { uptime } from 'node:os'

/** How often is looked whether time went on, in milliseconds. */
const probeIntervalMs = 1000

/** Why a rule is begun again that was under way then. */
export const wasSuspended = 'the harness stood still: it was stopped, or the machine slept'

/** Seconds between two glances from which on this process stood still: a busy machine comes late too, but not by that much. */
const suspendedSeconds = 5

/**
 * Notices when this process did not run for a while: it was stopped, or the machine slept. What was under way then tells nothing about
 * the bank, since limits ran out and connections ended while nobody was there.
 */
export class SuspendDetector {
  private looked: number
  private ended = Number.NEGATIVE_INFINITY
  private readonly timer: NodeJS.Timeout

  /** @param now seconds of a clock that nobody sets, and that goes on while the machine sleeps */
  constructor(private readonly now: () => number = uptime) {
    this.looked = now()
    this.timer = setInterval(() => this.moment(), probeIntervalMs).unref()
  }

  /** The present, for {@link since}. */
  moment(): number {
    const now = this.now()
    if (now - this.looked >= suspendedSeconds) this.ended = now
    this.looked = now
    return now
  }

  /** Whether this process stood still after that moment. */
  since(moment: number): boolean {
    this.moment()
    return this.ended > moment
  }

  /** Ends the watch. */
  close(): void {
    clearInterval(this.timer)
  }
}
