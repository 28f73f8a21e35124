import { STATUS_CODES } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { CDPSession, Request, Page as Tab } from 'playwright-core'
import type { PendingExchange, Recorder } from '../evidence/evidence.js'
import { BankFailure, NoAnswer } from '../evidence/failure.js'
import type { Headers } from '../evidence/masking.js'
import { HttpResponse, largestBodyBytes } from '../http/http.js'
import { retryAfter } from '../http/pace.js'
import type { TargetError } from '../target/target-error.js'
import type { AuthorizationTask } from './end-user.js'
import type { Scripts } from './page-words.js'
import { matchesRedirectUri, unexpectedRedirect } from './redirect.js'
import type { VerifyingProxy } from './verifying-proxy.js'

/** What the browser tells of a document that it asks for (Chrome DevTools Protocol, Fetch.requestPaused). */
interface Paused {
  requestId: string
  frameId: string
  request: { url: string; urlFragment?: string; method: string; headers: Record<string, string>; postData?: string }
  responseErrorReason?: string
  responseStatusCode?: number
  responseHeaders?: { name: string; value: string }[]
}

/** The way back to the service, before anything is taken from it. */
export interface RedirectToClient {
  response: HttpResponse
  location: string
  /** The form that a page posts to the service by itself. */
  posted?: URLSearchParams
}

/** How often a document is asked for again when the network fails, or the bank serves nobody now (503); what else it answers is never asked for again. */
const mostRepeats = 2

/** How long is waited for a bank that serves nobody now, in milliseconds. */
const longestOutageMs = 5_000

/** The status by which the harness's own proxy asks the browser who it is; what else has it is no answer of a bank either. */
const proxyAuthentication = 407

/**
 * A tab whose documents are watched, redirects included: each is evidence; a redirect to the service is stopped before it is
 * followed, and one to a foreign address is refused.
 */
export class WatchedPage {
  /** The last document of the bank. */
  response: HttpResponse | undefined
  back: RedirectToClient | undefined
  /** Why the browser was not let go further. */
  failure: BankFailure | TargetError | undefined
  /** Whether the page was filled in: what it posts is then somebody's, and no answer for the service. */
  filledIn = false
  /** What became of the scripts of the last document, as far as they are the bank's. */
  scripts: Scripts = 'ran'
  private quietSince = performance.now()
  private underWay = 0
  /** How often a document was asked for again since the bank served nobody. */
  private outages = 0
  private readonly asked = new Map<string, PendingExchange>()

  private constructor(
    readonly tab: Tab,
    private readonly devTools: CDPSession,
    private readonly frame: string,
    private readonly task: AuthorizationTask,
    private readonly evidence: Recorder,
    private readonly proxy: VerifyingProxy,
  ) {}

  static async open(
    tab: Tab,
    task: AuthorizationTask,
    evidence: Recorder,
    proxy: VerifyingProxy,
  ): Promise<WatchedPage> {
    const devTools = await tab.context().newCDPSession(tab)
    const { frameTree } = await devTools.send('Page.getFrameTree')
    const watched = new WatchedPage(tab, devTools, frameTree.frame.id, task, evidence, proxy)
    const moved = (by: number) => () => {
      watched.underWay += by
      watched.quietSince = performance.now()
    }
    tab.on('request', moved(1)).on('requestfinished', moved(-1)).on('requestfailed', moved(-1))
    tab.on('requestfailed', (request) => {
      // What the browser gives up itself, as a page is left, is not missing.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') watched.missed(request)
    })
    tab.on('response', (response) => {
      if (response.status() >= 400) watched.missed(response.request())
    })
    devTools.on('Fetch.requestPaused', (paused) => {
      // A tab that was closed in the meantime takes no answer.
      watched.paused(paused).catch(() => {})
    })
    devTools.on('Fetch.authRequired', ({ requestId, authChallenge: { source } }) => {
      const known = { response: 'ProvideCredentials' as const, ...proxy.credentials }
      const authChallengeResponse = source === 'Proxy' ? known : { response: 'Default' as const }
      devTools.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
    })
    await devTools.send('Fetch.enable', {
      patterns: [
        { resourceType: 'Document', requestStage: 'Request' },
        { resourceType: 'Document', requestStage: 'Response' },
      ],
      handleAuthRequests: true,
    })
    return watched
  }

  /** Milliseconds since anything last came or went. */
  get quiet(): number {
    return this.underWay > 0 ? 0 : performance.now() - this.quietSince
  }

  /** Whether what was entered could go to an address that is neither the bank's nor the service's. */
  keepsFrom(url: string): boolean {
    return this.filledIn && isUnexpectedRedirect(url, this.task) && !this.expectCallback(url)
  }

  /** Goes to the task's address. @throws NoAnswer when the bank cannot be reached there */
  async go(milliseconds: number): Promise<void> {
    const { url } = this.task
    for (let repeats = 0; ; repeats += 1) {
      const error = await this.tab.goto(url, { waitUntil: 'commit', timeout: milliseconds }).then(
        () => undefined,
        (caught: Error) => caught,
      )
      if (!error || this.back || this.failure) return
      const reason = /net::(\w+)/.exec(error.message)?.[1]
      if (reason !== undefined && this.response === undefined && repeats < mostRepeats) continue
      const why = reason
        ? (this.proxy.trouble(url) ?? `could not be reached by the browser (${reason})`)
        : `showed nothing in ${milliseconds / 1000} s`
      throw noConnection({ method: 'GET', url }, why)
    }
  }

