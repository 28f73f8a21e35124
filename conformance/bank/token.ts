import { BankFailure } from '../harness/failure.js'
import {
  type Authorization,
  authorize,
  authorizeOnce,
  codeOf,
  complete,
  type LoginOptions,
  loginKey,
  verifierOf,
} from './authorization.js'
import { authenticateClient } from './client-authentication.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import type { HttpResponse } from './http.js'
import type { Application } from './registration.js'
import { inStep } from './steps.js'

/** A login that gave an access token. */
export interface Login {
  application: Application
  authorization: Authorization
  /** The answer of the token endpoint. */
  response: HttpResponse
  accessToken: string
}

/**
 * POST /token with an authorization code and the application's own way of authentication ("Exposed by the bank" 7).
 * @param verifier code_verifier (RFC 7636 section 4.5)
 */
export async function exchangeCode(
  conversation: Conversation,
  application: Application,
  code: string,
  verifier?: string,
): Promise<HttpResponse> {
  const endpoint = await (await discover(conversation)).endpoint('token_endpoint')
  const authentication = await authenticateClient(conversation, application, endpoint)
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: application.redirectUri,
    ...authentication.form,
    ...(verifier && { code_verifier: verifier }),
  })
  return inStep('codeExchange', () =>
    conversation.send({
      method: 'POST',
      url: endpoint,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...authentication.headers,
      },
      body: form.toString(),
    }),
  )
}

/** The tokens of an authorization. @throws StepFailure when it gave no access token */
export async function redeem(conversation: Conversation, authorization: Authorization): Promise<Login> {
  const code = await codeOf(authorization)
  const response = await exchangeCode(conversation, authorization.application, code, verifierOf(authorization))
  return inStep('codeExchange', async () => {
    const accessToken = response.member('access_token')
    if (response.status < 300 && typeof accessToken === 'string' && accessToken !== '') {
      return { application: authorization.application, authorization, response, accessToken }
    }
    const sentence = `POST /token gave no access token for the code (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/** A login of its own, for rules that use its tokens up. */
export async function freshLogin(conversation: Conversation, options: LoginOptions): Promise<Login> {
  return redeem(conversation, await authorize(conversation, await complete(conversation, options)))
}

/** A login to look at, once in a run for the same options. */
export async function loginOnce(conversation: Conversation, options: LoginOptions): Promise<Login> {
  const chosen = await complete(conversation, options)
  return conversation.shared(loginKey('login', chosen), async (own) => redeem(own, await authorizeOnce(own, chosen)))
}
