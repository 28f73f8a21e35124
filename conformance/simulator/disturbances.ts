import { setTimeout } from 'node:timers/promises'

/** The paths whose answers can be disturbed. */
export const disturbable = ['/back-channel/logout', '/notify', '/user-stat-data', '/.well-known/jwks.json'] as const
export type Disturbable = (typeof disturbable)[number]

/** How a path answers in place of what it would. */
export interface Disturbance {
  path: Disturbable
  /** HTTP status in place of the answer, with nothing taken in; without one the answer is only late. */
  status?: number
  /** Seconds before the answer. */
  delay: number
  /** How many more requests it meets; without it, all until it is ended. */
  times?: number
}

/** Errors and delays on demand, by which a bank's retries can be tried. */
export class Disturbances {
  readonly #byPath = new Map<Disturbable, Disturbance>()

  list(): Disturbance[] {
    return [...this.#byPath.values()]
  }

  set(disturbance: Disturbance): void {
    this.#byPath.set(disturbance.path, disturbance)
  }

  end(path: Disturbable): void {
    this.#byPath.delete(path)
  }

  /**
   * Meets one request: waits as told.
   * @returns the status to answer with in place of the path's own answer
   */
  async meet(path: Disturbable): Promise<number | undefined> {
    const disturbance = this.#byPath.get(path)
    if (!disturbance) return undefined
    if (disturbance.times !== undefined) {
      disturbance.times -= 1
      if (disturbance.times <= 0) this.#byPath.delete(path)
    }
    if (disturbance.delay > 0) await setTimeout(disturbance.delay * 1000)
    return disturbance.status
  }
}

/**
 * Reads a disturbance from a form: path, status, delay in seconds, times.
 * @throws Error naming the field and what to give
 */
export function readDisturbance(form: Record<string, unknown>): Disturbance {
  const path = disturbable.find((one) => one === form.path)
  if (!path) throw new Error(`path: give one of ${disturbable.join(', ')}`)
  const whole = (name: string, least: number, most: number) => {
    const text = form[name]
    if (text === undefined || text === '') return undefined
    const value = Number(text)
    if (!Number.isInteger(value) || value < least || value > most)
      throw new Error(`${name}: give a whole number from ${least} to ${most}`)
    return value
  }
  const status = whole('status', 200, 599)
  const times = whole('times', 1, 1_000_000)
  return {
    path,
    ...(status !== undefined && { status }),
    delay: whole('delay', 0, 3600) ?? 0,
    ...(times !== undefined && { times }),
  }
}
