import type { HttpResponse } from '../http/http.js'
import type { Conversation } from './conversation.js'
import { type Operation, sendInstead } from './operation.js'
import { type Signing, signingIn } from './signing-flow.js'
import { type StatedByBank, statedIn } from './stated.js'
import { type Applications, applicationsAt } from './talk/applications.js'
import { type Documents, documentsOf } from './talk/documents.js'
import { type Logins, loginsAt } from './talk/logins.js'
import { type PersonalData, personalDataOf } from './talk/personal-data.js'
import { type Tokens, tokensOf } from './talk/tokens.js'

/** The bank under test, as a rule talks to it. What is called "once in a run" is shared by all rules that ask the same. */
export interface Bank extends Documents, Applications, Logins, Tokens, PersonalData {
  issuer: string
  signing: Signing
  stated: StatedByBank
  /** Sees to it that the good request was seen to succeed in this run. */
  succeeds<Request extends object>(operation: Operation<Request>): Promise<unknown>
  /** Sends the good request with steps replaced, after the good one was seen to succeed in this run. */
  instead<Request extends object>(
    operation: Operation<Request>,
    replace: (good: Request) => Partial<Request> | Promise<Partial<Request>>,
  ): Promise<HttpResponse>
  /** Prepares the good request of an operation once, to send it several times with steps replaced. */
  attempts<Request extends object>(
    operation: Operation<Request>,
  ): Promise<(replace?: (good: Request) => Partial<Request>) => Promise<HttpResponse>>
}

/** The bank as it is talked to in one conversation. */
export function bankIn(conversation: Conversation): Bank {
  return {
    issuer: conversation.run.target.issuer,
    signing: signingIn(conversation),
    stated: statedIn(conversation),
    succeeds: (operation) => operation.succeeds(conversation),
    instead: (operation, replace) => sendInstead(conversation, operation, replace),
    async attempts(operation) {
      await operation.succeeds(conversation)
      const good = await operation.prepare(conversation)
      return (replace) => operation.send(conversation, { ...good, ...replace?.(good) })
    },
    ...documentsOf(conversation),
    ...applicationsAt(conversation),
    ...loginsAt(conversation),
    ...tokensOf(conversation),
    ...personalDataOf(conversation),
  }
}
