import type { Browser, Visit } from '../end-user/end-user.js'
import type { HttpResponse } from '../http/http.js'
import { attempt } from './operation.js'
import { type RegisteredObject, type RequestObjectOptions, type RosRequest, requestObject } from './ros.js'
import { type AuthorizeOptions, signing, visitAuthorize } from './signing.js'

/** What became of a request object. */
export interface SubmissionOutcome {
  /** The answer of POST /ros. */
  response: HttpResponse
  /** The object and its person's way through /authorize, when /ros took it. */
  accepted?: { object: RegisteredObject; visit: Visit }
}

/** A request object, and how its person comes to /authorize with it. */
export interface Submission extends RosRequest {
  query?: AuthorizeOptions['query']
  /** A browser that was used before; a new one when left out. */
  browser?: Browser
  /** What the good object is like. */
  like: RequestObjectOptions
}

/**
 * POST /ros with a request object, and its person's way through /authorize where /ros takes it: the specification does not say at which
 * of the two a bank refuses. The good object was seen to succeed as far as the replaced one came.
 */
export const submission = attempt({
  prepare: async (conversation, options: RequestObjectOptions): Promise<Submission> => ({
    ...(await requestObject.prepare(conversation, options)),
    like: options,
  }),
  async send(conversation, { like, query, browser, ...request }): Promise<SubmissionOutcome> {
    const response = await requestObject.send(conversation, request)
    const requestUri = response.member('request_uri')
    if (response.status >= 300 || typeof requestUri !== 'string') return { response }
    await signing(conversation, like)
    const object = { request, response, requestUri }
    return {
      response,
      accepted: {
        object,
        visit: await visitAuthorize(conversation, object, { ...(query && { query }), ...(browser && { browser }) }),
      },
    }
  },
  baseline: requestObject,
})
