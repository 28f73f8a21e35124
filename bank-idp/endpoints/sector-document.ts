import { reasonOf } from '../keys/client-keys.js'
import type { Outbound } from '../keys/outbound.js'

/** What a sector_identifier_uri answered: the redirect URIs it lists, or why it cannot be used. */
export type SectorDocument = { uris: string[] } | { problem: string }

/**
 * Reads the document at a sector_identifier_uri: a JSON array of strings. Specification: "What the service does" 5; OpenID Connect Dynamic
 * Client Registration section 5. The bounds are those of everything the bank fetches.
 */
export async function readSectorDocument(outbound: Outbound, uri: string): Promise<SectorDocument> {
  try {
    const response = await outbound.fetch(uri, { headers: { accept: 'application/json' } })
    if (response.status !== 200) {
      await response.body?.cancel()
      return { problem: `the address answers with status ${response.status}` }
    }
    const uris: unknown = await response.json()
    const listed = Array.isArray(uris) && uris.every((one) => typeof one === 'string')
    return listed ? { uris } : { problem: 'the document is not a JSON array of strings' }
  } catch (error) {
    return { problem: reasonOf(error) }
  }
}
