import type Provider from 'oidc-provider'
import type * as library from 'prom-client'
import type { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { nowSeconds } from '../clock.js'
import type { LogEntry } from '../log.js'
import type { Database } from '../store/database.js'
import type { Tables } from '../store/schema.js'

/** A route that the bank serves, such as `POST /token`, and what its paths look like. */
interface Route {
  method: string
  path: string
  pattern: RegExp
}

/** By which a request goes that is for nothing the bank serves: whoever asks for paths of their own makes no series of them. */
const otherRoute = 'other'

/** Seconds by which requests are told apart: a bank answers in milliseconds, unless it fetches what a client hosts. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * What a bank counts of itself since it was started, and what is in its store when it is asked: told as text that Prometheus reads
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). Nothing of a client or a person is in it.
 */
export class Metrics {
  readonly #registry: Registry
  readonly #requests: Counter
  readonly #duration: Histogram
  readonly #logins: Counter
  readonly #tokens: Counter
  readonly #deliveries: Counter
  readonly #failures: Counter
  readonly #records: Gauge
  readonly #outbox: Gauge
  readonly #rows: Gauge
  #routes: readonly Route[] = []
  /** The look into the store that is under way. */
  #looking: Promise<void> | undefined

  private constructor({ Counter, Gauge, Histogram, Registry, collectDefaultMetrics }: Omit<typeof library, 'default'>) {
    this.#registry = new Registry()
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    const counter = (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name: `bank_idp_${name}`, help, labelNames, registers })
    const gauge = (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name: `bank_idp_${name}`, help, labelNames, registers })
    this.#requests = counter(
      'requests_total',
      'Requests that were answered, by route, status and, where they were refused, the error code.',
      ...['method', 'route', 'status', 'error'],
    )
    this.#duration = new Histogram({
      name: 'bank_idp_request_duration_seconds',
      help: 'Time from the request line to the end of the answer.',
      labelNames: ['route'],
      buckets,
      registers,
    })
    this.#logins = counter(
      'logins_total',
      'Authorization requests that came to their end, by success or the error code that the client got.',
      'outcome',
    )
    this.#tokens = counter(
      'token_responses_total',
      'Answers of /token with tokens in them, by grant type.',
      'grant_type',
    )
    this.#deliveries = counter(
      'event_deliveries_total',
      'Attempts to deliver notification and logout tokens, by outcome.',
      'outcome',
    )
    this.#failures = counter('failures_total', 'Lines of the log that tell of a failure of the bank itself.')
    this.#records = gauge(
      'live_records',
      'Sessions, grants, codes, tokens and the like in the store that can still be used, by kind.',
      'kind',
    )
    this.#outbox = gauge(
      'outbox_events',
      'Events in the store that are still to be delivered, and those given up.',
      'state',
    )
    this.#rows = gauge('rows', 'Rows of a table of the store.', 'table')
  }

  /** The library is read by banks alone that are asked for it. */
  static async make(): Promise<Metrics> {
    const { default: prometheus } = await import('prom-client')
    return new Metrics(prometheus)
  }

  /** Counts what is logged. */
  readonly log = (entry: LogEntry): void => {
    if (entry.event === 'error') this.#failures.inc()
    if (entry.event === 'delivery') this.#deliveries.inc({ outcome: entry.outcome })
    if (entry.event !== 'request') return
    const { status, milliseconds, error = '' } = entry
    const route = this.#routeOf(entry)
    const method = route === otherRoute ? otherRoute : entry.method
    this.#requests.inc({ method, route, status, error })
    this.#duration.observe({ route }, milliseconds / 1000)
  }

  /**
   * Counts from now on what comes of logins and of requests for tokens.
   *
   * @param served the routes of the bank, such as `POST /token`; a path may have parameters
   * @param issuer the bank's address, below which they are
   */
  watch(provider: Provider, served: readonly string[], issuer: string): void {
    const below = new URL(issuer).pathname.replace(/\/$/, '')
    this.#routes = served.map((route) => {
      const [method = '', path = ''] = route.split(' ')
      return { method, path, pattern: patternOf(below + path) }
    })
    provider.on('authorization.success', () => this.#logins.inc({ outcome: 'success' }))
    provider.on('authorization.error', (_ctx, { error }) => this.#logins.inc({ outcome: error }))
    provider.on('grant.success', ({ oidc }) => this.#tokens.inc({ grant_type: String(oidc.params?.grant_type) }))
  }

  #routeOf({ method, path }: Pick<LogEntry & { event: 'request' }, 'method' | 'path'>): string {
    const asked = method === 'HEAD' ? 'GET' : method
    return this.#routes.find((route) => route.method === asked && route.pattern.test(path))?.path ?? otherRoute
  }

  /** Media type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType
  }

  /** Everything, at this moment; what is in the store is missing where the store does not answer. */
  async text(db: Database): Promise<string> {
    // Who asks while somebody is being answered is told the same: it takes time, of which the bank has one.
    this.#looking ??= countsOf(db)
      .catch(() => undefined)
      .then((counts) => this.#tell(counts))
      .finally(() => {
        this.#looking = undefined
      })
    await this.#looking
    return this.#registry.metrics()
  }

  /** Takes what was counted in the place of what was counted before, at once: another may be told of it at any time. */
  #tell(counts: Counts | undefined): void {
    for (const gauge of [this.#records, this.#outbox, this.#rows]) gauge.reset()
    for (const [kind, live] of counts?.records ?? []) this.#records.set({ kind }, live)
    for (const [state, events] of counts?.outbox ?? []) this.#outbox.set({ state }, events)
    for (const [table, rows] of counts?.rows ?? []) this.#rows.set({ table }, rows)
  }
}

/** What is in a store: numbers by label. */
interface Counts {
  records: Map<string, number>
  outbox: Map<string, number>
  rows: Map<string, number>
}

async function countsOf(db: Database): Promise<Counts> {
  const count = db.fn.countAll<number>().as('count')
  const records = await db
    .selectFrom('provider_records')
    .select(['model', count])
    .where('consumed_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', nowSeconds())]))
    .groupBy('model')
    .execute()
  const events = await db
    .selectFrom('outbox')
    .select([(column) => column('given_up_at_ms', 'is', null).as('waits'), count])
    .groupBy('waits')
    .execute()
  const outbox = new Map([
    ['waiting', 0],
    ['given up', 0],
  ])
  for (const { waits, count: some } of events) outbox.set(waits ? 'waiting' : 'given up', Number(some))
  const rows = new Map<string, number>()
  for (const table of countedTables) {
    const { some } = await db
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as('some'))
      .executeTakeFirstOrThrow()
    rows.set(table, Number(some))
  }
  return { records: new Map(records.map(({ model, count: live }) => [model, Number(live)])), outbox, rows }
}

/** The tables that tell how much a bank is used. */
const countedTables = [
  'clients',
  'consents',
  'signing_requests',
  'waiting_logins',
  'audit',
] as const satisfies readonly (keyof Tables)[]

/** What paths of a route look like; the log has * in place of what identifies a sign-in. */
function patternOf(path: string): RegExp {
  const parts = path
    .split(/(?=\/)/)
    .map((part) => (/^\/[:*]/.test(part) ? '/[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${parts.join('')}$`)
}
