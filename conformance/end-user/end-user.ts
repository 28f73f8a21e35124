import type { HttpRequest, HttpResponse } from '../bank/http.js'
import type { Person } from '../bank/target.js'

/** An authorization request as it is given to the person's browser. */
export interface AuthorizationTask {
  /** The whole address of the authorization request. */
  url: string
  /** A redirect to it, with whatever query and fragment, is the way back to the service. */
  redirectUri: string
  /** Origins that are the bank's; the browser goes nowhere else. */
  origins: readonly string[]
  person: Person
}

/** The redirect by which the bank sent the browser back to the service. */
export interface Callback {
  /** The response that redirects. */
  response: HttpResponse
  query: URLSearchParams
  fragment: URLSearchParams
  /** Names of the pages that were gone through, in order. */
  pages: readonly string[]
}

/** Who logs in at the bank: a browser and the person in front of it. */
export interface EndUser {
  /**
   * Goes through an authorization request, approving everything, in a browser of its own without cookies.
   * @param send the way to the bank; each request is evidence
   * @throws BankFailure when the bank sends the browser astray or shows an error page
   * @throws TargetError when the target file does not say how to go on
   */
  authorize(task: AuthorizationTask, send: (request: HttpRequest) => Promise<HttpResponse>): Promise<Callback>
}
