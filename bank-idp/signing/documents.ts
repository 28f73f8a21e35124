import { createHash } from 'node:crypto'
import { MIMEType } from 'node:util'
import { legible } from '../../schemas/legible.js'
import type { Outbound } from '../keys/outbound.js'
import type { DocumentObject } from '../structured-scope.js'

/** The largest document that is shown, in bytes. */
export const maxDocumentBytes = 20 * 1024 * 1024

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
    return displayed(content, response.headers.get('content-type') ?? '')
  } catch {
    return undefined
  }
}

/** PDF is shown as it is, and text so that nobody signs what cannot be seen in it; everything else is offered as a file. */
function displayed(content: Buffer, given: string): DisplayedDocument {
  const type = typeOf(given)
  if (type?.essence === 'application/pdf') return { content, contentType: 'application/pdf' }
  const text = type?.essence === 'text/plain' ? decoded(content, type.params.get('charset') ?? 'utf-8') : undefined
  if (text === undefined) return { content, contentType: 'application/octet-stream' }
  return { content: Buffer.from(legible(text)), contentType: 'text/plain; charset=utf-8' }
}

function typeOf(given: string): MIMEType | undefined {
  try {
    return new MIMEType(given)
  } catch {
    return undefined
  }
}

/** @returns undefined for bytes that are no text in these characters, and for characters that nobody knows */
function decoded(content: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}
