import type { SecureContextOptions } from 'node:tls'
import type { ClientStore, RegistrationRecord } from '../client.js'
import { UsageError } from '../errors.js'
import type { Lifetimes } from '../lifetimes.js'
import { nearest } from '../nearest.js'
import type {
  AssertionFacts,
  BankFacts,
  ConsentFacts,
  EventForm,
  EventNotice,
  FaultDescription,
  FaultSwitchboard,
  JudgedAssertion,
  JudgedObject,
  NestedJwt,
  NestedJwtFacts,
  NestedJwtKind,
  ObjectFacts,
  OpenedRequest,
  RecordFacts,
  RecordSeam,
  RequestFacts,
  ResponseFacts,
  Route,
  SeamResponse,
  Seams,
  ServiceAssertionFacts,
  StoredRecord,
  SubjectPlan,
} from '../seams.js'
import { allFaults } from './all-faults.js'
import type { Activated, Fault, Use } from './fault.js'

/** A fault that is switched on: for every client, or for one. */
interface Activation {
  fault: Fault
  clientId?: string
  activated: Activated
}

/** What there is to be known of every fault. */
export const knownFaults: () => readonly FaultDescription[] = allFaults

/** The faults that are switched on in one bank, at its seams. What a fault remembers is made when it is switched on, and dropped when off. */
export class ActiveFaults implements Seams, FaultSwitchboard {
  readonly #bank: BankFacts
  #active: Activation[] = []
  #watchers: (() => void)[] = []

  constructor(bank: BankFacts) {
    this.#bank = bank
  }

  get known(): readonly FaultDescription[] {
    return knownFaults()
  }

  on(id: string, clientId?: string): void {
    const fault = find(id)
    if (clientId !== undefined && typeof clientId !== 'string') {
      throw new UsageError(`${id}: the one client that it concerns is given by its client_id`)
    }
    this.off(id, clientId)
    this.#active.push({ fault, ...(clientId !== undefined && { clientId }), activated: fault.activate() })
    this.#changed()
  }

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

