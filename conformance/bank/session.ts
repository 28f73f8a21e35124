import { type Browser, callbackOf, type Visit } from '../end-user/end-user.js'
import type { HttpResponse } from '../http/http.js'
import { missing } from '../target/needs.js'
import {
  type Authorization,
  authorizeIn,
  complete,
  type LoginOptions,
  type Parameters,
  parameterOf,
  prepareAuthorization,
  prepareAuthorizing,
  sendAuthorizing,
  visit,
} from './authorization.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { inTurn } from './in-turn.js'
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
  /** Goes on where {@link look} left a page, to whatever comes of it. */
  goOn(left: Visit, request: SessionRequest): Promise<Visit>
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

const silently: Parameters = { prompt: 'none' }

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
  const session = sessionOf(conversation, browser, ofSessions)
  // One request of it after the other: a bank may keep the login that is under way in a browser, and take one at a time there.
  return {
    signIn: (request) => inTurn(browser, () => session.signIn(request)),
    ask: (request) => inTurn(browser, () => session.ask(request)),
    sideBySide: (first, second) => inTurn(browser, () => session.sideBySide(first, second)),
    look: (request, page) => inTurn(browser, () => session.look(request, page)),
    goOn: (left, request) => inTurn(browser, () => session.goOn(left, request)),
    answer: (request) => inTurn(browser, () => session.answer(request)),
  }
}

/**
 * What a request asks with in that session, so that nobody has to sign in for it: prompt=none where that is given a code; nothing of the
 * kind where consent is shown to each request; undefined where the session is not kept.
 */
export function askedInSession(conversation: Conversation): Promise<Parameters | undefined> {
  return conversation.shared('what is asked in a session', async (own) => askedIn(await sharedSession(own)))
}

/** The same of another session, in which as much was consented to as the request asks for. */
export async function askedIn(session: Session, request: SessionRequest = {}): Promise<Parameters | undefined> {
  const silent = await session.ask({ ...request, parameters: silently })
  if (parameterOf(silent, 'code') !== null) return silently
  return parameterOf(silent, 'error') === 'consent_required' ? {} : undefined
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
    async goOn({ response, before: [first = response] = [] }, request) {
      const way = { person: request.person ?? person, actions: request.actions ?? {} }
      return send(request, { ...way, from: first.request.url })
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
