import type { JWTPayload } from 'jose'
import {
  type AuthorizationTask,
  type Browser,
  type Callback,
  callbackOf,
  type PageActions,
  parameterIn,
  type Visit,
} from '../end-user/end-user.js'
import { formsEndUser } from '../end-user/forms.js'
import { BankFailure } from '../evidence/failure.js'
import type { HttpRequest, HttpResponse } from '../http/http.js'
import { originsOf, personOf } from '../target/target.js'
import { errorIn } from './authorization-answer.js'
import type { Metadata } from './client-metadata.js'
import { type Conversation, keyOf, type Run } from './conversation.js'
import { discover } from './discovery.js'
import { outOfDress } from './dress.js'
import { dressing } from './dressing.js'
import { inTurn } from './in-turn.js'
import { attempt, operation } from './operation.js'
import { anybody } from './person.js'
import { type Client, client } from './registration.js'
import { lyingAt } from './request-object.js'
import { sampleChallenge, sampleVerifier } from './sample-challenge.js'
import { isForTokens } from './seen-answers.js'
import { actionsAtSignIns } from './sign-in-pages.js'
import { inStep } from './steps.js'

/** Parameters of GET /auth by name; several values are sent one after the other, undefined leaves the parameter out. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a login can be asked for; what is left out is chosen. */
export interface LoginOptions {
  /** Space-separated. Default: openid and the first data scope the client registered. */
  scope?: string
  /** Changes of the default record: another client. */
  clientMetadata?: Metadata
  /** Kind of the person who logs in. Default: full. */
  person?: string
  /** In place of, or beside, those of a plain request. */
  parameters?: Parameters
  /** What the person does where it is not the way on. */
  actions?: PageActions
  /** Scopes that the person does not approve. */
  denyScopes?: readonly string[]
}

/** An authorization request that ended back at the service. */
export interface Authorization {
  client: Client
  /** What was sent to /auth ("Exposed by the bank" 6). */
  parameters: Parameters & { state: string; nonce: string }
  /** Whether a person who does what anybody may do approved everything, and went the usual way. */
  everythingApproved: boolean
  /** What the request object at its request_uri said, where one that we made lay there. */
  inside?: JWTPayload
  callback: Callback
}

/** An authorization request as it is sent. */
export interface AuthorizationRequest {
  client: Client
  endpoint: string
  method: HttpRequest['method']
  parameters: Parameters
}

/** The options with what was left out chosen, so that equal logins are known as equal. */
export async function complete(
  conversation: Conversation,
  {
    scope,
    clientMetadata = {},
    person = anybody(conversation),
    parameters = {},
    actions = {},
    denyScopes = [],
  }: LoginOptions,
): Promise<Required<LoginOptions>> {
  return {
    scope: scope ?? someScopes(await client(conversation, clientMetadata)),
    clientMetadata,
    person,
    parameters,
    actions,
    denyScopes,
  }
}

/** openid and the first data scope, where the dress asks for no others. */
function someScopes({ dataScopes, metadata }: Client): string {
  const offline = String(metadata.scope).split(' ').includes('offline_access')
  const scopes = dressing()?.scopes(dataScopes, offline) ?? ['openid', ...dataScopes.slice(0, 1)]
  return scopes.join(' ')
}

/** Parameters that some bank wants in every request though the endpoint's description does not ask for them (AMB-39, AMB-64). */
const wantedBySome: Parameters = {
  display: 'page',
  prompt: 'consent',
  ...sampleChallenge,
}

/** The verifier that belongs to an authorization which carried the sample challenge. */
export function verifierOf({ parameters }: Authorization): string | undefined {
  return parameters.code_challenge === sampleChallenge.code_challenge ? sampleVerifier : undefined
}

/**
 * What every request carries beyond the required parameters: what this bank wants there, and what the dress asks for.
 * @param changes of the default record that its client has
 */
export async function wantedParameters(conversation: Conversation, changes: Metadata = {}): Promise<Parameters> {
  const wanted = await necessaryParameters(conversation)
  const isForCode = ![changes.response_types].flat().includes('token')
  return { ...dressing()?.parameters(await discover(conversation), isForCode), ...wanted }
}

