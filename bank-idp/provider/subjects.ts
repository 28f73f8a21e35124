import { createHmac } from 'node:crypto'
import type { RegistrationRecord } from '../store/clients.js'

/** How applications know a person. Specification: "What the service does" 5; OpenID Connect Core section 8. */
export class Subjects {
  readonly #secret: Buffer

  /** @param secret base64url; part of the store, it never changes */
  constructor(secret: string) {
    this.#secret = Buffer.from(secret, 'base64url')
  }

  /** The person's sub at an application. */
  of(record: RegistrationRecord, personId: string): string {
    if (record.subject_type === 'public') return personId
    const sectorUri = record.sector_identifier_uri ?? record.redirect_uris[0]
    return this.pairwise(new URL(String(sectorUri)).host, personId)
  }

  /** @param sector host of sector_identifier_uri, else of the redirect URI */
  pairwise(sector: string, personId: string): string {
    return createHmac('sha256', this.#secret).update(`${sector}\n${personId}`).digest('base64url')
  }
}
