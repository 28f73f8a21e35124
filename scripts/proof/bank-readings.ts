import { type ChosenReadings, openEdition } from '../../schemas/editions/index.js'

/** Readings as the bank's options number them: by their place in the register, from 1. */
export function bankReadings(readings: ChosenReadings): Record<string, number> {
  const edition = openEdition()
  return Object.fromEntries(
    Object.entries(readings).map(([ambiguity, reading]) => [
      ambiguity,
      edition.readingsOf(ambiguity).findIndex(({ id }) => id === reading) + 1,
    ]),
  )
}
