import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { type ClientRequest, sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import type { Operation } from './operation.js'
import type { Client } from './registration.js'
import { inStep } from './steps.js'
import { freshLogin, loginOnce } from './token.js'

/** A good question about a token ("Exposed by the bank" 8). */
async function introspectionOf(conversation: Conversation, client: Client, token: string) {
  const endpoint = await (await discover(conversation)).introspectionEndpoint()
  return { client, endpoint, form: { token } as ClientRequest['form'], authentication: {} } satisfies ClientRequest
}

/** A good request to take a token back ("Exposed by the bank" 9). */
async function revocationOf(conversation: Conversation, client: Client, token: string) {
  const endpoint = await (await discover(conversation)).revocationEndpoint()
  return { client, endpoint, form: { token } as ClientRequest['form'], authentication: {} } satisfies ClientRequest
}

/** Changes of the good form of a client. */
export type RequestChanges = Partial<Omit<ClientRequest, 'client' | 'endpoint'>>

/** POST /token-info, whatever comes of it. @param changes of the good request; its form's parameters are added */
export async function introspect(
  conversation: Conversation,
  client: Client,
  token: string,
  changes: RequestChanges = {},
): Promise<HttpResponse> {
  const good = await introspectionOf(conversation, client, token)
  return sendClientRequest(conversation, { ...good, ...changes, form: { ...good.form, ...changes.form } })
}

/** POST /revoke, whatever comes of it. @param changes of the good request; its form's parameters are added */
export async function revoke(
  conversation: Conversation,
  client: Client,
  token: string,
  changes: RequestChanges = {},
): Promise<HttpResponse> {
  const good = await revocationOf(conversation, client, token)
  return sendClientRequest(conversation, { ...good, ...changes, form: { ...good.form, ...changes.form } })
}

/** What /token-info tells of a live token. @throws StepFailure when it does not call it active */
export async function introspected(conversation: Conversation, client: Client, token: string): Promise<HttpResponse> {
  return inStep('introspection', async () => {
    const response = await introspect(conversation, client, token)
    if (response.status === 200 && response.member('active') === true) return response
    const sentence = `POST /token-info does not call a live token active (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/** A question about the access token of a login that is only looked at, to be replaced in one step. */
export const introspection: Operation<ClientRequest> = {
  async expectBaseline(conversation) {
    const { client, accessToken } = await loginOnce(conversation, {})
    return introspected(conversation, client, accessToken)
  },
  async prepare(conversation) {
    const { client, accessToken } = await loginOnce(conversation, {})
    return introspectionOf(conversation, client, accessToken)
  },
  send: sendClientRequest,
}

/** The revocation of the access token of a login of its own, to be replaced in one step. */
export const revocation: Operation<ClientRequest> = {
  expectBaseline: (conversation) =>
    conversation.shared('revocation', async (own) => {
      const { client, accessToken } = await freshLogin(own, {})
      return inStep('revocation', async () => {
        const response = await revoke(own, client, accessToken)
        if (response.status < 300) return
        const sentence = `POST /revoke does not take an access token back (status ${response.status})`
        throw new BankFailure({ sentence, evidence: response.evidence })
      })
    }),
  async prepare(conversation) {
    const { client, accessToken } = await freshLogin(conversation, {})
    return revocationOf(conversation, client, accessToken)
  },
  send: sendClientRequest,
}
