import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { type ClientRequest, sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { operation } from './operation.js'
import type { Client } from './registration.js'
import { inStep } from './steps.js'
import { token } from './token.js'

/** Which token is meant, and which client asks; both when one is given, else those of a login. */
export type TokenStateOptions = (
  | { client: Client; token: string }
  | {
      client?: undefined
      token?: undefined
    }
) & {
  /** Further parameters, such as a hint. */
  form?: ClientRequest['form']
}

function formOf(value: string, further: ClientRequest['form'] = {}): ClientRequest['form'] {
  return { token: value, ...further }
}

/** POST /token-info about a live token ("Exposed by the bank" 8): of a login that is only looked at, when none is given. */
export const introspection = operation({
  step: 'introspection',
  key: async (conversation, options: TokenStateOptions) =>
    `introspection ${options.token ?? (await token(conversation)).accessToken}`,
  async prepare(conversation, options): Promise<ClientRequest> {
    const endpoint = await (await discover(conversation)).introspectionEndpoint()
    const { client, accessToken } = options.client
      ? { client: options.client, accessToken: options.token }
      : await token(conversation)
    return { client, endpoint, form: formOf(accessToken, options.form), authentication: {} }
  },
  async send(conversation, request) {
    const response = await sendClientRequest(conversation, request)
    const { client, form } = request
    if (response.member('active') === true && form.token !== undefined)
      conversation.run.seenTokens.noteUse({ at: 'token-info', client, token: form.token, response })
    return response
  },
  read(_conversation, response): HttpResponse {
    if (response.status === 200 && response.member('active') === true) return response
    const sentence = `POST /token-info does not call a live token active (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  },
})

/**
 * Sees once in a run that a token which the bank never gave is not called active: else /token-info tells no dead token from a live one.
 * @throws StepFailure when it does not, as when it does not know a live one
 */
export function tellsDeadTokens(conversation: Conversation): Promise<void> {
  return conversation.shared('dead tokens', async (own) => {
    await introspection.expectBaseline(own)
    const { client } = await token(own)
    const response = await introspection.try(own, { client, token: `${own.name()}${own.name()}` })
    await inStep('deadToken', async () => {
      if (response.member('active') !== true) return
      const sentence = 'POST /token-info calls a token active that the bank never gave'
      throw new BankFailure({ sentence, evidence: response.evidence })
    })
  })
}

/** POST /revoke of a token ("Exposed by the bank" 9): of a login of its own, when none is given. */
export const revocation = operation({
  step: 'revocation',
  key: (_conversation, options: TokenStateOptions) => `revocation ${options.token ?? ''}`.trimEnd(),
  async prepare(conversation, options): Promise<ClientRequest> {
    const { client, accessToken } = options.client
      ? { client: options.client, accessToken: options.token }
      : await token.fresh(conversation)
    const endpoint = await (await discover(conversation)).revocationEndpoint()
    return { client, endpoint, form: formOf(accessToken, options.form), authentication: {} }
  },
  send: sendClientRequest,
  read(_conversation, response): HttpResponse {
    if (response.status < 300) return response
    const sentence = `POST /revoke does not take an access token back (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  },
  // Not that of the token given, which is to live on until then.
  baseline: (conversation): Promise<HttpResponse> => revocation(conversation),
})
