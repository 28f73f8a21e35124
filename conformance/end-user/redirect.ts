import { isUrl } from '../../schemas/is-url.js'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { asksAboutScopes } from '../target/consent-boxes.js'
import type { Page } from '../target/login-settings.js'
import { PageRepeated, TargetError } from '../target/target-error.js'
import type { AuthorizationTask, Callback } from './end-user.js'

/** Whether an address is the redirect URI with parameters added to it. A query that was registered is kept (RFC 6749 section 3.1.2). */
export function matchesRedirectUri(location: string, redirectUri: string): boolean {
  const [at, expected] = [new URL(location), new URL(redirectUri)]
  const kept = [...expected.searchParams].every(([name, value]) => at.searchParams.getAll(name).includes(value))
  return at.origin === expected.origin && at.pathname === expected.pathname && kept
}

/**
 * The way back to the service.
 * @param location the redirect URI with what was added to it
 * @param posted to it, where the browser was not redirected
 */
export function asCallback(
  response: HttpResponse,
  location: string,
  pages: readonly string[],
  posted = new URLSearchParams(),
): Callback {
  const { search, hash } = new URL(location)
  return { response, query: new URLSearchParams(search), fragment: new URLSearchParams(hash.slice(1)), posted, pages }
}

/** What only the service is meant to get. */
const answers = ['code', 'error', 'access_token', 'id_token']

/** Whether parameters are an answer for the service, and not what the bank asks another host of its own with. */
export function isAnswer(parameters: URLSearchParams): boolean {
  return answers.some((name) => parameters.has(name)) && !parameters.has('response_type')
}

/** Whether it is where the request asked to be answered: what leads there, though it is not registered, is an open redirect. */
function isAskedFor(origin: string, { url }: AuthorizationTask): boolean {
  const asked = new URL(url).searchParams.getAll('redirect_uri').filter((uri) => isUrl(uri))
  return asked.some((uri) => new URL(uri).origin === origin)
}

/**
 * The browser is sent to a foreign address. With an answer for the service in it, or where the request named the address, that is the
 * bank's fault; else it may be an address of the bank's that the target file does not tell.
 * @param where what leads there, as `the redirect of GET …`
 * @param evidence id of the exchange that shows it
 * @param posted what a page posts there by itself
 */
export function unexpectedRedirect(
  location: string,
  task: AuthorizationTask,
  where: string,
  evidence?: string,
  posted = new URLSearchParams(),
): BankFailure | TargetError {
  const { origin, search, hash } = new URL(location)
  const carries = [search.slice(1), hash.slice(1), posted].some((part) => isAnswer(new URLSearchParams(part)))
  if (!carries && !isAskedFor(origin, task))
    return new TargetError([`login.origins: ${where} leads to ${origin}; if that is also the bank's, name it there`])
  return new BankFailure({
    sentence: `the bank sends the browser to ${location}, which is neither an address of the bank nor the registered redirect URI`,
    expected: `a redirect to ${task.redirectUris.join(' or ')}`,
    actual: location,
    where,
    ...(evidence !== undefined && { evidence }),
  })
}

/** A page that waits did not go on. */
export function stayed(name: string, seconds: number): TargetError {
  return new TargetError([
    `login.pages.${name}.waits: the page did not go on by itself within ${seconds} s, nor asked for itself again without a script (login.by: browser runs scripts)`,
  ])
}

/** A page that was gone on from is there again. */
export function pageRepeated(name: string, page: Pick<Page, 'scope' | 'boxes' | 'parts'>): TargetError {
  const mayBePart = asksAboutScopes(page) && !page.parts
  const hint = mayBePart ? ' A page that comes several times, each time with other boxes, gets `parts: true`' : ''
  return new PageRepeated([
    `login.pages.${name}: the bank showed the page again after it was submitted; are the person's login and password right, and does \`when\` match on one page only?${hint}`,
  ])
}
