import { type CompactJWEHeaderParameters, decodeProtectedHeader } from 'jose'
import { BankFailure } from '../evidence/failure.js'
import type { HttpRequest, HttpResponse } from '../http/http.js'
import { compactJwe, decrypt } from '../service/decryption.js'
import { isObject, type UserData } from './claims.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { operation } from './operation.js'
import type { Client } from './registration.js'
import { inStep } from './steps.js'
import { type Login, token } from './token.js'

/** GET /userinfo or GET /profile. */
export interface UserDataRequest {
  url: string
  headers: Record<string, string>
  /** Whose keys the answer is encrypted to. */
  client: Client
}

/** Whose data: of a login that is only looked at, when none is given. */
export type UserDataOptions = Pick<Login, 'client' | 'accessToken'> | { client?: undefined; accessToken?: undefined }

/** GET of user data, of any flow; its answer is one of those that are judged at the end. */
export async function askForData(
  conversation: Conversation,
  message: Pick<HttpRequest, 'url' | 'headers' | 'certificate'>,
): Promise<HttpResponse> {
  const response = await conversation.send({ method: 'GET', ...message })
  if (response.status === 200) conversation.run.seen.note({ kind: 'reply', response })
  return response
}

function userDataAt(endpoint: UserData) {
  return operation({
    key: async (conversation, options: UserDataOptions) =>
      `${endpoint} ${options.accessToken ?? (await token(conversation)).accessToken}`,
    async prepare(conversation, options): Promise<UserDataRequest> {
      const url = await (await discover(conversation)).userDataEndpoint(endpoint)
      const { client, accessToken } = options.client ? options : await token(conversation)
      return { client, url, headers: { accept: 'application/jwt', authorization: `Bearer ${accessToken}` } }
    },
    async send(conversation, { url, headers, client }) {
      const response = await askForData(conversation, { url, headers })
      const token = String(headers.authorization).replace(/^Bearer /, '')
      conversation.run.seenTokens.noteUse({ at: endpoint, client, token, response })
      return response
    },
    read: (conversation, response, { client }) => claimsIn(conversation, endpoint, response, client),
  })
}

/** The claims of an answer, taken out of whatever the bank wrapped them in, their signature unseen. @throws StepFailure when there are none */
export async function claimsIn(
  conversation: Conversation,
  endpoint: UserData,
  response: HttpResponse,
  client: Client,
): Promise<Claims> {
  const content = response.status < 300 ? (await openUserData(conversation, endpoint, response, client)).content : ''
  return inStep(endpoint, async () => {
    const claims = payloadOf(content)
    if (claims) {
      conversation.evidence.opened(endpoint, undefined, claims)
      return { response, claims }
    }
    const sentence = `GET ${new URL(response.request.url).pathname} gave no claims (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/** GET of user data with a login's access token ("Exposed by the bank" 10 and 11), and the claims that it gives. */
export const userData = { userinfo: userDataAt('userinfo'), profile: userDataAt('profile') }

/** User data as it came out of its encryption. */
export interface OpenedUserData {
  /** The header of the JWE; absent when the data was not encrypted. */
  encryption?: CompactJWEHeaderParameters
  /** What was inside: a compact JWS if the bank does right. */
  content: string
}

/** Decrypts user data with the client's key; what is not encrypted is taken as it is. */
export async function openUserData(
  conversation: Conversation,
  endpoint: UserData,
  response: HttpResponse,
  client: Client,
): Promise<OpenedUserData> {
  return inStep(`${endpoint}Decryption`, () =>
    openJwe(conversation, response.text.trim(), `JWE of ${response.request.url}`, response, client),
  )
}

/**
 * Decrypts a compact JWE with the client's key; what is no JWE is taken as it is.
 * @param what what it is, for evidence
 * @throws BankFailure when it cannot be decrypted
 */
export async function openJwe(
  conversation: Conversation,
  text: string,
  what: string,
  response: HttpResponse,
  { keys }: Client,
): Promise<OpenedUserData> {
  if (!compactJwe.test(text)) return { content: text }
  const opened = await decrypt(text, keys.encryption).catch((error: Error) => {
    const sentence = `the JWE cannot be decrypted with the client's key (${error.message})`
    throw new BankFailure({ sentence, actual: headerOf(text), evidence: response.evidence })
  })
  conversation.evidence.opened(what, opened.protectedHeader)
  return { encryption: opened.protectedHeader, content: new TextDecoder().decode(opened.plaintext) }
}

/** The claims of a person as an endpoint gave them. */
export interface Claims {
  response: HttpResponse
  claims: Record<string, unknown>
}

/** The claims of the login's id_token as a step of others: its signature unseen. @throws StepFailure when there are none */
export async function idTokenClaims(conversation: Conversation, login: Login): Promise<Record<string, unknown>> {
  const { response, client } = login
  return inStep('codeExchange', async () => {
    const jwt = String(response.member('id_token'))
    const claims = payloadOf((await openJwe(conversation, jwt, 'id_token', response, client)).content)
    if (!claims) throw new BankFailure({ sentence: 'the id_token has no claims', evidence: response.evidence })
    conversation.evidence.opened('id_token', undefined, claims)
    return claims
  })
}

/** The JSON object that a JWT carries, or that stands there bare. */
export function payloadOf(content: string): Record<string, unknown> | undefined {
  const [, payload] = content.split('.')
  const readable = payload === undefined ? content : Buffer.from(payload, 'base64url').toString()
  try {
    const value: unknown = JSON.parse(content.startsWith('{') ? content : readable)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function headerOf(jwt: string): string {
  try {
    return `header ${JSON.stringify(decodeProtectedHeader(jwt))}`
  } catch {
    return 'no JWT'
  }
}
