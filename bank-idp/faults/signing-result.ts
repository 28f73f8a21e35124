import { Latest } from '../latest.js'
import type { NestedJwt } from '../seams.js'
import { fault } from './fault.js'
import { codeRedirect, redirect } from './redirects.js'
import { hasBearer, hasDocuments, structuredScope } from './signing-leniency.js'

/** What becomes of the results of request objects that came with an access token. */
const bearerResults: readonly {
  slug: string
  place: string
  title: string
  collateral?: Readonly<Record<string, string>>
  change(planned: NestedJwt): NestedJwt
}[] = [
  {
    slug: 'bare',
    place: 'part=encryption',
    title: 'Does not encrypt the result of a request object that came with an access token',
    change: ({ encryption: _, ...plain }) => plain,
  },
  {
    slug: 'unsigned',
    place: 'part=signature',
    title: 'Does not sign the result of a request object that came with an access token',
    collateral: { 'signing/one-document': 'the document is looked for in a signed result' },
    change: (planned) => ({ ...planned, signing: 'none' }),
  },
  {
    slug: 'without-object',
    place: 'claim=structured_scope',
    title: 'Leaves out of the result what was authorized, where the request object came with an access token',
    collateral: { 'signing/one-document': 'the document is looked for in the result' },
    change: ({ claims: { structured_scope: _, ...claims }, ...planned }) => ({ ...planned, claims }),
  },
]

/** Objects that are under way at once are taken for one another. */
const latestState = fault({
  id: 'signing/state-of-latest-object',
  breaks: ['SIGN-32'],
  places: ['use=second-call parameter=state'],
  title: 'Gives back the state of the request object that came last',
  memory: () => ({ states: new Latest<true>(1_000), last: '' }),
  requestObject({ claims }, _bank, seen) {
    if (typeof claims.state !== 'string') return
    seen.states.set(claims.state, true)
    seen.last = claims.state
  },
  response: {
    'GET /auth': (response, _bank, { states, last }) =>
      codeRedirect(({ searchParams }) => {
        if (states.has(searchParams.get('state') ?? '')) searchParams.set('state', last)
      })(response),
  },
})

