import type { Request, Response } from 'express'
import { callerAddress } from '../../caller-address.js'
import type { BankContext } from '../../context.js'
import { languageFor, languageOfFirst } from '../../pages/language.js'
import { pageHeaders } from '../../pages/page-headers.js'
import { parseSpaceDelimited } from '../../parse-space-delimited.js'
import { satisfies } from '../../provider/acr.js'
import { deviceOf } from '../../provider/device-cookie.js'
import { internalOf } from '../../provider/internal-request.js'
import { type Details, type LoginSession, waitingInBrowser } from '../../provider/patches.js'
import { noteRefusal } from '../../refusals.js'
import { type Step, ways } from './step.js'

/** An authorization that waits for a person in this browser. */
export interface OpenStep {
  step: Step
  details: Details
}

/** The authorization that waits in this browser under the id of the address, and the browser's session. */
async function waiting(
  { provider }: Pick<BankContext, 'provider'>,
  req: Request,
  res: Response,
): Promise<{ details: Details; session: LoginSession } | undefined> {
  const found = await waitingInBrowser(provider, String(req.params.uid), req, res)
  return found && isUnchanged(found.details.session, found.session) ? found : undefined
}

/** Whether the browser's session is what the page was opened in: whoever decides there is that person, at that level or a higher one. */
function isUnchanged(opened: Details['session'], now: LoginSession): boolean {
  if (!opened) return true
  return opened.uid === now.uid && opened.accountId === now.accountId && satisfies(now.acr, opened.acr)
}

/**
 * What the page at an address is about; sets the headers of the page.
 *
 * @param path of the bank's address
 * @returns undefined when nothing waits there, or its client is gone
 */
export async function openStep(
  context: Pick<BankContext, 'answeredPages' | 'clients' | 'config' | 'people' | 'provider' | 'signingRequests'>,
  path: string,
  req: Request,
  res: Response,
): Promise<OpenStep | undefined> {
  const { people, clients, signingRequests, config } = context
  const found = await waiting(context, req, res)
  const client = found && (await clients.find(String(found.details.params.client_id)))
  if (!found || !client) return undefined
  const { details } = found
  res.locals.client = client.clientId
  pageHeaders(String(details.params.redirect_uri ?? config.issuer))(req, res, () => {})
  const { params, session, lastSubmission } = details
  const signing = internalOf(params, 'signingRequest')
  const locales = params.ui_locales as string | undefined
  const language = (signing !== undefined && languageOfFirst(locales)) || languageFor(locales, req)
  const step: Step = {
    client,
    person: session?.accountId === undefined ? undefined : people.byId(session.accountId),
    acr: session?.acr,
    amr: session?.amr,
    signedInAt: found.session.loginTs,
    scopes: parseSpaceDelimited(String(params.scope)),
    signing: signing === undefined ? undefined : await signingRequests.find(signing),
    grantId: (lastSubmission?.consent as { grantId?: string } | undefined)?.grantId,
    page: {
      language,
      display: String(params.display ?? 'page'),
      action: `${path}/interaction/${details.uid}`,
    },
    search: typeof req.query.search === 'string' ? req.query.search.slice(0, 100) : '',
    from: { address: callerAddress(req, config.trustedProxies), device: deviceOf(req) },
    show: (html, { status, retryAfterSeconds, refusal } = { status: 200 }) => {
      if (refusal) noteRefusal(res, refusal)
      if (retryAfterSeconds !== undefined) res.set('retry-after', String(retryAfterSeconds))
      res.status(status).send(html)
    },
    ...ways(context, { ...found, client }, language, req, res),
  }
  return { step, details }
}
