import { LRUCache } from 'lru-cache'
import type { SeamResponse } from '../seams.js'

interface Issued {
  kind: 'access_token' | 'refresh_token'
  /** Of the response that gave it. */
  scopes: string[]
}

/** What a fault has seen POST /token give, for a bank that misjudges its own tokens: the latest ten thousand tokens. */
export class TokenMemory {
  readonly #issued = new LRUCache<string, Issued>({ max: 10_000 })

  /** Takes note of the tokens of an answer. */
  note({ body }: SeamResponse): void {
    const { access_token, refresh_token, scope } = (body ?? {}) as Record<string, unknown>
    const scopes = String(scope ?? '').split(' ')
    if (typeof access_token === 'string') this.#issued.set(access_token, { kind: 'access_token', scopes })
    if (typeof refresh_token === 'string') this.#issued.set(refresh_token, { kind: 'refresh_token', scopes })
  }

  of(token: string | null): Issued | undefined {
    return token === null ? undefined : this.#issued.get(token)
  }
}

/** For `response`: has a memory take note of the tokens, and lets the answer pass. */
export function listen(response: SeamResponse, _bank: unknown, memory: TokenMemory): SeamResponse {
  memory.note(response)
  return response
}
