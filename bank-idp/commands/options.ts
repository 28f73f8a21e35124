import { InvalidArgumentError } from 'commander'

/** The option that all commands share: flag, description, default. */
export const dataOption = [
  '--data <directory>',
  'data directory of the bank',
  process.env.BANK_IDP_DATA || '.data',
] as const

export interface DataFlag {
  data: string
}

/** Seconds of a duration such as 90s, 15m, 2h, 30d or 1y (of 365 days); a bare number is seconds. */
export function duration(value: string): number {
  const units: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 }
  const [, amount, unit] = /^(\d+)([smhdy]?)$/.exec(value) ?? []
  const seconds = units[unit ?? 'none']
  if (amount === undefined || seconds === undefined) {
    throw new InvalidArgumentError('give a duration such as 90s, 15m, 2h, 30d or 1y.')
  }
  return Number(amount) * seconds
}
