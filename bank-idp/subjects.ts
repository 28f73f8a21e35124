import { createHmac } from 'node:crypto'
import type { Client, RegistrationRecord } from './client.js'
import { Latest } from './latest.js'
import type { Seams, SubjectPlan } from './seams.js'

/**
 * The sector identifier of a client: the host of sector_identifier_uri, else of the redirect URI. Specification: "What the service
 * does" 5; the host alone, without a port (RFC 3986 section 3.2.2).
 */
function sectorOf(record: RegistrationRecord): string {
  return new URL(String(record.sector_identifier_uri ?? record.redirect_uris[0])).hostname
}

/** Within what a client knows people by the same subs; undefined where that is the whole bank. */
function sectorOfPairwise(record: RegistrationRecord): string | undefined {
  return record.subject_type === 'public' ? undefined : sectorOf(record)
}

/** Whether people have the same subs by both records of a client. */
export function sameSubjects(one: RegistrationRecord, other: RegistrationRecord): boolean {
  return sectorOfPairwise(one) === sectorOfPairwise(other)
}

/** 16 bytes as a UUID of version 4: RFC 9562 section 5.4, for pseudorandom bytes. */
function uuidOf(bytes: Uint8Array): string {
  const digits = Buffer.from(bytes)
  digits[6] = 0x40 | ((digits[6] ?? 0) & 0x0f)
  digits[8] = 0x80 | ((digits[8] ?? 0) & 0x3f)
  return digits.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** What subs are derived by: base64url, part of the store. */
interface SubjectSecrets {
  pairwise: string
  /** In its place in a store that was made before subs were UUIDs, where they stay the digests that they were. */
  digests?: string
}

/** How clients know a person. Specification: "What the service does" 5; OpenID Connect Core section 8. A sub is a UUID, as published. */
export class Subjects {
  readonly #secret: Buffer
  /** What becomes of the HMAC of a sector and a person. */
  readonly #form: (digest: Buffer) => string
  readonly #seams: Pick<Seams, 'subject'>
  /** Whom a sub was derived from. */
  readonly #derived = new Latest<string>(250_000)

  constructor({ pairwise, digests }: SubjectSecrets, seams: Pick<Seams, 'subject'>) {
    this.#secret = Buffer.from(digests ?? pairwise, 'base64url')
    this.#form = (digest) => (digests === undefined ? uuidOf(digest.subarray(0, 16)) : digest.toString('base64url'))
    this.#seams = seams
  }

  /** The person's sub at a client. */
  of({ clientId, record }: Pick<Client, 'clientId' | 'record'>, personId: string): string {
    const plan: SubjectPlan = { record, personId, sector: sectorOfPairwise(record) }
    const { sector, personId: person } = this.#seams.subject(plan, clientId)
    const sub =
      sector === undefined
        ? person
        : this.#form(createHmac('sha256', this.#secret).update(`${sector}\n${person}`).digest())
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
