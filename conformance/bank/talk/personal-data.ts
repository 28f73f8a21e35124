import type { HttpResponse } from '../../http/http.js'
import type { UserData } from '../claims.js'
import type { Conversation } from '../conversation.js'
import { type IdToken, openIdToken } from '../id-token.js'
import type { Client } from '../registration.js'
import { readJwt, type Verified, verifySignature } from '../signature.js'
import { subjectInUserinfo, subjects } from '../subjects.js'
import type { Login } from '../token.js'
import {
  type Claims,
  fetchUserData,
  idTokenClaims,
  type OpenedUserData,
  openUserData,
  userDataOnce,
} from '../user-data.js'

/** What a bank says of people, and how it is sealed. */
export interface PersonalData {
  /** GET /userinfo or /profile with the login's access token. */
  userData(
    endpoint: UserData,
    login: Pick<Login, 'accessToken'>,
    headers?: Record<string, string>,
  ): Promise<HttpResponse>
  /** The claims there, once in a run for each login. @throws StepFailure when there are none */
  claims(endpoint: UserData, login: Login): Promise<Claims>
  /** The id_token of a token response, decrypted, its signature verified. */
  idToken(response: HttpResponse, client: Client): Promise<IdToken>
  /** The claims of the login's id_token. @throws StepFailure when there are none */
  idTokenClaims(login: Login): Promise<Record<string, unknown>>
  /** The sub that userinfo gives of a login. @throws StepFailure when userinfo gives no claims */
  subjectInUserinfo(login: Login): Promise<string>
  /** The sub that each other declared source gives of a login, by the source's name. */
  subjects(login: Login): Promise<Record<string, unknown>>
  /** Decrypts user data with the client's key; what is not encrypted is taken as it is. */
  open(endpoint: UserData, response: HttpResponse, client: Client): Promise<OpenedUserData>
  /** Verifies a JWS with the bank's published keys; `what` names it in messages. */
  verify(jws: string, what: string, response: HttpResponse): Promise<Verified>
  /** What a JWS or an unsigned JWT says, whoever signed it; `what` names it in messages. */
  read(jwt: string, what: string, response: HttpResponse): Verified
}

/** These calls in one conversation. */
export function personalDataOf(conversation: Conversation): PersonalData {
  return {
    userData: (endpoint, login, headers) => fetchUserData(conversation, endpoint, login, headers),
    claims: (endpoint, login) => userDataOnce(conversation, endpoint, login),
    idToken: (response, owner) => openIdToken(conversation, response, owner),
    idTokenClaims: (login) => idTokenClaims(conversation, login),
    subjectInUserinfo: (login) => subjectInUserinfo(conversation, login),
    subjects: (login) => subjects(conversation, login),
    open: (endpoint, response, owner) => openUserData(conversation, endpoint, response, owner),
    verify: (jws, what, response) => verifySignature(conversation, jws, what, response),
    read: (jwt, what, response) => readJwt(conversation, jwt, what, response),
  }
}
