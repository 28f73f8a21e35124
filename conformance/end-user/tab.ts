import { randomBytes } from 'node:crypto'
import { HttpResponse } from '../http/http.js'
import type { ServiceServer, VisitorAnswer } from '../service/server.js'
import type { AuthorizationTask, Visit, VisitContext } from './end-user.js'
import { asCallback, matchesRedirectUri } from './redirect.js'
import { fragmentPage, over, stuck, waiting } from './tab-pages.js'

/** How long the tab's request is held while there is nothing to do, in milliseconds. */
const longPollMs = 10_000

/** How long a tab that is not heard of is waited for at the end, in milliseconds. */
const closeTimeoutMs = 3_000

/** A step of the person: to the bank and back. */
interface Errand {
  task: AuthorizationTask
  context: VisitContext
  /** Whether the tab was sent to the bank. */
  sent: boolean
  settle(visit: Visit): void
  giveUp(): void
}

/**
 * The one tab of a person, as the service's server leads it: from its own address to the bank, and when the bank sends it back, on to
 * the next step.
 */
export class PersonsTab {
  /** The address that the person opens; nobody else knows it. */
  readonly url: string
  private readonly path: string
  private errand: Errand | undefined
  private finished = false
  private confirmEnd = () => {}
  private readonly heard = new Set<() => void>()
  /** Whether the tab was heard of since this was last set to false. */
  present = true

  constructor(private readonly server: ServiceServer) {
    this.path = `/end-user/${randomBytes(12).toString('base64url')}`
    this.url = `${server.url}${this.path}`
    server.receive((path, method, body) => this.answer(path, method, body))
  }

  /** Gives the tab its next step; there is one at a time. */
  give(errand: Errand): void {
    this.errand = errand
    for (const hear of this.heard) hear()
  }

  take(): void {
    this.errand = undefined
  }

  /** Has the tab show that the run is over; waits a little for it to ask. */
  finish(): Promise<void> {
    this.finished = true
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, closeTimeoutMs)
      this.confirmEnd = () => {
        clearTimeout(timer)
        resolve()
      }
      for (const hear of this.heard) hear()
    })
  }

  /** @param path the request's, with its query, below the server's address */
  private async answer(path: string, method: string, body: string): Promise<VisitorAnswer | undefined> {
    if (method !== 'GET' && method !== 'POST') return undefined
    const { pathname, search } = new URL(path, 'https://service.invalid')
    if (method === 'GET' && pathname === this.path) return this.next(search)
    const { errand } = this
    const location = `${this.server.url}${path}`
    if (!errand?.task.redirectUris.some((uri) => matchesRedirectUri(location, uri))) return undefined
    this.present = true
    if (method === 'POST') return this.returned(errand, location, body)
    const found = new URLSearchParams(search)
    // What a fragment carries stays in the browser until its page tells it.
    if (!['code', 'error', 'fragment'].some((name) => found.has(name))) return fragmentPage()
    return this.returned(errand, location)
  }

  /** @param posted the form with which the tab came, where it was not redirected */
  private returned(errand: Errand, location: string, posted?: string): VisitorAnswer {
    const { task, context } = errand
    const url = withFragment(location)
    const form = posted !== undefined && { body: posted }
    // What was posted is not posted again at the next address.
    const answer: VisitorAnswer = { status: form ? 303 : 302, headers: { location: this.url }, body: '' }
    const exchange = context.evidence.begin('received', { method: form ? 'POST' : 'GET', url, headers: {}, ...form })
    exchange.answered(answer)
    // How the bank sent the tab here does not show: what comes is no answer of the bank's with a status.
    const response = new HttpResponse({ method: 'GET', url: task.url }, 0, { location: url }, '', exchange.id)
    this.errand = undefined
    errand.settle({ response, pages: [], callback: asCallback(response, url, [], new URLSearchParams(posted)) })
    return answer
  }

  /** What the tab does next: to the bank, or wait. */
  private async next(search: string): Promise<VisitorAnswer> {
    this.present = true
    if (!this.errand && !this.finished) await this.something()
    const { errand } = this
    if (!errand) return this.finished ? { ...over(), sent: this.confirmEnd } : waiting()
    if (search === '?stuck') {
      errand.giveUp()
      return { status: 302, headers: { location: this.url }, body: '' }
    }
    if (errand.sent && search !== '?again') return stuck()
    errand.sent = true
    return { status: 302, headers: { location: errand.task.url }, body: '' }
  }

  private something(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.heard.delete(end)
        resolve()
      }
      const timer = setTimeout(end, longPollMs)
      this.heard.add(end)
    })
  }
}

/** An address with what its page told of the fragment back in its place. */
function withFragment(location: string): string {
  const url = new URL(location)
  const fragment = url.searchParams.get('fragment')
  if (fragment === null) return location
  url.searchParams.delete('fragment')
  url.hash = fragment
  return url.href
}
