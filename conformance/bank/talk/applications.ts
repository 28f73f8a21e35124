import type { JWK, JWTPayload } from 'jose'
import type { HttpResponse } from '../../http/http.js'
import type { Metadata } from '../application-metadata.js'
import type { Conversation } from '../conversation.js'
import { discover } from '../discovery.js'
import { type HostedKeys, hostKeys } from '../hosted-keys.js'
import {
  type Application,
  application,
  changeEncryptionKey,
  goodCall,
  type OwnApplication,
  ownApplication,
  type Registration,
  registerOnce,
} from '../registration.js'
import { type ManagementRequest, type Managing, manage, readableApplication } from '../registration-management.js'
import {
  makeRequestObject,
  placeForRequestObject,
  placeRequestObject,
  type RequestObjectOptions,
} from '../request-object.js'
import { sectorDocument } from '../sector-document.js'

/** The applications registered at a bank, and what is hosted for them. */
export interface Applications {
  /** The registration of an application with these changes of the default record, whatever came of it, once in a run. */
  registration(changes?: Metadata): Promise<Registration>
  /** An application with these changes of the default record, once in a run. @throws StepFailure when it was not registered */
  application(changes?: Metadata): Promise<Application>
  /** Changes the key that the bank has to encrypt to; gives the application with the new one. */
  changeEncryptionKey(application: Application): Promise<Application>
  /** An application of the rule's own, to be changed or deleted. @throws StepFailure when it was not registered */
  ownApplication(changes?: Metadata): Promise<OwnApplication>
  /** The same, seen to be read with its registration access token. @throws StepFailure when it was not */
  readableApplication(): Promise<OwnApplication>
  /** GET, PUT or DELETE /register/{client_id} as it should be, but for the steps replaced. */
  manage(method: Managing, application: OwnApplication, replace?: Partial<ManagementRequest>): Promise<HttpResponse>
  /** Claims of a good RegistrationAuthJWT. */
  assertionClaims(): Promise<Record<string, unknown>>
  /** Hosts public keys of an application at an address of their own. */
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
export function applicationsAt(conversation: Conversation): Applications {
  return {
    registration: (changes) => registerOnce(conversation, changes),
    application: (changes) => application(conversation, changes),
    changeEncryptionKey: (owner) => changeEncryptionKey(conversation, owner),
    ownApplication: (changes) => ownApplication(conversation, changes),
    readableApplication: () => readableApplication(conversation),
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
