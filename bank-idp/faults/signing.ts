import { randomUUID } from 'node:crypto'
import { decodeJwt, type JWTPayload } from 'jose'
import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import type { OpenedRequest } from '../seams.js'
import { fault } from './fault.js'
import { errorRedirect } from './redirects.js'
import { hasDocuments } from './signing-leniency.js'

/** For `response`: changes where a user is sent who declined to authorize. */
function ofRefusal(change: (target: URL) => void) {
  return errorRedirect((target) => {
    if (target.searchParams.get('error_description') === 'User declined the authorization') change(target)
  })
}

/** For `requestObject`: takes an id_token_hint away, where it is meant. */
function hintIgnored(isMeant: (request: { claims: OpenedRequest['claims']; hint: JWTPayload }) => boolean) {
  return ({ claims }: OpenedRequest) => {
    if (typeof claims.id_token_hint !== 'string') return
    if (isMeant({ claims, hint: decodeJwt(claims.id_token_hint) })) delete claims.id_token_hint
  }
}

export const signingFaults = [
  fault({
    id: 'signing/permanent-redirect',
    breaks: ['SIGN-8'],
    places: [
      'caller=nobody',
      'caller=bearer',
      'member=documentObject',
      'member=documentObjects',
      'member=text-and-documents',
      'caller=bearer member=documentObjects',
    ],
    title: 'Answers /authorize with 301, which browsers remember',
    response: { 'GET /authorize': (response) => (response.status === 302 ? { ...response, status: 301 } : response) },
  }),
  fault({
    id: 'signing/state-changed',
    breaks: ['SIGN-32'],
    places: [
      'parameter=state value=right',
      'member=documentObject',
      'member=documentObjects',
      'member=text-and-documents',
      'caller=bearer',
    ],
    title: 'Sends the state of a request object back in lower case',
    requestObject({ claims }) {
      claims.state = String(claims.state).toLowerCase()
    },
  }),
  fault({
    id: 'signing/hint-ignored',
    breaks: ['SIGN-4'],
    places: ['token=id-of-code', 'person=second'],
    title: 'Asks a person to sign in whom id_token_hint names',
    requestObject({ claims }) {
      delete claims.id_token_hint
    },
  }),
  fault({
    id: 'signing/refusal-other-code',
    breaks: ['SIGN-20'],
    places: [
      'member=sign',
      'member=documentObject',
      'member=documentObjects',
      'member=text-and-document',
      'caller=bearer',
    ],
    title: 'Reports a refusal as interaction_required',
    response: {
      'GET /auth': ofRefusal(({ searchParams }) => searchParams.set('error', 'interaction_required')),
    },
  }),
  fault({
    id: 'signing/hint-of-result-ignored',
    breaks: ['SIGN-4'],
    places: ['token=id-of-signing'],
    title: 'Knows nobody by the id_token of an authorized object',
    requestObject: hintIgnored(({ hint }) => hint.structured_scope !== undefined),
  }),
  fault({
    id: 'signing/hint-for-document-ignored',
    breaks: ['SIGN-4'],
    places: ['member=documentObject', 'member=documentObjects'],
    title: 'Asks a person to sign in whom id_token_hint names, where there is a document to sign',
    requestObject: hintIgnored(({ claims }) => hasDocuments(claims)),
  }),
  fault({
    id: 'signing/old-hint-ignored',
    breaks: ['SIGN-4'],
    places: ['token=id-of-code part=exp'],
    title: 'Asks a person to sign in whom an id_token_hint names that has expired',
    requestObject: hintIgnored(({ hint }) => Number(hint.exp) < nowSeconds()),
  }),
  fault({
    id: 'signing/hint-of-anybody',
    breaks: ['SIGN-4'],
    places: ['token=id-of-code part=signature'],
    title: 'Does not verify the signature of an id_token_hint',
    without: ['id-token-hint/signature'],
  }),
  fault({
    id: 'signing/hint-of-nobody',
    breaks: ['SIGN-4'],
    places: ['token=id-of-code part=signature value=missing'],
    title: 'Takes an id_token_hint that nobody signed',
    without: ['id-token-hint/signature at unsigned'],
  }),
  fault({
    id: 'signing/refusal-without-state',
    breaks: ['SIGN-20'],
    places: ['parameter=state'],
    title: 'Sends no state back where the user declined to authorize',
    response: { 'GET /auth': ofRefusal(({ searchParams }) => searchParams.delete('state')) },
  }),
  fault({
    id: 'signing/refusal-without-query',
    breaks: ['SIGN-20'],
    places: ['parameter=redirect_uri value=second'],
    title: 'Drops the query of the redirect URI where the user declined to authorize',
    response: {
      'GET /auth': ofRefusal(({ searchParams }) => {
        for (const name of [...searchParams.keys()])
          if (!['error', 'error_description', 'state', 'iss'].includes(name)) searchParams.delete(name)
      }),
    },
  }),
  fault({
    id: 'signing/refusal-with-code',
    breaks: ['SIGN-20'],
    places: ['parameter=code'],
    title: 'Sends a code beside the error where the user declined to authorize',
    response: { 'GET /auth': ofRefusal(({ searchParams }) => searchParams.set('code', randomUUID())) },
  }),
  fault({
    id: 'signing/sign-in-declined-otherwise',
    breaks: ['SIGN-20'],
    places: ['member=sign-in'],
    title: 'Reports who declines to sign in for an authorization as login_required',
    collateral: { 'callback/authentication-declined': 'a login is declined on the same page' },
    response: {
      'GET /auth': errorRedirect(({ searchParams }) => {
        if (searchParams.get('error_description') === 'User declined the authentication')
          searchParams.set('error', 'login_required')
      }),
    },
  }),
  fault({
    id: 'signing/twice',
    breaks: ['SIGN-47'],
    places: [
      'use=first value=first',
      'use=session-login value=first',
      'use=first value=second',
      'use=session-login value=second',
      'member=documentObject',
      'member=documentObjects',
    ],
    title: 'Lets an object be authorized again',
    without: ['authorize/request-undecided'],
  }),
  fault({
    id: 'signing/twice-with-token',
    breaks: ['SIGN-47'],
    places: ['caller=bearer'],
    title: 'Gives one more code for an object that came with an access token and was decided before',
    collateral: { 'signing/unknown-request-uri': 'one that is past its exp is taken for decided' },
    /** The request_uris of objects that came with an access token. */
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /ros'(response, { requestHeader }, withToken) {
        const { request_uri: uri } = Object(response.body)
        if (typeof uri === 'string' && requestHeader('authorization') !== undefined) withToken.set(uri, true)
        return response
      },
      'GET /authorize'(response, { query }, withToken) {
        const redirectUri = query.get('redirect_uri')
        if (!withToken.has(String(query.get('request_uri'))) || redirectUri === null) return response
        return errorRedirect(({ searchParams }) => {
          for (const name of ['error', 'error_description']) searchParams.delete(name)
          searchParams.set('code', randomUUID())
        })(response)
      },
    },
  }),
  fault({
    id: 'signing/one-browser',
    breaks: ['SIGN-23'],
    places: [
      'member=signObject',
      'member=documentObject',
      'member=documentObjects',
      'member=text-and-documents',
      'use=session-login',
    ],
    title: 'Knows a request_uri only the first time that a browser comes with it',
    /** The request_uris that a browser came with. */
    memory: () => new Latest<true>(10_000),
    request: {
      'GET /authorize'(parameters, _bank, opened) {
        const uri = parameters.get('request_uri')
        if (uri === null) return
        if (opened.has(uri)) parameters.set('request_uri', `${uri}-opened`)
        opened.set(uri, true)
      },
    },
  }),
]
