import { createHash } from 'node:crypto'

/** A pair that the person is asked to consent to. */
export interface Field {
  key: string
  value: string
  priority: number
}

export interface SignObject {
  fields: Field[]
  signObject_hash: string
}

export interface DocumentObject {
  document_id: string
  /** SHA-512 in hexadecimal. */
  document_hash: string
  document_title: string
  document_subject: string
  document_language: string
  document_author: string
  document_pages: number | string
  document_created: string
  /** Bytes. */
  document_size: number
  document_read_by_enduser: boolean
  document_uri: string
}

export interface Envelope {
  envelope_name: string
  envelope_hash: string
  documents: (DocumentObject & { document_priority: number })[]
}

/** What a person is asked to authorize. Specification: "Structured scope objects"; members as published. */
export interface StructuredScope {
  signObject?: SignObject
  documentObject?: DocumentObject
  documentObjects?: Envelope
}

function sha512(text: string): string {
  return createHash('sha512').update(text).digest('hex')
}

/** The fields in the order in which they are shown. */
export function fieldsInOrder({ fields }: SignObject): Field[] {
  return [...fields].sort((a, b) => a.priority - b.priority)
}

/** All documents in the order in which they are shown. */
export function documentsInOrder({ documentObject, documentObjects }: StructuredScope): DocumentObject[] {
  const bulk = [...(documentObjects?.documents ?? [])].sort((a, b) => a.document_priority - b.document_priority)
  return [...(documentObject ? [documentObject] : []), ...bulk]
}

/** Published: the digest of each field's key and value, joined in the order of priority. */
export function hashOfFields(object: SignObject): string {
  return sha512(
    fieldsInOrder(object)
      .map(({ key, value }) => key + value)
      .join(''),
  )
}

/** Published: the digest of the documents' hashes, joined in order. */
export function hashOfEnvelope({ documents }: Envelope): string {
  const ordered = [...documents].sort((a, b) => a.document_priority - b.document_priority)
  return sha512(ordered.map(({ document_hash }) => document_hash).join(''))
}

/** Whether a document is to be signed: then more is asked of the person and of the request. */
export function signsDocuments({ documentObject, documentObjects }: StructuredScope): boolean {
  return documentObject !== undefined || documentObjects !== undefined
}

/** The hashes that are bound by an authorization, in lower case: of the text, of each document and of the envelope. */
export function hashesOf(scope: StructuredScope): string[] {
  const { signObject, documentObjects } = scope
  const hashes = [signObject?.signObject_hash, documentObjects?.envelope_hash]
  const all = [...hashes, ...documentsInOrder(scope).map(({ document_hash }) => document_hash)]
  return all.flatMap((hash) => (hash === undefined ? [] : [hash.toLowerCase()]))
}
