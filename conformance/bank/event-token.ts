import { HttpResponse } from '../http/http.js'
import type { Post } from '../service/post-box.js'
import { eventSecondsOf } from '../target/target.js'
import type { Conversation } from './conversation.js'
import type { Client } from './registration.js'
import { payloadOf } from './user-data.js'

type Within = `within ${number} s (event_seconds of the target file)`

/** In which time a bank has to send what it was given cause for, in words. */
export type InTime = Within | `${Within}, or before its outbox was empty (GET /outbox of its control door)`

export function inTime({ run: { target, service } }: Conversation): InTime {
  const within: Within = `within ${eventSecondsOf(target)} s (event_seconds of the target file)`
  return service.outbox?.isTold()
    ? `${within}, or before its outbox was empty (GET /outbox of its control door)`
    : within
}

/** What the form field of a post is called. */
export type EventField = 'logout_token' | 'notification_token'

/** A token that the bank posted. */
export interface EventToken {
  field: EventField
  /** Taken out of its encryption. */
  jwt: string
  /** Unverified; empty when there is none. */
  payload: Record<string, unknown>
  /** Where it was posted. */
  url: string
  /** The media type of the post. */
  mediaType: string
  /** For messages and evidence. */
  exchange: HttpResponse
}

/** Which of the service's addresses a token came to (AMB-51). */
export type Address = 'registered' | 'fixed'

/** The fixed paths at the service ("Exposed by the service"). */
const fixedPath: Record<EventField, string> = { logout_token: '/back-channel/logout', notification_token: '/notify' }

/** Whom a token is for, and the address that they registered. */
export interface Recipient {
  clientId: string
  uri: string
  /** Whether it registered an encryption of its id_tokens, which its logout_tokens may have too (OpenID Back-Channel Logout 1.0 section 2.6). */
  takesEncrypted?: boolean
}

/** A client as one to whom something is posted. */
export function recipientOf({ clientId, metadata }: Pick<Client, 'clientId' | 'metadata'>, uri: string): Recipient {
  return { clientId, uri, takesEncrypted: metadata.id_token_encrypted_response_alg !== undefined }
}

function serverOf({ run: { service } }: Conversation) {
  if (!service.server) throw new Error('a rule that listens has to need what is in toRegister')
  return service.server
}

/** Where clients of a rule have the bank post to: a path that nobody else in this run has. */
export function eventAddress(conversation: Conversation): string {
  return `${serverOf(conversation).url}/events/${conversation.name()}`
}

/** Whether a token came to the recipient's address, or to the fixed one and names the recipient. */
export function addressOf(
  conversation: Conversation,
  token: Pick<EventToken, 'url' | 'field' | 'payload'>,
  to: Recipient,
) {
  if (token.url === to.uri) return 'registered'
  if (token.url !== `${serverOf(conversation).url}${fixedPath[token.field]}`) return undefined
  return names(token.payload, to) ? 'fixed' : undefined
}

/** Whether a token names a client anywhere. */
function names(payload: EventToken['payload'], { clientId }: Pick<Recipient, 'clientId'>): boolean {
  return JSON.stringify(payload).includes(JSON.stringify(clientId))
}

function fieldOf(field: EventField, post: Post, { takesEncrypted = false }: Pick<Recipient, 'takesEncrypted'> = {}) {
  const sent = new URLSearchParams(post.body).get(field) ?? ''
  const jwt = field === 'logout_token' && takesEncrypted ? (post.opened ?? sent) : sent
  return { field, jwt, payload: payloadOf(jwt) ?? {}, url: post.url }
}

function asToken(conversation: Conversation, field: EventField, post: Post, to?: Recipient): EventToken {
  const { url, headers, body, status } = post
  const exchange = conversation.evidence.begin('received', { method: 'POST', url, headers, body })
  exchange.answered({ status, headers: {}, body: '' })
  conversation.run.heard?.(post, exchange.id)
  const mediaType =
    String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim()
      .toLowerCase() ?? ''
  return {
    ...fieldOf(field, post, to),
    mediaType,
    exchange: new HttpResponse({ method: 'POST', url }, status, {}, '', exchange.id),
  }
}

