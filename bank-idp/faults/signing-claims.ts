import { createHash } from 'node:crypto'
import type { OpenedRequest } from '../seams.js'
import { type Fault, fault } from './fault.js'

type Members = Record<string, unknown>

/** A deviation that takes a bad request object for a good one. */
interface Leniency {
  id: string
  breaks: readonly string[]
  places: readonly string[]
  title: string
  collateral?: Readonly<Record<string, string>>
  /** Makes good what is bad. */
  repair(claims: Members, request: OpenedRequest): void
  /** Checks that cannot be satisfied by a repair. */
  without?: readonly string[]
}

function scopesOf({ scope }: Members): string[] {
  return String(scope ?? '')
    .split(' ')
    .filter(Boolean)
}

/** Scopes of a request object otherwise. */
const scopes = (change: (scopes: string[]) => string[]) => (claims: Members) => {
  claims.scope = change(scopesOf(claims)).join(' ')
}

const structuredScope = ({ structured_scope }: Members) => (structured_scope ?? {}) as Record<string, Members>
const hasDocuments = (claims: Members) => {
  const { documentObject, documentObjects } = structuredScope(claims)
  return documentObject !== undefined || documentObjects !== undefined
}
/** The kinds of requests to sign documents, by the names of their places. */
const documentKinds = [
  { kind: 'documentObject', slug: 'one-document', name: 'one document' },
  { kind: 'documentObjects', slug: 'envelope', name: 'an envelope' },
  { kind: 'text-and-document', slug: 'text-and-document', name: 'a document beside a text' },
]

function kindOf(claims: Members): string | undefined {
  if (!hasDocuments(claims)) return undefined
  const { signObject, documentObject } = structuredScope(claims)
  if (signObject) return 'text-and-document'
  return documentObject ? 'documentObject' : 'documentObjects'
}

const hasBearer = ({ headers }: OpenedRequest) => headers.authorization !== undefined
const tenMinutes = 600

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

const leniencies: readonly Leniency[] = [
  {
    id: 'signing/openid-not-asked',
    breaks: ['SIGN-3'],
    places: ['scope=openid value=missing'],
    title: 'Takes a request object of nobody with scope authorization alone',
    repair: (claims) => {
      if (claims.scope === 'authorization') claims.scope = 'openid authorization'
    },
  },
  {
    id: 'signing/authorization-not-asked',
    breaks: ['SIGN-3'],
    places: ['scope=authorization value=missing'],
    title: 'Takes a request object of nobody with scope openid alone',
    repair: (claims) => {
      if (claims.scope === 'openid') claims.scope = 'openid authorization'
    },
  },
  {
    id: 'signing/scopes-in-any-case',
    breaks: ['SIGN-3'],
    places: ['scope=openid value=upper-case', 'scope=authorization value=upper-case'],
    title: 'Compares scopes of request objects without regard to case',
    repair: scopes((all) => all.map((one) => (/^[A-Z]+$/.test(one) ? one.toLowerCase() : one))),
  },
  {
    id: 'signing/scopes-by-beginning',
    breaks: ['SIGN-3'],
    places: ['scope=openid value=superset', 'scope=authorization value=superset'],
    title: 'Takes a scope for the one that it begins with',
    repair: scopes((all) => all.map((one) => /^(openid|authorization)/.exec(one)?.[0] ?? one)),
  },
  {
    id: 'signing/documents-without-scopes',
    breaks: ['SIGN-3'],
    places: ['member=documentObject'],
    title: 'Takes a document of nobody without the scopes openid and authorization',
    repair: (claims) => {
      if (hasDocuments(claims)) claims.scope = 'openid authorization'
    },
  },
  ...documentKinds.map(
    ({ kind, slug, name }): Leniency => ({
      id: `signing/${slug}-by-loa2`,
      breaks: ['SIGN-5'],
      places: [`member=${kind} value=wrong`],
      title: `Takes acr_values loa2 for ${name}`,
      repair: (claims) => {
        if (kindOf(claims) === kind && claims.acr_values === 'loa2') claims.acr_values = 'loa3'
      },
    }),
  ),
  {
    id: 'signing/document-of-no-level',
    breaks: ['SIGN-5'],
    places: ['value=missing'],
    title: 'Takes a document without acr_values',
    repair: (claims) => {
      if (hasDocuments(claims) && claims.acr_value === undefined) claims.acr_values ??= 'loa3'
    },
  },
  {
    id: 'signing/levels-in-any-case',
    breaks: ['SIGN-5'],
    places: ['value=upper-case'],
    title: 'Compares acr_values of request objects without regard to case',
    repair: (claims) => {
      if (claims.acr_values !== undefined) claims.acr_values = String(claims.acr_values).toLowerCase()
    },
  },
  {
    id: 'signing/levels-by-beginning',
    breaks: ['SIGN-5'],
    places: ['value=superset'],
    title: 'Takes a level of assurance for the one that it begins with',
    repair: (claims) => {
      if (claims.acr_values !== undefined)
        claims.acr_values = String(claims.acr_values).replace(/\b(loa[23])\w+/g, '$1')
    },
  },
  {
    id: 'signing/max-age-null',
    breaks: ['SIGN-7'],
    places: ['value=null', 'value=empty'],
    title: 'Takes a max_age of null or of no characters for ten minutes',
    repair: (claims) => {
      if (claims.max_age === null || claims.max_age === '') claims.max_age = tenMinutes
    },
  },
  {
    id: 'signing/max-age-in-words',
    breaks: ['SIGN-7'],
    places: ['value=other-type'],
    title: 'Takes a max_age that is no number for ten minutes',
    repair: (claims) => {
      if (typeof claims.max_age === 'string' && claims.max_age !== '') claims.max_age = tenMinutes
    },
  },
  {
    id: 'signing/max-age-negative',
    breaks: ['SIGN-7'],
    places: ['value=below'],
    title: 'Takes a negative max_age for ten minutes',
    repair: (claims) => {
      if (Number(claims.max_age) < 0) claims.max_age = tenMinutes
    },
  },
  {
    id: 'signing/document-without-max-age',
    breaks: ['SIGN-7'],
    places: ['member=documentObject'],
    title: 'Takes a document without max_age',
    repair: (claims) => {
      if (hasDocuments(claims)) claims.max_age ??= tenMinutes
    },
  },
  {
    id: 'signing/bearer-without-max-age',
    breaks: ['SIGN-7'],
    places: ['caller=bearer'],
    title: 'Takes a request object without max_age that comes with an access token',
    repair: (claims, request) => {
      if (hasBearer(request)) claims.max_age ??= tenMinutes
    },
  },
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
  {
    id: 'signing/kind-of-response-unread',
    breaks: ['SIGN-17'],
    places: ['value=unknown'],
    title: 'Takes a response_type that the flow does not have for code',
    repair: (claims) => {
      if (!String(claims.response_type).includes('code')) claims.response_type = 'code'
    },
  },
  {
    id: 'signing/lower-level-taken',
    breaks: ['SIGN-18'],
    places: ['value=both', 'value=reordered'],
    title: 'Authorizes a document at the lower one of two levels',
    collateral: { 'signing/document-by-loa3': 'what is asked for is not looked at' },
    repair: (claims) => {
      if (scopesOf({ scope: claims.acr_values }).length > 1) claims.acr_values = 'loa2'
    },
    without: ['ros/document-loa3', 'signer/acr'],
  },
]

/** Request objects that a bank is too lenient with, by the table above. */
export const signingClaimFaults: readonly Fault[] = leniencies.map(({ repair, ...description }) =>
  fault({ ...description, requestObject: (request) => repair(request.claims, request) }),
)
