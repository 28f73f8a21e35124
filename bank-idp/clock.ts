/**
 * The one place where time is read. Moving it moves the whole process: oidc-provider and jose read `Date` themselves, so `Date` is
 * replaced by one that is ahead of the machine's. TLS keeps the machine's time.
 */
const RealDate = globalThis.Date
let offsetMilliseconds = 0
/** The time at which the clock stands still; undefined while it runs. */
let standsAt: number | undefined
/** How many banks of this process are open: the last one that closes gives the machine's time back. */
let openBanks = 0

class MovedDate extends RealDate {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(MovedDate.now())
    else super(...(values as ConstructorParameters<typeof RealDate>))
  }

  static override now(): number {
    return standsAt ?? RealDate.now() + offsetMilliseconds
  }
}

/** The time now, in milliseconds since the epoch, as the bank sees it. */
export function now(): number {
  return Date.now()
}

/** The time now, in whole seconds since the epoch, as JWTs and token records carry it. */
export function nowSeconds(): number {
  return Math.floor(now() / 1000)
}

/** How far the bank's time is ahead of the machine's, in seconds. */
export function clockOffsetSeconds(): number {
  return (standsAt === undefined ? offsetMilliseconds : standsAt - RealDate.now()) / 1000
}

/** Whether the clock stands still. */
export function clockStands(): boolean {
  return standsAt !== undefined
}

/** The last moment that a clock is moved to. */
const endOfTime = RealDate.UTC(9999, 0, 1)

/**
 * Sets the time of this process, forward or back; a clock that stands goes on standing. What was issued may then lie in the future.
 *
 * @param milliseconds since the epoch
 * @throws {RangeError} when it is no time from 1970 to 9999
 */
export function setClock(milliseconds: number): void {
  if (!(milliseconds >= 0 && milliseconds <= endOfTime)) {
    throw new RangeError('the clock is set to a time from 1970 to 9999, such as 2030-01-31T12:00:00Z')
  }
  if (standsAt !== undefined) standsAt = milliseconds
  offsetMilliseconds = milliseconds - RealDate.now()
  globalThis.Date = MovedDate as DateConstructor
}

/** Has the time of this process stand still, or go on from where it stands. */
export function freezeClock(still: boolean): void {
  const time = now()
  standsAt = still ? time : undefined
  setClock(time)
}

/** Gives this process the machine's time back. */
export function resetClock(): void {
  standsAt = undefined
  offsetMilliseconds = 0
  // A test runner may have put a clock of its own there.
  if (globalThis.Date === MovedDate) globalThis.Date = RealDate
}

/** How the clock of this process stands to the machine's. */
export interface ClockState {
  offsetMilliseconds: number
  /** The time at which it stands still; undefined while it runs. */
  standsAt?: number | undefined
}

export function clockState(): ClockState {
  return { offsetMilliseconds, standsAt }
}

/** Has the clock of this process stand to the machine's as another one does. */
export function takeUpClock(state: ClockState): void {
  offsetMilliseconds = state.offsetMilliseconds
  standsAt = state.standsAt
  globalThis.Date = MovedDate as DateConstructor
}

/** A bank is open from now on. @returns has it count as closed: the last one of the process gives the machine's time back */
export function holdClock(): () => void {
  openBanks += 1
  let held = true
  return () => {
    if (!held) return
    held = false
    openBanks -= 1
    if (openBanks === 0) resetClock()
  }
}

/**
 * Moves the time of this process forward.
 *
 * @throws {RangeError} when `seconds` is no positive number or leads past the year 9999
 */
export function advanceClock(seconds: number): void {
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new RangeError('the clock moves forward only: give a positive number of seconds')
  }
  if (now() + seconds * 1000 > endOfTime) {
    throw new RangeError('the clock cannot be moved past the year 9999')
  }
  offsetMilliseconds += seconds * 1000
  if (standsAt !== undefined) standsAt += seconds * 1000
  globalThis.Date = MovedDate as DateConstructor
}
