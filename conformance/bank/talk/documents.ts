import type { HttpRequest, HttpResponse } from '../../http/http.js'
import { type Handshake, type Offer, shakeHands } from '../../http/tls.js'
import type { Conversation } from '../conversation.js'
import { type Discovery, discover, fetchDiscovery } from '../discovery.js'
import { fetchHealth, healthRecord } from '../health.js'
import { fetchKeySet } from '../key-set.js'

/** What a bank publishes, and what it answers to whoever asks without being known. */
export interface Documents {
  /** Tries TLS handshakes, each on a connection of its own. */
  handshakes(offers: readonly Offer[]): Promise<Handshake[]>
  /** GET without credentials, of an address or of a path below the issuer; asks for JSON. */
  get(addressOrPath: string): Promise<HttpResponse>
  /** POST of a form without credentials. */
  post(address: string, form: Record<string, string>): Promise<HttpResponse>
  /** Any request, as it is. */
  send(request: HttpRequest): Promise<HttpResponse>
  /** The answer to the request for the discovery document, whatever it is, once in a run. */
  discoveryResponse(): Promise<HttpResponse>
  /** @throws StepFailure when the bank has no discovery document */
  discovery(): Promise<Discovery>
  /** The answer of jwks_uri, whatever it is, once in a run. */
  keySetResponse(): Promise<HttpResponse>
  /** The answer of /healthcheck, whatever it is, once in a run. */
  healthResponse(): Promise<HttpResponse>
  /** The same, holding a record. @throws StepFailure when it holds none */
  healthRecord(): Promise<HttpResponse>
}

/** These calls in one conversation. */
export function documentsOf(conversation: Conversation): Documents {
  const { issuer } = conversation.run.target
  return {
    handshakes: (offers) => shakeHands(conversation, offers),
    get: (addressOrPath) =>
      conversation.send({
        method: 'GET',
        url: addressOrPath.startsWith('/') ? `${issuer}${addressOrPath}` : addressOrPath,
        headers: { accept: 'application/json' },
      }),
    post: (address, form) =>
      conversation.send({
        method: 'POST',
        url: address,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams(form).toString(),
      }),
    send: (request) => conversation.send(request),
    discoveryResponse: () => fetchDiscovery(conversation),
    discovery: () => discover(conversation),
    keySetResponse: () => fetchKeySet(conversation),
    healthResponse: () => fetchHealth(conversation),
    healthRecord: () => healthRecord(conversation),
  }
}
