import { Latest } from '../latest.js'
import { fault } from './fault.js'
import { errorRedirect } from './redirects.js'

export const signingEligibilityFaults = [
  fault({
    id: 'signing/weak-method-other-message',
    breaks: ['AUTH-32'],
    places: ['member=documentObject'],
    title: 'Has a message of its own for a method that is too weak',
    response: {
      'GET /auth': errorRedirect(({ searchParams }) => {
        if (searchParams.get('error_description') === 'User authentication method insufficient')
          searchParams.set('error_description', 'Method too weak')
      }),
    },
  }),
  fault({
    id: 'signing/minors-sign',
    breaks: ['AUTH-49'],
    places: ['person=under-age', 'member=documentObject'],
    title: 'Lets people sign who are too young',
    without: ['signer/age'],
  }),
  fault({
    id: 'signing/unreachable-sign',
    breaks: ['AUTH-49'],
    places: ['person=no-contact'],
    title: 'Lets people sign who cannot be reached',
    without: ['signer/contact'],
  }),
  fault({
    id: 'signing/anyone-signs-beside-token',
    breaks: ['AUTH-32', 'AUTH-49'],
    places: ['caller=bearer'],
    title: 'Does not ask whether people can sign whose access token came with the document',
    without: ['acr', 'method', 'alive', 'age', 'contact'].map((check) => `signer/${check} at bearer`),
  }),
  fault({
    id: 'signing/envelope-signers-otherwise',
    breaks: ['AUTH-32', 'AUTH-49'],
    places: ['member=documentObjects'],
    title: 'Answers who cannot sign an envelope as who did not finish the authorization',
    memory: () => new Latest<true>(10_000),
    requestObject({ claims }, _bank, envelopes) {
      const { structured_scope: scope, state } = claims
      if (typeof scope === 'object' && scope !== null && 'documentObjects' in scope) envelopes.set(String(state), true)
    },
    response: {
      'GET /auth': (response, _facts, envelopes) =>
        errorRedirect(({ searchParams }, error) => {
          if (error === 'user_not_eligible' && envelopes.has(searchParams.get('state') ?? ''))
            searchParams.set('error', 'access_denied')
        })(response),
    },
  }),
]
