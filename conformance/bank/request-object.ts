import type { JWTPayload } from 'jose'
import type { Jwe } from '../service/algorithms.js'
import type { Signer } from '../service/assertions.js'
import { nestedJwtRequestObject, type Unsigned } from '../service/request-objects.js'
import type { Conversation } from './conversation.js'
import { encryptionKeyFor } from './key-set.js'

/** How a request object is signed, and encrypted where it is. */
export interface RequestObjectOptions {
  /** 'none', in whichever letters, leaves it unsecured (RFC 7519 section 6), and its header without a `typ`. */
  key: Signer | Unsigned
  /** `typ` of its header; that of a request object (RFC 9101 section 10.8) when left out. */
  typ?: string
  /** Encrypted to a key that the bank publishes, when given. */
  encryption?: Jwe
}

/** An address at the service, to be registered as one of request_uris before anything lies there. */
export function placeForRequestObject(conversation: Conversation): string {
  return `${serverOf(conversation).url}/${conversation.name()}/request-object`
}

/** Has something lie at such an address, in place of what was there. @param status by which it is served */
export function placeRequestObject(conversation: Conversation, place: string, body: string, status = 200): void {
  const server = serverOf(conversation)
  const path = place.slice(server.url.length).replace(/[?#].*$/s, '')
  const { evidence, run } = conversation
  server.host(path, { contentType: 'application/oauth-authz-req+jwt', body, status, evidence })
  run.requestObjects.place(place, body)
}

/** What the request object at an address says; undefined where what lies there is none that we made. */
export function lyingAt({ run }: Conversation, place: unknown): JWTPayload | undefined {
  return typeof place === 'string' ? run.requestObjects.at(place) : undefined
}

function serverOf({ run }: Conversation) {
  const { server } = run.service
  if (!server) throw new Error('a rule that hosts a request object has to need what is in toRegister')
  return server
}

/** Seconds for which a request object is good. */
const lifetime = 300

/**
 * A request object: its claims signed, and encrypted where asked (OpenID Connect Core section 6), with a lifetime and a jti, which some
 * banks ask for.
 */
export async function makeRequestObject(
  conversation: Conversation,
  given: JWTPayload,
  { key, typ = 'oauth-authz-req+jwt', encryption }: RequestObjectOptions,
): Promise<string> {
  const now = conversation.run.service.clock()
  const claims = { iat: now, exp: now + lifetime, jti: conversation.name(), ...given }
  const to = encryption ? { ...encryption, key: await encryptionKeyFor(conversation, encryption.alg) } : 'none'
  const object = await nestedJwtRequestObject(claims, key, to, conversation.evidence, { typ })
  conversation.run.requestObjects.made(object, claims)
  return object
}
