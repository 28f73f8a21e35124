import { type Deviation, fault } from './fault.js'
import { errorCode, redirect, refusal } from './redirects.js'

const route = 'GET /auth'

/** For `request`: takes a code_challenge of this method for none, and asks for no code_verifier. */
function challengeIgnored(method: 'plain' | 'S256'): Deviation['request'] {
  return {
    [route](parameters) {
      if (parameters.get('code_challenge_method') !== method) return
      parameters.delete('code_challenge')
      parameters.delete('code_challenge_method')
    },
    'POST /token': (parameters) => parameters.delete('code_verifier'),
  }
}

export const requestObjectFaults = [
  fault({
    id: 'request-object/unregistered-taken',
    breaks: ['AUTH-21'],
    title: 'Fetches a request_uri that is not registered',
    without: ['request-object/registered'],
  }),
  fault({
    id: 'request-object/uri-refused-otherwise',
    breaks: ['AUTH-21'],
    title: 'Answers every fault of a request_uri as invalid_request',
    response: { [route]: errorCode('invalid_request_uri', 'invalid_request') },
  }),
  fault({
    id: 'request-object/kind-unchecked',
    breaks: ['AUTH-22'],
    title: 'Takes for a request object at request_uri what was made for another purpose',
    without: ['request-object/kind'],
  }),
  fault({
    id: 'request-object/signature-unchecked',
    breaks: ['AUTH-22', 'REG-18'],
    title: 'Does not check the signature of request objects',
    without: ['request-object/signature'],
  }),
  fault({
    id: 'request-object/any-algorithm',
    breaks: ['REG-23'],
    title: 'Does not look at the algorithm that the client registered for its request objects',
    without: ['request-object/algorithm'],
  }),
  fault({
    id: 'signing/registered-algorithm-unenforced',
    breaks: ['REG-23'],
    title: 'Does not hold request objects of the signing flow to the algorithm that the client registered',
    without: ['ros/registered-algorithm'],
  }),
  fault({
    id: 'request-object/encryption-unenforced',
    breaks: ['REG-23'],
    title: 'Takes request objects that are not encrypted from a client that registered their encryption',
    without: ['request-object/encryption'],
  }),
  fault({
    id: 'request-object/value-refused-otherwise',
    breaks: ['AUTH-22'],
    title: 'Answers an invalid value inside of a request object as invalid_request',
    collateral: {
      'request-object/registered-algorithms': 'REG-23 names invalid_request_object',
      'request-object/keys-at-jwks-uri': 'a wrong signature is invalid_request_object',
    },
    response: { [route]: errorCode('invalid_request_object', 'invalid_request') },
  }),
  fault({
    id: 'request-object/unsupported',
    breaks: ['AUTH-23', 'AUTH-24', 'AUTH-46', 'DISC-18'],
    title: 'Declares request_uri, and answers it with request_uri_not_supported',
    collateral: {
      'request-object/kind': 'AUTH-22 asks by request_uri',
      'request-object/uri-invalid': 'AUTH-21 asks by request_uri',
      'request-object/value-invalid': 'AUTH-22 asks by request_uri',
    },
    response: {
      [route]: (response, { query }) =>
        query.has('request_uri') ? refusal(response, query, 'request_uri_not_supported') : response,
    },
  }),
  fault({
    id: 'request-object/ignored',
    breaks: ['AUTH-24', 'AUTH-46'],
    title: 'Ignores request_uri and serves the parameters of the query',
    collateral: {
      'request-object/kind': 'what is ignored is not refused',
      'request-object/uri-invalid': 'what is ignored is not refused',
      'request-object/value-invalid': 'what is ignored is not refused',
    },
    request: { [route]: (parameters) => parameters.delete('request_uri') },
  }),
  fault({
    id: 'request-object/fragment-dropped',
    breaks: ['AUTH-46'],
    title: 'Drops the fragment of a request_uri before it looks for it among the registered ones',
    request: {
      [route]: (parameters) => {
        const uri = parameters.get('request_uri')
        if (uri !== null) parameters.set('request_uri', uri.replace(/#.*/, ''))
      },
    },
  }),
  fault({
    id: 'pkce/plain-unenforced',
    breaks: ['AUTH-52'],
    title: 'Takes a plain code_challenge, and gives the code to whoever brings it',
    request: challengeIgnored('plain'),
    collateral: { 'pkce/s256': 'no code_verifier is read at all' },
  }),
  fault({
    id: 'pkce/s256-unenforced',
    breaks: ['AUTH-36'],
    title: 'Takes a code_challenge of S256, and gives the code to whoever brings it',
    request: challengeIgnored('S256'),
    collateral: { 'pkce/plain': 'no code_verifier is read at all' },
  }),
  fault({
    id: 'authorization/token-in-query',
    breaks: ['AUTH-38'],
    title: 'Gives the access token of response_type token in the query',
    response: {
      [route]: redirect((target) => {
        if (!target.hash.startsWith('#access_token=')) return
        target.search = target.hash.slice(1)
        target.hash = ''
      }),
    },
  }),
  fault({
    id: 'authorization/token-refused',
    breaks: ['AUTH-38', 'DISC-19'],
    places: ['grant=implicit'],
    title: 'Declares response_type token, and refuses it',
    response: {
      [route]: (response, { query }) =>
        query.get('response_type') === 'token' && response.status === 302
          ? refusal(response, query, 'unauthorized_client')
          : response,
    },
  }),
]
