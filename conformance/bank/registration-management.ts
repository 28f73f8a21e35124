import { isDeepStrictEqual } from 'node:util'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import type { Replace } from './operation.js'
import { client as clients, type OwnClient } from './registration.js'
import { bearer, goodCall, messageOf, type RegistrationCall } from './registration-call.js'
import { inStep } from './steps.js'

export type Managing = 'GET' | 'PUT' | 'DELETE'

/** GET, PUT or DELETE /register/{client_id}, step by step ("Exposed by the bank" 5). */
export interface ManagementRequest extends RegistrationCall {
  /** The registration access token; undefined leaves it out. */
  token: string | undefined
  /** The Authorization header in place of Bearer and the token. */
  authorization?: string
  /** Of a PUT: the record in place of the old one, client_id included. */
  record?: Metadata
}

/** The record of a PUT that changes a client. @param changes members in place of those registered; undefined leaves one out */
export function replacement({ clientId, metadata }: OwnClient, changes: Metadata = {}): Metadata {
  const record = { ...metadata, ...changes, client_id: clientId }
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}

/** Sends a good call but for the steps replaced; a PUT without a record sends the one registered. */
export async function manage(
  conversation: Conversation,
  method: Managing,
  client: OwnClient,
  replace?: Replace<ManagementRequest>,
): Promise<HttpResponse> {
  const { endpoint, clientId, token } = client
  const { tokens } = conversation.run.registrations
  const good: ManagementRequest = {
    ...goodCall(conversation, endpoint),
    token: tokens.current(clientId, token),
    ...(method === 'PUT' && { record: replacement(client) }),
  }
  const request = { ...good, ...(await replace?.(good)) }
  const url = `${endpoint}/${encodeURIComponent(clientId)}`
  // A rule may know the token that the client registered with alone.
  const presented = request.token === undefined ? undefined : tokens.current(clientId, request.token)
  const held = presented === undefined ? undefined : bearer(presented)
  const response = await conversation.send(
    await messageOf(conversation, method, url, request, request.record, request.authorization ?? held),
  )
  if (response.status < 300) note(conversation, method, client, response)
  if (method === 'PUT' && !isDeepStrictEqual(request.record, replacement(client)))
    conversation.run.seenTokens.noteChange(clientId)
  return response
}

/** GET of a client that there is not, with the token of one that there is: a bank may revoke it, so that the latter stays. */
export function readUnknown(conversation: Conversation, client: OwnClient, clientId: string): Promise<HttpResponse> {
  conversation.run.registrations.presentedElsewhere(client.clientId)
  return manage(conversation, 'GET', { ...client, clientId })
}

/** Keeps in mind what became of a client. */
function note({ run }: Conversation, method: Managing, client: OwnClient, response: HttpResponse): void {
  const { clientId, clientSecret, token } = client
  const { registrations } = run
  if (method === 'DELETE') registrations.wasDeleted(clientId)
  registrations.tokens.note(clientId, token, response.member('registration_access_token'))
  if (method === 'PUT') registrations.secrets.note(clientId, clientSecret, response.member('client_secret'))
}

/** A client of its own that was seen to be read with its registration access token. @throws StepFailure when it was not */
export async function readableClient(conversation: Conversation): Promise<OwnClient> {
  const client = await clients.fresh(conversation)
  await inStep('registrationReading', async () => {
    const response = await manage(conversation, 'GET', client)
    if (response.status === 200) return
    const sentence = `GET /register/{client_id} does not give the record (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
  return client
}

/** PUT /register/{client_id} of a good record, on a rule's way to what it changes. @throws StepFailure when the bank does not take it */
export function replaceRecord(conversation: Conversation, client: OwnClient, record: Metadata): Promise<void> {
  return inStep('registrationReplacement', async () => {
    const response = await manage(conversation, 'PUT', client, () => ({ record }))
    if (response.status < 300) return
    const sentence = `PUT /register/{client_id} does not take a record (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/**
 * A client of its own whose record was seen to be read and to be replaced. It has another name since than it registered with, so that a
 * PUT of the record as registered changes something.
 */
export async function replaceableClient(conversation: Conversation): Promise<OwnClient> {
  const client = await readableClient(conversation)
  await replaceRecord(conversation, client, replacement(client, { client_name: 'Conformance replaced' }))
  return client
}
