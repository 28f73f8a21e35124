import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Client, RegistrationRecord } from './client.js'
import type { Seams, SubjectPlan } from './seams.js'

/**
 * The sector identifier of a client: the host of sector_identifier_uri, else of the redirect URI. Specification: "What the service
 * does" 5; the host alone, without a port (RFC 3986 section 3.2.2).
 */
function sectorOf(record: RegistrationRecord): string {
  return new URL(String(record.sector_identifier_uri ?? record.redirect_uris[0])).hostname
}

/** How clients know a person. Specification: "What the service does" 5; OpenID Connect Core section 8. */
export class Subjects {
  readonly #secret: Buffer
  readonly #seams: Pick<Seams, 'subject'>
  /** Whom a sub was derived from. */
  readonly #derived = new LRUCache<string, string>({ max: 250_000 })

  /** @param secret base64url; part of the store, it never changes */
  constructor(secret: string, seams: Pick<Seams, 'subject'>) {
    this.#secret = Buffer.from(secret, 'base64url')
    this.#seams = seams
  }

  /** The person's sub at a client. */
  of({ clientId, record }: Pick<Client, 'clientId' | 'record'>, personId: string): string {
    const plan: SubjectPlan = {
      record,
      personId,
      sector: record.subject_type === 'public' ? undefined : sectorOf(record),
    }
    const { sector, personId: person } = this.#seams.subject(plan, clientId)
    const sub =
      sector === undefined
        ? person
        : createHmac('sha256', this.#secret).update(`${sector}\n${person}`).digest('base64url')
    this.#derived.set(sub, personId)
    return sub
  }

  /**
   * Whom a client knows by a sub. The first time after a start everyone's sub at the client is derived; from then on it is known.
   *
   * @param everyone ids of those it may be
   */
  personOf(client: Pick<Client, 'clientId' | 'record'>, sub: string, everyone: Iterable<string>): string | undefined {
    const known = this.#derived.get(sub)
    if (known !== undefined && this.of(client, known) === sub) return known
    let found: string | undefined
    for (const id of everyone) if (this.of(client, id) === sub) found = id
    return found
  }
}
