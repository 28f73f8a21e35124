import { createHash } from 'node:crypto'
import type { Outbound } from '../keys/outbound.js'
import type { DocumentObject } from '../structured-scope.js'

/** The largest document that is shown, in bytes. */
export const maxDocumentBytes = 20 * 1024 * 1024

/** Types that are shown as they are; everything else is offered as a file. */
const displayedTypes = ['application/pdf', 'text/plain']

export interface DisplayedDocument {
  content: Buffer
  contentType: string
}

/**
 * Fetches a document from where the client serves it, for its person to read.
 *
 * @returns undefined when it cannot be had, or is not the one whose hash is to be authorized
 */
export async function documentToShow(
  outbound: Outbound,
  { document_uri, document_hash }: DocumentObject,
): Promise<DisplayedDocument | undefined> {
  try {
    const response = await outbound.fetch(document_uri)
    const content = Buffer.from(await response.arrayBuffer())
    const hash = createHash('sha512').update(content).digest('hex')
    if (response.status !== 200 || hash !== document_hash.toLowerCase()) return undefined
    const given = response.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
    return { content, contentType: displayedTypes.includes(given) ? given : 'application/octet-stream' }
  } catch {
    return undefined
  }
}
