import type { Recorder } from '../evidence/evidence.js'
import type { HttpRequest, HttpResponse } from '../http/http.js'
import type { Person } from '../target/target.js'

/** An authorization request as it is given to the person's browser. */
export interface AuthorizationTask {
  /** The whole address of the authorization request. */
  url: string
  /** The same as a form to be posted: in place of `url` where whoever goes there can send one. */
  posted?: { url: string; form: string }
  /** A redirect to one of them, with whatever query and fragment, is the way back to the service. */
  redirectUris: readonly string[]
  /** Origins that are the bank's; the browser goes nowhere else. */
  origins: readonly string[]
  /** Who sits in front of it; without a person the first page is left as it is. */
  person?: Person
  /** Scopes that the person unticks where they are to be consented to. */
  denyScopes?: readonly string[]
  /** Scopes of data that the client can ask for, where some are denied: of those that are not none is to be unticked. */
  knownScopes?: readonly string[]
  /** Whether the way may end at the bank: what it shows there is looked at then. */
  endsAnywhere?: boolean
  /** What the person does, by page; on every other page what leads on. */
  actions?: PageActions
}

/** By the name of a page, the name of an action of it in the target file, or `leave`: to look at it and go no further. */
export interface PageActions {
  [page: string]: string
}

/** How the bank sent the browser back to the service. */
export interface Callback {
  /** The response that redirects, or the page that posts itself. */
  response: HttpResponse
  query: URLSearchParams
  fragment: URLSearchParams
  /** What was posted (response_mode form_post). */
  posted: URLSearchParams
  /** Names of the pages that were gone through, in order. */
  pages: readonly string[]
}

/** A parameter of a callback, in whatever part it came. */
export function parameterIn({ query, fragment, posted }: Callback, name: string): string | null {
  return query.get(name) ?? fragment.get(name) ?? posted.get(name)
}

/** How far a browser came. */
export interface Visit {
  /** The last answer of the bank. */
  response: HttpResponse
  /** Names of the pages that were seen, in order. */
  pages: readonly string[]
  /** Pages in a row that were gone on from to look at the last of them. */
  before?: readonly HttpResponse[]
  /** When the last answer leads back to the service. */
  callback?: Callback
  /** Why the browser got no further, when it was not left by intent. */
  blockedBy?: Error
}

/** Who goes with a person: what is seen on the way is their evidence. */
export interface VisitContext {
  /** The way to the bank over HTTP. */
  send(request: HttpRequest): Promise<HttpResponse>
  evidence: Recorder
  /** Ends the visit. */
  signal: AbortSignal
}

/** One browser with its cookies. */
export interface Browser {
  /**
   * Goes through an authorization request, approving everything that the task does not have done otherwise.
   * @throws BankFailure when the bank sends what is meant for the service elsewhere
   * @throws TargetError when the target file does not say how to fill in a page, or nobody does what is asked of a person
   * @throws Skip when this way of logging in cannot do what the task asks
   */
  visit(task: AuthorizationTask, context: VisitContext): Promise<Visit>
}

/** Who logs in at the bank. */
export interface EndUser {
  /** A browser of its own, without cookies; where a person sits in front of it, always the one tab that they have. */
  open(): Browser
  close(): Promise<void>
}

/** The callback of a visit. @throws BankFailure, or TargetError, telling why there is none */
export function callbackOf({ callback, blockedBy, pages }: Visit): Callback {
  if (callback) return callback
  throw blockedBy ?? new Error(`the login ended at page ${pages.at(-1)}`)
}
