import express, { type RequestHandler, type Response, Router } from 'express'
import { nowSeconds } from '../../clock.js'
import { readPageForm } from '../../pages/form.js'
import { languageFor, languageOfFirst } from '../../pages/language.js'
import { pageHeaders } from '../../pages/page-headers.js'
import { problemPage } from '../../pages/problem.js'
import type { Ending } from '../../provider/callback-messages.js'
import { deviceOf, keepDevice } from '../../provider/device-cookie.js'
import { errors } from '../../provider/library.js'
import { signingParameter } from '../../provider/signing-prompts.js'
import type { Rooms } from '../../rooms.js'
import { words } from '../../words.js'
import { consent } from './consent.js'
import { identify } from './identify.js'
import { secondFactor } from './second-factor.js'
import { selectAccount } from './select-account.js'
import { sign } from './sign.js'
import { signIn } from './sign-in.js'
import { showDocument } from './signed-document.js'
import { type Details, type Form, type Page, type Step, ways } from './step.js'

/** How long a page may be left alone, in seconds; who comes back to it later goes back to the application. */
const patience = 15 * 60

/**
 * The pages of a login: sign-in, second factor, account, consent. They are the bank's own affair (the specification says nothing of
 * them); what they lead to is an answer of GET /auth.
 */
export function interaction(rooms: Rooms): Router {
  const { provider, people, clients, signingRequests, documents, config, devices, nextEndings } = rooms
  const path = new URL(config.issuer).pathname.replace(/\/$/, '')
  const pages: Record<string, Page> = {
    login: signIn(rooms),
    second_factor: secondFactor,
    select_account: selectAccount(rooms),
    consent: consent(rooms),
    identify: identify(rooms),
    sign: sign(rooms),
  }

  async function waiting(req: express.Request, res: Response): Promise<Details | undefined> {
    const details = await provider.interactionDetails(req, res).catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    })
    return details?.uid === req.params.uid ? details : undefined
  }

  const withStep =
    (handle: (page: Page, step: Step, req: express.Request, details: Details) => Promise<void> | void) =>
    async (req: express.Request, res: Response): Promise<void> => {
      const details = await waiting(req, res)
      const client = details && (await clients.find(String(details.params.client_id)))
      const page = details && pages[details.prompt.name]
      res.set('cache-control', 'no-store')
      if (!details || !client || !page) {
        pageHeaders(config.issuer)(req, res, () => {})
        res.status(400).send(problemPage({ language: languageFor(undefined, req), problem: 'over' }))
        return
      }
      res.locals.client = client.clientId
      pageHeaders(String(details.params.redirect_uri ?? config.issuer))(req, res, () => {})
      const { params, session, lastSubmission } = details
      const signing = params[signingParameter]
      const step: Step = {
        client,
        person: session?.accountId === undefined ? undefined : people.byId(session.accountId),
        acr: session?.acr,
        amr: session?.amr,
        scopes: words(String(params.scope)),
        signing: typeof signing === 'string' ? await signingRequests.find(signing) : undefined,
        grantId: (lastSubmission?.consent as { grantId?: string } | undefined)?.grantId,
        page: {
          language:
            (signing !== undefined && languageOfFirst(params.ui_locales as string | undefined)) ||
            languageFor(params.ui_locales as string | undefined, req),
          display: String(params.display ?? 'page'),
          action: `${path}/interaction/${details.uid}`,
        },
        show: (html, status = 200) => {
          res.status(status).send(html)
        },
        ...ways(rooms, details, req, res),
      }
      await handle(page, step, req, details)
    }

  /** The forms of one page are taken one after the other. */
  const inTurn = (handle: ReturnType<typeof withStep>): RequestHandler => {
    const last = new Map<string, Promise<void>>()
    return async (req, res) => {
      const uid = String(req.params.uid)
      const mine = (last.get(uid) ?? Promise.resolve()).catch(() => {}).then(() => handle(req, res))
      last.set(uid, mine)
      await mine.finally(() => {
        if (last.get(uid) === mine) last.delete(uid)
      })
    }
  }

  /** Why a login goes no further, whatever is asked of it. */
  async function overBy(req: express.Request, { iat = 0 }: Details): Promise<Ending | undefined> {
    const device = deviceOf(req)
    if (device !== undefined && (await devices.isBlocked(device))) return 'switched-off'
    return nowSeconds() - iat > patience ? 'unfinished' : undefined
  }

  /** A page of the login, or the way back to the application when the login ends here. */
  const withPage = (handle: (page: Page, step: Step, req: express.Request) => Promise<void> | void) =>
    withStep(async (page, step, req, details) => {
      // A form that is sent twice leads on as the first time: what was decided is not undone by a second click.
      if (details.result) return req.res?.redirect(303, details.returnTo)
      if (req.res) keepDevice(req, req.res, path)
      const ending = (await overBy(req, details)) ?? nextEndings.take(step.client.clientId)
      await (ending ? step.end(ending) : handle(page, step, req))
    })

  return Router()
    .get(
      '/interaction/:uid',
      withPage((page, step) => page.show(step)),
    )
    .post(
      '/interaction/:uid',
      ...readPageForm(express.urlencoded({ extended: false, limit: '20kb' }), config.issuer),
      inTurn(withPage((page, step, req) => page.submit(step, (req.body ?? {}) as Form))),
    )
    .get(
      '/interaction/:uid/document/:number',
      // A document is looked at beside its page: that neither ends the login nor takes the ending that its next page is to have.
      withStep(async (shown, { signing, page }, req, details) => {
        // Not before it is known who is there.
        const request = shown === pages.sign && !(await overBy(req, details)) ? signing : undefined
        if (req.res) await showDocument(request, Number(req.params.number), documents, page, req.res)
      }),
    )
}
