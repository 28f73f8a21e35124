import type { Conversation } from './conversation.js'
import type { HttpResponse } from './http.js'

/** GET /healthcheck without credentials, once in a run: a bank may refuse to be asked more often than its poll_interval. */
export function fetchHealth(conversation: Conversation): Promise<HttpResponse> {
  return conversation.shared('health', (own) =>
    own.send({
      method: 'GET',
      url: `${own.run.target.issuer}/healthcheck`,
      headers: { accept: 'application/json' },
    }),
  )
}
