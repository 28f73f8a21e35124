import { createHash } from 'node:crypto'
import type { Fault } from './fault.js'
import { type Leniency, lenient, type Members, structuredScope } from './signing-leniency.js'

function sha512(text: string): string {
  return createHash('sha512').update(text).digest('hex')
}

/** Members of the envelope otherwise. `rightHash` joins the hashes of some of its documents. */
const envelope =
  (change: (envelope: Members, rightHash: (of?: (hashes: string[]) => string[]) => string) => void) =>
  (claims: Members) => {
    const { documentObjects } = structuredScope(claims)
    if (!documentObjects) return
    const hashes = [documentObjects.documents ?? []].flat().map((one) => String((one as Members).document_hash))
    change(documentObjects, (of = (all) => all) => sha512(of(hashes).join('')))
  }

/** Takes an envelope_hash that is right in part, or of a part of the documents. */
const hashWhere = (isTaken: (given: string, right: (of?: (hashes: string[]) => string[]) => string) => boolean) =>
  envelope((one, right) => {
    if (isTaken(String(one.envelope_hash), right)) one.envelope_hash = right()
  })

/** Envelopes whose hash is not looked at. */
const hashUnread: readonly {
  slug: string
  place: string
  name: string
  isMeant(documents: number, claims: Members): boolean
}[] = [
  {
    slug: 'one',
    place: 'value=lower-bound',
    name: 'a document that is alone',
    isMeant: (documents) => documents === 1,
  },
  { slug: 'many', place: 'value=upper-bound', name: 'more than five documents', isMeant: (documents) => documents > 5 },
  {
    slug: 'combined',
    place: 'member=text-and-documents',
    name: 'documents beside a text',
    isMeant: (_documents, claims) => structuredScope(claims).signObject !== undefined,
  },
]