  leavesOut(step: string, clientId?: string): boolean {
    return this.#active.some(
      ({ clientId: only, activated }) =>
        (only === undefined || only === clientId) && activated(({ without }) => without?.includes(step) ?? false),
    )
  }

  responses(
    route: Route,
  ): ((response: SeamResponse, facts: ResponseFacts, clientId?: string) => SeamResponse) | undefined {
    if (!this.#active.some(({ activated }) => activated(({ response }) => response?.[route] !== undefined)))
      return undefined
    return (response, facts, clientId) => {
      const bank = { ...this.#bank, ...facts }
      return this.#reduce(
        clientId,
        response,
        (changed) => (deviation, memory) => deviation.response?.[route]?.(changed, bank, memory),
      )
    }
  }

  path(requested: string): string {
    return this.#active.reduce((path, { activated }) => activated(({ paths }) => paths?.[path] ?? path), requested)
  }

  async nestedJwt(kind: NestedJwtKind, planned: NestedJwt, facts: NestedJwtFacts): Promise<NestedJwt> {
    const bank = { ...this.#bank, ...facts }
    let changed = planned
    for (const activated of this.#of(facts.clientId)) {
      const before = changed
      changed = await activated((deviation, memory) => deviation.nestedJwt?.[kind]?.(before, bank, memory) ?? before)
    }
    return changed
  }

  judgedRecord(
    record: Record<string, unknown>,
    method: RecordFacts['method'],
    replaced?: RegistrationRecord,
  ): Record<string, unknown> {
    return this.#members('judgedRecord', { record, method, ...(replaced && { replaced }) })
  }

  keptRecord(
    record: RegistrationRecord,
    method: RecordFacts['method'],
    replaced?: RegistrationRecord,
  ): RegistrationRecord {
    return this.#members('keptRecord', { record, method, ...(replaced && { replaced }) }) as RegistrationRecord
  }

  answeredRecord(record: Record<string, unknown>, method: RecordFacts['method']): Record<string, unknown> {
    return this.#members('answeredRecord', { record, method })
  }

  /** A record after each fault had its way with its members. */
  #members(seam: 'judgedRecord' | 'keptRecord' | 'answeredRecord', facts: RecordFacts): Record<string, unknown> {
    const bank = { ...this.#bank, ...facts }
    const members: Record<string, unknown> = { ...facts.record }
    for (const { activated } of this.#active) {
      activated((deviation, memory) => {
        for (const [name, change] of Object.entries(deviation[seam] ?? {}))
          members[name] = change(members[name], bank, memory)
      })
    }
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
  }

  notices<Notice extends EventNotice>(planned: readonly Notice[]): readonly Notice[] {
    return this.#reduce<readonly Notice[]>(
      undefined,
      planned,
      (changed) => (deviation, memory) => deviation.notices?.(changed, this.#bank, memory),
    )
  }

  eventForm(planned: EventForm): EventForm {
    return this.#reduce(
      undefined,
      planned,
      (changed) => (deviation, memory) => deviation.eventForm?.(changed, this.#bank, memory),
    )
  }

  judgedAssertion(assertion: JudgedAssertion, facts: AssertionFacts): JudgedAssertion {
    const bank = { ...this.#bank, ...facts }
    return this.#reduce(
      facts.clientId,
      assertion,
      (changed) => (deviation, memory) => deviation.judgedAssertion?.(changed, bank, memory),
    )
  }

  judgedServiceAssertion(assertion: JudgedAssertion, facts: ServiceAssertionFacts): JudgedAssertion {
    const bank = { ...this.#bank, ...facts }
    return this.#reduce(
      undefined,
      assertion,
      (changed) => (deviation, memory) => deviation.judgedServiceAssertion?.(changed, bank, memory),
    )
  }

  judgedObject(object: JudgedObject, facts: ObjectFacts): JudgedObject {
    const bank = { ...this.#bank, ...facts }
    return this.#reduce(
      facts.clientId,
      object,
      (changed) => (deviation, memory) => deviation.judgedObject?.(changed, bank, memory),
    )
  }

  clients(store: ClientStore): ClientStore {
    const bank = { ...this.#bank, store }
    return {
      find: (clientId) =>
        this.#first(({ clients }, memory) => clients?.find?.(clientId, bank, memory)) ?? store.find(clientId),
      ids: () => store.ids(),
      anyRegistered: (redirectUri) => store.anyRegistered(redirectUri),
      authorizes: (clientId, token) =>
        this.#first(({ clients }, memory) => clients?.authorizes?.(token, { ...bank, clientId }, memory)) ??
        store.authorizes(clientId, token),
      revokeRegistrationToken: (token) => store.revokeRegistrationToken(token),
      create: (record) =>
        this.#first(({ clients }, memory) => clients?.create?.(record, bank, memory)) ?? store.create(record),
      replace: (clientId, record, endsGrants) =>
        this.#first(({ clients }, memory) => clients?.replace?.(record, { ...bank, clientId }, memory)) ??
        store.replace(clientId, record, endsGrants),
      remove: (clientId) =>
        this.#first(({ clients }, memory) => clients?.remove?.(clientId, bank, memory)) ?? store.remove(clientId),
    }
  }

  subject(plan: SubjectPlan, clientId: string): SubjectPlan {
    return this.#reduce(
      clientId,
      plan,
      (changed) => (deviation, memory) => deviation.subject?.(changed, this.#bank, memory),
    )
  }

  tls(options: SecureContextOptions): SecureContextOptions {
    return this.#reduce(
      undefined,
      options,
      (changed) => (deviation, memory) => deviation.tls?.(changed, this.#bank, memory),
    )
  }

  request(route: Route, parameters: URLSearchParams, facts: RequestFacts, clientId?: string): void {
    const bank = { ...this.#bank, ...facts }
    for (const activated of this.#of(clientId))
      activated(({ request }, memory) => request?.[route]?.(parameters, bank, memory))
  }

  requestObject(request: OpenedRequest): void {
    for (const activated of this.#of())
      activated((deviation, memory) => deviation.requestObject?.(request, this.#bank, memory))
  }

  consented(scopes: readonly string[], consent: ConsentFacts): readonly string[] {
    const bank = { ...this.#bank, ...consent }
    return this.#reduce(
      consent.clientId,
      scopes,
      (changed) => (deviation, memory) => deviation.consented?.(changed, bank, memory),
    )
  }

  records(model: string): readonly RecordSeam[] {
    return this.#active.flatMap(({ activated, clientId }) =>
      activated(({ records = [] }, memory) =>
        records
          .filter((one) => one.model === model)
          .map(
            ({ found, kept, graceSeconds = 0, ignores = [] }): RecordSeam => ({
              clientId,
              found: (record) => (found ? found(record, this.#bank, memory) : record),
              kept: kept && ((record, earlier) => kept(record, { ...this.#bank, earlier }, memory)),
              graceSeconds,
              ignores,
            }),
          ),
      ),
    )
  }

  accessToken(random: string, record: StoredRecord): string {
    const clientId = typeof record.clientId === 'string' ? record.clientId : undefined
    const bank = { ...this.#bank, record }
    return this.#reduce(
      clientId,
      random,
      (value) => (deviation, memory) => deviation.accessToken?.(value, bank, memory),
    )
  }

  lifetimes(inForce: Lifetimes, clientId: string): Lifetimes {
    const changes = this.#of(clientId).map((activated) =>
      activated((deviation, memory) => deviation.lifetimes?.(inForce, this.#bank, memory)),
    )
    return Object.assign({}, inForce, ...changes)
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher()
  }

  /** What is on for a client: for it alone, or for all. */
  #of(clientId?: string): Activated[] {
    return this.#active
      .filter((one) => one.clientId === undefined || one.clientId === clientId)
      .map(({ activated }) => activated)
  }

  /** A value after each fault that is on for a client had its way with it; undefined leaves it as it is. */
  #reduce<Value>(clientId: string | undefined, value: Value, change: (value: Value) => Use<Value | undefined>): Value {
    return this.#of(clientId).reduce((changed, activated) => activated(change(changed)) ?? changed, value)
  }

  /** What the first fault makes of something that makes anything of it. */
  #first<Result>(use: Use<Result | undefined>): Result | undefined {
    for (const { activated } of this.#active) {
      const result = activated(use)
      if (result !== undefined) return result
    }
    return undefined
  }
}

function find(id: string): Fault {
  if (typeof id !== 'string') throw new UsageError('name the fault by its id, such as token/scope-missing')
  const faults = allFaults()
  const fault = faults.find((one) => one.id === id)
  if (fault) return fault
  const near = nearest(
    id,
    faults.map((one) => one.id),
  )
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  throw new UsageError(`no fault is called '${id}'.${hint} 'bank-idp faults known' and GET /v1/faults list them`)
}
