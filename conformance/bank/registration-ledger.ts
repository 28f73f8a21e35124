import { Slots } from '../http/slots.js'

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

/** Knows what this run registered, so that all of it is taken away again however the run ends. */
export class RegistrationLedger {
  private readonly underWay = new Set<Promise<unknown>>()
  private readonly entries: LedgerEntry[] = []
  private readonly deleted = new Set<string>()
  /** By client_id: the secret that holds since a PUT, and those that it took the place of. */
  private readonly renewed = new Map<string, { secret: string; earlier: ReadonlySet<string> }>()

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

  /** The bank told another secret of a client in answer to a PUT: from then on that one holds (RFC 7592 section 2.2). */
  wasRenewed(clientId: string, before: string, secret: string): void {
    const earlier = new Set(this.renewed.get(clientId)?.earlier).add(before)
    earlier.delete(secret)
    this.renewed.set(clientId, { secret, earlier })
  }

  /** What holds in place of a secret that the bank issued; any other is given back as it is. */
  currentSecret(clientId: string, secret: string): string {
    const known = this.renewed.get(clientId)
    return known?.earlier.has(secret) ? known.secret : secret
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