/**
 * What this bank wants in every request beyond the required parameters, found out once in a run: a bank that refuses a plain request
 * at once, but not the same with one of these, has its way.
 */
function necessaryParameters(conversation: Conversation): Promise<Parameters> {
  return outOfDress(() =>
    conversation.shared('wanted parameters', async (own) => {
      const registered = await client(own)
      const refused = async (parameters: Parameters) => {
        const plain = await plainRequest(own, { ...(await complete(own, {})), parameters })
        const response = await own.send({ method: 'GET', url: addressOf(plain) })
        return isError(response, registered, 'invalid_request')
      }
      return inStep('authorization', async () => {
        if (!(await refused({}))) return {}
        const { display, prompt } = wantedBySome
        for (const wanted of [{ display, prompt }, sampleChallenge, wantedBySome])
          if (!(await refused(wanted))) return wanted
        return {}
      })
    }),
  )
}

function isError({ location }: HttpResponse, { redirectUri }: Client, code: string): boolean {
  return location?.startsWith(redirectUri) === true && new URL(location).searchParams.get('error') === code
}

async function plainRequest(
  conversation: Conversation,
  { scope, clientMetadata, parameters }: Required<LoginOptions>,
): Promise<AuthorizationRequest> {
  const registered = await client(conversation, clientMetadata)
  const endpoint = await (await discover(conversation)).endpoint('authorization_endpoint')
  const { named } = dressing() ?? { named: (name: string) => name }
  return {
    client: registered,
    endpoint,
    method: 'GET',
    parameters: {
      response_type: 'code',
      client_id: registered.clientId,
      redirect_uri: registered.redirectUri,
      scope,
      state: named(conversation.name()),
      nonce: named(conversation.name()),
      ...parameters,
    },
  }
}

/** A good authorization request for these options. */
export async function prepareAuthorization(
  conversation: Conversation,
  options: LoginOptions = {},
): Promise<AuthorizationRequest> {
  const wanted = await wantedParameters(conversation, options.clientMetadata)
  const chosen = await complete(conversation, options)
  return plainRequest(conversation, { ...chosen, parameters: { ...wanted, ...chosen.parameters } })
}

/** The address of an authorization request with its parameters. */
export function addressOf({ endpoint, parameters }: AuthorizationRequest): string {
  const url = new URL(endpoint)
  for (const [name, one] of sentParameters(parameters)) url.searchParams.append(name, one)
  return url.href
}

/** Parameters as they are sent, one after the other. */
function sentParameters(parameters: Parameters): [name: string, value: string][] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
}

/** The same as a form (OpenID Connect Core section 3.1.2.1). */
function asForm({ endpoint, parameters }: AuthorizationRequest): NonNullable<AuthorizationTask['posted']> {
  return { url: endpoint, form: new URLSearchParams(sentParameters(parameters)).toString() }
}

/**
 * Whether the bank takes a good request that comes as a form, found out once in a run: it leads on to its pages. A bank may refuse the method
 * (AUTH-37), and the page of one that shows it on the spot has no address.
 */
function takesForms(conversation: Conversation): Promise<boolean> {
  return conversation.shared('takes forms', async (own) => {
    const { url, form } = asForm(await prepareAuthorization(own))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await own.send({ method: 'POST', url, headers, body: form })
    return response.location !== undefined && errorIn(response) === undefined
  })
}

/**
 * Gives an authorization request to a browser.
 * @param options.person kind of the person; left out, the first page is left
 * @param options.from where a visit was left, to go on from there
 */
