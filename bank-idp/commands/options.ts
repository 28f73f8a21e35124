import { InvalidArgumentError } from 'commander'
import { secondsOf } from '../duration.js'

/** The option that all commands share: flag, description, default. */
export const dataOption = [
  '--data <directory>',
  'data directory of the bank',
  process.env.BANK_IDP_DATA || '.data',
] as const

export interface DataFlag {
  data: string
}

/** Seconds of an argument that is a duration. */
export function duration(value: string): number {
  try {
    return secondsOf(value)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}