  private async paused(event: Paused): Promise<void> {
    const { requestId, responseStatusCode: status, responseErrorReason: reason } = event
    if (event.frameId !== this.frame) return this.goOn(requestId)
    if (status === proxyAuthentication) return this.goOn(requestId)
    if (status !== undefined) return this.answered(event, status)
    if (reason !== undefined) {
      const exchange = this.asked.get(requestId)
      const trouble = this.proxy.trouble(event.request.url)
      exchange?.failed(trouble ? `the bank ${trouble}` : `the browser received no answer (${reason})`)
      if (trouble && this.response) this.failure ??= noConnection(event.request, trouble, exchange?.id)
      return this.goOn(requestId)
    }
    return this.asks(event)
  }

  /** A document is about to be asked for. */
  private async asks({ requestId, request }: Paused): Promise<void> {
    const { url, urlFragment = '', method, postData } = request
    const location = `${url}${urlFragment}`
    if (this.expectCallback(location)) {
      const posted = method === 'POST' && { posted: new URLSearchParams(postData) }
      if (this.response) this.back ??= { response: this.response, location, ...posted }
      return this.stop(requestId)
    }
    if (isUnexpectedRedirect(url, this.task)) {
      const posted = new URLSearchParams(this.filledIn ? '' : postData)
      this.failure ??= unexpectedRedirect(location, this.task, 'the page', this.response?.evidence, posted)
      return this.stop(requestId)
    }
    const message = { method, url, headers: sentHeaders(request), ...(postData !== undefined && { body: postData }) }
    this.asked.set(requestId, this.evidence.begin('sent', message))
    return this.goOn(requestId)
  }

  private async answered({ requestId, request, responseHeaders = [] }: Paused, status: number): Promise<void> {
    const { url, method } = request
    const exchange =
      this.asked.get(requestId) ?? this.evidence.begin('sent', { method, url, headers: sentHeaders(request) })
    const headers = headersOf(responseHeaders)
    const redirects = status >= 300 && status < 400
    const body = redirects ? '' : await this.bodyOf(requestId)
    if (Buffer.byteLength(body) > largestBodyBytes) {
      const why = `the bank sent a body of more than ${largestBodyBytes / 1024 ** 2} MiB`
      exchange.failed(why)
      this.failure ??= new BankFailure({ sentence: `${method} ${url}: ${why}`, evidence: exchange.id })
      return this.stop(requestId)
    }
    exchange.answered({ status, headers, body })
    const response = new HttpResponse({ method, url }, status, headers, body, exchange.id)
    const wait = retryAfter(response)
    if (status === 503 && wait <= longestOutageMs && this.outages < mostRepeats) {
      this.outages += 1
      await this.goOn(requestId)
      await setTimeout(wait)
      return this.again()
    }
    this.response = response
    this.filledIn = false
    this.scripts = 'ran'
    const { location } = response
    if (location !== undefined && this.expectCallback(location)) {
      this.back ??= { response, location }
      return this.stop(requestId)
    }
    if (location !== undefined && isUnexpectedRedirect(location, this.task)) {
      this.failure ??= unexpectedRedirect(location, this.task, `the redirect of ${method} ${url}`, exchange.id)
      return this.stop(requestId)
    }
    return this.goOn(requestId)
  }

  /** Something that a page asked for was not given. */
  private missed(request: Request): void {
    const isOfBank = this.task.origins.includes(new URL(request.url()).origin)
    if (isOfBank && request.resourceType() === 'script') this.scripts = 'missing'
  }

  private expectCallback(location: string): boolean {
    return this.task.redirectUris.some((uri) => matchesRedirectUri(location, uri))
  }

  private async bodyOf(requestId: string): Promise<string> {
    const { body, base64Encoded } = await this.devTools.send('Fetch.getResponseBody', { requestId })
    return base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body
  }

  private async goOn(requestId: string): Promise<void> {
    await this.devTools.send('Fetch.continueRequest', { requestId })
  }

  /** Has the browser ask for the same once more, with the same form. */
  private async again(): Promise<void> {
    await this.devTools.send('Page.reload')
  }

  /** Leaves an empty page in place of what was asked for. */
  private async stop(requestId: string): Promise<void> {
    await this.devTools.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responsePhrase: STATUS_CODES[200],
      // Left out, it would be the answer's own (Chrome DevTools Protocol, Fetch.fulfillRequest).
      body: Buffer.from(' ').toString('base64'),
    })
  }
}

function noConnection({ method, url }: { method: string; url: string }, why: string, evidence?: string): NoAnswer {
  return new NoAnswer({
    sentence: `${method} ${url}: the bank ${why}`,
    actual: why,
    ...(evidence !== undefined && { evidence }),
  })
}

function isUnexpectedRedirect(location: string, { origins }: AuthorizationTask): boolean {
  const { protocol, origin } = new URL(location)
  return ['http:', 'https:'].includes(protocol) && !origins.includes(origin)
}

/** Header names are told in whatever case; masking knows them in lower case. */
function sentHeaders({ headers }: Paused['request']): Headers {
  return headersOf(Object.entries(headers).map(([name, value]) => ({ name, value })))
}

function headersOf(list: readonly { name: string; value: string }[]): Headers {
  const headers: Headers = {}
  for (const { name, value } of list) {
    const key = name.toLowerCase()
    const known = headers[key]
    headers[key] = known === undefined ? value : [known, value].flat()
  }
  return headers
}
