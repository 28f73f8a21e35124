const units: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 }

/**
 * Seconds of a duration such as 90s, 15m, 2h, 30d or 1y (of 365 days); a bare number is seconds.
 *
 * @throws {RangeError} when the text is none
 */
export function secondsOf(text: string): number {
  const [, amount, unit] = /^(\d+)([smhdy]?)$/.exec(text) ?? []
  const seconds = units[unit ?? 'none']
  if (amount === undefined || seconds === undefined) {
    throw new RangeError('give a duration such as 90s, 15m, 2h, 30d or 1y; a bare number is seconds.')
  }
  return Number(amount) * seconds
}
