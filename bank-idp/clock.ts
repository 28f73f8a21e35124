/**
 * The one place where time is read. Moving it moves the whole process: oidc-provider and jose read `Date` themselves, so `Date` is
 * replaced by one that is ahead of the machine's. TLS keeps the machine's time.
 */
const RealDate = globalThis.Date
let offsetMilliseconds = 0

class MovedDate extends RealDate {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(MovedDate.now())
    else super(...(values as ConstructorParameters<typeof RealDate>))
  }

  static override now(): number {
    return RealDate.now() + offsetMilliseconds
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
  return offsetMilliseconds / 1000
}

/**
 * Moves the time of this process forward. Backwards is refused: what was issued would lie in the future.
 *
 * @throws {RangeError} when `seconds` is no positive number or leads past the year 9999
 */
export function advanceClock(seconds: number): void {
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new RangeError('the clock moves forward only: give a positive number of seconds')
  }
  if (now() + seconds * 1000 > RealDate.UTC(9999, 0, 1)) {
    throw new RangeError('the clock cannot be moved past the year 9999')
  }
  offsetMilliseconds += seconds * 1000
  globalThis.Date = MovedDate as DateConstructor
}
