import { createHmac } from 'node:crypto'
import type { ActiveFaults } from '../faults/active.js'
import type { Client, RegistrationRecord } from '../store/clients.js'

/** How a person is going to be known at an application. */
export interface SubjectPlan {
  record: RegistrationRecord
  personId: string
  /** The sector identifier; undefined where the application registered subject_type public. */
  sector: string | undefined
}

/**
 * The sector identifier of an application: the host of sector_identifier_uri, else of the redirect URI. Specification: "What the service
 * does" 5; the host alone, without a port (RFC 3986 section 3.2.2).
 */
export function sectorOf(record: RegistrationRecord): string {
  return new URL(String(record.sector_identifier_uri ?? record.redirect_uris[0])).hostname
}

/** How applications know a person. Specification: "What the service does" 5; OpenID Connect Core section 8. */
export class Subjects {
  readonly #secret: Buffer
  readonly #faults: ActiveFaults

  /** @param secret base64url; part of the store, it never changes */
  constructor(secret: string, faults: ActiveFaults) {
    this.#secret = Buffer.from(secret, 'base64url')
    this.#faults = faults
  }

  /** The person's sub at an application. */
  of({ clientId, record }: Pick<Client, 'clientId' | 'record'>, personId: string): string {
    const plan: SubjectPlan = {
      record,
      personId,
      sector: record.subject_type === 'public' ? undefined : sectorOf(record),
    }
    const { sector, personId: person } = this.#faults.subject(plan, clientId)
    if (sector === undefined) return person
    return createHmac('sha256', this.#secret).update(`${sector}\n${person}`).digest('base64url')
  }
}
