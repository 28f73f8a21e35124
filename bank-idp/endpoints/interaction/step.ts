import type { Request, Response } from 'express'
import type { Person } from '../../../fixtures/people.js'
import type { AnsweredPage } from '../../answered-pages.js'
import { callbackMessages, type LoginOutcome } from '../../callback-messages.js'
import { type Client, clientNameOf } from '../../client.js'
import type { BankContext } from '../../context.js'
import type { BankError } from '../../errors.js'
import type { Language } from '../../pages/language.js'
import type { PageContext } from '../../pages/layout.js'
import { leadOn } from '../../pages/lead-on.js'
import type { PageAnswer } from '../../pages/password-problem.js'
import { bindToSession, type Details, keepResult, type LoginSession } from '../../provider/patches.js'
import type { SigningRequest } from '../../signing-request.js'

/** What a form sends. */
export interface Form {
  [field: string]: string | string[] | undefined
}

/** What a page leads to, by the name of its prompt; the library goes on from it. */
export interface InteractionResult {
  /** `ts` is when the person authenticated (auth_time), in seconds since the epoch: the library takes it anew with each page that follows. */
  login?: { accountId: string; acr?: string; amr?: string[]; ts: number }
  second_factor?: object
  select_account?: object
  consent?: { grantId: string }
  identify?: object
  /** The id of the request object that was authorized. */
  sign?: string
}

/** Stores what a page leads to, together with what it comes of. */
type Within = (store: () => Promise<unknown>) => Promise<unknown>

/** One page of an authorization, as it is shown or as its form comes back. */
export interface Step {
  client: Client
  /** Who signed in, with the identity chosen; undefined before the sign-in. */
  person?: Person
  /** What the session has reached so far, and by which methods. */
  acr?: string
  amr?: string[]
  /** When, in seconds since the epoch. */
  signedInAt?: number
  /** Scopes asked for. */
  scopes: string[]
  /** The request object that is to be authorized, in the signing flow. */
  signing?: SigningRequest
  /** The grant that the consent page has made. */
  grantId?: string
  page: PageContext
  /** What the person searches for among those who can be chosen. */
  search: string
  /** Where the person sits: the address, and the browser by the name that the bank gave it. */
  from: { address: string; device: string | undefined }
  show(html: string, answer?: PageAnswer): void
  /** Goes on, or back to the client when nothing is left to be asked. */
  goOn(result: InteractionResult, within?: Within): Promise<void>
  /** Goes back to the client without a code. */
  end(outcome: LoginOutcome): Promise<void>
  /** Goes back with an error of another kind. */
  refuse(error: BankError, within?: Within): Promise<void>
}

/** What a page is about, and the session that its browser has. */
interface Waiting {
  details: Details
  session: LoginSession
  client: Client
}

/** How the page of one prompt is shown, and what its form does. */
export interface Page {
  show(step: Step): Promise<void> | void
  submit(step: Step, form: Form): Promise<void>
}

/**
 * Makes the browser's session fit who signed in: another person gets a session of their own, and no page that was open for the one
 * before can go on with it; another identity of the same person stays in the session.
 */
async function fitSession(
  { people }: Pick<BankContext, 'people'>,
  { details, session }: Waiting,
  accountId: string,
): Promise<void> {
  if (session.accountId === undefined || session.accountId === accountId) return
  const same = people.samePerson(session.accountId, accountId)
  if (same) {
    session.accountId = accountId
    await session.persist()
  } else {
    await session.destroy()
  }
  await bindToSession(details, same ? accountId : undefined)
}

/** The ways on from a page. */
export function ways(
  context: Pick<BankContext, 'answeredPages' | 'people'>,
  waiting: Waiting,
  language: Language,
  req: Request,
  res: Response,
): Pick<Step, 'goOn' | 'end' | 'refuse'> {
  const { answeredPages } = context
  const { details, client } = waiting
  async function finish(result: Record<string, unknown>, within: Within = (store) => store()): Promise<void> {
    await within(() => keepResult(details, result))
    answeredPages.answered(details.uid, {
      page: details.prompt.name as AnsweredPage['page'],
      clientName: clientNameOf(client),
      ended: 'error' in result,
    })
    leadOn(req, res, language, details.returnTo)
  }
  return {
    async goOn(result, within) {
      if (result.login) await fitSession(context, waiting, result.login.accountId)
      await finish({ ...result }, within)
    },
    async end(outcome) {
      const { code, message } = callbackMessages[outcome]
      await finish({ error: code, error_description: message, check: `outcome/${outcome}` })
    },
    refuse: ({ body, check }, within) => finish({ ...body, check }, within),
  }
}
