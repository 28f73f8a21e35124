import type { NestedJwt, NestedJwtFacts } from '../seams.js'
import { type Fault, fault, omit } from './fault.js'

type Members = Record<string, unknown>

interface Scope {
  signObject?: { fields: { key: string; value: string; priority: number }[]; signObject_hash: string }
  documentObject?: Members
  documentObjects?: { documents: (Members & { document_priority: number })[]; envelope_name: string }
}

/** A deviation in the id_token of an authorized object. */
interface Alteration {
  id: string
  breaks: readonly string[]
  places: readonly string[]
  title: string
  collateral?: Readonly<Record<string, string>>
  change(nestedJwt: NestedJwt, scope: Scope, facts: NestedJwtFacts): NestedJwt
}

const claims =
  (change: (claims: Members) => Members): Alteration['change'] =>
  (nestedJwt) => ({ ...nestedJwt, claims: change(nestedJwt.claims) })

const returned =
  (change: (scope: Scope) => Scope): Alteration['change'] =>
  (nestedJwt, scope) => ({ ...nestedJwt, claims: { ...nestedJwt.claims, structured_scope: change(scope) } })

/** Texts of a SignObject's fields otherwise. */
const fields = (change: (fields: NonNullable<Scope['signObject']>['fields']) => Members[]) =>
  returned(({ signObject, ...scope }) => ({
    ...scope,
    ...(signObject && { signObject: { ...signObject, fields: change(signObject.fields) as typeof signObject.fields } }),
  }))

/** Members of the one document otherwise. */
const document = (change: (document: Members) => Members) =>
  returned(({ documentObject, ...scope }) => ({
    ...scope,
    ...(documentObject && { documentObject: change(documentObject) }),
  }))

/** Members of the envelope otherwise. */
const envelope = (change: (envelope: NonNullable<Scope['documentObjects']>) => Members) =>
  returned(({ documentObjects, ...scope }) => ({
    ...scope,
    ...(documentObjects && { documentObjects: change(documentObjects) as unknown as typeof documentObjects }),
  }))

const texts = (members: Members, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, typeof one === 'string' ? change(one) : one]))

const asMarkup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const cutAt = (length: number) => (text: string) => text.slice(0, length)

/** In front of the user c_hash goes with the code (OpenID Connect Core section 3.3.2.11). */
const inFront =
  (change: Alteration['change']): Alteration['change'] =>
  (nestedJwt, scope, facts) =>
    nestedJwt.claims.c_hash === undefined ? nestedJwt : change(nestedJwt, scope, facts)

const ofDocuments =
  (change: Alteration['change']): Alteration['change'] =>
  (nestedJwt, scope, facts) =>
    scope.documentObject || scope.documentObjects ? change(nestedJwt, scope, facts) : nestedJwt

const ofTexts =
  (change: Alteration['change']): Alteration['change'] =>
  (nestedJwt, scope, facts) =>
    scope.signObject ? change(nestedJwt, scope, facts) : nestedJwt

const unencrypted: Alteration['change'] = ({ claims, signing, typ }) => ({ claims, signing, typ })
const unsigned: Alteration['change'] = (nestedJwt) => ({ ...nestedJwt, signing: 'none' })
const signedBy =
  (alg: string): Alteration['change'] =>
  (nestedJwt, _scope, { bankKey }) => ({ ...nestedJwt, signing: { alg, key: { ...bankKey('PS512'), alg } } })

const textOfCombined = { 'signing/combined': 'the text is part of what is combined' }

