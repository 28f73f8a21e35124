import type { SeamResponse } from '../seams.js'
import { fault, omit } from './fault.js'
import { errorRedirect, inFragmentToo, openRedirect, refusal, toFragment } from './redirects.js'

const route = 'GET /auth'

/** Changes the body of an error that is answered without a redirect. */
function directError(change: (error: Record<string, unknown>, response: SeamResponse) => SeamResponse) {
  return (response: SeamResponse): SeamResponse => {
    const { body } = response
    const isError = response.status === 400 && typeof body === 'object' && body !== null && 'error' in body
    return isError ? change({ ...body }, response) : response
  }
}

/** What a server answers by itself to a method that nobody thought of. */
const unthought = {
  'not-found': { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' },
  'not-allowed': { status: 405, headers: { allow: 'GET, POST' }, body: '' },
}

export const authorizationErrorFaults = [
  ...(['PUT', 'PATCH', 'DELETE'] as const).flatMap((method) =>
    (['not-found', 'not-allowed'] as const).map((how) =>
      fault({
        id: `authorization/${method.toLowerCase()}-${how}`,
        breaks: ['AUTH-37'],
        places: [`method=${method}`],
        title: `Answers ${method} of /auth with ${unthought[how].status}, as web servers do by themselves`,
        response: { [`${method} /auth`]: () => unthought[how] },
      }),
    ),
  ),
  fault({
    id: 'authorization/any-method-served',
    breaks: ['AUTH-37'],
    places: ['PUT', 'PATCH', 'DELETE'].map((method) => `method=${method}`),
    title: 'Serves a request at /auth by whatever method',
    without: ['authorization/method'],
  }),
  fault({
    id: 'authorization/open-redirector',
    breaks: ['AUTH-3'],
    places: ['member=host value=wrong'],
    title: 'Redirects an error to a redirect_uri that is not registered',
    response: openRedirect('invalid_request', ({ error_description }) =>
      String(error_description).startsWith('redirect_uri is not registered'),
    ),
  }),
  fault({
    id: 'authorization/redirect-uri-missing-redirected',
    breaks: ['AUTH-2'],
    places: ['value=missing'],
    title: 'Answers a missing redirect_uri with unauthorized_client',
    response: {
      [route]: directError((error, response) =>
        error.error_description === 'redirect_uri is required'
          ? { ...response, body: { ...error, error: 'unauthorized_client' } }
          : response,
      ),
    },
  }),
  fault({
    id: 'authorization/client-unknown-invalid-client',
    breaks: ['AUTH-5'],
    places: ['value=unknown'],
    title: 'Answers an unknown client_id with 401 invalid_client',
    response: {
      [route]: directError((error, response) =>
        error.error === 'unauthorized_client'
          ? { ...response, status: 401, body: { ...error, error: 'invalid_client' } }
          : response,
      ),
    },
  }),
  fault({
    id: 'authorization/client-id-too-long',
    breaks: ['AUTH-5'],
    places: ['value=long'],
    title: 'Answers a client_id that is longer than its column with invalid_client',
    response: {
      [route]: (response, { query }) =>
        (query.get('client_id') ?? '').length > 255
          ? directError((error, refused) => ({ ...refused, body: { ...error, error: 'invalid_client' } }))(response)
          : response,
    },
  }),
  fault({
    id: 'authorization/client-unknown-of-none-otherwise',
    breaks: ['AUTH-5'],
    places: ['parameter=prompt value=unknown'],
    title: 'Answers prompt=none of an unknown client as login_required',
    response: {
      [route]: (response, { query }) =>
        query.get('prompt') === 'none'
          ? directError((error, refused) => ({ ...refused, body: { ...error, error: 'login_required' } }))(response)
          : response,
    },
  }),
  fault({
    id: 'authorization/direct-error-without-description',
    breaks: ['GEN-3'],
    places: ['endpoint=auth error=redirect_uri'],
    title: 'Leaves error_description out of errors without a redirect',
    response: {
      [route]: directError((error, response) => ({ ...response, body: omit(error, 'error_description') })),
    },
  }),
  fault({
    id: 'authorization/redirected-error-without-state',
    breaks: ['GEN-4'],
    places: ['when=before-person error=invalid_request'],
    title: 'Leaves state out of redirected errors',
    response: { [route]: errorRedirect((target) => target.searchParams.delete('state')) },
  }),
  fault({
    id: 'authorization/redirected-error-without-description',
    breaks: ['GEN-4'],
    places: ['when=before-person error=invalid_scope'],
    title: 'Leaves error_description out of redirected errors',
    collateral: {
      'callback/authentication-declined-in-session': 'AUTH-29 is about the error_description',
      'callback/consent-declined-in-session': 'AUTH-30 is about the error_description',
      'callback/authentication-declined': 'AUTH-29 is about the error_description',
      'callback/consent-declined': 'AUTH-30 is about the error_description',
      'callback/not-eligible': 'AUTH-31 is about the error_description',
      'callback/switched-off': 'AUTH-48 is about the error_description',
      'signing/insufficient-data': 'AUTH-49 is about the error_description',
      'signing/weak-method': 'AUTH-32 is about the error_description',
    },
    response: { [route]: errorRedirect((target) => target.searchParams.delete('error_description')) },
  }),
  fault({
    id: 'authorization/redirected-error-in-fragment',
    breaks: ['GEN-4'],
    places: ['when=before-person error=login_required'],
    title: 'Sends redirected errors in the fragment',
    response: { [route]: errorRedirect(toFragment) },
  }),
  fault({
    id: 'authorization/redirected-error-in-fragment-too',
    breaks: ['GEN-4'],
    places: ['when=before-person error=login_required'],
    title: 'Sends redirected errors in the query, and once more in the fragment',
    response: { [route]: errorRedirect(inFragmentToo) },
  }),
  fault({
    id: 'authorization/prompt-required',
    breaks: ['AUTH-40'],
    title: 'Refuses a request without prompt as login_required',
    collateral: { 'authorization/code': 'the request whose code AUTH-1 is about has no prompt' },
    response: {
      [route]: (response, { query }) => {
        const asksPerson = String(response.headers.location).includes('/interaction/')
        if (query.has('prompt') || !query.has('redirect_uri') || !asksPerson) return response
        return refusal(response, query, 'login_required')
      },
    },
  }),
]
