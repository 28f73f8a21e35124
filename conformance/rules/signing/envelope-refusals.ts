import type { Rule } from '../../harness/rule.js'
import { sha512 } from '../../service/request-objects.js'
import { type Broken, type Claims, envelope, inEnvelope, objectIn, refusalRules, without } from './refused-objects.js'

/** Members of the envelope in place of the good ones. */
const members = (changes: Claims): Broken => envelope((good) => ({ ...good, ...changes }))

/** Another document in the envelope than its hash was made of. */
const otherDocument = (index: number): Broken =>
  envelope((good) => ({
    ...good,
    documents: documentsOf(good).map((document, i) =>
      i === index ? { ...document, document_hash: sha512('another document') } : document,
    ),
  }))

/** An envelope_hash in place of the right one. */
const hash = (made: (right: string, hashes: readonly string[]) => string): Broken =>
  envelope((good) => ({
    ...good,
    envelope_hash: made(
      String(good.envelope_hash),
      documentsOf(good).map(({ document_hash }) => String(document_hash)),
    ),
  }))

function documentsOf(envelope: Claims): Claims[] {
  return envelope.documents as Claims[]
}

const other = sha512('another document')

export const envelopeRefusals: readonly Rule[] = refusalRules([
  {
    slug: 'document-hash-required',
    requirement: 'SIGN-11',
    places: [
      'member=document_hash value=missing',
      'member=document_hash value=null',
      'member=document_hash value=empty',
    ],
    title: 'A document that no hash binds is refused',
    good: [{ kind: 'document' }],
    broken: {
      'no document_hash': objectIn('documentObject', (good) => without(good, 'document_hash')),
      'document_hash null': objectIn('documentObject', (good) => ({ ...good, document_hash: null })),
      'document_hash ""': objectIn('documentObject', (good) => ({ ...good, document_hash: '' })),
    },
  },
  {
    slug: 'eleven-documents',
    requirement: 'SIGN-38',
    places: ['value=upper-bound', 'value=above', 'value=long', 'member=text-and-documents'],
    title: 'Ten documents are taken, eleven and more are refused, also beside a text',
    accepted: [
      { kind: 'documents', count: 10 },
      { kind: 'text and documents', count: 10 },
    ],
    good: [
      { kind: 'documents', count: 10 },
      { kind: 'text and documents', count: 10 },
    ],
    broken: {
      'eleven documents': inEnvelope(11),
      'twelve documents': inEnvelope(12),
      'twenty documents': inEnvelope(20),
    },
  },
  {
    slug: 'whole-envelope',
    requirement: 'SIGN-39',
    places: [
      'member=envelope_name value=missing',
      'member=envelope_name value=null',
      'member=envelope_name value=empty',
      'member=envelope_hash value=missing',
      'member=envelope_hash value=null',
      'member=envelope_hash value=empty',
      'member=documents value=missing',
      'member=documents value=empty',
      ...['envelope_name', 'envelope_hash', 'documents'].map((member) => `member=${member} value=other-type`),
      'member=text-and-documents',
    ],
    title: 'An envelope without name, hash or document is refused',
    good: [{ kind: 'documents' }, { kind: 'text and documents' }],
    broken: {
      'no envelope_name': envelope((good) => without(good, 'envelope_name')),
      'envelope_name null': members({ envelope_name: null }),
      'no envelope_hash': envelope((good) => without(good, 'envelope_hash')),
      'envelope_hash null': members({ envelope_hash: null }),
      'envelope_hash ""': members({ envelope_hash: '' }),
      'no documents': envelope((good) => ({ ...without(good, 'documents'), envelope_hash: sha512('') })),
      'no document': members({ documents: [], envelope_hash: sha512('') }),
    },
    // The member is there, and nothing says that a name has to have a character.
    readable: { 'envelope_name ""': members({ envelope_name: '' }) },
    oddlyTyped: {
      'envelope_name true': members({ envelope_name: true }),
      'envelope_name 1': members({ envelope_name: 1 }),
      'a list of the envelope_hash': envelope((good) => ({ ...good, envelope_hash: [good.envelope_hash] })),
      'documents that are no list': envelope((good) => ({ ...good, documents: { ...documentsOf(good) } })),
    },
  },
  {
    slug: 'envelope-hash',
    requirement: 'SIGN-40',
    places: [
      'value=wrong',
      'value=prefix',
      'value=suffix',
      'value=subset',
      'value=reordered',
      'value=first',
      'value=second',
      'value=last',
    ],
    title: 'An envelope_hash that does not fit each of the documents whole is refused',
    good: [{ kind: 'documents', count: 3 }],
    broken: {
      'the envelope_hash of another document': hash(() => other),
      'an envelope_hash of which the first half is right': hash((right) => right.slice(0, 64) + other.slice(64)),
      'an envelope_hash of which the second half is right': hash((right) => other.slice(0, 64) + right.slice(64)),
      'an envelope_hash of which the last digit is wrong': hash((right) =>
        right.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      ),
      'an envelope_hash without the last document': hash((_right, hashes) => sha512(hashes.slice(0, -1).join(''))),
      'an envelope_hash without the first document': hash((_right, hashes) => sha512(hashes.slice(1).join(''))),
      'an envelope_hash of the first document alone': hash((_right, [first = '']) => sha512(first)),
      'an envelope_hash of no document': hash(() => sha512('')),
      'an envelope_hash of the documents in another order': hash((_right, hashes) =>
        sha512([...hashes].reverse().join('')),
      ),
      'another first document': otherDocument(0),
      'another second document': otherDocument(1),
      'another last document': otherDocument(2),
    },
  },
])
