import { UsageError } from '../errors.js'
import type { BankFacts, Fault, Route, Sealed, Sealing, SeamResponse } from './fault.js'
import { faults as known } from './index.js'

/** A fault that is switched on: for every client, or for one. */
export interface Activation {
  fault: Fault
  clientId?: string
}

/** The faults that are switched on in one bank. */
export class ActiveFaults {
  #active: Activation[] = []

  /** @throws {UsageError} when no fault has the id; the message lists those that exist */
  on(id: string, clientId?: string): void {
    const fault = find(id)
    this.off(id, clientId)
    this.#active.push({ fault, clientId })
  }

  /** @throws {UsageError} when no fault has the id */
  off(id: string, clientId?: string): void {
    const fault = find(id)
    this.#active = this.#active.filter(
      (one) => one.fault !== fault || (clientId !== undefined && one.clientId !== clientId),
    )
  }

  list(): readonly Activation[] {
    return this.#active
  }

  /** Whether a named check is left out for a client. */
  leavesOut(check: string, clientId?: string): boolean {
    return this.#for(clientId).some(({ without }) => without?.includes(check))
  }

  /** Has the faults change the parameters of a request. */
  request(route: Route, parameters: URLSearchParams, clientId?: string): void {
    for (const fault of this.#for(clientId)) fault.request?.[route]?.(parameters)
  }

  /** The faults that change the answers of a route; undefined when there is none, so that answers are not held back for nothing. */
  responses(route: Route): ((response: SeamResponse, bank: BankFacts, clientId?: string) => SeamResponse) | undefined {
    if (!this.#active.some(({ fault }) => fault.response?.[route])) return undefined
    return (response, bank, clientId) =>
      this.#for(clientId).reduce((answer, fault) => fault.response?.[route]?.(answer, bank) ?? answer, response)
  }

  /** How a reply is sealed, after the faults had their way with it. */
  async sealing(kind: Sealed, sealing: Sealing, clientId: string): Promise<Sealing> {
    let changed = sealing
    for (const fault of this.#for(clientId)) changed = (await fault.sealing?.[kind]?.(changed)) ?? changed
    return changed
  }

  #for(clientId?: string): Fault[] {
    return this.#active
      .filter((one) => one.clientId === undefined || one.clientId === clientId)
      .map(({ fault }) => fault)
  }
}

function find(id: string): Fault {
  const fault = known.find((one) => one.id === id)
  if (!fault)
    throw new UsageError(`no fault is called '${id}'. Known faults:\n${known.map((one) => `  ${one.id}`).join('\n')}`)
  return fault
}
