/** An unavailability that was announced; times are seconds since the epoch. */
export interface Outage {
  /** The sub-system concerned, or `bank` for all of it. */
  part: string
  from: number
  /** null when its end is not known. */
  until: number | null
  reason: string | null
}
