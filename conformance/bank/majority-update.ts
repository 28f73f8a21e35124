import { TargetError } from '../target/target-error.js'
import { namesOf, ofOtherMajority } from './claim-changes.js'
import { claimUpdate, type Listener, people, quietPeriodMs } from './claim-update.js'
import { scopesTo } from './claims.js'
import type { Conversation } from './conversation.js'
import { type EventToken, hearAll, heardTokens, type InTime, inTime } from './event-token.js'
import { inTurn } from './in-turn.js'
import { claimsIn, eventsIn, namesClient } from './notification-events.js'

/** A change of the birthdate by which the person is of age no longer, or is now, and what two clients heard of it. */
export interface MajorityUpdate {
  /** E-mail and birthdate approved. */
  birthdate: Listener
  /** Legal status approved, and not the birthdate. */
  legalStatus: Listener
  /** The claims that are others than before. */
  names: readonly string[]
  /** All tokens for either that came of it. */
  tokens: readonly EventToken[]
  inTime: InTime
}

/**
 * Has somebody come of age, or be under age again, and takes that back, once in a run.
 * @returns undefined where the scopes of no client lead to what follows, or the bank does not know the birthdate or does not change it so
 */
export async function majorityUpdate(conversation: Conversation): Promise<MajorityUpdate | undefined> {
  const { sibling, nickname: legalStatus, readdressed } = await claimUpdate(conversation)
  const birthdate = { ...sibling, recipient: readdressed?.recipient ?? sibling.recipient }
  const watched: readonly [Listener, string][] = [
    [birthdate, 'birthdate'],
    [legalStatus, 'majority'],
  ]
  const isReached = watched.every(([{ scopes }, claim]) => scopesTo(claim).some((scope) => scopes.includes(scope)))
  if (!isReached) return undefined
  return conversation.shared('update of majority', (own) =>
    inTurn(own.run, async () => {
      const recipients = watched.map(([{ recipient }]) => recipient)
      const heard = () => heardTokens(own, 'notification_token', recipients)
      const earlier = heard()
      const before = await people(own, 'GET')
      if (typeof before.birthdate !== 'string') return undefined
      const changed = { birthdate: ofOtherMajority(before.birthdate, own.run.service.clock()) }
      const known = await people(own, 'POST', changed).catch((error: unknown) => {
        // Who may be changed in which way is the bank's to say.
        if (error instanceof TargetError) return undefined
        throw error
      })
      if (!known) return undefined
      try {
        const names = namesOf(before, { ...known, ...changed })
        const timesTold = (payloads: readonly EventToken['payload'][], { recipient }: Listener, claim: string) =>
          payloads
            .flatMap(eventsIn)
            .filter((event) => namesClient(event, recipient.clientId) && claimsIn([event]).includes(claim)).length
        const payloads = earlier.map(({ payload }) => payload)
        await hearAll(own, 'notification_token', recipients, (all) =>
          watched.every(
            ([listener, claim]) =>
              !names.includes(claim) || timesTold(all, listener, claim) > timesTold(payloads, listener, claim),
          ),
        )
        await own.run.service.wait(quietPeriodMs)
        const tokens = heard().filter(({ jwt }) => !earlier.some((one) => one.jwt === jwt))
        return { birthdate, legalStatus, names, tokens, inTime: inTime(own) }
      } finally {
        await people(own, 'POST', { birthdate: before.birthdate })
      }
    }),
  )
}
