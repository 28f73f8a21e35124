import type { ServerResponse } from 'node:http'
import { type BankError, type ErrorCode, errorTable } from './errors.js'

/** What the log says of a refusal. */
export interface Refusal {
  error: ErrorCode
  /** Name of the check that refused, where it was one of a table. */
  check?: string
}

const noted = new WeakMap<ServerResponse, Refusal>()

/** Remembers with an answer why it refuses. */
export function noteRefusal(res: ServerResponse, { code, check }: Pick<BankError, 'code' | 'check'>): void {
  noted.set(res, { error: code, ...(check !== undefined && { check }) })
}

const isCode = (value: unknown): value is ErrorCode => typeof value === 'string' && Object.hasOwn(errorTable, value)

/** The error that a redirect tells the client, in its query or its fragment. */
function redirected(location: string): Refusal | undefined {
  const [, ...parts] = location.split(/[?#]/)
  const codes = parts.flatMap((part) => new URLSearchParams(part).getAll('error'))
  const error = codes.at(-1)
  return isCode(error) ? { error } : undefined
}

/** Why an answer refuses; undefined where it does not. */
export function refusalOf(res: ServerResponse): Refusal | undefined {
  const { location } = res.getHeaders()
  return noted.get(res) ?? (typeof location === 'string' ? redirected(location) : undefined)
}

/** Remembers what an answer says that somebody else made: oidc-provider, of an error that it found. */
export function noteErrorOf(res: ServerResponse, body: unknown): void {
  const error = typeof body === 'object' && body !== null ? Reflect.get(body, 'error') : undefined
  if (isCode(error)) noted.set(res, { error })
}
