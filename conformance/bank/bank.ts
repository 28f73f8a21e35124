import type { HttpResponse } from '../http/http.js'
import { type AttestedByBank, attestedIn } from './attested.js'
import type { Conversation } from './conversation.js'
import { type Operation, sendModified } from './operation.js'
import { type Signing, signingIn } from './signing-flow.js'
import { type Clients, clientsAt } from './talk/clients.js'
import { type Documents, documentsOf } from './talk/documents.js'
import { type Logins, loginsAt } from './talk/logins.js'
import { type PersonalData, personalDataOf } from './talk/personal-data.js'
import { type Tokens, tokensOf } from './talk/tokens.js'

/** The bank under test, as a rule talks to it. What is called "once in a run" is shared by all rules that ask the same. */
export interface Bank extends Documents, Clients, Logins, Tokens, PersonalData {
  issuer: string
  signing: Signing
  attested: AttestedByBank
  /** Sees to it that the good request was seen to succeed in this run. */
  expectBaseline<Request extends object>(operation: Operation<Request>): Promise<unknown>
  /** Sends the good request with steps replaced, after the good one was seen to succeed in this run. */
  sendModified<Request extends object>(
    operation: Operation<Request>,
    replace: (good: Request) => Partial<Request> | Promise<Partial<Request>>,
  ): Promise<HttpResponse>
  /** Prepares the good request of an operation once, to send it several times with steps replaced. */
  variations<Request extends object>(
    operation: Operation<Request>,
  ): Promise<(replace?: (good: Request) => Partial<Request>) => Promise<HttpResponse>>
}

/** The bank as it is talked to in one conversation. */
export function bankIn(conversation: Conversation): Bank {
  return {
    issuer: conversation.run.target.issuer,
    signing: signingIn(conversation),
    attested: attestedIn(conversation),
    expectBaseline: (operation) => operation.expectBaseline(conversation),
    sendModified: (operation, replace) => sendModified(conversation, operation, replace),
    async variations(operation) {
      await operation.expectBaseline(conversation)
      const good = await operation.prepare(conversation)
      return (replace) => operation.send(conversation, { ...good, ...replace?.(good) })
    },
    ...documentsOf(conversation),
    ...clientsAt(conversation),
    ...loginsAt(conversation),
    ...tokensOf(conversation),
    ...personalDataOf(conversation),
  }
}
