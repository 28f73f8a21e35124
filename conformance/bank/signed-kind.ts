/** What the person is asked to authorize: a text, documents, or both. */
export type SignedKind = 'text' | 'document' | 'documents' | 'text and document' | 'text and documents'
