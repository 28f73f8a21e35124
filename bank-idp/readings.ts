/** Which reading of an ambiguity the bank takes, where not the first; numbered as in the ambiguity register. */
export type Readings = Readonly<Record<string, number>>

/** The ambiguities of which the bank can take more than the first reading, each with how many it offers. */
export const offeredReadings = {
  'AMB-1': 2,
  'AMB-2': 3,
  'AMB-3': 2,
  'AMB-4': 2,
  'AMB-5': 2,
  'AMB-6': 2,
  'AMB-7': 2,
  'AMB-8': 2,
  'AMB-9': 2,
  'AMB-10': 2,
  'AMB-11': 2,
  'AMB-12': 2,
  'AMB-13': 2,
  'AMB-14': 2,
  'AMB-15': 2,
  'AMB-16': 2,
  'AMB-17': 2,
  'AMB-18': 2,
  'AMB-19': 2,
  'AMB-20': 2,
  'AMB-21': 2,
  'AMB-22': 2,
  'AMB-23': 2,
  'AMB-25': 2,
  'AMB-26': 2,
  'AMB-27': 2,
  'AMB-29': 2,
  'AMB-31': 3,
  'AMB-32': 4,
  'AMB-33': 2,
  'AMB-34': 3,
  'AMB-37': 2,
  'AMB-39': 2,
  'AMB-40': 3,
  'AMB-41': 2,
  'AMB-42': 2,
  'AMB-43': 2,
  'AMB-44': 2,
  'AMB-45': 2,
  'AMB-46': 2,
  'AMB-47': 2,
  'AMB-48': 3,
  'AMB-49': 2,
  'AMB-50': 2,
  'AMB-51': 2,
  'AMB-52': 2,
  'AMB-53': 2,
  'AMB-54': 2,
  'AMB-55': 2,
  'AMB-56': 2,
  'AMB-57': 2,
  'AMB-58': 2,
  'AMB-60': 2,
  'AMB-61': 2,
  'AMB-62': 2,
  'AMB-63': 2,
  'AMB-64': 2,
  'AMB-66': 2,
  'AMB-67': 2,
  'AMB-68': 2,
  'AMB-69': 3,
} as const

export type Ambiguity = keyof typeof offeredReadings

/** The number of the reading in force. */
export function readingOf(readings: Readings, ambiguity: Ambiguity): number {
  return readings[ambiguity] ?? 1
}

/** What is wrong with configured readings, in words; undefined when nothing is. */
export function readingsProblem(given: Readings): string | undefined {
  const offered = new Map<string, number>(Object.entries(offeredReadings))
  for (const [id, number] of Object.entries(given)) {
    const count = offered.get(id)
    if (count === undefined)
      return `'${id}' is not an ambiguity that this bank offers readings of; those are ${[...offered.keys()].join(', ')}`
    if (!Number.isInteger(number) || number < 1 || number > count)
      return `'${id}=${number}' is not a reading that this bank offers: give ${id}=1 to ${id}=${count}`
  }
  return undefined
}
