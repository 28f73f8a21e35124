import type { ServerResponse } from 'node:http'
import { type BankError, type ErrorCode, errorTable } from './errors.js'

/** Why a request was refused, where the caller is told less. */
export interface Reason {
  /** Name of the check that refused, where it was one of a table. */
  check?: string
  /** What exactly was wrong. */
  detail?: string
}

/** What the log says of a refusal. */
export interface Refusal extends Pick<Reason, 'check'> {
  error: ErrorCode
}

const noted = new WeakMap<ServerResponse, Refusal>()
const details = new WeakMap<ServerResponse, string>()

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

/** Remembers with an answer what exactly was wrong, for who looks at the bench: it is never logged. */
export function noteDetail(res: ServerResponse, detail: string): void {
  details.set(res, detail)
}

/** What the caller is not told of a refusal. */
export function reasonOf(res: ServerResponse): Reason {
  const check = noted.get(res)?.check
  const detail = details.get(res)
  return { ...(check !== undefined && { check }), ...(detail !== undefined && { detail }) }
}
