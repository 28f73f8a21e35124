import type { OpenedRequest } from '../seams.js'
import { type Fault, fault } from './fault.js'
import {
  hasBearer,
  hasDocuments,
  isHinted,
  kindOf,
  type Leniency,
  lenient,
  type Members,
  structuredScope,
  valuesOf,
} from './signing-leniency.js'

/** The kinds of requests to sign documents, by the names of their places. */
const documentKinds = [
  { kind: 'documentObject', slug: 'one-document', name: 'one document' },
  { kind: 'documentObjects', slug: 'envelope', name: 'an envelope' },
  { kind: 'text-and-document', slug: 'text-and-document', name: 'a document beside a text' },
  { kind: 'text-and-documents', slug: 'text-and-documents', name: 'documents beside a text' },
]

/** Requests for documents whose level of assurance is not looked at. */
const levelUnread: readonly {
  slug: string
  place: string
  name: string
  isMeant(claims: Members, request: OpenedRequest): boolean
}[] = [
  {
    slug: 'only-document-of-envelope',
    place: 'value=lower-bound',
    name: 'an envelope of one document',
    isMeant: (claims) => [structuredScope(claims).documentObjects?.documents].flat(2).length === 1,
  },
  {
    slug: 'document-with-token',
    place: 'caller=bearer',
    name: 'a document that comes with an access token',
    isMeant: (claims, request) => hasDocuments(claims) && hasBearer(request),
  },
  {
    slug: 'text-and-document-with-token',
    place: 'caller=bearer member=text-and-document',
    name: 'a document beside a text that comes with an access token',
    isMeant: (claims, request) => kindOf(claims) === 'text-and-document' && hasBearer(request),
  },
  {
    slug: 'document-with-hint',
    place: 'member=id_token_hint',
    name: 'a document of whom id_token_hint names',
    isMeant: (claims) => hasDocuments(claims) && isHinted(claims),
  },
]

/** Values of acr_values that are taken for loa3. */
const levels: readonly { slug: string; place: string; title: string; isTaken(given: unknown): boolean }[] = [
  {
    slug: 'level-empty',
    place: 'value=empty',
    title: 'Takes a document with acr_values of no characters',
    isTaken: (given) => given === '',
  },
  {
    slug: 'level-null',
    place: 'value=null',
    title: 'Takes a document with acr_values null',
    isTaken: (given) => given === null,
  },
  {
    slug: 'levels-by-end',
    place: 'value=suffix',
    title: 'Takes a level of assurance for the one that it ends with',
    isTaken: (given) => /loa3$/.test(String(given)),
  },
  {
    slug: 'level-above',
    place: 'value=above',
    title: 'Takes a document with a level of assurance that is said to be higher than loa3',
    isTaken: (given) => /^loa[4-9]$/.test(String(given)),
  },
]

const leniencies: readonly Leniency[] = [
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
  ...documentKinds.map(
    ({ kind, slug, name }): Leniency => ({
      id: `signing/${slug}-of-no-level`,
      breaks: ['SIGN-5'],
      places: [`member=${kind} value=missing`],
      title: `Takes ${name} without acr_values`,
      repair: (claims) => {
        if (kindOf(claims) === kind && claims.acr_value === undefined) claims.acr_values ??= 'loa3'
      },
    }),
  ),
  ...levelUnread.map(
    ({ slug, place, name, isMeant }): Leniency => ({
      id: `signing/${slug}-by-loa2`,
      breaks: ['SIGN-5'],
      places: [place],
      title: `Takes acr_values loa2 for ${name}`,
      repair: (claims, request) => {
        if (isMeant(claims, request) && claims.acr_values === 'loa2') claims.acr_values = 'loa3'
      },
    }),
  ),
  ...levels.map(
    ({ slug, place, title, isTaken }): Leniency => ({
      id: `signing/${slug}`,
      breaks: ['SIGN-5'],
      places: [place],
      title,
      repair: (claims) => {
        if (hasDocuments(claims) && isTaken(claims.acr_values)) claims.acr_values = 'loa3'
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
    id: 'signing/lower-level-taken',
    breaks: ['SIGN-18'],
    places: ['value=both', 'value=reordered'],
    title: 'Authorizes a document at the lower one of two levels',
    collateral: { 'signing/document-by-loa3': 'what is asked for is not looked at' },
    repair: (claims) => {
      if (valuesOf(claims.acr_values).length > 1) claims.acr_values = 'loa2'
    },
    without: ['ros/document-loa3', 'signer/acr'],
  },
]

/** Levels of assurance of request objects that a bank is too lenient with. */
export const signingLevelFaults: readonly Fault[] = [
  ...lenient(leniencies),
  fault({
    id: 'signing/level-of-session-suffices',
    breaks: ['SIGN-5'],
    places: [...documentKinds.map(({ kind }) => `use=session-login member=${kind}`), 'caller=bearer use=session-login'],
    title: 'Looks at the level that the person has, and not at the one that a request for documents asks for',
    without: ['ros/document-loa3'],
  }),
]
