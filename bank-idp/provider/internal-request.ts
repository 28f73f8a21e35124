import type { IncomingMessage } from 'node:http'
import type { Configuration } from './library.js'

/** What the bank's own endpoints tell oidc-provider of a request, beside its parameters. */
export interface InternalRequest {
  /** The sub that a good id_token_hint is about (endpoints/authorization.ts). */
  hintedSubject?: string | undefined
  /** The id of the request object that is to be authorized (endpoints/authorize.ts). */
  signingRequest?: string | undefined
}

/** The names under which oidc-provider keeps it with the interaction. */
const internalNames = {
  hintedSubject: 'hinted_subject',
  signingRequest: 'signing_request',
} as const satisfies Record<keyof InternalRequest, string>

const attached = new WeakMap<IncomingMessage, InternalRequest>()

/** Attaches to a request what oidc-provider is to keep with the authorization that comes of it. */
export function attachInternalRequest(request: IncomingMessage, internal: InternalRequest): void {
  attached.set(request, internal)
}

/**
 * The library keeps with an authorization only what it knows as a parameter. These take their values from what the bank attached to
 * the request and from nowhere else: a parameter of the same name, from whatever client at whatever endpoint, is overwritten.
 */
export const internalParameters: NonNullable<Exclude<Configuration['extraParams'], string[]>> = Object.fromEntries(
  Object.entries(internalNames).map(([member, name]) => [
    name,
    ({ req, oidc }) => {
      if (oidc.params) oidc.params[name] = attached.get(req)?.[member as keyof InternalRequest]
    },
  ]),
)

/** What the bank attached to the request by which an authorization began; undefined when it attached nothing of the kind. */
export function internalOf(
  params: Record<string, unknown> | undefined,
  member: keyof InternalRequest,
): string | undefined {
  const value = params?.[internalNames[member]]
  return typeof value === 'string' ? value : undefined
}
