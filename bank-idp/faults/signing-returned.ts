import type { NestedJwt } from '../seams.js'
import { encryptedBySha1 } from './declared-algorithms.js'
import { type Fault, omit } from './fault.js'
import { type Alteration, altered, type Members, type Scope } from './signing-alteration.js'

const returned =
  (change: (scope: Scope) => Scope): Alteration['change'] =>
  (nestedJwt, scope) => ({ ...nestedJwt, claims: { ...nestedJwt.claims, structured_scope: change(scope) } })

/** Members of the text otherwise. */
const text = (change: (text: NonNullable<Scope['signObject']>) => Members) =>
  returned(({ signObject, ...scope }) => ({
    ...scope,
    ...(signObject && { signObject: change(signObject) as unknown as typeof signObject }),
  }))

/** Fields of the text otherwise. */
const fields = (change: (fields: NonNullable<Scope['signObject']>['fields']) => Members[]) =>
  text((one) => ({ ...one, fields: change(one.fields) }))

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

/** Each document of the envelope otherwise. */
const documents = (change: (document: Members) => Members) =>
  envelope((one) => ({ ...one, documents: one.documents.map(change) }))

const texts = (members: Members, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, typeof one === 'string' ? change(one) : one]))

/** A document without the members that are not published. */
const published = (document: Members) =>
  Object.fromEntries(Object.entries(document).filter(([name]) => name.startsWith('document_')))

/** The id_token of a refresh otherwise. */
const inRefresh =
  (change: (nestedJwt: NestedJwt) => NestedJwt): Alteration['change'] =>
  (planned, _scope, { grant }) =>
    grant === 'refresh_token' ? change(planned) : planned

const asMarkup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const cutAt = (length: number) => (text: string) => text.slice(0, length)

const textOfCombined = { 'signing/combined': 'the text is part of what is combined' }
const documentOfCombined = { 'signing/combined': 'the document is part of what is combined' }

