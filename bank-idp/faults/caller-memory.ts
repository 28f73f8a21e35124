import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { listen, TokenMemory } from './token-memory.js'

/** Where a client asks about a token of its own. */
export const endpoints = ['POST /token-info', 'POST /revoke'] as const

/** What faults of the endpoints at which a client asks about its tokens remember. */
export class CallerMemory {
  readonly tokens = new TokenMemory()
  /** What was told last of a token. */
  readonly told = new Latest<object>(10_000)
  /** The tokens that were taken back. */
  readonly revoked = new Latest<true>(10_000)
  /** client_secret by client_id. */
  readonly secrets = new Latest<string>(10_000)
}

/** For `response`: takes note of what is given and told. */
export const listening = {
  'POST /register': (response: SeamResponse, _facts: unknown, { secrets }: CallerMemory) => {
    const { client_id, client_secret } = (response.body ?? {}) as Record<string, unknown>
    if (typeof client_id === 'string') secrets.set(client_id, String(client_secret))
    return response
  },
  'POST /token': (response: SeamResponse, facts: ResponseFacts, { tokens }: CallerMemory) =>
    listen(response, facts, tokens),
}