/** Clients that are told at the same address as another. */
type Neighbours = readonly Pick<Recipient, 'clientId'>[]

/**
 * Waits for the first token for a recipient.
 * @param neighbours who is told at the same address: what names one of them, and not the recipient, is theirs
 * @returns undefined when the bank's time is up
 */
export function hearToken(
  conversation: Conversation,
  field: EventField,
  to: Recipient,
  neighbours: Neighbours = [],
): Promise<EventToken | undefined> {
  return hearFurther(conversation, field, to, [], neighbours)
}

/** The same for a token besides those that came before. */
export async function hearFurther(
  conversation: Conversation,
  field: EventField,
  to: Recipient,
  before: readonly EventToken[],
  neighbours: Neighbours = [],
): Promise<EventToken | undefined> {
  const known = before.map(({ jwt }) => jwt)
  const matches = (post: Post) => {
    const token = fieldOf(field, post, to)
    const theirs = !names(token.payload, to) && neighbours.some((neighbour) => names(token.payload, neighbour))
    return !theirs && !known.includes(token.jwt) && addressOf(conversation, token, to) !== undefined
  }
  const post = await posted(conversation, field, [to], matches)
  return post && asToken(conversation, field, post, to)
}

/** Waits for a post to one of these, until the bank's time is up or it has nothing left to send there. */
function posted(
  conversation: Conversation,
  field: EventField,
  to: readonly Pick<Recipient, 'uri'>[],
  matches: (post: Post) => boolean,
): Promise<Post | undefined> {
  const { outbox } = conversation.run.service
  const server = serverOf(conversation)
  const addresses = [...to.map(({ uri }) => uri), `${server.url}${fixedPath[field]}`]
  const isOver = outbox && ((signal: AbortSignal) => outbox.emptied(addresses, signal))
  return server.posted(matches, 1000 * eventSecondsOf(conversation.run.target), isOver)
}

/** All tokens that have come by now and name one of these clients, or came to an address of theirs. */
export function heardTokens(
  conversation: Conversation,
  field: EventField,
  recipients: readonly Recipient[],
): EventToken[] {
  return serverOf(conversation).posts.flatMap((post) => {
    const to = recipients.find((one) => addressOf(conversation, fieldOf(field, post, one), one) !== undefined)
    return to ? [asToken(conversation, field, post, to)] : []
  })
}

/** Waits until the tokens that came for these say all that they are to say, in however many. @param isAll judges those that came by now */
export async function hearAll(
  conversation: Conversation,
  field: EventField,
  recipients: readonly Recipient[],
  isAll: (payloads: readonly EventToken['payload'][]) => boolean,
): Promise<void> {
  const server = serverOf(conversation)
  const payloads = () =>
    server.posts
      .map((post) => fieldOf(field, post))
      .filter((token) => recipients.some((to) => addressOf(conversation, token, to) !== undefined))
      .map(({ payload }) => payload)
  if (isAll(payloads())) return
  await posted(conversation, field, recipients, () => isAll(payloads()))
}

/**
 * Answers the next token for a recipient with 503, and waits for what it carried to come again.
 * @param cause makes the bank send something
 * @param same whether a token carries what the refused one carried
 * @returns each undefined when the bank's time was up
 */
export async function refuseOnce(
  conversation: Conversation,
  field: EventField,
  to: Recipient,
  cause: () => Promise<unknown>,
  same: (refused: EventToken['payload'], other: EventToken['payload']) => boolean,
): Promise<{ refused?: EventToken; again?: EventToken }> {
  const server = serverOf(conversation)
  const isTo = (post: Post) => addressOf(conversation, fieldOf(field, post), to) !== undefined
  let waiting = true
  server.refuse((post) => waiting && isTo(post), 503)
  await cause()
  const refused = await posted(conversation, field, [to], (post) => isTo(post) && post.status === 503)
  waiting = false
  if (!refused) return {}
  const { payload } = fieldOf(field, refused)
  const again = await posted(
    conversation,
    field,
    [to],
    (post) => post !== refused && isTo(post) && same(payload, fieldOf(field, post).payload),
  )
  return {
    refused: asToken(conversation, field, refused),
    ...(again && { again: asToken(conversation, field, again) }),
  }
}
