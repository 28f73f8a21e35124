import { isUrl } from '../../schemas/is-url.js'
import { BankFailure, Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { originsOf, personOf } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import { sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { type Client, client } from './registration.js'

/** RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** A login on a device without a browser of its own (RFC 8628). */
export interface DeviceLogin {
  /** The answer of device_authorization_endpoint. */
  codes: HttpResponse
  /** The answer of POST /token after the person has confirmed. */
  tokens: HttpResponse
}

/** The client of the device grant. */
async function deviceClient(conversation: Conversation): Promise<Client> {
  const { metadata } = await client(conversation)
  return client(conversation, { grant_types: [metadata.grant_types, deviceGrant].flat() })
}

/** Asks device_authorization_endpoint for codes (RFC 8628 section 3.1), whatever comes of it. */
export async function deviceCodes(conversation: Conversation, form: Record<string, string>): Promise<HttpResponse> {
  const owner = await deviceClient(conversation)
  return sendClientRequest(conversation, {
    client: owner,
    endpoint: await (await discover(conversation)).endpoint('device_authorization_endpoint'),
    form: { client_id: owner.clientId, ...form },
    authentication: {},
  })
}

/**
 * Asks for codes, has the person confirm them, and asks for the tokens until they are there.
 *
 * @throws BankFailure when there are no codes
 * @throws TargetError when the target file does not say how the pages behind verification_uri_complete are filled in
 * @throws Skip when the bank gives no such address
 */
export async function deviceLogin(conversation: Conversation, scope: string): Promise<DeviceLogin> {
  const { target, endUser } = conversation.run
  const codes = await deviceCodes(conversation, { scope })
  const [deviceCode, address] = [codes.member('device_code'), codes.member('verification_uri_complete')]
  if (codes.status !== 200 || typeof deviceCode !== 'string') {
    const sentence = `device_authorization_endpoint gave no device_code (status ${codes.status})`
    throw new BankFailure({ sentence, expected: 'the answer of RFC 8628 section 3.2', evidence: codes.evidence })
  }
  if (typeof address !== 'string' || !/^https?:/i.test(address) || !isUrl(address)) {
    throw new Skip('the bank gives no verification_uri_complete: which field takes the code is not known')
  }
  const origins = originsOf(target, address)
  const person = personOf(target.people, 'full')
  const task = { url: address, redirectUris: [], origins, ...(person && { person }) }
  const { blockedBy } = await endUser.open().visit(task, conversation)
  if (blockedBy instanceof BankFailure) throw blockedBy
  const tokens = await deviceTokens(conversation, codes, deviceCode)
  // The last page leads nowhere; that it was the last one shows here.
  if (tokens.member('error') === 'authorization_pending' && blockedBy instanceof TargetError) throw blockedBy
  return { codes, tokens }
}

/** How often the tokens are asked for at most. */
const mostPolls = 3

/** Seconds between two polls where the bank names none, and by which each slow_down makes them more (RFC 8628 sections 3.2 and 3.5). */
const usualInterval = 5

/** Seconds that are waited for the next poll at most: a bank that wants more is not asked again. */
const longestInterval = 15

/** Asks for the tokens; a bank may tell who asks to wait and to ask again, though the person has confirmed (RFC 8628 section 3.5). */
async function deviceTokens(
  conversation: Conversation,
  codes: HttpResponse,
  deviceCode: string,
): Promise<HttpResponse> {
  const owner = await deviceClient(conversation)
  const endpoint = await (await discover(conversation)).endpoint('token_endpoint')
  const given = codes.member('interval')
  let interval = typeof given === 'number' && given > 0 ? given : usualInterval
  for (let polls = 1; ; polls += 1) {
    const answer = await sendClientRequest(conversation, {
      client: owner,
      endpoint,
      form: { grant_type: deviceGrant, client_id: owner.clientId, device_code: deviceCode },
      authentication: {},
    })
    const error = answer.member('error')
    if (error === 'slow_down') interval += usualInterval
    const asksToWait = error === 'authorization_pending' || error === 'slow_down'
    if (!asksToWait || polls === mostPolls || interval > longestInterval) return answer
    await conversation.run.service.wait(1000 * interval)
  }
}
