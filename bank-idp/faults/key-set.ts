import { body, fault } from './fault.js'

const route = 'GET /.well-known/jwks.json'

export const keySetFaults = [
  fault({
    id: 'jwks/bare-array',
    breaks: ['JWKS-1'],
    title: 'The key set is a bare array of keys',
    response: { [route]: body(({ keys }) => keys) },
  }),
  fault({
    id: 'jwks/needs-token',
    breaks: ['JWKS-1'],
    title: 'The key set needs a token',
    response: {
      [route]: () => ({
        status: 401,
        headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
        body: { error: 'invalid_token', error_description: 'a token is required' },
      }),
    },
  }),
]
