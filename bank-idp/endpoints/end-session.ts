import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { readPageForm } from '../pages/form.js'
import { languageFor } from '../pages/language.js'
import { leadOn } from '../pages/lead-on.js'
import { loggedOutPage, logOutPage } from '../pages/log-out.js'
import { pageHeaders } from '../pages/page-headers.js'
import { problemPage } from '../pages/problem.js'
import { type LoginSession, sessionOfBrowser } from '../provider/patches.js'
import { endSession as end, type Participant } from '../provider/sessions.js'
import { withParameters } from '../provider/with-parameters.js'
import { noteRefusal } from '../refusals.js'
import { exactRouter } from '../router.js'
import { type EndSessionRequest, readEndSession } from './end-session-request.js'
import { displayName } from './interaction/display-name.js'

const path = '/session/end'

/** The parameters that the page asks for again. */
const repeatedParameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales']

const readText = express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' }) as RequestHandler

/** What is loaded in the browser to log out of a client, with iss and sid where it asked for them. */
function frameOf(issuer: string, { client: { record }, sid }: Participant): string[] {
  if (typeof record.frontchannel_logout_uri !== 'string') return []
  const withSession = record.frontchannel_logout_session_required === true && sid !== undefined
  return [withParameters(record.frontchannel_logout_uri, withSession ? { iss: issuer, sid } : {})]
}

/**
 * GET and POST of end_session_endpoint. OpenID Connect RP-Initiated Logout 1.0: with the id_token of the person who is logged in the
 * person is logged out at once; otherwise a page asks first.
 */
export function endSession(
  context: Pick<
    BankContext,
    'clients' | 'config' | 'keys' | 'outbox' | 'people' | 'policy' | 'provider' | 'seams' | 'subjects'
  >,
): Router {
  const { provider, people, subjects, config } = context
  const action = `${new URL(config.issuer).pathname.replace(/\/$/, '')}${path}`

  const parametersOf = (req: Request) =>
    req.method === 'POST'
      ? new URLSearchParams(typeof req.body === 'string' ? req.body : '')
      : new URL(req.originalUrl, config.issuer).searchParams
  const languageOf = (req: Request) => languageFor(parametersOf(req).get('ui_locales') ?? undefined, req)

  function show(req: Request, res: Response, returnTo: string | undefined, frames: readonly string[] = []): void {
    pageHeaders(returnTo ?? config.issuer, frames)(req, res, () => {})
    res.set('cache-control', 'no-store')
  }

  function isOf({ client, subject }: EndSessionRequest, { accountId }: LoginSession): boolean {
    return client !== undefined && accountId !== undefined && subjects.of(client, accountId) === subject
  }

  async function logOut(
    req: Request,
    res: Response,
    session: LoginSession,
    { client, returnTo }: EndSessionRequest,
  ): Promise<void> {
    const participants = await end(context, session, client)
    const frames = participants.flatMap((participant) => frameOf(config.issuer, participant))
    show(req, res, returnTo, frames)
    if (frames.length === 0 && returnTo !== undefined) leadOn(req, res, languageOf(req), returnTo)
    else res.send(loggedOutPage({ language: languageOf(req), frames, returnTo }))
  }

  async function answer(req: Request, res: Response, parameters: URLSearchParams): Promise<void> {
    const request = await readEndSession(context, parameters)
    const { client, returnTo } = request
    res.locals.client = client?.clientId
    const session = await sessionOfBrowser(provider, req, res)
    const confirmed = parameters.get('confirm') === session.uid
    if (session.accountId === undefined || confirmed || isOf(request, session)) {
      await logOut(req, res, session, request)
      return
    }
    const person = people.byId(session.accountId)
    const repeated = repeatedParameters.flatMap((name) => {
      const value = parameters.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    show(req, res, returnTo)
    const hidden = { ...Object.fromEntries(repeated), confirm: session.uid }
    const name = person ? displayName(person) : ''
    res.send(logOutPage({ language: languageOf(req), endUser: name, action, hidden }))
  }

  /** Who stands here is a person: what is wrong with the request is told on a page. */
  const handle: RequestHandler = (req, res) =>
    answer(req, res, parametersOf(req)).catch((error: unknown) => {
      if (!(error instanceof BankError)) throw error
      show(req, res, undefined)
      const detail = error.message
      noteRefusal(res, error)
      res.status(error.status).send(problemPage({ language: languageOf(req), problem: 'logOut', detail }))
    })

  return exactRouter()
    .get(path, handle)
    .post(path, ...readPageForm(readText, config.issuer), handle)
}
