import { randomUUID } from 'node:crypto'
import { BankFailure, Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { requestObjectSigner, type Signer } from '../service/assertions.js'
import type { SigningKey } from '../service/client-keys.js'
import {
  documentObject,
  type Encryption,
  envelope,
  type HeaderMembers,
  nestedJwtRequestObject,
  pdf,
  signObject,
  type Unsigned,
} from '../service/request-objects.js'
import type { ClientCertificate } from '../target/client-certificate.js'
import { mutualTlsAddress } from '../target/mutual-tls.js'
import { addressOf, type Target } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import { encryptedIdTokens, type Metadata, undeclaredMethods } from './client-metadata.js'
import { type Conversation, keyOf } from './conversation.js'
import { discover } from './discovery.js'
import { outOfDress } from './dress.js'
import { dressing } from './dressing.js'
import { encryptionKeyFor } from './key-set.js'
import { operation } from './operation.js'
import { type Client, client } from './registration.js'
import { tellingCertificate } from './registration-call.js'
import type { SignedKind } from './signed-kind.js'

/** POST /ros, step by step ("Signing / request-object flow" 1; shapes as published, AMB-30). */
export interface RosRequest {
  endpoint: string
  client: Client
  claims: Record<string, unknown>
  /** JSON of another type in place of the claims, signed in the same way. */
  instead?: { payload: unknown }
  signer: Signer | Unsigned
  /** What its header says beside what its signer gives it; nothing when left out. */
  header?: HeaderMembers
  encryption: Encryption
  /** Whether the client certificate is shown, or which other one. */
  certificate: boolean | ClientCertificate
  /** Whether it is told in headers, as by a proxy that ends TLS, which whoever asks a bank is none of. */
  certificateTold?: boolean
  /** An access token of the person who is to authorize. */
  bearer?: string
  /** Further headers. */
  headers?: Record<string, string>
}

/** What a good request object is like; what is left out is chosen. */
export interface RequestObjectOptions {
  /** Default: that of the dress, else text. */
  kind?: SignedKind
  /** Documents in the envelope. Default: 2. */
  count?: number
  /** Changes of the client's record. */
  clientMetadata?: Metadata
  /** Claims in place of the good ones; undefined leaves one out. */
  claims?: Record<string, unknown>
  /** Default: ES256. */
  alg?: 'ES256' | 'PS256'
  bearer?: string
}

/** Fields in another order than they are to be shown in. */
const fields = [
  { key: 'Amount', value: '1 250 CZK', priority: 3 },
  { key: 'Účel', value: 'Nájemné za kolo', priority: 1 },
  { key: 'To', value: 'Kola s.r.o.', priority: 2 },
]

/**
 * The record of a client that uses the signing flow: it has scope authorization, its id_tokens are encrypted where the bank declares that
 * (else the bank encrypts the result by itself, "Signing / request-object flow" 3), and it authenticates by private_key_jwt
 * ("Authentication" 10), by whichever algorithm: that of the flow cannot be registered, and a registered one is the only one (OpenID Connect
 * Dynamic Client Registration section 2).
 * @throws Skip where the bank declares other methods alone, and the changes name none
 */
export async function signingMetadata(conversation: Conversation, changes: Metadata = {}): Promise<Metadata> {
  const { metadata } = await client(conversation)
  const discovery = await discover(conversation)
  const undeclared = undeclaredMethods(discovery, 'private_key_jwt')
  if (undeclared && changes.token_endpoint_auth_method === undefined) throw new Skip(`no signing flow: ${undeclared}`)
  return {
    scope: `${metadata.scope} authorization`,
    ...encryptedIdTokens(discovery),
    token_endpoint_auth_signing_alg: undefined,
    ...dressing()?.signing,
    ...changes,
  }
}

/** The bank's key that request objects are encrypted to. */
export async function encryptionKey(conversation: Conversation): Promise<Encryption> {
  const alg = 'RSA-OAEP-256'
  return { alg, enc: 'A256GCM', key: await encryptionKeyFor(conversation, alg) }
}

function hostDocument(conversation: Conversation, title: string): Record<string, unknown> {
  const { server } = conversation.run.service
  if (!server) throw new Skip('the target file names no service.server from which the bank could show a document')
  const content = pdf(title)
  const uri = server.host(`/documents/${conversation.name()}.pdf`, {
    contentType: 'application/pdf',
    body: content,
    evidence: conversation.evidence,
  })
  return documentObject(title, content, uri)
}

/** A fresh document of a title, served for the bank to show. */
export function freshDocument(conversation: Conversation, title: string): Promise<Record<string, unknown>> {
  return Promise.resolve(hostDocument(conversation, title))
}

/** What is to be authorized, with the documents that belong to it served. */
function structuredScope(conversation: Conversation, kind: SignedKind, count: number): Record<string, unknown> {
  const documents = () => Array.from({ length: count }, (_, i) => hostDocument(conversation, `Smlouva ${i + 1}`))
  return {
    ...(kind.startsWith('text') && { signObject: signObject(fields) }),
    ...(kind.endsWith('document') && { documentObject: hostDocument(conversation, 'Smlouva') }),
    ...(kind.endsWith('documents') && { documentObjects: envelope(documents()) }),
  }
}

/** Where request objects are sent. */
export function rosAddress(target: Target): string {
  return target.signing?.ros ?? mutualTlsAddress(target, `${addressOf(target)}/ros`)
}

/**
 * Where the bank has an address of the signing flow only the target file tells: that nothing is there is its mistake.
 * @param member that names it
 * @throws TargetError
 */
export function expectServed(member: string, address: string | undefined, { status, request }: HttpResponse): void {
  if (address === undefined || status !== 404 || !request.url.startsWith(address)) return
  throw new TargetError([`${member}: the bank serves nothing at ${address} (status 404)`])
}

/** The client's key for an algorithm of the signing flow; undefined where the target file gives none. */
export function flowKey({ keys }: Client, alg: string): SigningKey | undefined {
  return alg === 'PS256' ? keys.ps256 : keys.es256
}

/** The response type of the dress; `code` without one, and where POST /ros does not take that (AMB-13), found out once in a run. */
async function responseType(conversation: Conversation): Promise<string> {
  const wanted = dressing()?.signingResponseType
  if (wanted === undefined) return 'code'
  return outOfDress(() =>
    conversation.shared(`response type ${wanted}`, async (own) => {
      const plain = await prepare(own, {})
      const request = { ...plain, claims: { ...plain.claims, response_type: wanted } }
      const taken = await send(own, request)
      const requestUri = taken.member('request_uri')
      if (taken.status >= 300 || typeof requestUri !== 'string') return 'code'
      // A bank may open objects when their person comes.
      const url = authorizeAddress(own, { request, requestUri })
      const opened = await own.send({ method: 'GET', url, headers: { accept: 'text/html' } })
      const isRefused = opened.status >= 400 || opened.location?.startsWith(plain.client.redirectUri)
      return isRefused ? 'code' : wanted
    }),
  )
}

/** The address of GET /authorize for an object ("Signing / request-object flow" 2; as published, AMB-30). */
export function authorizeAddress(
  { run }: Conversation,
  { requestUri, request }: Pick<RegisteredObject, 'requestUri' | 'request'>,
  query: Record<string, string | undefined> = {},
): string {
  const url = new URL(run.target.signing?.authorize ?? `${addressOf(run.target)}/authorize`)
  const parameters = { request_uri: requestUri, redirect_uri: request.client.redirectUri, ...query }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

async function prepare(
  conversation: Conversation,
  {
    kind = dressing()?.kind ?? 'text',
    count = 2,
    clientMetadata = {},
    claims = {},
    alg = 'ES256',
    bearer,
  }: RequestObjectOptions,
): Promise<RosRequest> {
  const { run } = conversation
  const owner = await client(conversation, await signingMetadata(conversation, clientMetadata))
  const byService = run.target.signing?.signed_by === 'service'
  const signer = byService ? await requestObjectSigner(run.target.keys ?? [], alg) : flowKey(owner, alg)
  if (!signer) throw new Skip(`${byService ? 'service.keys' : 'the given client'} has no key for ${alg}`)
  const good = {
    txn: randomUUID(),
    client_id: owner.clientId,
    nonce: conversation.name(),
    state: conversation.name(),
    acr_values: 'loa3',
    response_type: await responseType(conversation),
    max_age: 300,
    scope: 'openid authorization',
    redirect_uri: owner.redirectUri,
    structured_scope: structuredScope(conversation, kind, count),
    iss: owner.clientId,
    aud: run.target.issuer,
    iat: run.service.clock(),
    exp: run.service.clock() + 60,
    jti: randomUUID(),
  }
  const changed = Object.entries({ ...good, ...claims }).filter(([, value]) => value !== undefined)
  return {
    endpoint: rosAddress(run.target),
    client: owner,
    claims: Object.fromEntries(changed),
    signer,
    encryption: await encryptionKey(conversation),
    certificate: true,
    ...(bearer && { bearer }),
  }
}

async function send(conversation: Conversation, request: RosRequest): Promise<HttpResponse> {
  const { endpoint, claims, instead, signer, header, encryption, certificate, bearer, headers } = request
  const told = request.certificateTold ? conversation.run.target.clientCertificate : undefined
  const said = instead ? instead.payload : claims
  const body = await nestedJwtRequestObject(said, signer, encryption, conversation.evidence, header)
  const response = await conversation.send({
    method: 'POST',
    url: endpoint,
    headers: {
      'content-type': 'application/jwe',
      accept: 'application/json',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(told && tellingCertificate(told.cert)),
      ...headers,
    },
    body,
    certificate,
  })
  if (response.status === 400 && certificate === true) conversation.run.seen.note({ kind: 'direct error', response })
  else if (response.status < 300) conversation.run.seen.note({ kind: 'reply', response })
  return response
}

/** A request object that the bank took. */
export interface RegisteredObject {
  request: RosRequest
  response: HttpResponse
  requestUri: string
}

/** POST /ros with a request object, which is authorized by nobody. */
export const requestObject = operation({
  step: 'requestObject',
  key: (_conversation, options: RequestObjectOptions) => keyOf('request object', options),
  prepare,
  send,
  read({ run }, response, request): RegisteredObject {
    const requestUri = response.member('request_uri')
    if (response.status < 300 && typeof requestUri === 'string') return { request, response, requestUri }
    expectServed('signing.ros', run.target.signing?.ros, response)
    const sentence = `POST /ros gave no request_uri (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  },
})
