import express, { type Response, type Router } from 'express'
import type { LoginOutcome } from '../../callback-messages.js'
import { nowSeconds } from '../../clock.js'
import type { BankContext } from '../../context.js'
import { readPageForm } from '../../pages/form.js'
import { languageFor } from '../../pages/language.js'
import { leadOn } from '../../pages/lead-on.js'
import { overPage } from '../../pages/over.js'
import { pageHeaders } from '../../pages/page-headers.js'
import { deviceOf, setDeviceCookie } from '../../provider/device-cookie.js'
import type { Details } from '../../provider/patches.js'
import { noteRefusal } from '../../refusals.js'
import { exactRouter } from '../../router.js'
import { serializeRequests } from '../serialize-requests.js'
import { consent } from './consent.js'
import { DocumentTurns } from './document-turns.js'
import { identify } from './identify.js'
import { openStep } from './open-step.js'
import { secondFactor } from './second-factor.js'
import { selectAccount } from './select-account.js'
import { sign } from './sign.js'
import { signIn } from './sign-in.js'
import { showDocument } from './signed-document.js'
import type { Form, Page, Step } from './step.js'

/** How long a page may be left alone, in seconds; who comes back to it later goes back to the client. */
const loginMaxAgeSeconds = 15 * 60

/**
 * The pages of a login: sign-in, second factor, account, consent. They are the bank's own affair (the specification says nothing of
 * them); what they lead to is an answer of GET /auth.
 */
export function interaction(
  context: Pick<
    BankContext,
    | 'answeredPages'
    | 'blocks'
    | 'clients'
    | 'config'
    | 'consents'
    | 'devices'
    | 'documents'
    | 'forcedOutcomes'
    | 'passwordTries'
    | 'people'
    | 'policy'
    | 'provider'
    | 'providerRecords'
    | 'seams'
    | 'signingRequests'
    | 'subjects'
    | 'turns'
  >,
): Router {
  const { answeredPages, documents, config, devices, forcedOutcomes, turns } = context
  const documentTurns = new DocumentTurns()
  const path = new URL(config.issuer).pathname.replace(/\/$/, '')
  const pages: Record<string, Page> = {
    login: signIn(context),
    second_factor: secondFactor,
    select_account: selectAccount(context),
    consent: consent(context),
    identify: identify(context),
    sign: sign(context),
  }

  const withStep =
    (handle: (page: Page, step: Step, req: express.Request, details: Details) => Promise<void> | void) =>
    async (req: express.Request, res: Response): Promise<void> => {
      const open = await openStep(context, path, req, res)
      const page = open && pages[open.details.prompt.name]
      res.set('cache-control', 'no-store')
      if (open && page) return handle(page, open.step, req, open.details)
      pageHeaders(config.issuer)(req, res, () => {})
      const answered = await answeredPages.of(String(req.params.uid))
      noteRefusal(res, { code: 'invalid_request', check: 'interaction/open' })
      res.status(400).send(overPage({ language: languageFor(undefined, req), answered }))
    }

  /** Why a login goes no further, whatever is asked of it. */
  async function reasonToEnd(req: express.Request, { iat = 0 }: Details): Promise<LoginOutcome | undefined> {
    const device = deviceOf(req)
    if (device !== undefined && (await devices.isBlocked(device))) return 'switched-off'
    return nowSeconds() - iat > loginMaxAgeSeconds ? 'unfinished' : undefined
  }

  /** A page of the login, or the way back to the client when the login ends here. */
  const withPage = (handle: (page: Page, step: Step, req: express.Request) => Promise<void> | void) =>
    withStep(async (page, step, req, details) => {
      // A form that is sent twice leads on as the first time: what was decided is not undone by a second click.
      if (details.result) return req.res && leadOn(req, req.res, step.page.language, details.returnTo)
      if (req.res) setDeviceCookie(req, req.res)
      const outcome = (await reasonToEnd(req, details)) ?? (await forcedOutcomes.take(step.client.clientId))
      await (outcome ? step.end(outcome) : handle(page, step, req))
    })

  return exactRouter()
    .get(
      '/interaction/:uid',
      withPage((page, step) => page.show(step)),
    )
    .post(
      '/interaction/:uid',
      ...readPageForm(express.urlencoded({ extended: false, limit: '20kb' }), config.issuer),
      // The forms of one page are taken one after the other.
      serializeRequests(
        (req) => `page ${req.params.uid}`,
        withPage((page, step, req) => page.submit(step, (req.body ?? {}) as Form)),
        turns,
      ),
    )
    .get(
      '/interaction/:uid/document/:number',
      // A document is looked at beside its page: that neither ends the login nor takes the outcome that its next page is to have.
      withStep(async (current, { signing, page }, req, details) => {
        // Not before it is known who is there.
        const request = current === pages.sign && !(await reasonToEnd(req, details)) ? signing : undefined
        if (req.res) await showDocument(request, Number(req.params.number), documents, documentTurns, page, req.res)
      }),
    )
}
