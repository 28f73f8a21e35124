import { nowSeconds } from '../clock.js'
import { body, type Fault, fault, omit } from './fault.js'
import { kindOf, structuredScope } from './signing-leniency.js'

const route = 'POST /ros'

export const rosFaults: readonly Fault[] = [
  fault({
    id: 'signing/no-request-uri',
    breaks: ['SIGN-1'],
    places: ['member=request_uri value=right'],
    title: 'Leaves request_uri out of the answer of /ros',
    response: { [route]: body((answer) => omit(answer, 'request_uri')) },
  }),
  fault({
    id: 'signing/exp-in-words',
    breaks: ['SIGN-1'],
    places: ['member=exp value=other-type'],
    title: 'Gives exp as a date in place of Unix seconds',
    collateral: {
      'signing/exp-by-max-age': 'no seconds can be read from it',
      'signing/out-of-band-lives-longer': 'no seconds can be read from it',
    },
    response: { [route]: body((answer) => ({ ...answer, exp: new Date(Number(answer.exp) * 1000).toISOString() })) },
  }),
  fault({
    id: 'signing/exp-from-now-with-access-token',
    breaks: ['SIGN-1'],
    places: ['caller=bearer member=exp value=other-unit'],
    title: 'Gives exp as seconds from now to a request with an access token',
    collateral: { 'signing/exp-by-max-age': 'what is left of such a number of seconds lies in the past' },
    response: {
      [route]: (response, { requestHeader }) => {
        const { exp } = Object(response.body)
        return requestHeader('authorization') === undefined || typeof exp !== 'number'
          ? response
          : { ...response, body: { ...Object(response.body), exp: exp - nowSeconds() } }
      },
    },
  }),
  fault({
    id: 'signing/registered-as-text-with-access-token',
    breaks: ['SIGN-1'],
    places: ['caller=bearer member=content-type'],
    title: 'Calls the answer of /ros to a request with an access token text',
    response: {
      [route]: (response, { requestHeader }) =>
        requestHeader('authorization') === undefined || response.status >= 300
          ? response
          : { ...response, headers: { ...response.headers, 'content-type': 'text/plain' } },
    },
  }),
  fault({
    id: 'signing/request-object-kind-unchecked',
    breaks: ['SIGN-42'],
    places: ['part=typ value=wrong'],
    title: 'Takes for a request object of /ros what was made for another purpose',
    without: ['ros/jwt-kind'],
  }),
  fault({
    id: 'signing/scopes-not-asked',
    breaks: ['SIGN-3'],
    places: ['value=missing', 'value=empty'],
    title: 'Takes a request object without the scopes openid and authorization, and without an access token',
    without: ['ros/scope-of-the-unknown'],
  }),
  fault({
    id: 'signing/unregistered-scope-taken',
    breaks: ['AUTH-12'],
    places: ['grant=signing'],
    title: 'Takes a request object with scopes that the client did not register',
    without: ['ros/scope'],
  }),
  fault({
    id: 'signing/breaks-down-without-claims',
    breaks: ['SIGN-7'],
    places: ['member=payload value=other-type'],
    title: 'Breaks down at a request object whose claims are no JSON object',
    response: {
      [route]: (response) =>
        /claims of the request object are not a JSON object/.test(String(Object(response.body).error_description))
          ? { ...response, status: 500, body: { error: 'server_error' } }
          : response,
    },
  }),
  fault({
    id: 'signing/max-age-optional',
    breaks: ['SIGN-7'],
    places: ['value=missing'],
    title: 'Takes a request object without max_age, as if it were ten minutes',
    requestObject({ claims }) {
      claims.max_age ??= 600
    },
  }),
  fault({
    id: 'signing/exp-fixed',
    breaks: ['SIGN-28'],
    places: ['caller=nobody'],
    title: 'Gives every request object five minutes, whatever its max_age',
    collateral: { 'signing/out-of-band-lives-longer': 'with one lifetime for all none lives longer' },
    response: { [route]: body((answer) => ({ ...answer, exp: nowSeconds() + 300 })) },
  }),
  fault({
    id: 'signing/exp-short-of-max-age',
    breaks: ['SIGN-28'],
    places: ['caller=nobody', 'caller=bearer'],
    title: 'Gives a request object half of its max_age',
    requestObject({ claims }) {
      claims.max_age = Math.ceil(Number(claims.max_age) / 2)
    },
    lifetimes: () => ({ OutOfBand: 1 }),
  }),
  fault({
    id: 'signing/unknown-kind-dropped',
    breaks: ['SIGN-30'],
    places: ['value=both', 'value=unknown', 'value=other-type', 'member=documentObject', 'member=documentObjects'],
    title: 'Drops a kind of object that it does not know, and takes the rest',
    without: ['ros/known-kinds'],
  }),
  fault({
    id: 'signing/text-counted-among-documents',
    breaks: ['SIGN-12'],
    places: ['member=text-and-documents value=upper-bound'],
    title: 'Counts a text among the ten that an envelope may hold, and refuses ten documents beside one',
    requestObject({ claims }) {
      const { signObject, documentObjects } = structuredScope(claims)
      const documents = documentObjects?.documents
      // As if it were an eleventh document.
      if (signObject && Array.isArray(documents) && documents.length === 10) documents.push(documents[0])
    },
  }),
  fault({
    id: 'signing/eleven-documents',
    breaks: ['SIGN-38'],
    places: ['value=above'],
    title: 'Takes eleven documents',
    collateral: { 'signing/whole-envelope': 'whoever does not count takes an empty envelope too' },
    without: ['ros/document-count'],
  }),
  fault({
    id: 'signing/ten-documents-refused',
    breaks: ['SIGN-38'],
    places: ['value=upper-bound'],
    title: 'Takes no more than nine documents',
    requestObject({ claims }) {
      const { documents } =
        (claims.structured_scope as { documentObjects?: { documents?: unknown[] } }).documentObjects ?? {}
      if (documents && documents.length > 9) documents.push({})
    },
  }),
  fault({
    id: 'signing/nameless-envelope',
    breaks: ['SIGN-39'],
    places: ['member=envelope_name value=missing'],
    title: 'Takes an envelope without a name',
    requestObject({ claims }) {
      const { documentObjects } = claims.structured_scope as { documentObjects?: Record<string, unknown> }
      if (documentObjects) documentObjects.envelope_name ??= 'Documents'
    },
  }),
  fault({
    id: 'signing/envelope-hash-unchecked',
    breaks: ['SIGN-40'],
    places: ['value=wrong', 'value=first', 'value=second', 'value=last'],
    title: 'Does not compare envelope_hash with the documents',
    without: ['ros/envelope-hash'],
  }),
  fault({
    id: 'signing/any-algorithm',
    breaks: ['SIGN-41', 'SIGN-42'],
    places: ['token=request-object alg=none', 'part=signature value=missing'],
    title: 'Takes request objects signed with RS256, or with none',
    collateral: { 'signing/other-algorithms': 'it takes every algorithm' },
    without: ['ros/algorithm', 'ros/signature'],
  }),
  fault({
    id: 'signing/undeclared-algorithm',
    breaks: ['SIGN-41'],
    places: ['RS256', 'RS384', 'RS512'].map((alg) => `token=request-object alg=${alg}`),
    title: 'Takes request objects by every algorithm that a key of the client fits',
    collateral: { 'signing/other-algorithms': 'it takes the other algorithms of RSASSA-PSS and ECDSA too' },
    without: ['ros/algorithm'],
  }),
  ...['PS384', 'ES384'].map((alg) =>
    fault({
      id: `signing/request-object-by-${alg.toLowerCase()}`,
      breaks: ['SIGN-15'],
      places: [`token=request-object alg=${alg}`],
      title: `Takes request objects signed with ${alg} beside those of the algorithms of the flow`,
      without: ['ros/algorithm'],
      requestObject({ header }) {
        // By no other algorithm can the signature be verified.
        if (![alg, 'PS256', 'ES256'].includes(String(header.alg))) header.alg = 'none'
      },
    }),
  ),
  fault({
    id: 'signing/request-object-by-secret',
    breaks: ['SIGN-15'],
    places: ['token=request-object alg=HS256'],
    title: 'Takes request objects signed with HS256, whatever the secret',
    collateral: { 'signing/signed-and-encrypted': 'it looks at no signature' },
    requestObject({ header }) {
      if (header.alg === 'HS256') header.alg = 'ES256'
    },
    without: ['ros/signature'],
  }),
  fault({
    id: 'signing/request-object-by-anybody',
    breaks: ['SIGN-42'],
    places: [
      'part=signature value=wrong',
      'part=kid value=unknown',
      'part=kid value=wrong',
      'caller=other-client part=signature',
    ],
    title: 'Does not verify the signature of request objects',
    without: ['ros/signature'],
  }),
  fault({
    id: 'signing/request-object-by-key-in-header',
    breaks: ['SIGN-42'],
    places: ['part=signature value=unknown'],
    title: 'Verifies a request object by the key that its header brings along',
    requestObject(request) {
      if (request.header.jwk !== undefined) request.believed = true
    },
  }),
  fault({
    id: 'signing/ps256-believed',
    breaks: ['SIGN-42'],
    places: ['part=signature alg=PS256'],
    title: 'Verifies the signature of a request object by ES256 alone at /ros',
    requestObject(request) {
      if (request.header.alg === 'PS256') request.believed = true
    },
  }),
  fault({
    id: 'signing/request-object-crit-unread',
    breaks: ['SIGN-42'],
    places: ['part=signature member=crit'],
    title: 'Does not look at crit in the header of a request object at /ros',
    requestObject(request) {
      if (request.header.crit !== undefined) request.believed = true
    },
  }),
  fault({
    id: 'signing/public-key-as-secret',
    breaks: ['SIGN-15'],
    places: ['token=request-object part=signature alg=HS512'],
    title: 'Takes the key that a kid names for the secret of an HMAC where the header of a request object names one',
    requestObject(request) {
      if (request.header.kid === undefined || !/^HS\d+$/.test(String(request.header.alg))) return
      request.header.alg = 'ES256'
      request.believed = true
    },
  }),
  fault({
    id: 'signing/algorithm-of-document-unread',
    breaks: ['SIGN-41', 'SIGN-15'],
    places: ['token=request-object member=documentObject'],
    title: 'Takes a request object for a document by whichever algorithm it is signed, or by none',
    requestObject(request) {
      if (kindOf(request.claims) !== 'documentObject' || /^(PS|ES)256$/.test(String(request.header.alg))) return
      request.header.alg = 'ES256'
      request.believed = true
    },
  }),
  fault({
    id: 'signing/signature-of-envelope-unread',
    breaks: ['SIGN-42'],
    places: ['part=signature member=documentObjects'],
    title: 'Does not verify the signature of a request object for documents in an envelope',
    requestObject(request) {
      if (kindOf(request.claims) === 'documentObjects') request.believed = true
    },
  }),
  fault({
    id: 'signing/none-otherwise-spelled',
    breaks: ['SIGN-41'],
    places: ['token=request-object alg=none value=upper-case'],
    title:
      'Looks for none in a list of what is forbidden, and takes an unsigned request object that writes it in capitals',
    requestObject(request) {
      const { header } = request
      if (header.alg === 'none' || header.alg?.toLowerCase() !== 'none') return
      header.alg = 'ES256'
      request.believed = true
    },
  }),
  fault({
    id: 'signing/exp-in-milliseconds',
    breaks: ['SIGN-1'],
    places: ['member=exp value=other-unit'],
    title: 'Gives exp in milliseconds',
    response: { [route]: body((answer) => ({ ...answer, exp: Number(answer.exp) * 1000 })) },
  }),
  fault({
    id: 'signing/ros-as-text',
    breaks: ['SIGN-1'],
    places: ['member=content-type'],
    title: 'Answers /ros as text/plain',
    response: {
      [route]: (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/plain' } }),
    },
  }),
  fault({
    id: 'signing/plain-request-object',
    breaks: ['SIGN-42'],
    places: ['part=encryption value=missing'],
    title: 'Takes a request object that is signed and not encrypted',
    without: ['ros/encrypted'],
  }),
  fault({
    id: 'signing/no-certificate-asked',
    breaks: ['SIGN-43'],
    places: ['certificate=none', 'certificate=untrusted'],
    title: 'Takes request objects without a client certificate',
    without: ['ros-caller/mutual-tls'],
  }),
  fault({
    id: 'signing/no-certificate-asked-beside-token',
    breaks: ['SIGN-43'],
    places: ['caller=bearer certificate=none', 'caller=bearer certificate=untrusted'],
    title: 'Takes request objects that come with an access token without a client certificate',
    without: ['ros-caller/mutual-tls at bearer'],
  }),
  fault({
    id: 'signing/out-of-band-floor',
    breaks: ['SIGN-29'],
    places: ['member=signObject value=long'],
    title: 'Lets an object without an access token live for an hour, and no longer than its max_age where that is more',
    requestObject({ claims, headers }) {
      headers['x-max-age'] = String(claims.max_age)
    },
    response: {
      [route]: (response, { requestHeader }) => {
        const { exp } = Object(response.body)
        const maxAge = Number(requestHeader('x-max-age'))
        const outOfBand = requestHeader('authorization') === undefined && maxAge > 3_600
        const shorter = { ...Object(response.body), exp: Math.min(Number(exp), nowSeconds() + maxAge) }
        return response.status < 300 && outOfBand ? { ...response, body: shorter } : response
      },
    },
  }),
  fault({
    id: 'signing/secret-client-taken',
    breaks: ['SIGN-22'],
    places: ['endpoint=ros client-auth=client_secret_post', 'endpoint=ros client-auth=client_secret_jwt'],
    title: 'Takes request objects of clients that authenticate by a secret',
    without: ['ros/client-method', 'signing-token/private-key-jwt'],
  }),
]
