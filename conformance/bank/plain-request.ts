import type { HttpRequest, HttpResponse } from '../http/http.js'
import { mutualTlsAddress } from '../target/mutual-tls.js'
import { addressOf } from '../target/target.js'
import type { Conversation } from './conversation.js'

/** GET without credentials, of an address or of a path below the issuer; asks for JSON. */
export function get(conversation: Conversation, addressOrPath: string): Promise<HttpResponse> {
  return conversation.send({
    method: 'GET',
    url: addressOrPath.startsWith('/') ? `${addressOf(conversation.run.target)}${addressOrPath}` : addressOrPath,
    headers: { accept: 'application/json' },
  })
}

/** POST of a form without credentials. */
export function post(conversation: Conversation, address: string, form: Record<string, string>): Promise<HttpResponse> {
  return conversation.send({
    method: 'POST',
    url: address,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  })
}

/** Any request, as it is. */
export function send(conversation: Conversation, request: HttpRequest): Promise<HttpResponse> {
  return conversation.send(request)
}

/** The same at the address that asks for client certificates, with ours; undefined where there is no such address (AMB-65). */
export async function sendCertified(
  conversation: Conversation,
  request: HttpRequest,
): Promise<HttpResponse | undefined> {
  const url = mutualTlsAddress(conversation.run.target, request.url)
  return url === request.url ? undefined : conversation.send({ ...request, url, certificate: true })
}
