import { fault } from './fault.js'

/** For `requestObject`: cuts a slash or a query off the end of a redirect URI. */
function trimmed(uri: string): string {
  return uri.replace(/(\/|\?more=1)$/, '')
}

export const signingRequestFaults = [
  fault({
    id: 'signing/request-uri-not-asked',
    breaks: ['SIGN-33'],
    title: 'Takes a missing request_uri for one that is unknown',
    without: ['authorize/request-uri'],
  }),
  fault({
    id: 'signing/unknown-request-uri-page',
    breaks: ['SIGN-34'],
    title: 'Shows a page with status 200 for a request_uri that it does not know',
    response: {
      'GET /authorize': (response) =>
        response.status === 400 && JSON.stringify(response.body).includes('invalid_request_uri')
          ? { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Sorry</title>' }
          : response,
    },
  }),
  fault({
    id: 'signing/past-its-end',
    breaks: ['SIGN-34'],
    title: 'Lets an object be authorized past its exp',
    without: ['authorize/request-live'],
  }),
  fault({
    id: 'signing/redirect-uri-almost',
    breaks: ['SIGN-45'],
    title: 'Takes a redirect URI with a slash or a query more than the registered one',
    requestObject({ claims }) {
      if (typeof claims.redirect_uri === 'string') claims.redirect_uri = trimmed(claims.redirect_uri)
    },
    request: {
      'GET /authorize'(parameters) {
        const uri = parameters.get('redirect_uri')
        if (uri !== null) parameters.set('redirect_uri', trimmed(uri))
      },
    },
  }),
]
