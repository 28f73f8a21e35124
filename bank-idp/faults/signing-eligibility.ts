import { fault } from './fault.js'
import { errorRedirect } from './redirects.js'

export const signingEligibilityFaults = [
  fault({
    id: 'signing/weak-method-other-message',
    breaks: ['AUTH-32'],
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
    places: ['person=under-age'],
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
]
