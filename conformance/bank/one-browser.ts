import { BankFailure, Skip } from '../evidence/failure.js'
import { TargetError } from '../target/target-error.js'
import { type Authorization, parameterOf } from './authorization.js'
import type { Conversation } from './conversation.js'
import { somebodyElse } from './person.js'
import { client } from './registration.js'
import { openSession, type Session } from './session.js'
import { type Login, offlineParameters, token } from './token.js'

/** Two people who sign in with one browser at one client, the first for offline access too where that is declared: the second by prompt=login while the first is signed in. */
export interface Succession {
  first: Login
  /** The way of the second person, and what the code was exchanged for. */
  authorization: Authorization
  second: Login
  /** What the second asked for, and what of it the first did not. */
  wider: { scope: string; further: string }
}

const nobodyElse = 'nobody else gets a code by prompt=login in the browser of who is signed in'
const ofSuccession = { clientMetadata: { client_name: 'Conformance one person after another' } }

/** Two people in one browser, once in a run. @throws Skip where the bank lets nobody else sign in while somebody is */
export function succession(conversation: Conversation): Promise<Succession> {
  return conversation.shared('one person after another', async (own) => {
    const session = openSession(own, ofSuccession)
    const { dataScopes, metadata } = await client(own, ofSuccession.clientMetadata)
    const [one = '', two = one] = dataScopes
    const offline = String(metadata.scope).split(' ').includes('offline_access') ? ['offline_access'] : []
    const first = await session.signIn({
      scope: ['openid', one, ...offline].join(' '),
      ...(offline.length > 0 && { parameters: await offlineParameters(own) }),
    })
    const wider = { scope: ['openid', ...new Set([one, two])].join(' '), further: two }
    const authorization = await session
      .ask({ person: somebodyElse(own), scope: wider.scope, parameters: { prompt: 'login' } })
      .catch((error: unknown) => unlessNobodyElse(error))
    if (!authorization || parameterOf(authorization, 'code') === null) throw new Skip(nobodyElse)
    return { first, authorization, second: await token.fresh(own, { authorization }), wider }
  })
}

/** One person who reached loa3 in a browser, and another there who can reach loa2 alone. */
export interface SuccessionOfLevels {
  /** What the second person's code of loa2 was exchanged for. */
  second: Login
  /** A further request of that person, by prompt=login too. */
  ask(level: string): Promise<Authorization>
}

/** These two, once in a run. @throws Skip where the bank lets nobody else sign in while somebody is */
export async function successionOfLevels(conversation: Conversation): Promise<SuccessionOfLevels> {
  const options = { clientMetadata: { client_name: 'Conformance one person of less after another' } }
  const askIn = (session: Session) => (acr_values: string) =>
    session.ask({ person: 'loa2-only', parameters: { prompt: 'login', acr_values } })
  const { browser, second } = await conversation.shared('one person of less after another', async (own) => {
    const opened = own.run.endUser.open()
    const session = openSession(own, options, opened)
    await session.signIn({ parameters: { acr_values: 'loa3' } })
    const authorization = await askIn(session)('loa2').catch((error: unknown) => unlessNobodyElse(error))
    if (!authorization || parameterOf(authorization, 'code') === null) throw new Skip(nobodyElse)
    return { browser: opened, second: await token.fresh(own, { authorization }) }
  })
  return { second, ask: askIn(openSession(conversation, options, browser)) }
}

/** Two logins of one person that were under way in one browser at once. */
export interface SideBySide {
  /** Begun first and finished last, the code of which was exchanged. */
  first: Authorization
  second: Authorization
  login: Login
}

/** Two logins at once, once in a run. @throws Skip where the bank lets one alone be under way */
export function sideBySide(conversation: Conversation): Promise<SideBySide> {
  return conversation.shared('two logins at once', async (own) => {
    const session = openSession(own, { clientMetadata: { client_name: 'Conformance two logins at once' } })
    const both = await session.sideBySide({}, {}).catch((error: unknown) => unlessOfBank(error))
    if (!both || parameterOf(both.first, 'code') === null)
      throw new Skip('a login that was begun in a browser comes to no code once another one there did')
    return { ...both, login: await token.fresh(own, { authorization: both.first }) }
  })
}

/** Its page may be for whom it knows alone: to go on as somebody else there is no action of the target file. @throws what is neither that nor an answer */
function unlessNobodyElse(error: unknown): undefined {
  if (!(error instanceof TargetError)) unlessOfBank(error)
}

/** What a bank may end otherwise than with a code. @throws what is no answer of the bank's */
function unlessOfBank(error: unknown): undefined {
  if (!(error instanceof BankFailure)) throw error
}