export async function visit(
  conversation: Conversation,
  browser: Browser,
  request: AuthorizationRequest,
  {
    person,
    actions,
    denyScopes,
    from,
  }: Pick<LoginOptions, 'person' | 'actions' | 'denyScopes'> & { from?: string } = {},
): Promise<Visit> {
  const { run } = conversation
  const user = person === undefined ? undefined : personOf(run.target.people, person)
  if (person !== undefined && !user) throw new Error(`a rule that logs ${person} in has to need it`)
  const asksByForm = from === undefined && dressing()?.posts === true && (await takesForms(conversation))
  const registered = request.client.metadata.redirect_uris
  const task = {
    url: from ?? addressOf(request),
    ...(asksByForm && { posted: asForm(request) }),
    redirectUris: Array.isArray(registered) ? registered.map(String) : [],
    origins: originsOf(run.target, request.endpoint),
    ...(user && { person: user }),
    ...(actions && { actions: actionsAtSignIns(conversation, actions) }),
    ...(denyScopes && denyScopes.length > 0 && { denyScopes, knownScopes: request.client.dataScopes }),
  }
  const visited = await browser.visit(task, conversation)
  for (const one of [visited, visited.callback]) if (one) one.response.cameAt = run.service.clock()
  note(run, task, request, visited)
  return visited
}

/** Longer addresses are refused by whatever stands before the bank, in forms of its own. */
const longestAddress = 2_000

/** Notes how a request ended, for who judges all that came. */
function note(
  { seen }: Run,
  { url, posted }: Pick<AuthorizationTask, 'url' | 'posted'>,
  { parameters }: AuthorizationRequest,
  { response, callback }: Visit,
): void {
  if (callback?.response.location !== undefined) {
    // Inside of a request object there may be another state.
    const isKnown = typeof parameters.state === 'string' && parameters.state !== '' && !parameters.request_uri
    seen.note({
      kind: 'callback',
      response: callback.response,
      ...(isKnown && { state: String(parameters.state) }),
      forTokens: isForTokens(parameters.response_type),
    })
  } else if (
    response.status === 400 &&
    response.request.url === (posted ?? { url }).url &&
    url.length <= longestAddress
  )
    seen.note({ kind: 'direct error', response })
}

/** An authorization request with somebody in front of the browser. */
export interface Authorizing
  extends AuthorizationRequest,
    Pick<Required<LoginOptions>, 'person' | 'actions' | 'denyScopes'> {
  /** A new one when left out. */
  browser?: Browser
  /** Where it was left before, to go on from there. */
  from?: string
}

/** A good authorization request for these options, with somebody in front of the browser. */
export async function prepareAuthorizing(conversation: Conversation, options: LoginOptions): Promise<Authorizing> {
  const { person, actions, denyScopes, ...asked } = await complete(conversation, options)
  return { ...(await prepareAuthorization(conversation, asked)), person, actions, denyScopes }
}

/** The browsers of people who stay signed in, where the dress has it so. */
const stayingBrowsers = new WeakMap<Run, Map<string, Browser>>()

/** The browser of somebody who stays signed in: where the dress has it so, and they do what is asked of everybody. */
function stayingBrowser({ run }: Conversation, { person, actions, denyScopes }: Authorizing): Browser | undefined {
  const isUsual = Object.keys(actions).length === 0 && denyScopes.length === 0
  if (!dressing()?.staysSignedIn || !isUsual) return undefined
  const known = stayingBrowsers.get(run) ?? new Map<string, Browser>()
  stayingBrowsers.set(run, known)
  const browser = known.get(person) ?? run.endUser.open()
  known.set(person, browser)
  return browser
}

/** Goes the way of an authorization request in its browser; where somebody stays signed in, once they are through with the one before. */
function visitAsSomebody(conversation: Conversation, request: Authorizing): Promise<Visit> {
  const staying = request.browser ? undefined : stayingBrowser(conversation, request)
  if (staying) return inTurn(staying, () => visit(conversation, staying, request, request))
  return visit(conversation, request.browser ?? conversation.run.endUser.open(), request, request)
}

/** Goes the way of an authorization request back to the service. */
export async function sendAuthorizing(conversation: Conversation, request: Authorizing): Promise<Authorization> {
  const callback = callbackOf(await visitAsSomebody(conversation, request))
  const { person, actions, denyScopes } = request
  const isAnybody = ['full', anybody(conversation)].includes(person)
  const everythingApproved = isAnybody && denyScopes.length === 0 && Object.keys(actions).length === 0
  const { state, nonce } = request.parameters
  const parameters = { ...request.parameters, state: String(state), nonce: String(nonce) }
  const inside = lyingAt(conversation, request.parameters.request_uri)
  return { client: request.client, parameters, everythingApproved, ...(inside && { inside }), callback }
}

