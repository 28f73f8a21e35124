import { LRUCache } from 'lru-cache'
import type { OpenedRequest } from '../seams.js'
import { fault } from './fault.js'
import { errorRedirect } from './redirects.js'

const claimed = ({ claims }: OpenedRequest) => String(claims.scope ?? '').split(' ')

export const signingFaults = [
  fault({
    id: 'signing/permanent-redirect',
    breaks: ['SIGN-8'],
    title: 'Answers /authorize with 301, which browsers remember',
    response: { 'GET /authorize': (response) => (response.status === 302 ? { ...response, status: 301 } : response) },
  }),
  fault({
    id: 'signing/state-changed',
    breaks: ['SIGN-32'],
    title: 'Sends the state of a request object back in lower case',
    requestObject({ claims }) {
      claims.state = String(claims.state).toLowerCase()
    },
  }),
  fault({
    id: 'signing/hint-ignored',
    breaks: ['SIGN-4'],
    title: 'Asks a person to sign in whom id_token_hint names',
    requestObject({ claims }) {
      delete claims.id_token_hint
    },
  }),
  fault({
    id: 'signing/new-scopes-dropped',
    breaks: ['SIGN-6', 'SIGN-27'],
    title: 'Drops the scopes of a request object that are new, and asks no consent',
    requestObject(request) {
      const scopes = claimed(request)
      if (scopes.includes('openid') && scopes.includes('authorization')) request.claims.scope = 'openid authorization'
    },
  }),
  fault({
    id: 'signing/new-scopes-all-unticked',
    breaks: ['SIGN-27'],
    title: 'Goes on to the signature where the person unticked every new scope',
    without: ['signer/new-scopes'],
  }),
  fault({
    id: 'signing/refusal-other-code',
    breaks: ['SIGN-20'],
    title: 'Reports a refusal as interaction_required',
    response: {
      'GET /auth': errorRedirect(({ searchParams }) => {
        if (searchParams.get('error_description') === 'User declined the authorization')
          searchParams.set('error', 'interaction_required')
      }),
    },
  }),
  fault({
    id: 'signing/twice',
    breaks: ['SIGN-47'],
    title: 'Lets an object be authorized again',
    without: ['authorize/request-undecided'],
  }),
  fault({
    id: 'signing/one-browser',
    breaks: ['SIGN-23'],
    title: 'Knows a request_uri only the first time that a browser comes with it',
    /** The request_uris that a browser came with. */
    memory: () => new LRUCache<string, true>({ max: 10_000 }),
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
