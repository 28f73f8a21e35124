import type { CompactJWEHeaderParameters, JWTPayload } from 'jose'
import type { HttpResponse } from '../http/http.js'
import type { Conversation } from './conversation.js'
import type { Client } from './registration.js'
import { readJwt, verifySignature } from './signature.js'
import { inStep } from './steps.js'
import { idTokenOf, type Login } from './token.js'
import { openJwe } from './user-data.js'

/** An id_token as a client reads it. */
export interface IdToken {
  /** The header of the JWE; absent when the id_token was not encrypted. */
  encryption?: CompactJWEHeaderParameters
  /** The header of the JWT inside. */
  header: { alg?: string; kid?: string }
  claims: JWTPayload
}

/**
 * Reads the id_token of a token response: decrypts it, and verifies its signature unless the client registered `none` (AMB-9).
 * @throws StepFailure when it cannot be decrypted, or its signature does not hold
 */
export async function openIdToken(
  conversation: Conversation,
  response: HttpResponse,
  client: Client,
): Promise<IdToken> {
  const { encryption, content } = await inStep('idTokenDecryption', () =>
    openJwe(conversation, String(response.member('id_token') ?? ''), 'id_token', response, client),
  )
  const { header, claims } = await inStep('idToken', () => verified(conversation, content, response, client))
  return { ...(encryption && { encryption }), header, claims }
}

/**
 * The id_token of a login as it is sent back to the bank: taken out of its encryption (OpenID Connect Core 3.1.2.1).
 * @throws StepFailure when there is none, or it cannot be decrypted
 */
export async function idTokenHint(
  conversation: Conversation,
  { response, client }: Pick<Login, 'client' | 'response'>,
  text?: string,
): Promise<string> {
  const idToken = text ?? (await idTokenOf(response))
  const open = () => openJwe(conversation, idToken, 'id_token', response, client)
  return (await inStep('idTokenDecryption', open)).content
}

/**
 * The same of an id_token that the rule is about: what is wrong with its encryption or its signature is the rule's own.
 * @param text the id_token, where it is not a member of the response
 */
export async function examineIdToken(
  conversation: Conversation,
  response: HttpResponse,
  client: Client,
  text = String(response.member('id_token') ?? ''),
): Promise<IdToken> {
  const { encryption, content } = await openJwe(conversation, text, 'id_token', response, client)
  return { ...(encryption && { encryption }), ...(await verified(conversation, content, response, client)) }
}

async function verified(
  conversation: Conversation,
  content: string,
  response: HttpResponse,
  client: Client,
): Promise<Pick<IdToken, 'header' | 'claims'>> {
  const unsecured = client.metadata.id_token_signed_response_alg === 'none'
  const { header, payload } = unsecured
    ? readJwt(conversation, content, 'id_token', response)
    : await verifySignature(conversation, content, 'id_token', response)
  return { header, claims: payload as JWTPayload }
}
