import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { authorization } from './authorization.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import type { Client } from './registration.js'
import { inStep } from './steps.js'

/** The request of a client of its own, of the implicit flow alone, for response_type token. */
export const frontChannelRequest = {
  clientMetadata: { client_name: 'Conformance implicit', response_types: ['token'], grant_types: ['implicit'] },
  parameters: { response_type: 'token' },
}

/** An access token that came in front of the person. */
export interface FrontChannelLogin {
  client: Client
  accessToken: string
  /** In which it came. */
  fragment: URLSearchParams
  response: HttpResponse
}

/** Whether the bank declares response_type token, with the grant that goes with it (AMB-11). */
export async function declaresFrontChannel(conversation: Conversation): Promise<boolean> {
  const discovery = await discover(conversation)
  const declares = (list: string, value: string) => discovery.declared(list)?.includes(value) === true
  return declares('response_types_supported', 'token') && declares('grant_types_supported', 'implicit')
}

/**
 * A login by response_type token that is only looked at; undefined where the bank does not declare it.
 * @throws StepFailure when it gives no access token
 */
export async function frontChannelLogin(conversation: Conversation): Promise<FrontChannelLogin | undefined> {
  if (!(await declaresFrontChannel(conversation))) return undefined
  const { client, callback } = await authorization(conversation, frontChannelRequest)
  const { fragment, response } = callback
  return inStep('frontChannel', async () => {
    const accessToken = fragment.get('access_token')
    if (accessToken) return { client, accessToken, fragment, response }
    const sentence = 'the authorization request for response_type token gave no access_token'
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}
