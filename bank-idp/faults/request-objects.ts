import { Latest } from '../latest.js'
import { type Deviation, type Fault, fault } from './fault.js'
import { errorAs, errorRedirect, isSignedIn, refusal } from './redirects.js'

const route = 'GET /auth'

const lowerHash = (uri: string) => uri.replace(/#.*/, (hash) => hash.toLowerCase())

/** Remembers the request_uris with a fragment that clients registered, by what each is compared as. */
const registeredUris = {
  response: {
    'PUT /register/{client_id}'(response, _facts, known) {
      for (const uri of [Object(response.body).request_uris ?? []].flat().map(String)) {
        if (uri.includes('#')) known.set(lowerHash(uri), uri)
      }
      return response
    },
  },
} satisfies Deviation<Latest<string>>

export const requestObjectFaults: readonly Fault[] = [
  fault({
    id: 'request-object/unregistered-taken',
    breaks: ['AUTH-21'],
    places: ['member=registered value=wrong'],
    title: 'Fetches a request_uri that is not registered',
    collateral: { 'request-object/hash-fragment': 'one with the hash in capitals is not registered either' },
    without: ['request-object/registered'],
  }),
  fault({
    id: 'request-object/uri-refused-otherwise',
    breaks: ['AUTH-21'],
    places: ['member=content value=wrong', 'member=content value=empty'],
    title: 'Answers every fault of a request_uri as invalid_request',
    response: { [route]: errorAs({ code: 'invalid_request_uri' }, { code: 'invalid_request' }) },
  }),
  fault({
    id: 'request-object/kind-unchecked',
    breaks: ['AUTH-22'],
    places: ['part=typ'],
    title: 'Takes for a request object at request_uri what was made for another purpose',
    without: ['request-object/kind'],
  }),
  fault({
    id: 'request-object/signature-unchecked',
    breaks: ['AUTH-22', 'REG-18'],
    places: ['token=request-object', 'part=signature'],
    title: 'Does not check the signature of request objects',
    without: ['request-object/signature'],
  }),
  fault({
    id: 'request-object/any-algorithm',
    breaks: ['REG-23'],
    places: ['endpoint=auth member=request_object_signing_alg'],
    title: 'Does not look at the algorithm that the client registered for its request objects',
    collateral: { 'request-object/other-algorithms': 'it takes one that the bank does not declare as well' },
    without: ['request-object/algorithm'],
  }),
  fault({
    id: 'signing/registered-algorithm-unenforced',
    breaks: ['REG-23'],
    places: ['endpoint=ros member=request_object_signing_alg'],
    title: 'Does not hold request objects of the signing flow to the algorithm that the client registered',
    without: ['ros/registered-algorithm'],
  }),
  fault({
    id: 'request-object/encryption-unenforced',
    breaks: ['REG-23'],
    places: [
      'endpoint=auth member=request_object_encryption_alg',
      'endpoint=auth member=request_object_encryption_enc',
    ],
    title: 'Takes request objects that are not encrypted from a client that registered their encryption',
    without: ['request-object/encryption'],
  }),
  fault({
    id: 'request-object/value-refused-otherwise',
    breaks: ['AUTH-22'],
    places: ['member=prompt'],
    title: 'Answers an invalid value inside of a request object as invalid_request',
    collateral: {
      'request-object/registered-algorithms': 'REG-23 names invalid_request_object',
      'request-object/keys-at-jwks-uri': 'a wrong signature is invalid_request_object',
    },
    response: { [route]: errorAs({ code: 'invalid_request_object' }, { code: 'invalid_request' }) },
  }),
  fault({
    id: 'request-object/refused-in-session',
    breaks: ['DISC-18'],
    places: ['use=session-login'],
    title: 'Refuses the request object of who is signed in and is to sign in anew',
    collateral: {
      'request-object/served-again':
        'AUTH-24 asks so again in a session, by a request that has prompt=login in a dress',
    },
    response: {
      'GET /auth': (response, facts) => {
        const { query } = facts
        const isServed = String(response.headers.location).includes('/interaction/')
        return isServed && isSignedIn(facts) && query.has('request_uri') && query.get('prompt') === 'login'
          ? refusal(response, query, 'invalid_request_object')
          : response
      },
    },
  }),
  fault({
    id: 'request-object/state-lost-at-consent',
    breaks: ['GEN-4'],
    places: ['when=by-person token=request-object parameter=state'],
    title: 'Leaves the state of a request object out of the error by which a person declines consent',
    memory: () => new Latest<true>(10_000),
    judgedObject(object, _facts, states) {
      if (typeof object.claims.state === 'string') states.set(object.claims.state, true)
      return object
    },
    response: {
      'GET /auth'(response, _facts, states) {
        return errorRedirect(({ searchParams }, error) => {
          if (error === 'access_denied' && states.has(searchParams.get('state') ?? '')) searchParams.delete('state')
        })(response)
      },
    },
  }),
  fault({
    id: 'request-object/unsupported',
    breaks: ['AUTH-23', 'AUTH-24', 'AUTH-46', 'DISC-18'],
    places: ['part=signature', 'everywhere', 'value=right'],
    title: 'Declares request_uri, and answers it with request_uri_not_supported',
    collateral: {
      'errors/request-uri': 'GEN-4 has an object with a state of its own',
      'request-object/kind': 'AUTH-22 asks by request_uri',
      'request-object/uri-invalid': 'AUTH-21 asks by request_uri',
      'request-object/content-invalid': 'AUTH-21 asks by request_uri',
      'authorization/max-age-in-request-object': 'AUTH-34 asks by request_uri too',
      'registration/default-max-age-variations': 'REG-19 asks by request_uri too',
    },
    response: {
      [route]: (response, { query }) =>
        query.has('request_uri') ? refusal(response, query, 'request_uri_not_supported') : response,
    },
  }),
  fault({
    id: 'request-object/ignored',
    breaks: ['AUTH-24', 'AUTH-46'],
    places: ['member=nonce', 'value=right'],
    title: 'Ignores request_uri and serves the parameters of the query',
    collateral: {
      'authorization/max-age-in-request-object': 'max_age is ignored with the rest',
      'request-object/content-invalid': 'what is ignored is not refused',
      'request-object/scope-not-registered': 'what is ignored is not refused',
      'request-object/expired': 'what is ignored is not refused',
      'request-object/foreign-keys': 'what is ignored is not refused',
      'request-object/iss-aud-nbf': 'what is ignored is not refused',
      'request-object/other-algorithms': 'what is ignored is not refused',
      'request-object/redirect-uri-not-registered': 'what is ignored is not refused',
      'request-object/registration-inside': 'what is ignored is not refused',
      'request-object/kind': 'what is ignored is not refused',
      'request-object/uri-invalid': 'what is ignored is not refused',
      'request-object/value-invalid': 'what is ignored is not refused',
    },
    request: { [route]: (parameters) => parameters.delete('request_uri') },
  }),
  fault({
    id: 'request-object/scope-default',
    breaks: ['AUTH-10'],
    places: ['token=request-object'],
    title: 'Takes a request by request_uri with scope neither in the object nor beside it for one of openid',
    request: {
      [route]: (parameters) => {
        if (parameters.has('request_uri') && !parameters.has('scope')) parameters.set('scope', 'openid')
      },
    },
  }),
  fault({
    id: 'request-object/fragment-dropped',
    breaks: ['AUTH-46'],
    places: ['value=right'],
    title: 'Drops the fragment of a request_uri before it looks for it among the registered ones',
    request: {
      [route]: (parameters) => {
        const uri = parameters.get('request_uri')
        if (uri !== null) parameters.set('request_uri', uri.replace(/#.*/, ''))
      },
    },
  }),
  fault({
    id: 'request-object/hash-in-any-case',
    breaks: ['AUTH-46'],
    places: ['value=upper-case'],
    title: 'Compares the fragment of request_uri without regard to case',
    memory: () => new Latest<string>(10_000),
    ...registeredUris,
    request: {
      [route]: (parameters, _bank, known) => {
        const uri = parameters.get('request_uri')
        if (uri !== null) parameters.set('request_uri', known.get(lowerHash(uri)) ?? uri)
      },
    },
  }),
]
