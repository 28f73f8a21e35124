import type { Callback } from '../end-user/end-user.js'
import { BankFailure } from '../harness/failure.js'
import type { Metadata } from './application-metadata.js'
import { type Conversation, keyOf } from './conversation.js'
import { discover } from './discovery.js'
import { type Application, application } from './registration.js'
import { inStep } from './steps.js'
import { personOf } from './target.js'

/** What a login can be asked for; what is left out is chosen. */
export interface LoginOptions {
  /** Space-separated. Default: openid and the first data scope the application registered. */
  scope?: string
  /** Changes of the default record: another application. */
  client?: Metadata
  /** Kind of the person who logs in. Default: full. */
  person?: string
}

/** An authorization request that ended back at the service. */
export interface Authorization {
  application: Application
  /** What was sent to /auth ("Exposed by the bank" 6). */
  parameters: Record<string, string> & { state: string; nonce: string }
  callback: Callback
}

/** The options with what was left out chosen, so that equal logins are known as equal. */
export async function complete(
  conversation: Conversation,
  { scope, client = {}, person = 'full' }: LoginOptions,
): Promise<Required<LoginOptions>> {
  const { dataScopes } = await application(conversation, client)
  return { scope: scope ?? ['openid', ...dataScopes.slice(0, 1)].join(' '), client, person }
}

/** Sends a person through /auth in a new browser and takes the way back, whatever it carries. */
export async function authorize(
  conversation: Conversation,
  { scope, client, person }: Required<LoginOptions>,
): Promise<Authorization> {
  const { run } = conversation
  const registered = await application(conversation, client)
  const endpoint = await (await discover(conversation)).endpoint('authorization_endpoint')
  const user = personOf(run.target.people, person)
  if (!user) throw new Error(`a rule that logs ${person} in has to need it`)
  const parameters = {
    response_type: 'code',
    client_id: registered.clientId,
    redirect_uri: registered.redirectUri,
    scope,
    state: conversation.name(),
    nonce: conversation.name(),
  }
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const task = {
    url: url.href,
    redirectUri: registered.redirectUri,
    origins: [new URL(run.target.issuer).origin, url.origin],
    person: user,
  }
  const callback = await inStep('authorization', () =>
    run.endUser.authorize(task, (request) => conversation.send(request)),
  )
  return { application: registered, parameters, callback }
}

/** The same, once in a run for the same options. */
export function authorizeOnce(conversation: Conversation, options: Required<LoginOptions>): Promise<Authorization> {
  return conversation.shared(loginKey('authorization', options), (own) => authorize(own, options))
}

/** A key for `shared` work of these options. */
export function loginKey(work: string, { client, ...options }: Required<LoginOptions>): string {
  return keyOf(work, { ...options, client: keyOf('', client) })
}

/** The authorization code of a callback, in whatever part it came. @throws StepFailure when there is none */
export function codeOf({ callback: { query, fragment, response } }: Authorization): Promise<string> {
  return inStep('authorization', async () => {
    const code = query.get('code') ?? fragment.get('code')
    if (code) return code
    const error = query.get('error') ?? fragment.get('error')
    const told = error ? `the error ${error} (${query.get('error_description') ?? 'no description'})` : 'no code'
    throw new BankFailure({ sentence: `the authorization request ended with ${told}`, evidence: response.evidence })
  })
}
