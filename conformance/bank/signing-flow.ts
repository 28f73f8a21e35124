import type { Browser, Visit } from '../end-user/end-user.js'
import type { HttpResponse } from '../http/http.js'
import { requestObjectSigner, type Signer } from '../service/assertions.js'
import type { ClientCertificate } from '../target/client-certificate.js'
import { mutualTlsAddress } from '../target/mutual-tls.js'
import { TargetError } from '../target/target-error.js'
import type { UserData } from './claims.js'
import { sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { readableScope, refreshedSigning } from './refreshed-signing.js'
import {
  authorizeAddress,
  freshDocument,
  type RegisteredObject,
  requestObject,
  rosAddress,
  signingMetadata,
} from './ros.js'
import {
  type AuthorizeOptions,
  openFront,
  openResult,
  prepareSignedExchange,
  type Result,
  signedIdToken,
  signerLogin,
  signingResult,
  visitAuthorize,
} from './signing.js'
import { submission } from './submission-outcome.js'
import { introspection, revocation } from './token-state.js'
import { unnamedAlgorithms } from './unnamed-algorithms.js'
import { askForData } from './user-data.js'

/** What a client calls about a token of its own. */
const callers = { introspection, revocation }

/** Whether the bank has the flow, as the target file says (AMB-38). */
function offered({ run }: Conversation): boolean {
  return run.target.signing?.offered !== false
}

/** Whether the target file names addresses of the flow (AMB-30). */
function named({ run }: Conversation): boolean {
  return run.target.signing?.ros !== undefined
}

/** Whether client certificates are asked for at another host than the bank's (AMB-65). */
function ownHost({ run: { target } }: Conversation): boolean {
  return new URL(rosAddress(target)).host !== new URL(target.issuer).host
}

/** GET /authorize as it is answered at once, by a browser without cookies. */
function getAuthorize(
  conversation: Conversation,
  object: RegisteredObject,
  query?: AuthorizeOptions['query'],
): Promise<HttpResponse> {
  return conversation.send({
    method: 'GET',
    url: authorizeAddress(conversation, object, query),
    headers: { accept: 'text/html,application/json' },
  })
}

/**
 * A person's way through /authorize, to whatever the bank ends it with.
 * @throws TargetError when it ends because the target file does not tell how a page is gone through, or the password is wrong
 */
async function authorize(
  conversation: Conversation,
  object: RegisteredObject,
  options?: AuthorizeOptions,
): Promise<Visit> {
  const visit = await visitAuthorize(conversation, object, options)
  if (visit.blockedBy instanceof TargetError) throw visit.blockedBy
  return visit
}

/** POST /token with a code that an object gave, whatever comes of it. */
async function exchangeCode(conversation: Conversation, object: RegisteredObject, code: string): Promise<HttpResponse> {
  const { client } = object.request
  return sendClientRequest(conversation, await prepareSignedExchange(conversation, { client, code, object }))
}

/** GET of user data with an access token of the flow, at the address that asks for client certificates unless none is shown. */
async function userData(
  conversation: Conversation,
  endpoint: UserData,
  { accessToken }: Pick<Result, 'accessToken'>,
  certificate: boolean | ClientCertificate = true,
): Promise<HttpResponse> {
  const url = await (await discover(conversation)).userDataEndpoint(endpoint)
  return askForData(conversation, {
    url: certificate === false ? url : mutualTlsAddress(conversation.run.target, url),
    headers: { accept: 'application/jwt', authorization: `Bearer ${accessToken}` },
    certificate,
  })
}

/** Who signs good request objects at this bank (AMB-72). */
function signedBy({ run }: Conversation): 'client' | 'service' {
  return run.target.signing?.signed_by ?? 'client'
}

/** The service's own key for an algorithm, by default that of request objects; undefined where the target file names none. */
function serviceSigner({ run }: Conversation, alg = 'ES256'): Promise<Signer | undefined> {
  return requestObjectSigner(run.target.keys ?? [], alg)
}

/**
 * POST /token-info or /revoke about a token of the client, which an access token of the flow authenticates as Bearer: at the address that
 * asks for client certificates unless none is shown.
 */
async function callAsBearer(
  conversation: Conversation,
  { client, accessToken }: Result,
  topic: keyof typeof callers,
  token: string,
  certificate: boolean | ClientCertificate,
): Promise<HttpResponse> {
  return callers[topic].try(conversation, { client, token }, ({ endpoint }) => ({
    endpoint: certificate === false ? endpoint : mutualTlsAddress(conversation.run.target, endpoint),
    authentication: { bearer: accessToken },
    certificate,
  }))
}

/** A client certificate of somebody else whom the bank trusts; undefined where the target file names none. */
async function otherCertificate({ run }: Conversation): Promise<ClientCertificate | undefined> {
  return run.target.otherClientCertificate
}

/** A browser without cookies. */
function browser({ run }: Conversation): Browser {
  return run.endUser.open()
}

/** The signing flow, as a rule talks to the bank about it. */
export const signingFlow = {
  offered,
  named,
  ownHost,
  metadata: signingMetadata,
  login: signerLogin,
  requestObject,
  submission,
  getAuthorize,
  authorize,
  /** The same wherever it ends: the bank may turn the person away by any page, such as that of the sign-in again. */
  tryAuthorize: visitAuthorize,
  result: signingResult,
  refreshed: refreshedSigning,
  readableScope,
  exchangeCode,
  idToken: signedIdToken,
  openResult,
  openFront,
  userData,
  signedBy,
  serviceSigner,
  callAsBearer,
  otherCertificate,
  unnamedAlgorithms,
  document: freshDocument,
  browser,
}
