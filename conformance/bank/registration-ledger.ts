import { Slots } from '../http/slots.js'
import { SeenRecords } from './seen-records.js'

/** A registration that the bank has on its side because of this run. */
export interface LedgerEntry {
  clientId: string
  /**
   * Takes it away again; throws with the reason when the bank does not.
   * @param deleted whether the bank said before that it did so
   */
  remove(deleted: boolean): Promise<void>
}

const removalsAtOnce = 8

/** A registration that was left at the bank. */
export interface Leftover {
  clientId: string
  reason: string
}

/** What the bank gave clients anew, in place of what it had given before (RFC 7592 sections 2.2 and 3). */
class Renewals {
  /** By client_id: what holds, and what it took the place of. */
  private readonly known = new Map<string, { value: string; earlier: ReadonlySet<string> }>()

  /** What holds in place of one that the bank issued; any other is given back as it is. */
  current(clientId: string, value: string): string {
    const known = this.known.get(clientId)
    return known?.earlier.has(value) ? known.value : value
  }

  /** The bank told another one of a client: from then on that one holds, where it is one. */
  note(clientId: string, before: string | undefined, value: unknown): void {
    if (before === undefined || typeof value !== 'string' || isMask(value)) return
    const replaced = this.current(clientId, before)
    if (replaced === value) return
    const earlier = new Set(this.known.get(clientId)?.earlier).add(replaced)
    earlier.delete(value)
    this.known.set(clientId, { value, earlier })
  }
}

/** Whether a value stands for one that is not shown: nothing, or one sign again and again, such as asterisks. */
function isMask(value: string): boolean {
  return /^(.?)\1*$/.test(value)
}

/** Knows what this run registered, so that all of it is taken away again however the run ends. */
export class RegistrationLedger {
  private readonly underWay = new Set<Promise<unknown>>()
  private readonly entries: LedgerEntry[] = []
  private readonly deleted = new Set<string>()
  private readonly elsewhere = new Set<string>()
  /** Secrets, which a PUT may renew. */
  readonly secrets = new Renewals()
  /** Registration access tokens, which each answer that carries one may renew. */
  readonly tokens = new Renewals()
  /** What came back of the records of clients that rules use. */
  readonly records = new SeenRecords()

  /** A request that may register something: removal waits for it. */
  async await<Outcome>(registering: Promise<Outcome>): Promise<Outcome> {
    this.underWay.add(registering)
    try {
      return await registering
    } finally {
      this.underWay.delete(registering)
    }
  }

  add(entry: LedgerEntry): void {
    this.entries.push(entry)
  }

  /** Whether a client was registered in this run. */
  has(clientId: string): boolean {
    return this.entries.some((entry) => entry.clientId === clientId)
  }

  /** The bank said that it took this one away already: it may be unknown by the end. */
  wasDeleted(clientId: string): void {
    this.deleted.add(clientId)
  }

  /** The registration access token of this one came with the client_id of no client: a bank may have revoked it (RFC 7592 section 2.1). */
  presentedElsewhere(clientId: string): void {
    this.elsewhere.add(clientId)
  }

  /** Why a bank may refuse a token with which it takes a registration away, in words; empty where there is no reason known. */
  whyRefused(clientId: string): string {
    return this.elsewhere.has(clientId)
      ? ', since its registration access token is revoked that came with the client_id of no client (RFC 7592 section 2.1)'
      : ''
  }

  /**
   * Takes everything away.
   * @param seconds after which no further removal is begun
   * @param hurry after which none is waited for
   */
  async removeAll(seconds: number, hurry?: AbortSignal): Promise<Leftover[]> {
    const hurried = new Promise<never>((_, reject) => {
      const stop = () => reject(new Error('the run was ended before it was taken away'))
      if (hurry?.aborted) stop()
      hurry?.addEventListener('abort', stop, { once: true })
    })
    hurried.catch(() => {})
    await Promise.race([Promise.allSettled(this.underWay), hurried]).catch(() => {})
    const deadline = performance.now() + seconds * 1000
    const turns = new Slots(removalsAtOnce)
    const removals = this.entries.splice(0).map(async ({ clientId, remove }) => {
      const free = await turns.take()
      try {
        if (performance.now() > deadline) throw new Error(`other removals took all of ${seconds} s`)
        await Promise.race([hurried, remove(this.deleted.has(clientId))])
        return []
      } catch (error) {
        return [{ clientId, reason: error instanceof Error ? error.message : String(error) }]
      } finally {
        free()
      }
    })
    return (await Promise.all(removals)).flat()
  }
}
