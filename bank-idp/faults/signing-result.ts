import { LRUCache } from 'lru-cache'
import type { NestedJwt } from '../seams.js'
import { fault } from './fault.js'
import { redirect } from './redirects.js'

interface Scope {
  signObject?: { fields: { key: string; value: string; priority: number }[]; signObject_hash: string }
  documentObject?: object
  documentObjects?: { documents: object[] }
}

/** For `nestedJwt`: changes the id_token of an authorized object, and leaves others alone. */
function ofSigned(change: (nestedJwt: NestedJwt, scope: Scope) => NestedJwt) {
  return (nestedJwt: NestedJwt): NestedJwt => {
    const scope = nestedJwt.claims.structured_scope as Scope | undefined
    return scope ? change(nestedJwt, scope) : nestedJwt
  }
}

function withScope(change: (scope: Scope) => Scope) {
  return ofSigned((nestedJwt, scope) => ({
    ...nestedJwt,
    claims: { ...nestedJwt.claims, structured_scope: change(scope) },
  }))
}

export const signingResultFaults = [
  fault({
    id: 'signing/result-not-encrypted',
    breaks: ['SIGN-9'],
    places: ['part=encryption member=signObject'],
    title: 'Does not encrypt the id_token with the authorized object',
    nestedJwt: { id_token: ofSigned(({ claims, signing, typ }) => ({ claims, signing, typ })) },
  }),
  fault({
    id: 'signing/fields-in-order',
    breaks: ['SIGN-36'],
    places: ['value=reordered'],
    title: 'Sends the fields of a text back in the order shown, not as they came',
    collateral: { 'signing/combined': 'the text is part of what is combined' },
    nestedJwt: {
      id_token: withScope(({ signObject, ...scope }) => ({
        ...scope,
        ...(signObject && {
          signObject: { ...signObject, fields: [...signObject.fields].sort((a, b) => a.priority - b.priority) },
        }),
      })),
    },
  }),
  fault({
    id: 'signing/further-members-dropped',
    breaks: ['SIGN-36'],
    places: ['member=further'],
    title: 'Sends a text back without the members that are not published',
    nestedJwt: {
      id_token: withScope(({ signObject, ...scope }) => ({
        ...scope,
        ...(signObject && {
          signObject: {
            signObject_hash: signObject.signObject_hash,
            fields: signObject.fields.map(({ key, value, priority }) => ({ key, value, priority })),
          },
        }),
      })),
    },
  }),
  fault({
    id: 'signing/document-hash-missing',
    breaks: ['SIGN-11'],
    places: ['member=document_hash value=right'],
    title: 'Leaves the hash of the document out of the result',
    collateral: { 'signing/combined': 'the document is part of what is combined' },
    nestedJwt: {
      id_token: withScope(({ documentObject, ...scope }) => ({
        ...scope,
        ...(documentObject && { documentObject: { ...documentObject, document_hash: undefined } }),
      })),
    },
  }),
  fault({
    id: 'signing/tenth-document-missing',
    breaks: ['SIGN-12'],
    places: ['value=upper-bound', 'value=last'],
    title: 'Sends no more than nine documents back',
    nestedJwt: {
      id_token: withScope(({ documentObjects, ...scope }) => ({
        ...scope,
        ...(documentObjects && {
          documentObjects: { ...documentObjects, documents: documentObjects.documents.slice(0, 9) },
        }),
      })),
    },
  }),
  fault({
    id: 'signing/text-alone',
    breaks: ['SIGN-13'],
    places: ['member=text-and-document', 'member=text-and-documents'],
    title: 'Authorizes a text alone where documents came with it',
    requestObject({ claims }) {
      const { signObject, documentObject, documentObjects } = claims.structured_scope as Scope
      if (signObject && (documentObject ?? documentObjects)) claims.structured_scope = { signObject }
    },
  }),
  fault({
    id: 'signing/es256-refused',
    breaks: ['SIGN-15'],
    places: ['token=request-object alg=ES256'],
    title: 'Takes no request object that is signed with ES256',
    collateral: {
      'signing/request-object': 'the good request object is signed with it',
      'signing/anonymous': 'its request objects are signed with it',
      'signing/eleven-documents': 'its ten documents are signed with it',
    },
    requestObject({ header }) {
      if (header.alg === 'ES256') header.alg = 'ES384'
    },
  }),
  fault({
    id: 'signing/code-alone',
    breaks: ['SIGN-17'],
    places: ['member=code-id_token'],
    title: 'Answers code id_token as code',
    requestObject({ claims }) {
      if (claims.response_type === 'code id_token') claims.response_type = 'code'
    },
  }),
  fault({
    id: 'signing/front-state-missing',
    breaks: ['SIGN-17'],
    places: ['parameter=state'],
    title: 'Leaves state out of a callback that carries an id_token',
    response: {
      'GET /auth': redirect((target) => {
        if (!target.hash.includes('id_token=')) return
        const parameters = new URLSearchParams(target.hash.slice(1))
        parameters.delete('state')
        target.hash = parameters.toString()
      }),
    },
  }),
  fault({
    id: 'signing/encrypted-as-registered',
    breaks: ['SIGN-9'],
    places: ['member=id_token_encrypted_response_alg value=missing'],
    title: 'Encrypts the result for a client alone that registered encryption',
    /** The clients that registered it. */
    memory: () => new LRUCache<string, true>({ max: 10_000 }),
    response: {
      'POST /register'(response, _bank, encrypted) {
        const { client_id, id_token_encrypted_response_alg } = response.body as Record<string, unknown>
        if (id_token_encrypted_response_alg !== undefined) encrypted.set(String(client_id), true)
        return response
      },
    },
    nestedJwt: {
      id_token({ encryption, ...plain }, { clientId = '' }, encrypted) {
        const signed = plain.claims.structured_scope !== undefined
        return { ...plain, ...(encryption && (!signed || encrypted.has(clientId)) && { encryption }) }
      },
    },
  }),
  fault({
    id: 'signing/ps256-refused',
    breaks: ['SIGN-15'],
    places: ['token=request-object alg=PS256'],
    title: 'Takes no request object that is signed with PS256',
    requestObject({ header }) {
      if (header.alg === 'PS256') header.alg = 'PS384'
    },
  }),
  fault({
    id: 'signing/no-token-in-front',
    breaks: ['SIGN-17'],
    places: ['member=code-id_token-token'],
    title: 'Answers code id_token token as code id_token',
    requestObject({ claims }) {
      if (claims.response_type === 'code id_token token') claims.response_type = 'code id_token'
    },
  }),
  fault({
    id: 'signing/acr-understated',
    breaks: ['SIGN-18'],
    places: ['member=documentObject', 'member=documentObjects'],
    title: 'Says loa2 of whoever signed a document',
    nestedJwt: {
      id_token: ofSigned((nestedJwt, { signObject }) =>
        signObject ? nestedJwt : { ...nestedJwt, claims: { ...nestedJwt.claims, acr: 'loa2' } },
      ),
    },
  }),
  fault({
    id: 'signing/not-stepped-up',
    breaks: ['SIGN-24', 'SIGN-18'],
    places: ['member=documentObject', 'member=documentObjects'],
    title: 'Lets a document be signed by whoever has a session',
    collateral: {
      'signing/document-by-loa3': 'what is asked for is not looked at',
      'signing/weak-method': 'nor is how the person authenticated',
    },
    requestObject({ claims }) {
      claims.acr_values = 'loa2'
    },
    without: ['ros/document-loa3', 'signer/acr', 'signer/method'],
  }),
  fault({
    id: 'signing/text-by-loa3-alone',
    breaks: ['SIGN-26'],
    title: 'Takes no text with acr_values loa2',
    requestObject({ claims }) {
      if (claims.acr_values === 'loa2') claims.acr_values = 'loa1'
    },
  }),
  fault({
    id: 'signing/other-subject',
    breaks: ['SIGN-35'],
    places: ['member=signObject', 'endpoint=userinfo', 'person=second'],
    title: 'Names the subject of a result otherwise than that of a login',
    nestedJwt: {
      id_token: ofSigned((nestedJwt) => ({
        ...nestedJwt,
        claims: { ...nestedJwt.claims, sub: `signer-${nestedJwt.claims.sub}` },
      })),
    },
  }),
  fault({
    id: 'signing/any-certificate',
    breaks: ['SIGN-44'],
    places: [
      'endpoint=userinfo certificate=untrusted',
      'endpoint=userinfo certificate=other-of-same-ca',
      'endpoint=profile certificate=untrusted',
      'endpoint=profile certificate=other-of-same-ca',
      'endpoint=ros certificate=other-of-same-ca',
    ],
    title: 'Takes an access token of the signing flow with whatever certificate',
    without: ['access-token/certificate'],
  }),
  fault({
    id: 'signing/certificate-not-asked',
    breaks: ['SIGN-44'],
    places: ['endpoint=userinfo certificate=none', 'endpoint=profile certificate=none'],
    title: 'Takes an access token of the signing flow on a connection without a certificate',
    without: ['access-token/certificate-present'],
  }),
  fault({
    id: 'signing/caller-with-any-certificate',
    breaks: ['SIGN-44'],
    places: [
      'endpoint=token-info certificate=untrusted',
      'endpoint=token-info certificate=other-of-same-ca',
      'endpoint=revoke certificate=untrusted',
      'endpoint=revoke certificate=other-of-same-ca',
    ],
    title: 'Takes an access token of the signing flow as caller of /token-info and /revoke with whatever certificate',
    without: ['token-caller/certificate'],
  }),
  fault({
    id: 'signing/caller-without-certificate',
    breaks: ['SIGN-44'],
    places: ['endpoint=token-info certificate=none', 'endpoint=revoke certificate=none'],
    title: 'Takes an access token of the signing flow as caller of /token-info and /revoke without a certificate',
    without: ['token-caller/certificate-present'],
  }),
  fault({
    id: 'signing/unsigned-as-registered',
    breaks: ['SIGN-41'],
    places: ['token=id-of-signing alg=none'],
    title: 'Does not sign the result for a client that registered id_token_signed_response_alg none',
    /** The clients that registered it. */
    memory: () => new LRUCache<string, true>({ max: 10_000 }),
    response: {
      'POST /register'(response, _bank, unsigned) {
        const { client_id, id_token_signed_response_alg } = response.body as Record<string, unknown>
        if (id_token_signed_response_alg === 'none') unsigned.set(String(client_id), true)
        return response
      },
    },
    nestedJwt: {
      id_token: (nestedJwt, { clientId = '' }, unsigned) =>
        nestedJwt.claims.structured_scope && unsigned.has(clientId) ? { ...nestedJwt, signing: 'none' } : nestedJwt,
    },
  }),
]
