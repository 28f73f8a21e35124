import { body, fault, omit } from './fault.js'

const route = 'GET /.well-known/openid-configuration'

export const discoveryFaults = [
  fault({
    id: 'discovery/needs-token',
    breaks: ['DISC-1'],
    title: 'The discovery document needs a token',
    response: {
      [route]: () => ({
        status: 401,
        headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
        body: { error: 'invalid_token', error_description: 'a token is required' },
      }),
    },
  }),
  fault({
    id: 'discovery/html',
    breaks: ['DISC-1'],
    title: 'The discovery document is announced as text/html',
    response: {
      [route]: (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/html' } }),
    },
  }),
  fault({
    id: 'discovery/no-token-endpoint',
    breaks: ['DISC-1'],
    title: 'The discovery document leaves out token_endpoint',
    response: { [route]: body((document) => omit(document, 'token_endpoint')) },
  }),
]
