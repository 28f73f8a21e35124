import type { HttpResponse } from '../http/http.js'
import type { Conversation } from './conversation.js'

/** A request of several steps, each a member of `Request`, so that one can be replaced and the others stay good. */
export interface Operation<Request extends object> {
  /** Shows, once in a run, that the bank takes the good request; throws StepFailure when it does not. */
  expectBaseline(conversation: Conversation): Promise<unknown>
  /** A good request, its steps fresh. */
  prepare(conversation: Conversation): Promise<Request>
  send(conversation: Conversation, request: Request): Promise<HttpResponse>
}

/**
 * Sends the good request of an operation with steps replaced, after the good one was seen to succeed in this run: what the bank
 * then objects to can be nothing but the replaced step.
 */
export async function sendModified<Request extends object>(
  conversation: Conversation,
  operation: Operation<Request>,
  replace: (good: Request) => Partial<Request> | Promise<Partial<Request>>,
): Promise<HttpResponse> {
  await operation.expectBaseline(conversation)
  const good = await operation.prepare(conversation)
  return operation.send(conversation, { ...good, ...(await replace(good)) })
}
