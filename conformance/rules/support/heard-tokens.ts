import { type ClaimUpdate, changedPerson, type Listener, otherChangedPerson } from '../../bank/claim-update.js'
import { scopesTo } from '../../bank/claims.js'
import type { EventToken, InTime } from '../../bank/event-token.js'
import type { LoggedOut } from '../../bank/logout.js'
import { type EventMembers, eventsIn, namesClient } from '../../bank/notification-events.js'
import { inStep } from '../../bank/steps.js'
import { BankFailure } from '../../evidence/failure.js'
import { type Need, toLogIn, toRegister } from '../../target/needs.js'

/** To be told of a logout. */
export const toHearLogout: readonly Need[] = [...toRegister, ...toLogIn]

/** To be told of a changed person. */
export const toHearUpdates: readonly Need[] = [...toHearLogout, `person:${changedPerson}`, 'trigger']

/** To be told of two changed people. */
export const toHearOfTwo: readonly Need[] = [...toHearUpdates, `person:${otherChangedPerson}`]

/** An event of a notification token. */
export interface Event {
  token: EventToken
  members: EventMembers
}

/** The events that name a client. */
export function eventsFor(
  { tokens }: Pick<ClaimUpdate, 'tokens'>,
  { recipient }: Pick<Listener, 'recipient'>,
): Event[] {
  return tokens
    .flatMap((token) => eventsIn(token.payload).map((members) => ({ token, members })))
    .filter(({ members }) => namesClient(members, recipient.clientId))
}

/** The events that a client was to hear. @throws StepFailure of the rule about that when it heard none */
export function heardEvents(update: Pick<ClaimUpdate, 'tokens' | 'inTime'>, listener: Listener): Promise<Event[]> {
  return inStep('notification', async () => {
    const events = eventsFor(update, listener)
    if (events.length > 0) return events
    throw notHeard(listener, update.inTime)
  })
}

/** Of claims told to a client those that no scope leads to which the person approved there. */
export function beyond(claims: readonly string[], { scopes: approved }: Listener): string[] {
  // Of a name that no table has nobody knows which scopes lead to it (AMB-24).
  return claims.filter((claim) => {
    const scopes = scopesTo(claim)
    return scopes.length > 0 && !scopes.some((scope) => approved.includes(scope))
  })
}

/** No notification came for a client that asked for it. */
export function notHeard({ recipient, login }: Listener, inTime: InTime): BankFailure {
  const sentence = `no notification_token came ${inTime} that names ${recipient.clientId}, which asked for it`
  const expected = `POST ${recipient.uri} with notification_token`
  return new BankFailure({ sentence, expected, evidence: login.response.evidence })
}

/** The token that a client was sent. @throws StepFailure of the rule about that when it was sent none */
export function heardLogout({ token, recipient, login, inTime }: LoggedOut): Promise<EventToken> {
  return inStep('backChannelLogout', async () => {
    const expected = `POST ${recipient.uri} with logout_token`
    if (token?.jwt === '') {
      const sentence = 'what was posted for a client that took part in the session has no form field logout_token'
      throw new BankFailure({ sentence, expected, evidence: token.exchange.evidence })
    }
    if (token) return token
    const sentence = `no logout_token came ${inTime} for a client that took part in the session`
    throw new BankFailure({ sentence, expected, evidence: login.response.evidence })
  })
}
