import { createHash } from 'node:crypto'
import { Latest } from '../latest.js'
import type { NestedJwt, OpenedRequest } from '../seams.js'
import { notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { type Deviation, type Fault, fault, omit } from './fault.js'
import {
  hasBearer,
  isHinted,
  kindOf,
  type Leniency,
  lenient,
  type Members,
  structuredScope,
} from './signing-leniency.js'
import { listen, TokenMemory } from './token-memory.js'

/** What a bank does otherwise with a request object that came with an access token than with one that did not. */

interface Envelope {
  envelope_name?: string
  envelope_hash?: string
  documents?: { document_hash?: string }[]
}

const envelopeIn = (claims: Members) => structuredScope(claims).documentObjects as Envelope | undefined

const hashOf = (documents: Envelope['documents'] = []) =>
  createHash('sha512')
    .update(documents.map(({ document_hash }) => document_hash).join(''))
    .digest('hex')

const kinds = ['signObject', 'documentObject', 'documentObjects']
const responseTypes = ['code', 'code id_token', 'code id_token token']

/** What is let through, and how. */
const leniencies: readonly Leniency[] = [
  {
    id: 'signing/eleven-documents-with-token',
    breaks: ['SIGN-38'],
    places: ['caller=bearer'],
    title: 'Takes eleven documents that come with an access token',
    repair(claims) {
      const envelope = envelopeIn(claims)
      if (!envelope?.documents || envelope.documents.length < 11) return
      envelope.documents = envelope.documents.slice(0, 10)
      envelope.envelope_hash = hashOf(envelope.documents)
    },
  },
  {
    id: 'signing/envelope-name-missing-with-token',
    breaks: ['SIGN-39'],
    places: ['caller=bearer member=envelope_name'],
    title: 'Takes an envelope without a name that comes with an access token',
    repair(claims) {
      const envelope = envelopeIn(claims)
      if (envelope) envelope.envelope_name ??= 'Dokumenty'
    },
  },
  {
    id: 'signing/envelope-hash-missing-with-token',
    breaks: ['SIGN-39'],
    places: ['caller=bearer member=envelope_hash'],
    title: 'Takes an envelope without envelope_hash that comes with an access token',
    repair(claims) {
      const envelope = envelopeIn(claims)
      if (envelope) envelope.envelope_hash ??= hashOf(envelope.documents)
    },
  },
  {
    id: 'signing/envelope-hash-unchecked-with-token',
    breaks: ['SIGN-40'],
    places: ['caller=bearer'],
    title: 'Does not compare envelope_hash with documents that come with an access token',
    repair(claims) {
      const envelope = envelopeIn(claims)
      if (envelope?.envelope_hash) envelope.envelope_hash = hashOf(envelope.documents)
    },
  },
  {
    id: 'signing/loa2-for-envelope-with-token',
    breaks: ['SIGN-5'],
    places: ['caller=bearer member=documentObjects'],
    title: 'Takes acr_values loa2 for an envelope that comes with an access token',
    repair(claims) {
      if (kindOf(claims) === 'documentObjects') claims.acr_values = 'loa3'
    },
  },
  {
    id: 'signing/unknown-kind-dropped-with-token',
    breaks: ['SIGN-30'],
    places: ['caller=bearer'],
    title: 'Drops a kind of object that it does not know, where the object comes with an access token',
    repair(claims) {
      const known = Object.entries(structuredScope(claims)).filter(([kind]) => kinds.includes(kind))
      if (known.length > 0) claims.structured_scope = Object.fromEntries(known)
    },
  },
  {
    id: 'signing/response-type-unchecked-with-token',
    breaks: ['SIGN-17'],
    places: ['caller=bearer value=unknown'],
    title: 'Takes a response_type that the flow does not have for code, where the object comes with an access token',
    repair(claims) {
      if (!responseTypes.includes(String(claims.response_type))) claims.response_type = 'code'
    },
  },
]

/** Checks of a request object that are forgotten, by the place of SIGN-42. */
const unchecked = [
  ['signature', 'Does not verify the signature of a request object that comes with an access token'],
  ['encryption', 'Takes a request object that is signed and not encrypted where it comes with an access token'],
] as const

const checkOf = { signature: 'ros/signature', encryption: 'ros/encrypted' }

interface Memory {
  records: Records
  /** The nonces of the request objects that came with an access token. */
  nonces: Latest<true>
  /** What was answered to them. */
  requestUris: Latest<true>
}

const memory = (): Memory => ({
  records: recordsOfClients(),
  nonces: new Latest(10_000),
  requestUris: new Latest(10_000),
})

const registered: NonNullable<Deviation<Memory>['response']> = {
  'POST /register': (response, bank, { records }) => notedRecords['POST /register'](response, bank, records),
}

/** Redirect URIs in whose place the registered one is taken, by the place of SIGN-45. */
const redirectUris: readonly (readonly [value: string, title: string, isTaken: (given: unknown) => boolean])[] = [
  [
    'wrong',
    'Takes the registered redirect URI where another host is given',
    (given) => URL.canParse(String(given)) && new URL(String(given)).host.endsWith('.example'),
  ],
  ['missing', 'Takes the registered redirect URI where none is given', (given) => given === undefined],
]

/** How a request object tells whose it is. */
const ways: readonly {
  way: string
  words: string
  /** Of the requirement; where left out, that of an access token. */
  place?: string
  isMeant(request: OpenedRequest): boolean
}[] = [
  { way: 'with-token', words: 'an access token', isMeant: hasBearer },
  {
    way: 'hinted',
    words: 'id_token_hint',
    place: 'member=id_token_hint',
    isMeant: ({ claims }) => isHinted(claims),
  },
]

type Scope = Record<string, { fields?: unknown[]; documents?: unknown[] } | undefined>

const scopeOf = ({ claims }: NestedJwt) => (claims.structured_scope ?? {}) as Scope

/** What becomes of the result of such a request object, by the requirement that it breaks. */
const results: readonly {
  slug: string
  breaks: string
  title: string
  collateral?: Fault['collateral']
  /** All when left out. */
  waysOf?: typeof ways
  change(claims: NestedJwt['claims'], scope: Scope): NestedJwt['claims']
}[] = [
  {
    slug: 'fields-reversed',
    breaks: 'SIGN-36',
    title: 'Sends the fields of a text back in the opposite order',
    collateral: { 'signing/one-document': 'the document comes back beside a text' },
    change: (claims, { signObject, ...others }) => ({
      ...claims,
      structured_scope: {
        ...others,
        ...(signObject && { signObject: { ...signObject, fields: [...(signObject.fields ?? [])].reverse() } }),
      },
    }),
  },
  {
    slug: 'document-retitled',
    breaks: 'SIGN-11',
    title: 'Sends a document back under another title',
    collateral: { 'signing/sign-object-unchanged': 'the text comes back beside a document' },
    change: (claims, { documentObject, ...others }) => ({
      ...claims,
      structured_scope: {
        ...others,
        ...(documentObject && { documentObject: { ...documentObject, document_title: 'Dokument' } }),
      },
    }),
  },
  {
    slug: 'object-forgotten',
    breaks: 'SIGN-9',
    // What came with an access token is forgotten by a fault of its own.
    waysOf: ways.filter(({ way }) => way === 'hinted'),
    title: 'Leaves out of the result what was authorized',
    collateral: {
      'signing/one-document': 'the document is looked for in the result',
      'signing/sign-object-unchanged': 'the text is looked for in the result',
    },
    change: ({ structured_scope: _, ...claims }) => claims,
  },
  {
    slug: 'other-subject',
    breaks: 'SIGN-35',
    title: 'Names the subject of a result otherwise than that of a login',
    change: (claims) => ({ ...claims, sub: `${claims.sub}-2` }),
  },
]

const withToken = ', where the request object came with an access token'

/** The same where id_token_hint tells whose the object is, in place of an access token. */
const ofHint = leniencies
  .filter(({ breaks }) => !breaks.includes('SIGN-5'))
  .map((leniency) => ({
    ...leniency,
    id: leniency.id.replace('-with-token', '-hinted'),
    places: ['member=id_token_hint'],
    title: leniency.title.replace(/come(s?) with an access token/, 'come$1 with id_token_hint'),
  }))

/** Deviations that show where a condition holds alone. */
function only(isMeant: (request: OpenedRequest) => boolean, all: readonly Leniency[]): readonly Fault[] {
  return lenient(
    all.map(({ repair, ...leniency }) => ({
      ...leniency,
      repair: (claims, request) => {
        if (isMeant(request)) repair(claims, request)
      },
    })),
  )
}

export const signingWithTokenFaults: readonly Fault[] = [
  ...only(hasBearer, leniencies),
  ...only(({ claims }) => isHinted(claims), ofHint),
  fault({
    id: 'signing/any-algorithm-with-token',
    breaks: ['SIGN-41', 'SIGN-15'],
    places: ['caller=bearer token=request-object'],
    title:
      'Takes request objects by every algorithm that a key of the client fits, where they come with an access token',
    without: ['ros/algorithm at bearer'],
  }),
  fault({
    id: 'signing/secret-client-taken-with-token',
    breaks: ['SIGN-22'],
    places: ['client_secret_post', 'client_secret_jwt'].map(
      (method) => `endpoint=ros caller=bearer client-auth=${method}`,
    ),
    title: 'Takes request objects that come with an access token of clients that authenticate by a secret',
    without: ['ros/client-method at bearer'],
  }),
  fault({
    id: 'signing/redirect-uri-in-object-unread-with-token',
    breaks: ['SIGN-45'],
    places: ['endpoint=ros caller=bearer member=redirect_uri'],
    title: `Goes by the redirect_uri of /authorize alone${withToken}`,
    requestObject(request) {
      if (hasBearer(request) && request.claims.redirect_uri !== undefined) delete request.claims.redirect_uri
    },
  }),
  fault({
    id: 'signing/refreshed-token-ignored',
    breaks: ['SIGN-21'],
    places: ['token=access-of-refresh'],
    title: 'Does not look at the access token of a refresh',
    memory: () => new TokenMemory(),
    response: { 'POST /token': listen },
    requestObject({ headers }, _bank, tokens) {
      const issued = tokens.of((headers.authorization ?? '').replace('Bearer ', ''))
      if (issued?.grant === 'refresh_token') delete headers.authorization
    },
  }),
  fault({
    id: 'signing/revoked-token-ignored',
    breaks: ['SIGN-48'],
    places: ['use=after-revocation'],
    title: 'Takes a revoked access token at /ros for none',
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /revoke': (response, { form }, revoked) => {
        if (response.status < 300) revoked.set(String(form.get('token')), true)
        return response
      },
    },
    requestObject({ headers }, _bank, revoked) {
      if (revoked.has((headers.authorization ?? '').replace('Bearer ', ''))) delete headers.authorization
    },
  }),
  ...unchecked.map(([part, title]) =>
    fault({
      id: `signing/${part}-unchecked-with-token`,
      breaks: ['SIGN-42'],
      places: [`caller=bearer part=${part}`],
      title,
      without: [`${checkOf[part]} at bearer`],
    }),
  ),
  ...redirectUris.flatMap(([value, title, isTaken]) =>
    ways.map(({ way, words, place, isMeant }) =>
      fault({
        id: `signing/redirect-uri-${value}-${way}`,
        breaks: ['SIGN-45'],
        places: [place ?? `caller=bearer value=${value}`],
        title: `${title}, where the request object came with ${words}`,
        memory,
        response: {
          ...registered,
          'POST /ros'(response, { requestHeader }, { requestUris }) {
            if (requestHeader('x-repaired') !== undefined)
              requestUris.set(String(Object(response.body).request_uri), true)
            return response
          },
        },
        requestObject(request, _bank, { records }) {
          const { claims, headers } = request
          const [right] = records.get(String(claims.client_id))?.redirect_uris ?? []
          if (!isMeant(request) || right === undefined || !isTaken(claims.redirect_uri)) return
          claims.redirect_uri = right
          headers['x-repaired'] = 'redirect_uri'
        },
        request: {
          // What the request object says is enough.
          'GET /authorize'(parameters, _bank, { requestUris }) {
            if (requestUris.has(parameters.get('request_uri') ?? '')) parameters.delete('redirect_uri')
          },
        },
      }),
    ),
  ),
  ...results.flatMap(({ slug, breaks, title, collateral, change, waysOf = ways }) =>
    waysOf.map(({ way, words, place = 'caller=bearer', isMeant }) =>
      fault({
        id: `signing/${slug}-${way}`,
        breaks: [breaks],
        places: [place],
        title: `${title}, where the request object came with ${words}`,
        ...(collateral && { collateral }),
        memory,
        requestObject(request, _bank, { nonces }) {
          if (isMeant(request)) nonces.set(String(request.claims.nonce), true)
        },
        nestedJwt: {
          id_token: (planned, _bank, { nonces }) =>
            planned.claims.structured_scope && nonces.has(String(planned.claims.nonce))
              ? { ...planned, claims: change(planned.claims, scopeOf(planned)) }
              : planned,
        },
      }),
    ),
  ),
  fault({
    id: 'signing/state-in-small-letters-hinted',
    breaks: ['SIGN-32'],
    places: ['member=id_token_hint'],
    title: 'Brings the state of a request object with id_token_hint back in small letters, and no more than 8 of them',
    requestObject({ claims }) {
      if (isHinted(claims)) claims.state = String(claims.state).toLowerCase().slice(0, 8)
    },
  }),
  fault({
    id: 'signing/scope-missing-with-token',
    breaks: ['SIGN-46'],
    places: ['caller=bearer'],
    title: `Leaves scope out of the token response${withToken}`,
    memory,
    requestObject(request, _bank, { nonces }) {
      if (hasBearer(request)) nonces.set(String(request.claims.nonce), true)
    },
    records: [
      {
        model: 'AuthorizationCode',
        kept(code, _bank, { nonces, requestUris }) {
          if (nonces.has(String(code.nonce))) requestUris.set(String(code.jti), true)
          return { record: code }
        },
      },
    ],
    response: {
      'POST /token': (response, { form }, { requestUris }) =>
        response.status < 300 && requestUris.has(form.get('code') ?? '')
          ? { ...response, body: omit(Object(response.body), 'scope') }
          : response,
    },
  }),
]
