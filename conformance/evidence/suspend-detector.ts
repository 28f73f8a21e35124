import { uptime } from 'node:os'

/** How often is looked whether time went on, in milliseconds. */
const probeIntervalMs = 1000

/** Why a rule is begun again that was under way then. */
export const wasSuspended = 'the harness stood still: it was stopped, or the machine slept'

/** Seconds between two glances from which on this process stood still: a busy machine comes late too, but not by that much. */
const suspendedSeconds = 5

/** For how long the time of the machine is taken to be what it was, in milliseconds. */
const sameMomentMs = 100

/** The machine's, whatever stands in its place later: a bank of this process may move the time, or have it stand. */
const machineTime = Date.now

/**
 * The machine's uptime, in seconds. To ask for it costs more than all else that is done for a request, so it is asked where one of two clocks
 * went on that cost nothing: one may stand while the machine sleeps, and somebody may set the other.
 */
function watchedUptime(): () => number {
  let [ran, date, seconds] = [performance.now(), machineTime(), uptime()]
  return () => {
    const [runs, dates] = [performance.now(), machineTime()]
    if (runs - ran >= sameMomentMs || Math.abs(dates - date) >= sameMomentMs)
      [ran, date, seconds] = [runs, dates, uptime()]
    return seconds
  }
}

/**
 * Notices when this process did not run for a while: it was stopped, or the machine slept. What was under way then tells nothing about
 * the bank, since limits ran out and connections ended while nobody was there.
 */
export class SuspendDetector {
  private looked: number
  private ended = Number.NEGATIVE_INFINITY
  private readonly timer: NodeJS.Timeout

  /** @param now seconds of a clock that nobody sets, and that goes on while the machine sleeps */
  constructor(private readonly now: () => number = watchedUptime()) {
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
