import { decodeJwt, type JWTPayload } from 'jose'
import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'

interface Issued {
  kind: 'access_token' | 'refresh_token'
  /** Of the response that gave it. */
  scopes: string[]
  /** The grant_type that it was given for. */
  grant: string
}

/** What a fault has seen POST /token give, for a bank that misjudges its own tokens: the latest ten thousand tokens. */
export class TokenMemory {
  readonly #issued = new Latest<Issued>(10_000)

  /** Takes note of the tokens of an answer. */
  note({ body }: SeamResponse, grant: string): void {
    const { access_token, refresh_token, scope } = (body ?? {}) as Record<string, unknown>
    const scopes = String(scope ?? '').split(' ')
    if (typeof access_token === 'string') this.#issued.set(access_token, { kind: 'access_token', scopes, grant })
    if (typeof refresh_token === 'string') this.#issued.set(refresh_token, { kind: 'refresh_token', scopes, grant })
  }

  /** A token that was given, by what it looks like. */
  find(isIt: (token: string) => boolean): string | undefined {
    return [...this.#issued.keys()].find(isIt)
  }

  of(token: string | null): Issued | undefined {
    return token === null ? undefined : this.#issued.get(token)
  }
}

/** For `response`: has a memory take note of the tokens, and lets the answer pass. */
export function listen(
  response: SeamResponse,
  { form }: Pick<ResponseFacts, 'form'>,
  memory: TokenMemory,
): SeamResponse {
  memory.note(response, String(form.get('grant_type')))
  return response
}

/** The claims of the assertion that a form carries; none where it carries none that can be read. */
export function assertionIn(form: URLSearchParams): JWTPayload | undefined {
  try {
    return decodeJwt(String(form.get('client_assertion')))
  } catch {
    return undefined
  }
}
