import { nowSeconds } from '../clock.js'
import { body, fault, omit } from './fault.js'

const route = 'POST /ros'

export const rosFaults = [
  fault({
    id: 'signing/no-request-uri',
    breaks: ['SIGN-1'],
    title: 'Leaves request_uri out of the answer of /ros',
    response: { [route]: body((answer) => omit(answer, 'request_uri')) },
  }),
  fault({
    id: 'signing/exp-in-words',
    breaks: ['SIGN-1'],
    title: 'Gives exp as a date in place of Unix seconds',
    collateral: {
      'signing/exp-by-max-age': 'no seconds can be read from it',
      'signing/out-of-band-lives-longer': 'no seconds can be read from it',
    },
    response: { [route]: body((answer) => ({ ...answer, exp: new Date(Number(answer.exp) * 1000).toISOString() })) },
  }),
  fault({
    id: 'signing/request-object-kind-unchecked',
    breaks: ['SIGN-42'],
    title: 'Takes for a request object of /ros what was made for another purpose',
    without: ['ros/jwt-kind'],
  }),
  fault({
    id: 'signing/scopes-not-asked',
    breaks: ['SIGN-3'],
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
    id: 'signing/document-by-loa2',
    breaks: ['SIGN-5'],
    title: 'Takes a document to sign with acr_values loa2',
    without: ['ros/document-loa3', 'signer/acr'],
  }),
  fault({
    id: 'signing/max-age-optional',
    breaks: ['SIGN-7'],
    title: 'Takes a request object without max_age, as if it were ten minutes',
    requestObject({ claims }) {
      claims.max_age ??= 600
    },
  }),
  fault({
    id: 'signing/exp-fixed',
    breaks: ['SIGN-28'],
    title: 'Gives every request object five minutes, whatever its max_age',
    collateral: { 'signing/out-of-band-lives-longer': 'with one lifetime for all none lives longer' },
    response: { [route]: body((answer) => ({ ...answer, exp: nowSeconds() + 300 })) },
  }),
  fault({
    id: 'signing/exp-short-of-max-age',
    breaks: ['SIGN-28'],
    title: 'Gives a request object half of its max_age',
    requestObject({ claims }) {
      claims.max_age = Math.ceil(Number(claims.max_age) / 2)
    },
    lifetimes: () => ({ OutOfBand: 1 }),
  }),
  fault({
    id: 'signing/out-of-band-not-longer',
    breaks: ['SIGN-29'],
    title: 'Gives an object without an access token no more time than one with',
    lifetimes: () => ({ OutOfBand: 0 }),
  }),
  fault({
    id: 'signing/bearer-refused',
    breaks: ['SIGN-48', 'SIGN-2'],
    title: 'Takes no access token at /ros',
    requestObject({ headers }) {
      if (headers.authorization !== undefined) headers.authorization = 'Bearer none'
    },
  }),
  fault({
    id: 'signing/anonymous-refused',
    breaks: ['SIGN-2'],
    title: 'Takes no request object without an access token',
    collateral: {
      'signing/request-object': 'the good request object comes without one',
      'signing/algorithms': 'its request objects come without one',
      'signing/combined': 'its request objects come without one',
      'signing/eleven-documents': 'its ten documents come without one',
    },
    requestObject({ headers }) {
      headers.authorization ??= 'Bearer none'
    },
  }),
  fault({
    id: 'signing/bearer-ignored',
    breaks: ['SIGN-48', 'SIGN-21'],
    title: 'Does not look at the access token at /ros',
    collateral: { 'signing/out-of-band-lives-longer': 'every object is then one without an access token' },
    requestObject({ headers }) {
      delete headers.authorization
    },
  }),
  fault({
    id: 'signing/unknown-kind-dropped',
    breaks: ['SIGN-30'],
    title: 'Drops a kind of object that it does not know, and takes the rest',
    without: ['ros/known-kinds'],
  }),
  fault({
    id: 'signing/eleven-documents',
    breaks: ['SIGN-38'],
    title: 'Takes eleven documents',
    collateral: { 'signing/whole-envelope': 'whoever does not count takes an empty envelope too' },
    without: ['ros/document-count'],
  }),
  fault({
    id: 'signing/ten-documents-refused',
    breaks: ['SIGN-38'],
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
    title: 'Takes an envelope without a name',
    requestObject({ claims }) {
      const { documentObjects } = claims.structured_scope as { documentObjects?: Record<string, unknown> }
      if (documentObjects) documentObjects.envelope_name ??= 'Documents'
    },
  }),
  fault({
    id: 'signing/envelope-hash-unchecked',
    breaks: ['SIGN-40'],
    title: 'Does not compare envelope_hash with the documents',
    without: ['ros/envelope-hash'],
  }),
  fault({
    id: 'signing/any-algorithm',
    breaks: ['SIGN-41'],
    title: 'Takes request objects signed with RS256, or with none',
    collateral: { 'signing/signed-and-encrypted': 'alg none is not a signature' },
    without: ['ros/algorithm', 'ros/signature'],
  }),
  fault({
    id: 'signing/plain-request-object',
    breaks: ['SIGN-42'],
    title: 'Takes a request object that is signed and not encrypted',
    without: ['ros/encrypted'],
  }),
  fault({
    id: 'signing/no-certificate-asked',
    breaks: ['SIGN-43'],
    title: 'Takes request objects without a client certificate',
    without: ['ros-caller/mutual-tls'],
  }),
  fault({
    id: 'signing/secret-client-taken',
    breaks: ['SIGN-22'],
    title: 'Takes request objects of clients that authenticate by a secret',
    without: ['ros/client-method', 'signing-token/private-key-jwt'],
  }),
]
