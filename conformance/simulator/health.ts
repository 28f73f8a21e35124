import { validate } from '../../schemas/index.js'
import type { HttpResponse } from '../http/http.js'

/** Specification: "Health record". */
export const subSystems = ['dynamic-registration', 'oidc-core', 'revoke', 'kyc'] as const
export type SubSystem = (typeof subSystems)[number]

interface HealthRecord {
  status: string
  poll_interval: number
  outage_description?: string | null
  details?: Partial<Record<SubSystem, { status: string }>>
}

/** Milliseconds between two readings while the bank names no poll_interval. */
const defaultIntervalMs = 60_000

/** Which sub-systems of a bank are down, read no more often than the bank's poll_interval. */
export class HealthMonitor {
  readonly #read: () => Promise<HttpResponse>
  readonly #now: () => number
  #interval = defaultIntervalMs
  #askedAt: number | undefined
  #record: Promise<HealthRecord | undefined> = Promise.resolve(undefined)

  /**
   * @param read GET /healthcheck
   * @param now milliseconds of a clock that only moves forward
   */
  constructor(read: () => Promise<HttpResponse>, now: () => number = () => performance.now()) {
    this.#read = read
    this.#now = now
  }

  /** What is down, and why as far as the bank says. A bank whose health cannot be read is taken to be up: its calls will tell. */
  async outage(): Promise<{ failing: ReadonlySet<SubSystem>; reason?: string }> {
    if (this.#askedAt === undefined || this.#now() - this.#askedAt >= this.#interval) {
      this.#askedAt = this.#now()
      this.#record = this.#ask()
    }
    const record = await this.#record
    if (!record) return { failing: new Set() }
    return {
      failing: new Set(failingOf(record)),
      ...(record.outage_description && { reason: record.outage_description }),
    }
  }

  async #ask(): Promise<HealthRecord | undefined> {
    const response = await this.#read().catch(() => undefined)
    if (!response || validate('health', response.json).length > 0) return undefined
    const record = response.json as HealthRecord
    this.#interval = record.poll_interval
    return record
  }
}

/** Those whose own status says so; when the whole is down and no sub-system says that it is the cause, all of them. */
function failingOf({ status, details = {} }: HealthRecord): readonly SubSystem[] {
  const named = subSystems.filter((name) => details[name] !== undefined && details[name]?.status !== 'OK')
  return named.length > 0 || status === 'OK' ? named : subSystems
}
