import { isUrl } from '../../schemas/is-url.js'
import { type Browser, callbackOf, type Visit } from '../end-user/end-user.js'
import { baseOf } from '../end-user/page-forms.js'
import { asksSomething } from '../end-user/page-words.js'
import { BankFailure, Skip } from '../evidence/failure.js'
import { isUnavailable } from '../evidence/unserved.js'
import type { HttpResponse } from '../http/http.js'
import { originsOf, personOf } from '../target/target.js'
import { UndescribedPage } from '../target/target-error.js'
import { type Authorization, parameterOf, prepareAuthorization, visit } from './authorization.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { idTokenHint } from './id-token.js'
import { inStep } from './steps.js'
import type { Login } from './token.js'

/** The address of end_session_endpoint. @throws Skip when the bank declares none */
export async function endSessionAddress(conversation: Conversation): Promise<string> {
  const discovery = await discover(conversation)
  if (discovery.value('end_session_endpoint') === undefined) throw new Skip('the bank declares no end_session_endpoint')
  return discovery.endpoint('end_session_endpoint')
}

/** Whether the bank takes frontchannel_logout_uri and post_logout_redirect_uris, as it declares (AMB-52). */
export async function offersReturn(conversation: Conversation): Promise<boolean> {
  return (await discover(conversation)).value('frontchannel_logout_supported') === true
}

/** The authorization request of a login again, with prompt=none. */
export async function silently(
  conversation: Conversation,
  browser: Browser,
  { clientMetadata, login }: { clientMetadata: Metadata; login: Login },
): Promise<Authorization> {
  const request = await prepareAuthorization(conversation, {
    clientMetadata,
    scope: 'openid profile.name',
    parameters: { prompt: 'none' },
  })
  const callback = callbackOf(await visit(conversation, browser, request, { person: 'full' }))
  const { state, nonce } = request.parameters
  const parameters = { ...request.parameters, state: String(state), nonce: String(nonce) }
  return { client: login.client, parameters, everythingApproved: false, callback }
}

/**
 * Sees to it that a session which goes on was not kept by a page that nobody answered.
 * @param after what came of prompt=none then
 * @throws UndescribedPage when the way ended at a page that asks something and is not in the target file
 */
export function expectAnswered({ response, blockedBy }: Visit, after: Authorization): void {
  const ended = parameterOf(after, 'error') === 'login_required'
  if (!ended && blockedBy instanceof UndescribedPage && asksSomething(response)) throw blockedBy
}

/**
 * OpenID Connect RP-Initiated Logout 1.0 section 2, going through the bank's page when it asks: with the login's id_token as the hint,
 * and without one when the bank does not take it, since what is wrong with an id_token is for other rules to say.
 */
async function byHint(conversation: Conversation, browser: Browser, login: Login): Promise<Visit> {
  const endpoint = await endSessionAddress(conversation)
  const id_token_hint = await idTokenHint(conversation, login)
  const hinted = await visitEndSession(conversation, browser, endpoint, { id_token_hint })
  if (hinted.response.status < 400) return hinted
  const plain = await visitEndSession(conversation, browser, endpoint, { client_id: login.client.clientId })
  if (plain.response.status < 400) return plain
  const sentence = `end_session_endpoint answers with status ${plain.response.status}`
  throw new BankFailure({ sentence, evidence: plain.response.evidence })
}

/** Nothing is seen of whom an endpoint sends where that serves nobody. @throws StepFailure */
export function expectServing(response: HttpResponse): Promise<void> {
  return inStep('logout', async () => {
    if (!isUnavailable(response)) return
    const sentence = `end_session_endpoint answers with status ${response.status}`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/** Sends a browser to end_session_endpoint, and through the page that asks. @param returns where the way may lead back to */
async function visitEndSession(
  conversation: Conversation,
  browser: Browser,
  endpoint: string,
  parameters: Record<string, string>,
  returns: readonly string[] = [],
): Promise<Visit> {
  const { target } = conversation.run
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const origins = originsOf(target, endpoint)
  const person = personOf(target.people, 'full')
  const task = { url: url.href, redirectUris: returns, origins, ...(person && { person }) }
  const visited = await browser.visit(task, conversation)
  await expectServing(visited.response)
  return visited
}

/** Frames of one page that are looked into at most. */
const mostFrames = 5

/** The bank's own pages that stand in frames of the page of a logout: some load there what clients are told by. */
export async function framesOf(
  conversation: Conversation,
  browser: Browser,
  page: HttpResponse,
): Promise<readonly HttpResponse[]> {
  const { target } = conversation.run
  // A person in front of it does not tell what they see.
  if (target.login?.by === 'person') return []
  const origins = originsOf(target, page.request.url)
  const sources = page
    .document('iframe[src], frame[src]')
    .map((_, frame) => page.document(frame).attr('src'))
    .get()
  const addresses = sources.flatMap((src) => (isUrl(src, baseOf(page)) ? [new URL(src, baseOf(page))] : []))
  const own = addresses.filter(({ origin }) => origins.includes(origin)).slice(0, mostFrames)
  const framed: HttpResponse[] = []
  for (const { href } of own) {
    const task = { url: href, redirectUris: [], origins, endsAnywhere: true }
    framed.push((await browser.visit(task, conversation)).response)
  }
  return framed
}

export const endSession = Object.assign(byHint, { visit: visitEndSession })
