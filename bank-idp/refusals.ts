import type { ServerResponse } from 'node:http'

/** Why a request was refused, where the caller is told less. */
export interface Reason {
  /** Name of the check that refused; none where the bank failed. */
  check?: string
  /** What exactly was wrong. */
  detail?: string
}

/** What the log says of a refusal. */
export interface Refusal extends Pick<Reason, 'check'> {
  /** Of the bank's own codes, or one of oidc-provider. */
  error: string
}

const noted = new WeakMap<ServerResponse, Refusal>()
const details = new WeakMap<ServerResponse, string>()

/** Remembers with an answer why it refuses: whoever refuses says so, whatever the caller is told. */
export function noteRefusal(res: ServerResponse, { code, check }: { code: string; check?: string | undefined }): void {
  noted.set(res, { error: code, ...(check !== undefined && { check }) })
}

/** What the log says of an answer's refusal; undefined where it is none. */
export function loggedRefusal(res: ServerResponse): Refusal | undefined {
  return noted.get(res)
}

/** Remembers with an answer what exactly was wrong, for who looks at the bench: it is never logged. */
export function noteDetail(res: ServerResponse, detail: string): void {
  details.set(res, detail)
}

/** One answer refuses as another does, which it passes on. */
export function passRefusalOn(from: ServerResponse, to: ServerResponse): void {
  const [refusal, detail] = [noted.get(from), details.get(from)]
  if (refusal) noted.set(to, refusal)
  if (detail !== undefined) details.set(to, detail)
}

/** What the caller is not told of a refusal. */
export function reasonOf(res: ServerResponse): Reason {
  const check = noted.get(res)?.check
  const detail = details.get(res)
  return { ...(check !== undefined && { check }), ...(detail !== undefined && { detail }) }
}
