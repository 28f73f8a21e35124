/** Which reading of an ambiguity the bank takes, where not the first; numbered as in the ambiguity register. */
export type Readings = Readonly<Record<string, number>>

/** The number of the reading in force. */
export function readingOf(readings: Readings, ambiguity: string): number {
  return readings[ambiguity] ?? 1
}
