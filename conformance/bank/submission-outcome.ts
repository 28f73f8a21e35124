import type { Visit } from '../end-user/end-user.js'
import type { HttpResponse } from '../http/http.js'
import type { Conversation } from './conversation.js'
import {
  prepareRequestObject,
  type RegisteredObject,
  type RequestObjectOptions,
  type RosRequest,
  registerObjectOnce,
  sendRequestObject,
} from './ros.js'
import { type AuthorizeOptions, signOnce, visitAuthorize } from './signing.js'

/** What became of a request object. */
export interface SubmissionOutcome {
  /** The answer of POST /ros. */
  response: HttpResponse
  /** The object and its person's way through /authorize, when /ros took it. */
  accepted?: { object: RegisteredObject; visit: Visit }
}

/**
 * Sends a good request object with steps replaced, and its person to authorize it where POST /ros takes it: the specification does not
 * say at which of the two a bank refuses. The good object was seen to succeed as far as the replaced one came.
 */
export async function submissionOutcome(
  conversation: Conversation,
  options: RequestObjectOptions,
  replace: (good: RosRequest) => Partial<RosRequest> | Promise<Partial<RosRequest>>,
  authorizeOptions?: AuthorizeOptions,
): Promise<SubmissionOutcome> {
  await registerObjectOnce(conversation, options)
  const good = await prepareRequestObject(conversation, options)
  const request = { ...good, ...(await replace(good)) }
  const response = await sendRequestObject(conversation, request)
  const requestUri = response.member('request_uri')
  if (response.status >= 300 || typeof requestUri !== 'string') return { response }
  await signOnce(conversation, options)
  const object = { request, response, requestUri }
  return { response, accepted: { object, visit: await visitAuthorize(conversation, object, authorizeOptions) } }
}
