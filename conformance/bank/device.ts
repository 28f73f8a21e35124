import { BankFailure, Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { originsOf, personOf } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import { sendClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { client } from './registration.js'

/** RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** A login on a device without a browser of its own (RFC 8628). */
export interface DeviceLogin {
  /** The answer of device_authorization_endpoint. */
  codes: HttpResponse
  /** The answer of POST /token after the person has confirmed. */
  tokens: HttpResponse
}

/**
 * Asks for codes, has the person confirm them, and asks for the tokens once.
 *
 * @throws BankFailure when there are no codes
 * @throws Skip when the target file does not say how the pages behind verification_uri_complete are filled in
 */
export async function deviceLogin(conversation: Conversation, scope: string): Promise<DeviceLogin> {
  const { target, endUser } = conversation.run
  const discovery = await discover(conversation)
  const { metadata } = await client(conversation)
  const owner = await client(conversation, { grant_types: [metadata.grant_types, deviceGrant].flat() })
  const ask = async (endpoint: string, form: Record<string, string>) =>
    sendClientRequest(conversation, {
      client: owner,
      endpoint: await discovery.endpoint(endpoint),
      form,
      authentication: {},
    })

  const codes = await ask('device_authorization_endpoint', { client_id: owner.clientId, scope })
  const [deviceCode, address] = [codes.member('device_code'), codes.member('verification_uri_complete')]
  if (codes.status !== 200 || typeof deviceCode !== 'string') {
    const sentence = `device_authorization_endpoint gave no device_code (status ${codes.status})`
    throw new BankFailure({ sentence, expected: 'the answer of RFC 8628 section 3.2', evidence: codes.evidence })
  }
  if (typeof address !== 'string' || !/^https?:/i.test(address) || !URL.canParse(address)) {
    throw new Skip('the bank gives no verification_uri_complete: which field takes the code is not known')
  }
  const origins = originsOf(target, address)
  const person = personOf(target.people, 'full')
  const task = { url: address, redirectUris: [], origins, ...(person && { person }) }
  const { blockedBy } = await endUser.open().visit(task, conversation)
  if (blockedBy instanceof BankFailure) throw blockedBy
  const tokens = await ask('token_endpoint', {
    grant_type: deviceGrant,
    client_id: owner.clientId,
    device_code: deviceCode,
  })
  // The last page leads nowhere; that it was the last one shows here.
  if (tokens.member('error') === 'authorization_pending' && blockedBy instanceof TargetError) {
    throw new Skip(`the pages behind verification_uri_complete are not in the target file: ${blockedBy.message}`)
  }
  return { codes, tokens }
}