/** A person's way through /auth and back, whatever that carries. Its code belongs to `token`. */
export const authorization = operation({
  step: 'authorization',
  key: async (conversation, options: LoginOptions) => loginKey('authorization', await complete(conversation, options)),
  prepare: prepareAuthorizing,
  send: sendAuthorizing,
  read: (_conversation, authorized) => authorized,
  baseline: async (conversation): Promise<string> => codeOf(await authorization(conversation)),
  baselineFirst: true,
})

/** The same in a browser that was used before; what goes wrong is the asking rule's own. */
export async function authorizeIn(
  conversation: Conversation,
  options: LoginOptions,
  browser: Browser,
): Promise<Authorization> {
  return sendAuthorizing(conversation, { ...(await prepareAuthorizing(conversation, options)), browser })
}

/** A key for `shared` work of these options. */
export function loginKey(
  work: string,
  { clientMetadata, parameters, actions, ...options }: Required<LoginOptions>,
): string {
  const parts = {
    clientMetadata: keyOf('', clientMetadata),
    parameters: keyOf('', parameters),
    actions: keyOf('', actions),
  }
  return keyOf(work, { ...options, ...parts })
}

/** A parameter of a callback, in whatever part it came. */
export function parameterOf({ callback }: Authorization, name: string): string | null {
  return parameterIn(callback, name)
}

/** The authorization code of a callback, in whatever part it came. @throws StepFailure when there is none */
export function codeOf(authorization: Authorization): Promise<string> {
  return inStep('authorization', async () => {
    const code = parameterOf(authorization, 'code')
    if (code) return code
    const error = parameterOf(authorization, 'error')
    const description = error
      ? `the error ${error} (${parameterOf(authorization, 'error_description') ?? 'no description'})`
      : 'no code'
    const { evidence } = authorization.callback.response
    throw new BankFailure({ sentence: `the authorization request ended with ${description}`, evidence })
  })
}

/** The last answer of the bank to a request, left at the first page. Nobody has to act, so nobody is troubled, however people log in. */
async function firstAnswer(conversation: Conversation, request: AuthorizationRequest): Promise<HttpResponse> {
  return (await visit(conversation, formsEndUser(conversation.run.target).open(), request)).response
}

function showsPage({ location, status }: HttpResponse): boolean {
  return location === undefined && status < 300
}

/** The error that comes of a request once a person has signed in; undefined where none does. */
async function errorAfterSignIn(
  conversation: Conversation,
  request: AuthorizationRequest,
): Promise<HttpResponse | undefined> {
  const { endUser, target } = conversation.run
  if (!personOf(target.people, 'full')) return undefined
  const { response, callback } = await visit(conversation, endUser.open(), request, { person: 'full' })
  const isError = callback ? callback.query.has('error') || callback.fragment.has('error') : response.status >= 400
  return isError ? response : undefined
}

/** Whether the bank has people sign in first, and tells what is wrong with a request then: seen once in a run of a scope without openid. */
function refusesLate(conversation: Conversation): Promise<boolean> {
  return outOfDress(() =>
    conversation.shared('refuses late', async (own) => {
      const good = await prepareAuthorization(own)
      const broken = { ...good, parameters: { ...good.parameters, scope: 'of-no-bank' } }
      if (!showsPage(await firstAnswer(own, broken))) return false
      return (await errorAfterSignIn(own, broken)) !== undefined
    }),
  )
}

/**
 * GET /auth, left at the first page: nobody sits in front of the browser. It gives the last answer of the bank; of a bank that tells errors
 * after the sign-in, that error.
 */
export const authorizationRequest = attempt({
  prepare: (conversation, options: LoginOptions) => prepareAuthorization(conversation, options),
  async send(conversation, request) {
    if (request.method !== 'GET') return conversation.send({ method: request.method, url: addressOf(request) })
    const first = await firstAnswer(conversation, request)
    if (!showsPage(first) || !(await refusesLate(conversation))) return first
    return (await errorAfterSignIn(conversation, request)) ?? first
  },
  baseline: (conversation) => authorization.expectBaseline(conversation),
})
