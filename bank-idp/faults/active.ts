import type { SecureContextOptions } from 'node:tls'
import { UsageError } from '../errors.js'
import type { Lifetimes } from '../provider/lifetimes.js'
import type { SubjectPlan } from '../provider/subjects.js'
import type { Clients } from '../store/clients.js'
import type {
  BankFacts,
  Fault,
  NestedJwt,
  NestedJwtFacts,
  NestedJwtKind,
  OpenedRequest,
  RecordSeam,
  Route,
  SeamResponse,
  StoredRecord,
} from './fault.js'
import { faults as known } from './index.js'
import { nearest } from './nearest.js'

/** A fault that is switched on: for every client, or for one. */
export interface Activation {
  fault: Fault
  clientId?: string
}

/** The faults that are switched on in one bank. */
export class ActiveFaults {
  #active: Activation[] = []
  #watchers: (() => void)[] = []

  /** @throws {UsageError} when no fault has the id; the message names the one that comes nearest */
  on(id: string, clientId?: string): void {
    const fault = find(id)
    this.off(id, clientId)
    this.#active.push({ fault, clientId })
    this.#changed()
  }

  /** @throws {UsageError} when no fault has the id */
  off(id: string, clientId?: string): void {
    const fault = find(id)
    this.#active = this.#active.filter(
      (one) => one.fault !== fault || (clientId !== undefined && one.clientId !== clientId),
    )
    this.#changed()
  }

  /** Calls back whenever a fault is switched: for what is not asked anew with each request. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher)
  }

  list(): readonly Activation[] {
    return this.#active
  }

  /** Whether a named check is left out for a client. */
  leavesOut(check: string, clientId?: string): boolean {
    return this.#for(clientId).some(({ without }) => without?.includes(check))
  }

  /** The faults that change the answers of a route; undefined when there is none, so that answers are not held back for nothing. */
  responses(route: Route): ((response: SeamResponse, bank: BankFacts, clientId?: string) => SeamResponse) | undefined {
    if (!this.#active.some(({ fault }) => fault.response?.[route])) return undefined
    return (response, bank, clientId) =>
      this.#for(clientId).reduce((answer, fault) => fault.response?.[route]?.(answer, bank) ?? answer, response)
  }

  /** The path of the bank that is meant by a path of a request. */
  path(requested: string): string {
    return this.#active.reduce((path, { fault }) => fault.paths?.[path] ?? path, requested)
  }

  /** How a reply is signed and encrypted, after the faults had their way with it. */
  async nestedJwt(kind: NestedJwtKind, nestedJwt: NestedJwt, facts: NestedJwtFacts): Promise<NestedJwt> {
    let changed = nestedJwt
    for (const fault of this.#for(facts.clientId))
      changed = (await fault.nestedJwt?.[kind]?.(changed, facts)) ?? changed
    return changed
  }

  /** The store of clients, as the faults that are switched on (then, not now) have it. */
  clients(store: Clients): Clients {
    return new Proxy(store, {
      get: (target, name: keyof Clients) => {
        const right = target[name] as (...parameters: unknown[]) => unknown
        return (...parameters: unknown[]) => {
          const wrong = this.#active.find(({ fault }) => fault.clients?.[name])?.fault.clients?.[name]
          if (!wrong) return right.apply(target, parameters)
          return (wrong as (...all: unknown[]) => unknown)(target, ...parameters)
        }
      },
    })
  }

  /** How a person is going to be known at a client, after the faults had their way with it. */
  subject(plan: SubjectPlan, clientId: string): SubjectPlan {
    return this.#for(clientId).reduce((changed, fault) => fault.subject?.(changed) ?? changed, plan)
  }

  /** The versions and suites of TLS, after the faults had their way with them; a connection has no client yet. */
  tls(options: SecureContextOptions): SecureContextOptions {
    return this.#for().reduce((changed, fault) => fault.tls?.(changed) ?? changed, options)
  }

  /** Changes the parameters of a request to a route. */
  request(route: Route, parameters: URLSearchParams, issuer: string, clientId?: string): void {
    for (const fault of this.#for(clientId)) fault.request?.[route]?.(parameters, { issuer })
  }

  /** Changes a request object that was opened. */
  requestObject(request: OpenedRequest): void {
    for (const fault of this.#for()) fault.requestObject?.(request)
  }

  /** The scopes that a person is taken to have consented to. */
  consented(scopes: readonly string[], clientId: string): readonly string[] {
    return this.#for(clientId).reduce((changed, fault) => fault.consented?.(changed) ?? changed, scopes)
  }

  /** What is done to the records of one kind, with the client that it is done for; undefined: for all. */
  records(model: string): (RecordSeam & { clientId?: string })[] {
    return this.#active.flatMap(({ fault, clientId }) =>
      (fault.records ?? []).filter((seam) => seam.model === model).map((seam) => ({ ...seam, clientId })),
    )
  }

  /** The value of a new access token. */
  accessToken(random: string, record: StoredRecord & { clientId?: string }): string {
    return this.#for(record.clientId).reduce((value, fault) => fault.accessToken?.(value, record) ?? value, random)
  }

  /** The lifetimes for a client, after the faults had their way with them. */
  lifetimes(inForce: Lifetimes, clientId: string): Lifetimes {
    const changes = this.#for(clientId).map((fault) => fault.lifetimes?.(inForce))
    return Object.assign({}, inForce, ...changes)
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher()
  }

  #for(clientId?: string): Fault[] {
    return this.#active
      .filter((one) => one.clientId === undefined || one.clientId === clientId)
      .map(({ fault }) => fault)
  }
}

function find(id: string): Fault {
  const fault = known.find((one) => one.id === id)
  if (fault) return fault
  const near = nearest(
    id,
    known.map((one) => one.id),
  )
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  throw new UsageError(`no fault is called '${id}'.${hint} 'bank-idp faults known' lists them`)
}