const alterations: readonly Alteration[] = [
  {
    id: 'signing/documents-not-encrypted',
    breaks: ['SIGN-9'],
    places: ['part=encryption member=documentObject', 'part=encryption member=documentObjects'],
    title: 'Does not encrypt the id_token of authorized documents',
    change: ofDocuments(unencrypted),
  },
  {
    id: 'signing/result-unsigned',
    breaks: ['SIGN-9'],
    places: ['part=signature member=signObject'],
    title: 'Does not sign the id_token of an authorized text',
    collateral: {
      'signing/algorithms': 'none is not among the algorithms of SIGN-15',
      'signing/id-token-none': 'a client that registered none gets no signature either',
      'signing/response-types': 'the id_token in front of the user is of a text',
    },
    change: ofTexts(unsigned),
  },
  {
    id: 'signing/documents-unsigned',
    breaks: ['SIGN-9'],
    places: ['part=signature member=documentObject', 'part=signature member=documentObjects'],
    title: 'Does not sign the id_token of authorized documents',
    change: ofDocuments(unsigned),
  },
  {
    id: 'signing/object-not-returned',
    breaks: ['SIGN-9'],
    places: ['signObject', 'documentObject', 'documentObjects'].map((kind) => `member=${kind} claim=structured_scope`),
    title: 'Does not tell in the id_token what was authorized',
    collateral: {
      'signing/sign-object-unchanged': 'nothing comes back',
      'signing/odd-text-unchanged': 'nothing comes back',
      'signing/further-members': 'nothing comes back',
      'signing/one-document': 'nothing comes back',
      'signing/odd-document-unchanged': 'nothing comes back',
      'signing/documents-in-envelope': 'nothing comes back',
      'signing/documents-shuffled': 'nothing comes back',
      'signing/combined': 'nothing comes back',
    },
    change: claims((all) => omit(all, 'structured_scope')),
  },
  {
    id: 'signing/nonce-of-its-own',
    breaks: ['SIGN-9'],
    places: ['claim=nonce'],
    title: 'Puts a nonce of its own in the place of that of the request object',
    collateral: { 'signing/response-types': 'the id_token in front of the user has no right nonce either' },
    change: claims((all) => ({ ...all, nonce: all.jti })),
  },
  {
    id: 'signing/issuer-with-slash',
    breaks: ['SIGN-9'],
    places: ['claim=iss'],
    title: 'Ends the iss of results with a slash that the issuer does not have',
    change: claims((all) => ({ ...all, iss: `${all.iss}/` })),
  },
  {
    id: 'signing/audience-is-issuer',
    breaks: ['SIGN-9'],
    places: ['claim=aud'],
    title: 'Makes results out to the bank itself',
    collateral: { 'signing/response-types': 'the id_token in front of the user is made out so too' },
    change: claims((all) => ({ ...all, aud: all.iss as string })),
  },
  {
    id: 'signing/result-in-milliseconds',
    breaks: ['SIGN-9'],
    places: ['claim=exp', 'claim=iat'],
    title: 'Tells exp and iat of results in milliseconds',
    change: claims((all) => ({ ...all, exp: Number(all.exp) * 1000, iat: Number(all.iat) * 1000 })),
  },
  {
    id: 'signing/long-values-cut',
    breaks: ['SIGN-36'],
    places: ['value=long'],
    title: 'Cuts the values of a text that comes back at 255 characters',
    change: fields((all) => all.map((one) => ({ ...one, value: cutAt(255)(one.value) }))),
  },
  {
    id: 'signing/long-keys-cut',
    breaks: ['SIGN-36'],
    places: ['value=upper-bound'],
    title: 'Cuts the keys of a text that comes back at 254 characters',
    change: fields((all) => all.map((one) => ({ ...one, key: cutAt(254)(one.key) }))),
  },
  {
    id: 'signing/values-as-markup',
    breaks: ['SIGN-36'],
    places: ['value=encoded'],
    title: 'Sends the values of a text back as they stand in the source of its page',
    change: fields((all) => all.map((one) => ({ ...one, value: asMarkup(one.value) }))),
  },
  {
    id: 'signing/pictographs-dropped',
    breaks: ['SIGN-36'],
    places: ['value=superset'],
    title: 'Sends a question mark back for each pictograph of a text',
    change: fields((all) =>
      all.map((one) => ({ ...one, value: one.value.replace(/\p{Extended_Pictographic}/gu, '?') })),
    ),
  },
  {
    id: 'signing/repeated-field-dropped',
    breaks: ['SIGN-36'],
    places: ['value=repeated'],
    title: 'Sends one of two equal fields of a text back',
    change: fields((all) =>
      all.filter((one, i) => all.findIndex(({ key, value }) => key === one.key && value === one.value) === i),
    ),
  },
  {
    id: 'signing/text-without-its-hash',
    breaks: ['SIGN-36'],
    places: ['value=right', 'member=signObject_hash'],
    title: 'Sends a text back without its hash',
    collateral: textOfCombined,
    change: returned(({ signObject, ...scope }) => ({
      ...scope,
      ...(signObject && { signObject: omit({ ...signObject }, 'signObject_hash') as unknown as typeof signObject }),
    })),
  },
  {
    id: 'signing/document-address-missing',
    breaks: ['SIGN-11'],
    places: ['value=right', 'member=document_uri value=right'],
    title: 'Leaves the address of a document out of the result',
    collateral: { 'signing/combined': 'the document is part of what is combined' },
    change: document((one) => omit(one, 'document_uri')),
  },
  {
    id: 'signing/document-titles-cut',
    breaks: ['SIGN-11'],
    places: ['value=long'],
    title: 'Cuts the title of a document that comes back at 200 characters',
    change: document((one) => ({ ...one, document_title: cutAt(200)(String(one.document_title)) })),
  },
  {
    id: 'signing/empty-members-dropped',
    breaks: ['SIGN-11'],
    places: ['value=empty'],
    title: 'Leaves members of a document out that have no characters',
    change: document((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== ''))),
  },
  {
    id: 'signing/document-as-markup',
    breaks: ['SIGN-11'],
    places: ['value=encoded'],
    title: 'Sends the texts of a document back as they stand in the source of its page',
    change: document((one) => texts(one, asMarkup)),
  },
  {
    id: 'signing/document-taken-as-read',
    breaks: ['SIGN-11'],
    places: ['member=document_read_by_enduser'],
    title: 'Says of every document that its user has read it',
    change: document((one) => ({ ...one, document_read_by_enduser: true })),
  },
  {
    id: 'signing/only-document-missing',
    breaks: ['SIGN-12'],
    places: ['value=lower-bound'],
    title: 'Sends an envelope of one document back empty',
    change: envelope((one) => (one.documents.length === 1 ? { ...one, documents: [] } : { ...one })),
  },
  {
    id: 'signing/first-document-missing',
    breaks: ['SIGN-12'],
    places: ['value=first', 'value=second'],
    title: 'Sends an envelope of several documents back without the first, the second in its place',
    collateral: { 'signing/combined': 'the documents are part of what is combined' },
    change: envelope((one) => (one.documents.length > 1 ? { ...one, documents: one.documents.slice(1) } : { ...one })),
  },
  {
    id: 'signing/documents-by-priority',
    breaks: ['SIGN-12'],
    places: ['value=reordered'],
    title: 'Sends documents back in the order in which they were shown',
    change: envelope((one) => ({
      ...one,
      documents: [...one.documents].sort((a, b) => a.document_priority - b.document_priority),
    })),
  },
  {
    id: 'signing/envelope-name-missing',
    breaks: ['SIGN-12'],
    places: ['member=envelope_name'],
    title: 'Leaves the name of an envelope out of the result',
    collateral: { 'signing/combined': 'the envelope is part of what is combined' },
    change: envelope((one) => omit({ ...one }, 'envelope_name')),
  },
  {
    id: 'signing/envelope-name-cut',
    breaks: ['SIGN-12'],
    places: ['member=envelope_name value=upper-bound'],
    title: 'Cuts the name of an envelope at 20 characters',
    change: envelope((one) => ({ ...one, envelope_name: cutAt(20)(one.envelope_name) })),
  },
  {
    id: 'signing/result-by-ps384',
    breaks: ['SIGN-15'],
    places: ['token=id-of-signing'],
    title: 'Signs results with PS384',
    collateral: {
      'signing/id-token-none': 'it holds results to the same algorithms',
      'signing/response-types': 'it holds the id_token in front of the user to the same algorithms',
    },
    change: signedBy('PS384'),
  },
  {
    id: 'signing/result-by-rs256',
    breaks: ['SIGN-41'],
    places: ['token=id-of-signing alg=RS256'],
    title: 'Signs results with RS256',
    collateral: {
      'signing/algorithms': 'RS256 is not among the algorithms of SIGN-15',
      'signing/response-types': 'it holds the id_token in front of the user to the same algorithms',
    },
    change: signedBy('RS256'),
  },
  {
    id: 'signing/front-nonce-missing',
    breaks: ['SIGN-17'],
    places: ['token=id-of-front-channel claim=nonce'],
    title: 'Leaves nonce out of the id_token in front of the user',
    change: inFront(claims((all) => omit(all, 'nonce'))),
  },
  {
    id: 'signing/front-audience-is-issuer',
    breaks: ['SIGN-17'],
    places: ['token=id-of-front-channel claim=aud'],
    title: 'Makes the id_token in front of the user out to the bank itself',
    change: inFront(claims((all) => ({ ...all, aud: all.iss as string }))),
  },
  {
    id: 'signing/front-not-encrypted',
    breaks: ['SIGN-17'],
    places: ['token=id-of-front-channel part=encryption'],
    title: 'Does not encrypt the id_token in front of the user',
    change: inFront(unencrypted),
  },
  {
    id: 'signing/one-document-understated',
    breaks: ['SIGN-18'],
    places: ['member=text-and-document'],
    title: 'Says loa2 of whoever signed a document beside a text',
    change: (nestedJwt, scope) =>
      scope.signObject && scope.documentObject
        ? { ...nestedJwt, claims: { ...nestedJwt.claims, acr: 'loa2' } }
        : nestedJwt,
  },
  {
    id: 'signing/other-subject-of-documents',
    breaks: ['SIGN-35'],
    places: ['member=documentObject', 'member=documentObjects'],
    title: 'Names the subject of signed documents otherwise than that of a login',
    change: ofDocuments(claims((all) => ({ ...all, sub: `signer-${all.sub}` }))),
  },
]

/** What comes back of an authorized object, altered by the table above; id_tokens of other flows are left alone. */
export const signingReturnedFaults: readonly Fault[] = alterations.map(({ change, ...description }) =>
  fault({
    ...description,
    nestedJwt: {
      id_token: (nestedJwt, facts) => {
        const scope = nestedJwt.claims.structured_scope as Scope | undefined
        return scope ? change(nestedJwt, scope, facts) : nestedJwt
      },
    },
  }),
)
