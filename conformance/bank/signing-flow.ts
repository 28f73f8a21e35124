import type { Browser, Visit } from '../end-user/end-user.js'
import type { HttpResponse } from '../http/http.js'
import type { ClientCertificate } from '../target/client-certificate.js'
import { mutualTlsAddress } from '../target/mutual-tls.js'
import { TargetError } from '../target/target-error.js'
import type { Metadata } from './client-metadata.js'
import { sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import type { IdToken } from './id-token.js'
import {
  prepareRequestObject,
  type RegisteredObject,
  type RequestObjectOptions,
  type RosRequest,
  registerObject,
  registerObjectOnce,
  rosAddress,
  sendRequestObject,
  signingMetadata,
} from './ros.js'
import {
  type AuthorizeOptions,
  authorizeAddress,
  exchangeOfSigned,
  hintOf,
  type Result,
  redeemSigned,
  type SigningOptions,
  sign,
  signedIdToken,
  signingResultOnce,
  visitAuthorize,
} from './signing.js'
import { type SubmissionOutcome, submissionOutcome } from './submission-outcome.js'
import type { Login } from './token.js'

/** The signing flow, as a rule talks to the bank about it. */
export interface Signing {
  /** Whether the target file names addresses of the flow (AMB-30). */
  named: boolean
  /** Whether client certificates are asked for at another host than the bank's (AMB-65). */
  ownHost: boolean
  /** The record's changes by which a client uses the flow. */
  metadata(changes?: Metadata): Promise<Metadata>
  /** A good request object, not sent. */
  request(options?: RequestObjectOptions): Promise<RosRequest>
  send(request: RosRequest): Promise<HttpResponse>
  /** What becomes of a good request object with steps replaced, at POST /ros and, where that takes it, at /authorize. */
  sendModified(
    options: RequestObjectOptions,
    replace: (good: RosRequest) => Partial<RosRequest> | Promise<Partial<RosRequest>>,
    authorizeOptions?: AuthorizeOptions,
  ): Promise<SubmissionOutcome>
  /** A request object that the bank took, to look at, once in a run for the same options. */
  registered(options?: RequestObjectOptions): Promise<RegisteredObject>
  /** A request object of the rule's own that the bank took. */
  register(options?: RequestObjectOptions): Promise<RegisteredObject>
  /** GET /authorize as it is answered at once, by a browser without cookies. */
  getAuthorize(object: RegisteredObject, query?: AuthorizeOptions['query']): Promise<HttpResponse>
  /**
   * A person's way through /authorize, to whatever the bank ends it with.
   * @throws TargetError when it ends because the target file does not tell how a page is gone through, or the password is wrong
   */
  authorize(object: RegisteredObject, authorizeOptions?: AuthorizeOptions): Promise<Visit>
  /** The same wherever it ends: the bank may turn the person away by any page, such as that of the sign-in again. */
  tryAuthorize(object: RegisteredObject, authorizeOptions?: AuthorizeOptions): Promise<Visit>
  /** What comes of an authorized object, once in a run for the same options. */
  result(options?: SigningOptions): Promise<Result>
  /** The same of the rule's own, in a browser that was used before if one is given. */
  freshResult(options?: SigningOptions, browser?: Browser): Promise<Result>
  /** POST /token with a code that an object gave, whatever comes of it. */
  exchange(object: RegisteredObject, code: string): Promise<HttpResponse>
  idToken(result: Result): Promise<IdToken>
  hint(login: Login): Promise<string>
  /** GET /userinfo with an access token of the flow. */
  userinfo(result: Result, certificate: boolean | ClientCertificate): Promise<HttpResponse>
  /** A browser without cookies. */
  browser(): Browser
}

export function signingIn(conversation: Conversation): Signing {
  const { target } = conversation.run
  const { issuer, signing } = target
  return {
    named: signing?.ros !== undefined,
    ownHost: new URL(rosAddress(target)).host !== new URL(issuer).host,
    metadata: (changes) => signingMetadata(conversation, changes),
    request: (options) => prepareRequestObject(conversation, options),
    send: (request) => sendRequestObject(conversation, request),
    sendModified: (options, replace, authorizeOptions) =>
      submissionOutcome(conversation, options, replace, authorizeOptions),
    registered: (options) => registerObjectOnce(conversation, options),
    register: (options = {}) => registerObject(conversation, options),
    getAuthorize: (object, query) =>
      conversation.send({
        method: 'GET',
        url: authorizeAddress(conversation, object, query),
        headers: { accept: 'text/html,application/json' },
      }),
    async authorize(object, authorizeOptions) {
      const visit = await visitAuthorize(conversation, object, authorizeOptions)
      if (visit.blockedBy instanceof TargetError) throw visit.blockedBy
      return visit
    },
    tryAuthorize: (object, authorizeOptions) => visitAuthorize(conversation, object, authorizeOptions),
    result: (options) => signingResultOnce(conversation, options),
    freshResult: async (options = {}, browser) =>
      redeemSigned(conversation, await sign(conversation, options, browser)),
    async exchange(object, code) {
      const { client } = object.request
      return sendClientRequest(conversation, await exchangeOfSigned(conversation, { client, code, object }))
    },
    idToken: (result) => signedIdToken(conversation, result),
    hint: (login) => hintOf(conversation, login),
    async userinfo({ accessToken }, certificate) {
      return conversation.send({
        method: 'GET',
        url: mutualTlsAddress(target, await (await discover(conversation)).endpoint('userinfo_endpoint')),
        headers: { accept: 'application/jwt', authorization: `Bearer ${accessToken}` },
        certificate,
      })
    },
    browser: () => conversation.run.endUser.open(),
  }
}
