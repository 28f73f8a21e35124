import { now, setClock } from '../../bank-idp/clock.js'

const hour = 3_600_000

/**
 * Sets the clock of this process back to a time at which a mistake of a day in an age can be told from what is right:
 * - In the hours before midnight UTC it is the next day in Prague already, by two hours at most, and a right bank reckons by either day.
 * - On the last day of a year whose birthday is still to come has it in the next: they are as old as by years alone.
 */
export function takeTellingTime(): void {
  if (new Date(now()).getUTCHours() >= 21) setClock(now() - 3 * hour)
  const day = new Date(now())
  if (day.getUTCMonth() === 11 && day.getUTCDate() === 31) setClock(now() - 24 * hour)
}
