/** The pause after the first failed attempt, and the longest one, in milliseconds. */
const firstPauseMs = 1_000
const maxPauseMs = 900_000

/**
 * The pause after a failed attempt, in milliseconds: doubled with each, and shortened by up to a half at random, so that what failed
 * together does not come again together.
 * @param attempt 1 for the first
 * @param random from 0 to 1
 */
export function pauseAfter(attempt: number, random = Math.random()): number {
  const whole = Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs)
  return Math.round(whole * (1 - random / 2))
}

/**
 * The pause that a receiver asks for (RFC 9110 section 10.2.3), in milliseconds, no longer than our own longest.
 * @param header value of Retry-After
 * @param now milliseconds since the epoch
 */
export function askedPause(header: string | null, now: number): number {
  if (header === null) return 0
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(milliseconds) ? 0 : Math.min(Math.max(milliseconds, 0), maxPauseMs)
}
