import { createHash, randomUUID } from 'node:crypto'
import type { TestClient } from './service.js'

export function sha512(text: string): string {
  return createHash('sha512').update(text).digest('hex')
}

/** A text to consent to. */
export function signObject() {
  const fields = [
    { key: 'Amount', value: '100 CZK', priority: 2 },
    { key: 'To', value: 'Městská knihovna', priority: 1 },
  ]
  return { fields, signObject_hash: sha512('ToMěstská knihovnaAmount100 CZK') }
}

export function documentObject(number = 1) {
  return {
    document_id: `document-${number}`,
    document_hash: sha512(`document ${number}`),
    document_title: `Smlouva ${number}`,
    document_subject: 'Pronájem kola',
    document_language: 'cs.CZ',
    document_author: 'Kola s.r.o.',
    document_pages: 3,
    document_created: '2026-01-31T08:54:11+01:00',
    document_size: 10 + String(number).length,
    document_read_by_enduser: true,
    document_uri: `https://localhost:1/documents/${number}`,
  }
}

/** Documents in an envelope. */
export function documentObjects(count: number) {
  const documents = Array.from({ length: count }, (_, i) => ({ ...documentObject(i + 1), document_priority: i + 1 }))
  return {
    envelope_name: 'Smlouvy',
    envelope_hash: sha512(documents.map(({ document_hash }) => document_hash).join('')),
    documents,
  }
}

/** Claims of a request object that the bank takes. */
export function requestClaims(
  { client_id, redirect_uri }: TestClient,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    txn: randomUUID(),
    client_id,
    nonce: 'N-1',
    state: 'S-1',
    acr_values: 'loa3',
    response_type: 'code',
    max_age: 300,
    scope: 'openid authorization',
    redirect_uri,
    structured_scope: { signObject: signObject() },
    ...changes,
  }
}