const leniencies: readonly Leniency[] = [
  {
    id: 'signing/kinds-in-any-case',
    breaks: ['SIGN-30'],
    places: ['value=upper-case'],
    title: 'Knows the kinds of objects by their names in capitals too',
    repair: (claims) => {
      const known = ['signObject', 'documentObject', 'documentObjects']
      claims.structured_scope = Object.fromEntries(
        Object.entries(structuredScope(claims)).map(([name, object]) => [
          known.find((one) => one.toUpperCase() === name) ?? name,
          object,
        ]),
      )
    },
  },
  {
    id: 'signing/kinds-in-small-letters',
    breaks: ['SIGN-30'],
    places: ['value=lower-case'],
    title: 'Knows the kinds of objects by their names in small letters too',
    repair: (claims) => {
      const known = ['signObject', 'documentObject', 'documentObjects']
      claims.structured_scope = Object.fromEntries(
        Object.entries(structuredScope(claims)).map(([name, object]) => [
          known.find((one) => one.toLowerCase() === name) ?? name,
          object,
        ]),
      )
    },
  },
  {
    id: 'signing/kinds-by-beginning',
    breaks: ['SIGN-30'],
    places: ['value=superset'],
    title: 'Drops an object whose kind begins with the name of a text, and takes the rest',
    repair: (claims) => {
      const scope = structuredScope(claims)
      for (const name of Object.keys(scope)) if (/^signObject./.test(name)) delete scope[name]
    },
  },
  {
    id: 'signing/nothing-to-authorize',
    breaks: ['SIGN-30'],
    places: ['value=missing'],
    title: 'Takes a request object that asks to authorize nothing',
    repair: () => {},
    without: ['ros/document-kinds'],
  },
  {
    id: 'signing/text-and-eleven-documents',
    breaks: ['SIGN-38'],
    places: ['member=text-and-documents'],
    title: 'Takes eleven documents beside a text, and leaves the last out',
    repair: (claims) => {
      const { signObject, documentObjects } = structuredScope(claims)
      const { documents } = (documentObjects ?? {}) as { documents?: { document_hash: string }[] }
      if (!signObject || !documentObjects || documents?.length !== 11) return
      documents.pop()
      documentObjects.envelope_hash = sha512(documents.map((one) => one.document_hash).join(''))
    },
  },
  {
    id: 'signing/many-documents-cut',
    breaks: ['SIGN-38'],
    places: ['value=long'],
    title: 'Takes twelve documents and more, and leaves out those after the tenth',
    repair: envelope((one) => {
      const documents = one.documents as { document_hash: string }[] | undefined
      if (!documents || documents.length < 12) return
      documents.splice(10)
      one.envelope_hash = sha512(documents.map(({ document_hash }) => document_hash).join(''))
    }),
  },
  {
    id: 'signing/envelope-named-otherwise',
    breaks: ['SIGN-39'],
    places: ['member=envelope_name value=other-type'],
    title: 'Takes any JSON for the name of an envelope',
    repair: envelope((one) => {
      if (['boolean', 'number'].includes(typeof one.envelope_name)) one.envelope_name = String(one.envelope_name)
    }),
  },
  {
    id: 'signing/envelope-hash-in-a-list',
    breaks: ['SIGN-39'],
    places: ['member=envelope_hash value=other-type'],
    title: 'Takes the first of a list for the hash of an envelope',
    repair: envelope((one) => {
      if (Array.isArray(one.envelope_hash)) one.envelope_hash = one.envelope_hash[0]
    }),
  },
  {
    id: 'signing/documents-by-number',
    breaks: ['SIGN-39'],
    places: ['member=documents value=other-type'],
    title: 'Takes an object of documents for a list of them',
    repair: envelope((one) => {
      if (!Array.isArray(one.documents)) one.documents = Object.values(Object(one.documents))
    }),
  },
  {
    id: 'signing/envelope-named-nothing',
    breaks: ['SIGN-39'],
    places: ['member=envelope_name value=null', 'member=envelope_name value=empty'],
    title: 'Takes an envelope whose name is null or has no characters',
    repair: envelope((one) => {
      if (one.envelope_name === null || one.envelope_name === '') one.envelope_name = 'Documents'
    }),
  },
  {
    id: 'signing/envelope-without-hash',
    breaks: ['SIGN-39'],
    places: [
      'member=envelope_hash value=missing',
      'member=envelope_hash value=null',
      'member=envelope_hash value=empty',
    ],
    title: 'Makes an envelope_hash that is missing, null or has no characters by itself',
    repair: envelope((one, right) => {
      one.envelope_hash ||= right()
    }),
  },
  {
    id: 'signing/envelope-without-documents',
    breaks: ['SIGN-39'],
    places: ['member=documents value=missing', 'member=documents value=empty'],
    title: 'Takes an envelope without a document',
    collateral: { 'signing/eleven-documents': 'whoever does not count takes eleven too' },
    repair: envelope((one) => {
      one.documents ??= []
    }),
    without: ['ros/document-count'],
  },
  {
    id: 'signing/text-without-its-envelope',
    breaks: ['SIGN-39'],
    places: ['member=text-and-documents'],
    title: 'Leaves an envelope out that lacks its name, where a text stands beside it',
    repair: (claims) => {
      const { signObject, documentObjects } = structuredScope(claims)
      if (signObject && documentObjects?.envelope_name === undefined) claims.structured_scope = { signObject }
    },
  },
  {
    id: 'signing/half-of-envelope-hash',
    breaks: ['SIGN-40'],
    places: ['value=prefix'],
    title: 'Compares the first half of envelope_hash',
    repair: hashWhere((given, right) => given.slice(0, 64) === right().slice(0, 64)),
  },
  {
    id: 'signing/other-half-of-envelope-hash',
    breaks: ['SIGN-40'],
    places: ['value=suffix'],
    title: 'Compares the second half of envelope_hash',
    repair: hashWhere((given, right) => given.slice(64) === right().slice(64)),
  },
  {
    id: 'signing/envelope-hash-of-a-part',
    breaks: ['SIGN-40'],
    places: ['value=subset'],
    title: 'Takes an envelope_hash that leaves the first or the last document out',
    repair: hashWhere((given, right) => [[1], [0, -1]].some((range) => given === right((all) => all.slice(...range)))),
  },
  {
    id: 'signing/envelope-hash-in-any-order',
    breaks: ['SIGN-40'],
    places: ['value=reordered'],
    title: 'Takes an envelope_hash of the documents in another order',
    repair: hashWhere((given, right) => given === right((all) => [...all].reverse())),
  },
  ...hashUnread.map(
    ({ slug, place, name, isMeant }): Leniency => ({
      id: `signing/envelope-hash-of-${slug}-unread`,
      breaks: ['SIGN-40'],
      places: [place],
      title: `Does not compare envelope_hash with ${name}`,
      repair: (claims) => {
        const { documents } = structuredScope(claims).documentObjects ?? {}
        if (Array.isArray(documents) && isMeant(documents.length, claims)) hashWhere(() => true)(claims)
      },
    }),
  ),
  {
    id: 'signing/document-without-hash',
    breaks: ['SIGN-11'],
    places: ['member=document_hash value=missing'],
    title: 'Takes a document without its hash, and makes one of its address',
    repair: (claims) => {
      const { documentObject } = structuredScope(claims)
      if (documentObject) documentObject.document_hash ??= sha512(String(documentObject.document_uri))
    },
  },
  {
    id: 'signing/document-of-empty-hash',
    breaks: ['SIGN-11'],
    places: ['member=document_hash value=null', 'member=document_hash value=empty'],
    title: 'Takes a document whose hash is null or has no characters',
    repair: (claims) => {
      const { documentObject } = structuredScope(claims)
      if (documentObject && 'document_hash' in documentObject)
        documentObject.document_hash ||= sha512(String(documentObject.document_uri))
    },
  },
]

/** Objects to authorize, by themselves and in envelopes, that a bank is too lenient with. */
export const signingObjectFaults: readonly Fault[] = lenient(leniencies)
