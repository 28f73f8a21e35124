import type { Request, Response } from 'express'
import type { BankContext } from '../../context.js'
import { languageFor, languageOfFirst } from '../../pages/language.js'
import { pageHeaders } from '../../pages/page-headers.js'
import { parseSpaceDelimited } from '../../parse-space-delimited.js'
import { internalOf } from '../../provider/internal-request.js'
import { errors } from '../../provider/library.js'
import type { Details } from '../../provider/patches.js'
import { type Step, ways } from './step.js'

/** An authorization that waits for a person in this browser. */
export interface OpenStep {
  step: Step
  details: Details
}

/** The authorization that waits in this browser under the id of the address. */
async function waiting(
  { provider }: Pick<BankContext, 'provider'>,
  req: Request,
  res: Response,
): Promise<Details | undefined> {
  const details = await provider.interactionDetails(req, res).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  })
  return details?.uid === req.params.uid ? details : undefined
}

/**
 * What the page at an address is about; sets the headers of the page.
 *
 * @param path of the bank's address
 * @returns undefined when nothing waits there, or its client is gone
 */
export async function openStep(
  context: Pick<BankContext, 'clients' | 'config' | 'people' | 'provider' | 'signingRequests'>,
  path: string,
  req: Request,
  res: Response,
): Promise<OpenStep | undefined> {
  const { people, clients, signingRequests, config } = context
  const details = await waiting(context, req, res)
  const client = details && (await clients.find(String(details.params.client_id)))
  if (!details || !client) return undefined
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
    scopes: parseSpaceDelimited(String(params.scope)),
    signing: signing === undefined ? undefined : await signingRequests.find(signing),
    grantId: (lastSubmission?.consent as { grantId?: string } | undefined)?.grantId,
    page: {
      language,
      display: String(params.display ?? 'page'),
      action: `${path}/interaction/${details.uid}`,
    },
    show: (html, status = 200) => {
      res.status(status).send(html)
    },
    ...ways(context, details, language, req, res),
  }
  return { step, details }
}
