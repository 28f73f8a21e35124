import { type Browser, callbackOf, type Visit } from '../end-user/end-user.js'
import type { HttpResponse } from '../http/http.js'
import { missing } from '../target/needs.js'
import {
  type Authorization,
  authorizeIn,
  complete,
  type LoginOptions,
  parameterOf,
  prepareAuthorization,
  prepareAuthorizing,
  sendAuthorizing,
  visit,
} from './authorization.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { anybody } from './person.js'
import { client } from './registration.js'
import { asSignIns } from './sign-in-pages.js'
import { inStep } from './steps.js'
import { type Login, token } from './token.js'

/** What is asked of a browser that somebody has signed in with; by the session's client and for its person, unless told of another. */
export type SessionRequest = LoginOptions

/** A browser that keeps its cookies from one authorization request to the next, and the person in front of it. */
export interface Session {
  /** The first login, as a step: what goes wrong in it is not what the rule is about. */
  signIn(request?: SessionRequest): Promise<Login>
  /** A further request, approved wherever something is asked. What goes wrong is the rule's own. */
  ask(request: SessionRequest): Promise<Authorization>
  /**
   * Two requests at once, as in two tabs: the first is left at the page on which people sign in, the second is approved, and then the first
   * is, from the page where it was left.
   */
  sideBySide(first: SessionRequest, second: SessionRequest): Promise<{ first: Authorization; second: Authorization }>
  /** A further request, left at the first page that it shows; the person goes on to the page named, or any on which people sign in, where one is. */
  look(request: SessionRequest, page?: string): Promise<Visit>
  /** The bank's last answer to a further request that nobody goes on with: an error on the spot too. */
  answer(request: SessionRequest): Promise<HttpResponse>
}

/** Whose client asks, and the kind of the person: full when left out. */
interface SessionOptions {
  clientMetadata?: Metadata
  person?: string
}

/** Opens a browser, unless one is given. */
export function openSession(
  conversation: Conversation,
  options: SessionOptions = {},
  browser = conversation.run.endUser.open(),
): Session {
  return sessionOf(conversation, browser, options)
}

/** A client at which the same scopes are always consented to. */
const ofSessions = { clientMetadata: { client_name: 'Conformance sessions' } }

/** A browser that somebody signed in with once in a run: for rules whose requests leave its session as it is. */
export function sharedSession(conversation: Conversation): Promise<Session> {
  return signedInOnce(conversation, 'a session')
}

/** Another, for requests that ask for pages which nobody goes on with: a bank may end its session when it shows them. */
export function sessionToLookFrom(conversation: Conversation): Promise<Session> {
  return signedInOnce(conversation, 'a session to look from')
}

async function signedInOnce(conversation: Conversation, name: string): Promise<Session> {
  const browser = await conversation.shared(name, async (own) => {
    const opened = own.run.endUser.open()
    const { scope } = await complete(own, ofSessions)
    const { dataScopes } = await client(own, ofSessions.clientMetadata)
    const further = dataScopes.find((one) => !scope.split(' ').includes(one))
    // One more than what is asked for then: a bank may show consent to the same scopes each time, and skip it for fewer (AMB-46).
    await sessionOf(own, opened, ofSessions).signIn({ scope: further === undefined ? scope : `${scope} ${further}` })
    return opened
  })
  return sessionOf(conversation, browser, ofSessions)
}

/** Whether a good request with prompt=none is given a code in that session, found out once in a run. */
export function servesSilently(conversation: Conversation): Promise<boolean> {
  return conversation.shared('a code for prompt=none', async (own) => {
    const session = await sharedSession(own)
    return parameterOf(await session.ask({ parameters: { prompt: 'none' } }), 'code') !== null
  })
}

function sessionOf(
  conversation: Conversation,
  browser: Browser,
  { clientMetadata = {}, person = anybody(conversation) }: SessionOptions,
): Session {
  const chosen = (request: SessionRequest) => complete(conversation, { clientMetadata, person, ...request })
  const send = async (request: SessionRequest, way = {}) =>
    visit(conversation, browser, await prepareAuthorization(conversation, await chosen(request)), way)
  return {
    async signIn(request = {}) {
      const options = await chosen(request)
      const authorization = await inStep('authorization', () => authorizeIn(conversation, options, browser))
      return token.fresh(conversation, { authorization })
    },
    ask: async (request) => authorizeIn(conversation, await chosen(request), browser),
    async sideBySide(first, second) {
      const open = await prepareAuthorizing(conversation, await chosen(first))
      const { response } = await visit(conversation, browser, open, { ...open, actions: { 'sign-in': 'leave' } })
      const through = await authorizeIn(conversation, await chosen(second), browser)
      return {
        first: await sendAuthorizing(conversation, { ...open, browser, from: response.request.url }),
        second: through,
      }
    },
    async look(request, page) {
      const visited = await send(
        request,
        page === undefined ? {} : { person: request.person ?? person, actions: { [page]: 'leave' } },
      )
      if (visited.blockedBy) callbackOf(visited)
      return visited
    },
    answer: async (request) => (await send(request)).response,
  }
}

/**
 * Whether the bank has everybody sign in anew for each request, found out once in a run: the second one of a browser shows the sign-in page.
 * Undefined where nobody tells which pages are shown.
 */
export function signsInAnew(conversation: Conversation): Promise<boolean | undefined> {
  return conversation.shared('signs in anew', async (own) => {
    if (missing('page-detection', own.run.target) !== undefined) return undefined
    const session = openSession(own)
    await session.signIn()
    return asSignIns(own, (await session.look({}, 'sign-in')).pages).includes('sign-in')
  })
}