export const signingResultFaults = [
  latestState,
  fault({
    id: 'signing/result-untyped-content',
    breaks: ['SIGN-9'],
    places: ['part=typ'],
    title: 'Does not say in the header of an encrypted result that a JWT is in it',
    nestedJwt: {
      id_token: (planned) =>
        planned.claims.structured_scope !== undefined && planned.encryption
          ? { ...planned, encryption: { ...planned.encryption, untyped: true } }
          : planned,
    },
  }),
  fault({
    id: 'signing/text-alone',
    breaks: ['SIGN-13'],
    places: ['member=text-and-document', 'member=text-and-documents'],
    title: 'Authorizes a text alone where documents came with it',
    requestObject({ claims }) {
      const { signObject } = structuredScope(claims)
      if (signObject && hasDocuments(claims)) claims.structured_scope = { signObject }
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
    id: 'signing/registered-response-type-taken',
    breaks: ['SIGN-17'],
    places: ['grant=implicit value=unknown'],
    title: 'Serves whichever response_type of a request object its client registered',
    without: ['ros/response-type'],
  }),
  fault({
    id: 'signing/code-with-id-token-refused',
    breaks: ['SIGN-17'],
    places: ['member=code-id_token'],
    title: 'Takes code id_token token, and no code id_token',
    requestObject({ claims }) {
      if (claims.response_type === 'code id_token') claims.response_type = 'none'
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
    memory: () => new Latest<true>(10_000),
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
  ...bearerResults.map(({ slug, place, title, collateral, change }) =>
    fault({
      id: `signing/bearer-result-${slug}`,
      breaks: ['SIGN-9'],
      places: [`caller=bearer ${place}`],
      title,
      ...(collateral && { collateral }),
      /** The nonces of request objects that came with an access token. */
      memory: () => new Latest<true>(10_000),
      requestObject({ headers, claims }, _bank, nonces) {
        if (headers.authorization !== undefined) nonces.set(String(claims.nonce), true)
      },
      nestedJwt: {
        id_token: (plain, _bank, nonces) => (nonces.has(String(plain.claims.nonce)) ? change(plain) : plain),
      },
    }),
  ),
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
    id: 'signing/acr-of-token-holder-understated',
    breaks: ['SIGN-18'],
    places: ['caller=bearer'],
    title: 'Says loa2 of whoever signed a document that came with an access token',
    /** The nonces of such objects. */
    memory: () => new Latest<true>(10_000),
    requestObject(request, _bank, withToken) {
      if (hasBearer(request) && hasDocuments(request.claims)) withToken.set(String(request.claims.nonce), true)
    },
    nestedJwt: {
      id_token: (nestedJwt, _facts, withToken) =>
        withToken.has(String(nestedJwt.claims.nonce))
          ? { ...nestedJwt, claims: { ...nestedJwt.claims, acr: 'loa2' } }
          : nestedJwt,
    },
  }),
  fault({
    id: 'signing/document-of-token-holder-shortened',
    breaks: ['SIGN-11'],
    places: ['caller=bearer'],
    title: 'Sends a document that came with an access token back by its hash alone',
    /** The nonces of their requests. */
    memory: () => new Latest<true>(10_000),
    requestObject(request, _bank, withToken) {
      const { documentObject } = structuredScope(request.claims)
      if (documentObject && hasBearer(request)) withToken.set(String(request.claims.nonce), true)
    },
    nestedJwt: {
      id_token(nestedJwt, _facts, withToken) {
        if (!withToken.has(String(nestedJwt.claims.nonce))) return nestedJwt
        const { document_hash } = structuredScope(nestedJwt.claims).documentObject ?? {}
        return {
          ...nestedJwt,
          claims: { ...nestedJwt.claims, structured_scope: { documentObject: { document_hash } } },
        }
      },
    },
  }),
  fault({
    id: 'signing/not-stepped-up',
    breaks: ['SIGN-24', 'SIGN-18'],
    places: ['member=documentObject', 'member=documentObjects'],
    title: 'Lets a document be signed by whoever has a session',
    collateral: { 'signing/weak-method': 'nor is it looked at how the person authenticated' },
    requestObject({ claims }) {
      if (!hasDocuments(claims)) return
      // What is to be refused for its level is refused by another check.
      claims.acr_values = (claims.acr_values ?? claims.acr_value) === 'loa3' ? 'loa2' : 'loa1'
    },
    without: ['ros/document-loa3', 'signer/acr', 'signer/method'],
  }),
  ...[
    { slug: 'text', by: 'nobody', place: 'member=signObject', what: 'a text that asks for loa3' },
    {
      slug: 'borne-text',
      by: 'bearer',
      place: 'caller=bearer member=signObject',
      what: 'one that came with an access token',
    },
  ].map(({ slug, by, place, what }) =>
    fault({
      id: `signing/${slug}-not-stepped-up`,
      breaks: ['SIGN-24'],
      places: [place],
      title: `Does not step up a session of loa2 for ${what}`,
      requestObject({ claims, headers }) {
        if (hasDocuments(claims) || (headers.authorization === undefined) !== (by === 'nobody')) return
        if (claims.acr_values === 'loa3') claims.acr_values = 'loa2'
      },
    }),
  ),
  fault({
    id: 'signing/text-by-loa3-alone',
    breaks: ['SIGN-26'],
    title: 'Takes no text with acr_values loa2',
    requestObject({ claims }) {
      if (claims.acr_values === 'loa2') claims.acr_values = 'loa1'
    },
  }),
  fault({
    id: 'signing/unsigned-as-registered',
    breaks: ['SIGN-41'],
    places: ['token=id-of-signing alg=none'],
    title: 'Does not sign the result for a client that registered id_token_signed_response_alg none',
    /** The clients that registered it. */
    memory: () => new Latest<true>(10_000),
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
