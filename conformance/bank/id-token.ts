import { type CompactJWEHeaderParameters, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import { BankFailure } from '../harness/failure.js'
import type { Conversation } from './conversation.js'
import type { HttpResponse } from './http.js'
import type { Application } from './registration.js'
import { inStep } from './steps.js'
import { openJwe, verifySignature } from './user-data.js'

/** An id_token as an application reads it. */
export interface IdToken {
  /** The header of the JWE; absent when the id_token was not encrypted. */
  encryption?: CompactJWEHeaderParameters
  /** The header of the JWT inside. */
  header: { alg?: string; kid?: string }
  claims: JWTPayload
}

/**
 * Reads the id_token of a token response: decrypts it, and verifies its signature unless the application registered `none` (AMB-9).
 * @throws StepFailure when it cannot be decrypted, or its signature does not hold
 */
export async function openIdToken(
  conversation: Conversation,
  response: HttpResponse,
  application: Application,
): Promise<IdToken> {
  const { encryption, content } = await inStep('idTokenDecryption', () =>
    openJwe(conversation, String(response.member('id_token') ?? ''), 'id_token', response, application),
  )
  return inStep('idToken', async () => {
    const unsecured = application.metadata.id_token_signed_response_alg === 'none'
    const { header, payload } = unsecured ? unsignedParts(content, response) : await verified()
    return { ...(encryption && { encryption }), header, claims: payload as JWTPayload }

    async function verified() {
      return verifySignature(conversation, content, 'id_token', response)
    }
  })
}

function unsignedParts(jwt: string, response: HttpResponse) {
  try {
    return { header: decodeProtectedHeader(jwt), payload: decodeJwt(jwt) }
  } catch {
    throw new BankFailure({ sentence: 'id_token is no JWT', evidence: response.evidence })
  }
}
