import type { HttpResponse } from '../http/http.js'
import type { ClientCertificate } from '../target/client-certificate.js'
import { type AssertionChanges, authenticateClient } from './client-authentication.js'
import type { Conversation } from './conversation.js'
import { dressing } from './dressing.js'
import type { Client } from './registration.js'

/** A form that a client sends in its own name, step by step. */
export interface ClientRequest {
  client: Client
  endpoint: string
  /** The audience of an assertion; the endpoint when left out. */
  audience?: string
  /** Parameters without those that authenticate; undefined leaves one out. */
  form: Record<string, string | undefined>
  /** How the client authenticates: by its registered method with these changes, as a Bearer of a token, or not at all. */
  authentication: AssertionChanges | { bearer: string } | 'none'
  /** Parameters that replace or, undefined, leave out those of the authentication. */
  credentials?: Record<string, string | undefined>
  /** The client certificate that the connection shows, if any. */
  certificate?: boolean | ClientCertificate
  /** Names of parameters that are sent twice. */
  twice?: readonly string[]
  /** Where the parameters travel: those named in the query of the address, or all of them there with GET. Default: in the form. */
  inQuery?: readonly string[] | 'by GET'
  /** Further headers. */
  headers?: Record<string, string>
}

/** Sends the form; assertions are made anew each time it is sent. */
export async function sendClientRequest(conversation: Conversation, request: ClientRequest): Promise<HttpResponse> {
  const { endpoint, form, credentials = {}, twice = [], inQuery = [], headers = {} } = request
  const shown = conversation.run.target.clientCertificate && dressing()?.certificate
  const { certificate = shown } = request
  const proof = await proofOf(conversation, request)
  const once = Object.entries({ ...form, ...proof.form, ...credentials }).filter(
    (parameter): parameter is [string, string] => parameter[1] !== undefined,
  )
  const parameters = [...once, ...once.filter(([name]) => twice.includes(name))]
  const byGet = inQuery === 'by GET'
  const isInQuery = ([name]: [string, string]) => byGet || inQuery.includes(name)
  const response = await conversation.send({
    method: byGet ? 'GET' : 'POST',
    url: addressWith(endpoint, parameters.filter(isInQuery)),
    headers: {
      ...(!byGet && { 'content-type': 'application/x-www-form-urlencoded' }),
      accept: 'application/json',
      ...proof.headers,
      ...headers,
    },
    ...(!byGet && { body: new URLSearchParams(parameters.filter((one) => !isInQuery(one))).toString() }),
    ...(certificate !== undefined && { certificate }),
  })
  // What a proxy that ends TLS says of somebody else's certificate is not the bank's word.
  if (response.status === 400 && typeof certificate !== 'object')
    conversation.run.seen.note({ kind: 'direct error', response })
  if (response.status === 200) conversation.run.seen.note({ kind: 'reply', response })
  return response
}

function addressWith(endpoint: string, parameters: [string, string][]): string {
  const url = new URL(endpoint)
  for (const [name, value] of parameters) url.searchParams.append(name, value)
  return parameters.length === 0 ? endpoint : url.href
}

async function proofOf(conversation: Conversation, { client, endpoint, audience, authentication }: ClientRequest) {
  if (authentication === 'none') return { headers: {}, form: {} }
  if ('bearer' in authentication) return { headers: { authorization: `Bearer ${authentication.bearer}` }, form: {} }
  return authenticateClient(conversation, client, audience ?? endpoint, authentication)
}
