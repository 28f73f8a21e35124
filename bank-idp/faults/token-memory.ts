import type { SeamResponse } from '../seams.js'

interface Issued {
  kind: 'access_token' | 'refresh_token'
  /** Of the response that gave it. */
  scopes: string[]
}

/** What a fault has seen POST /token give, for a bank that misjudges its own tokens. */
export class TokenMemory {
  readonly #issued = new Map<string, Issued>()

  /** For `response`: takes note of the tokens and lets the answer pass. */
  readonly listen = (response: SeamResponse): SeamResponse => {
    const { access_token, refresh_token, scope } = (response.body ?? {}) as Record<string, unknown>
    const scopes = String(scope ?? '').split(' ')
    if (typeof access_token === 'string') this.#issued.set(access_token, { kind: 'access_token', scopes })
    if (typeof refresh_token === 'string') this.#issued.set(refresh_token, { kind: 'refresh_token', scopes })
    return response
  }

  of(token: string | null): Issued | undefined {
    return token === null ? undefined : this.#issued.get(token)
  }
}
