import type { HttpResponse } from '../http/http.js'

/** What an answer of a run is about: an error that is not redirected, what came back at the redirect URI, or what an endpoint gives who asks rightly. */
export type SeenKind = 'direct error' | 'callback' | 'reply'

/** An answer that came in a run, and what of the request tells how it has to be. */
export interface SeenAnswer {
  kind: SeenKind
  response: HttpResponse
  /** The state that the request had; undefined where it had none, or where what it had cannot be told. */
  state?: string
  /** Whether the request asked for tokens of the front channel, at whose redirects RFC 6749 has errors in the fragment too. */
  forTokens?: boolean
}

/** Whether a response type has tokens in the front channel. */
export function isForTokens(responseType: unknown): boolean {
  return /\b(id_)?token\b/.test(String(responseType))
}

/** How many of each kind are kept, and of how many characters: what a bank sends has no bound of its own. */
const keptAtMost = { 'direct error': 500, callback: 500, reply: 8_000 }
const longestKept = 20_000

/**
 * The answers that came in a run so far, whoever asked: errors and callbacks that no rule can tell apart are kept once. A bank that is wrong in a place which
 * no rule looks at by itself shows it in one that is passed through.
 */
export class SeenAnswers {
  readonly #kept = {
    'direct error': new Map<string, SeenAnswer>(),
    callback: new Map<string, SeenAnswer>(),
    reply: new Map<string, SeenAnswer>(),
  }

  note(answer: SeenAnswer): void {
    const { kind, response } = answer
    const kept = this.#kept[kind]
    if (kept.size >= keptAtMost[kind] || response.text.length > longestKept) return
    if ((response.location ?? '').length > longestKept) return
    const key = formOf[kind](answer)
    if (!kept.has(key)) kept.set(key, answer)
  }

  of(kind: SeenKind): readonly SeenAnswer[] {
    return [...this.#kept[kind].values()]
  }
}

/** Members of an error that are few, or of which the schema minds more than their characters. */
const byValue = ['error', 'error_uri']

function formOfError({ response: { request, status, mediaType, told } }: SeenAnswer): string {
  const { pathname } = new URL(request.url)
  const members = typeof told === 'object' && told !== null && !Array.isArray(told) ? Object.entries(told) : []
  const form = members.map(([name, value]) => [name, byValue.includes(name) ? value : formOfValue(value)])
  return JSON.stringify([pathname, status, mediaType, Array.isArray(told), typeof told, form])
}

/** What the schema of an error minds of a text: banks put what they were sent into descriptions, each time something else. */
function formOfValue(value: unknown): string {
  if (typeof value !== 'string') return typeof value
  return /^[\x20-\x7e]+$/.test(value) && !/["\\]/.test(value) ? 'text' : 'other text'
}

function formOfCallback({ response: { location = '', status }, state, forTokens = false }: SeenAnswer): string {
  const { searchParams, hash } = new URL(location)
  const form = [...searchParams].map(([name, value]) => {
    if (name === 'state') return [name, state === undefined || value === state]
    return [name, name === 'error' || name === 'iss' ? value : value === '']
  })
  return JSON.stringify([status, hash === '', form, state === undefined, forTokens])
}

const formOf: Readonly<Record<SeenKind, (answer: SeenAnswer) => string>> = {
  'direct error': formOfError,
  callback: formOfCallback,
  // Each gives something else.
  reply: ({ response }) => response.evidence,
}
