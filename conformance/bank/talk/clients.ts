import type { JWK, JWTPayload } from 'jose'
import type { HttpResponse } from '../../http/http.js'
import type { Metadata } from '../client-metadata.js'
import type { Conversation } from '../conversation.js'
import { discover } from '../discovery.js'
import { type HostedKeys, hostKeys } from '../hosted-keys.js'
import {
  type Client,
  changeEncryptionKey,
  client,
  goodCall,
  type OwnClient,
  ownClient,
  type Registration,
  registerOnce,
} from '../registration.js'
import { type ManagementRequest, type Managing, manage, readableClient } from '../registration-management.js'
import {
  makeRequestObject,
  placeForRequestObject,
  placeRequestObject,
  type RequestObjectOptions,
} from '../request-object.js'
import { sectorDocument } from '../sector-document.js'

/** The clients registered at a bank, and what is hosted for them. */
export interface Clients {
  /** The registration of a client with these changes of the default record, whatever came of it, once in a run. */
  registration(changes?: Metadata): Promise<Registration>
  /** A client with these changes of the default record, once in a run. @throws StepFailure when it was not registered */
  client(changes?: Metadata): Promise<Client>
  /** Changes the key that the bank has to encrypt to; gives the client with the new one. */
  changeEncryptionKey(client: Client): Promise<Client>
  /** A client of the rule's own, to be changed or deleted. @throws StepFailure when it was not registered */
  ownClient(changes?: Metadata): Promise<OwnClient>
  /** The same, seen to be read with its registration access token. @throws StepFailure when it was not */
  readableClient(): Promise<OwnClient>
  /** GET, PUT or DELETE /register/{client_id} as it should be, but for the steps replaced. */
  manage(method: Managing, client: OwnClient, replace?: Partial<ManagementRequest>): Promise<HttpResponse>
  /** Claims of a good RegistrationAuthJWT. */
  assertionClaims(): Promise<Record<string, unknown>>
  /** Hosts public keys of a client at an address of their own. */
  hostKeys(keys: readonly JWK[]): HostedKeys
  /** Hosts a document for sector_identifier_uri, at the same address for the same content. @returns its address */
  sectorDocument(content: unknown): Promise<string>
  /** An address at the service, to be registered as one of request_uris before anything lies there. */
  placeForRequestObject(): string
  /** Has a request object, or what should be one, lie at such an address. */
  placeRequestObject(place: string, body: string): void
  /** Signs a request object, and encrypts it where asked. */
  makeRequestObject(claims: JWTPayload, options: RequestObjectOptions): Promise<string>
}

/** These calls in one conversation. */
export function clientsAt(conversation: Conversation): Clients {
  return {
    registration: (changes) => registerOnce(conversation, changes),
    client: (changes) => client(conversation, changes),
    changeEncryptionKey: (owner) => changeEncryptionKey(conversation, owner),
    ownClient: (changes) => ownClient(conversation, changes),
    readableClient: () => readableClient(conversation),
    manage: (method, own, replace) => manage(conversation, method, own, replace),
    assertionClaims: async () => {
      const endpoint = await (await discover(conversation)).registrationEndpoint()
      return goodCall(conversation, endpoint).claims
    },
    hostKeys: (keys) => hostKeys(conversation, keys),
    sectorDocument: (content) => sectorDocument(conversation, content),
    placeForRequestObject: () => placeForRequestObject(conversation),
    placeRequestObject: (place, body) => placeRequestObject(conversation, place, body),
    makeRequestObject: (claims, options) => makeRequestObject(conversation, claims, options),
  }
}