const alterations: readonly Alteration[] = [
  {
    id: 'signing/long-values-cut',
    breaks: ['SIGN-36'],
    places: ['value=long'],
    title: 'Cuts the values of a text that comes back at 255 characters',
    change: fields((all) => all.map((one) => ({ ...one, value: cutAt(255)(one.value) }))),
  },
  {
    id: 'signing/digits-as-numbers',
    breaks: ['SIGN-36'],
    places: ['value=other-type'],
    title: 'Gives values of digits alone back as numbers',
    change: fields((all) => all.map((one) => (/^\d+$/.test(one.value) ? { ...one, value: Number(one.value) } : one))),
  },
  {
    id: 'signing/truth-values-as-such',
    breaks: ['SIGN-36'],
    places: ['value=other-type'],
    title: 'Gives the values true and false back as what they say',
    change: fields((all) =>
      all.map((one) => (/^(true|false)$/.test(one.value) ? { ...one, value: one.value === 'true' } : one)),
    ),
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
    id: 'signing/values-normalized',
    breaks: ['SIGN-36'],
    places: ['value=equivalent'],
    title: 'Sends the values of a text back with other letters for those that mean the same',
    change: fields((all) => all.map((one) => ({ ...one, value: one.value.normalize('NFKC') }))),
  },
  {
    id: 'signing/values-composed',
    breaks: ['SIGN-36'],
    places: ['value=equivalent'],
    title: 'Sends the values of a text back with one letter for a letter and its accent',
    change: fields((all) => all.map((one) => ({ ...one, value: one.value.normalize('NFC') }))),
  },
  {
    id: 'signing/line-ends-unified',
    breaks: ['SIGN-36'],
    places: ['member=lines'],
    title: 'Sends the values of a text back with one kind of line ends',
    change: fields((all) => all.map((one) => ({ ...one, value: one.value.replaceAll('\r\n', '\n') }))),
  },
  {
    id: 'signing/document-hash-in-small-letters',
    breaks: ['SIGN-11'],
    places: ['member=document_hash value=upper-case'],
    title: 'Sends the hash of a document back in small letters',
    change: document((one) => ({ ...one, document_hash: String(one.document_hash).toLowerCase() })),
  },
  {
    id: 'signing/repeated-document-dropped',
    breaks: ['SIGN-12'],
    places: ['value=repeated'],
    title: 'Sends one of several documents of one hash back',
    change: envelope((one) => ({
      ...one,
      documents: [...new Map(one.documents.map((document) => [document.document_hash, document])).values()],
    })),
  },
  {
    id: 'signing/refreshed-result-bare',
    breaks: ['SIGN-9'],
    places: ['grant=refresh part=encryption'],
    title: 'Does not encrypt the id_token of a refresh of the signing flow',
    change: ({ encryption, ...plain }, _scope, { grant }) =>
      grant === 'refresh_token' || !encryption ? plain : { ...plain, encryption },
  },
  {
    id: 'signing/refreshed-result-by-sha1',
    breaks: ['SIGN-9'],
    places: ['grant=refresh part=encryption value=wrong'],
    title:
      'Encrypts the id_token of a refresh of the signing flow with RSA-OAEP, by SHA-1, where RSA-OAEP-256 is registered',
    change: inRefresh(encryptedBySha1),
  },
  {
    id: 'signing/refreshed-result-of-another-issuer',
    breaks: ['SIGN-9'],
    places: ['grant=refresh claim=iss'],
    title: 'Names the client as the issuer of the id_token of a refresh of the signing flow',
    change: inRefresh((jwt) => ({ ...jwt, claims: { ...jwt.claims, iss: String(jwt.claims.aud) } })),
  },
  {
    id: 'signing/refreshed-result-in-milliseconds',
    breaks: ['SIGN-9'],
    places: ['grant=refresh claim=exp', 'grant=refresh claim=iat'],
    title: 'Tells exp and iat of the id_token of a refresh of the signing flow in milliseconds',
    change: inRefresh((jwt) => ({
      ...jwt,
      claims: { ...jwt.claims, exp: Number(jwt.claims.exp) * 1000, iat: Number(jwt.claims.iat) * 1000 },
    })),
  },
  {
    id: 'signing/refreshed-result-for-another',
    breaks: ['SIGN-9'],
    places: ['grant=refresh claim=aud'],
    title: 'Makes the id_token of a refresh of the signing flow out to the bank itself',
    change: inRefresh((jwt) => ({ ...jwt, claims: { ...jwt.claims, aud: jwt.claims.iss as string } })),
  },
  {
    id: 'signing/refreshed-result-expired',
    breaks: ['SIGN-9'],
    places: ['grant=refresh claim=exp'],
    title: 'Gives the id_token of a refresh of the signing flow an exp that is no later than its iat',
    change: inRefresh((jwt) => ({ ...jwt, claims: { ...jwt.claims, exp: Number(jwt.claims.iat) } })),
  },
  {
    id: 'signing/refreshed-result-unsigned',
    breaks: ['SIGN-9'],
    places: ['grant=refresh part=signature'],
    title: 'Does not sign the id_token of a refresh of the signing flow',
    change: (planned, _scope, { grant }) => (grant === 'refresh_token' ? { ...planned, signing: 'none' } : planned),
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
    change: text((one) => omit({ ...one }, 'signObject_hash')),
  },
  {
    id: 'signing/document-address-missing',
    breaks: ['SIGN-11'],
    places: ['value=right', 'member=document_uri value=right'],
    title: 'Leaves the address of a document out of the result',
    collateral: documentOfCombined,
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
    id: 'signing/document-address-cut',
    breaks: ['SIGN-11'],
    places: ['member=document_uri value=long'],
    title: 'Cuts the address of a document that comes back at 255 characters',
    change: document((one) => ({ ...one, document_uri: cutAt(255)(String(one.document_uri)) })),
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
    id: 'signing/further-members-of-document-dropped',
    breaks: ['SIGN-11'],
    places: ['member=further'],
    title: 'Sends a document back without the members that are not published',
    change: document(published),
  },
  {
    id: 'signing/further-members-of-envelope-dropped',
    breaks: ['SIGN-12'],
    places: ['member=further'],
    title: 'Sends documents in an envelope back without the members that are not published',
    change: envelope((one) => ({ ...one, documents: one.documents.map(published) })),
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
    id: 'signing/titles-in-envelope-cut',
    breaks: ['SIGN-12'],
    places: ['member=document_title value=long'],
    title: 'Cuts the titles of documents in an envelope that come back at 100 characters',
    change: documents((one) => ({ ...one, document_title: cutAt(100)(String(one.document_title)) })),
  },
  {
    id: 'signing/ids-in-envelope-cut',
    breaks: ['SIGN-12'],
    places: ['member=document_id value=long'],
    title: 'Cuts the identifiers of documents in an envelope that come back at 120 characters',
    change: documents((one) => ({ ...one, document_id: cutAt(120)(String(one.document_id)) })),
  },
  {
    id: 'signing/addresses-in-envelope-cut',
    breaks: ['SIGN-12'],
    places: ['member=document_uri value=long'],
    title: 'Cuts the addresses of documents in an envelope that come back at 255 characters',
    change: documents((one) => ({ ...one, document_uri: cutAt(255)(String(one.document_uri)) })),
  },
  {
    id: 'signing/texts-in-envelope-cut',
    breaks: ['SIGN-12'],
    places: ['member=documents value=long'],
    title: 'Cuts every text of documents in an envelope that come back, but their hashes, at 120 characters',
    change: documents(({ document_hash, ...one }) => ({ ...texts(one, cutAt(120)), document_hash })),
  },
  {
    id: 'signing/empty-members-in-envelope-dropped',
    breaks: ['SIGN-12'],
    places: ['member=documents value=empty'],
    title: 'Leaves members of documents in an envelope out that have no characters',
    change: documents((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== ''))),
  },
  {
    id: 'signing/documents-in-envelope-as-markup',
    breaks: ['SIGN-12'],
    places: ['member=documents value=encoded'],
    title: 'Sends the texts of documents in an envelope back as they stand in the source of its page',
    change: documents((one) => texts(one, asMarkup)),
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
    id: 'signing/fields-in-order',
    breaks: ['SIGN-36'],
    places: ['value=reordered'],
    title: 'Sends the fields of a text back in the order shown, not as they came',
    collateral: textOfCombined,
    change: fields((all) => [...all].sort((a, b) => a.priority - b.priority)),
  },
  {
    id: 'signing/further-members-dropped',
    breaks: ['SIGN-36'],
    places: ['member=further'],
    title: 'Sends a text back without the members that are not published',
    change: text(({ signObject_hash, fields }) => ({
      signObject_hash,
      fields: fields.map(({ key, value, priority }) => ({ key, value, priority })),
    })),
  },
  {
    id: 'signing/document-hash-missing',
    breaks: ['SIGN-11'],
    places: ['member=document_hash value=right'],
    title: 'Leaves the hash of the document out of the result',
    collateral: documentOfCombined,
    change: document((one) => omit(one, 'document_hash')),
  },
  {
    id: 'signing/tenth-document-missing',
    breaks: ['SIGN-12'],
    places: ['value=upper-bound', 'value=last'],
    title: 'Sends no more than nine documents back',
    change: envelope((one) => ({ ...one, documents: one.documents.slice(0, 9) })),
  },
]

/** What comes back of an authorized object. */
export const signingReturnedFaults: readonly Fault[] = altered(alterations)
