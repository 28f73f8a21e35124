import type { Response } from 'express'
import type { Outbound } from '../../keys/outbound.js'
import type { PageContext } from '../../pages/layout.js'
import { notTheDocumentPage } from '../../pages/signing.js'
import { noteRefusal } from '../../refusals.js'
import { documentToShow } from '../../signing/documents.js'
import type { SigningRequest } from '../../signing-request.js'
import { documentsInOrder } from '../../structured-scope.js'
import type { DocumentTurns } from './document-turns.js'

/** Shows one of the documents that are to be authorized, or says that it is not the one. @param number from 1, in the order shown */
export async function showDocument(
  request: SigningRequest | undefined,
  number: number,
  documents: Outbound,
  turns: DocumentTurns,
  { language }: PageContext,
  res: Response,
): Promise<void> {
  const wanted = request && documentsInOrder(request.claims.structured_scope)[number - 1]
  if (wanted) await turns.take(request.id, res)
  if (res.destroyed) return
  const document = wanted && (await documentToShow(documents, wanted))
  if (!document) {
    noteRefusal(res, { code: 'not_found', check: 'document/shown' })
    res.status(404).send(notTheDocumentPage(language))
    return
  }
  // Whatever it contains, it runs nothing and asks for nothing.
  res.set({ 'content-type': document.contentType, 'content-security-policy': "sandbox; default-src 'none'" })
  res.send(document.content)
}
