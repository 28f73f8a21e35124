import { missing } from '../target/needs.js'
import { type Person, peopleKnown, personOf } from '../target/target.js'
import type { Conversation, Run } from './conversation.js'
import { type Dress, dressNow } from './dress.js'

/** The person of a kind as the target file describes them. */
export function person({ run }: Conversation, kind = 'full'): Person {
  const known = personOf(run.target.people, kind)
  if (known) return known
  throw new Error(`a rule about a person of kind ${kind} has to need one`)
}

/** Kinds of people who cannot log in as others do, or are changed meanwhile. */
const apart = ['changing', 'second-changing', 'not-eligible', 'switched-off', 'several-accounts', 'loa2-only']

/** Whether a person can do what anybody may do, as far as the target file tells. */
export function isOrdinary({ kinds }: Person): boolean {
  return !kinds.some((kind) => apart.includes(kind))
}

/** The kind of the person who does what anybody may do, by the dress; where none stands, it is the one of kind full. */
const standIns = new WeakMap<Run, Map<Dress, string>>()

/** From now on a person of this kind does what anybody may do in the dress that the code runs in. */
export function standsIn(run: Run, kind: string): void {
  const dress = dressNow()
  if (dress) standIns.set(run, new Map([...(standIns.get(run) ?? []), [dress, kind]]))
}

/** The kind of a person who does what anybody may do: in each dress the one that stands in there. */
export function anybody({ run }: Conversation): string {
  const dress = dressNow()
  return (dress && standIns.get(run)?.get(dress)) ?? 'full'
}

/** Whether there are browsers without a session: who signs in by hand has one browser. */
export function hasBrowsers({ run }: Conversation): boolean {
  return missing('browsers', run.target) === undefined
}

/**
 * The kind of a person who is tried in place of anybody: that kind, where the target file has such a person who can log in as others do, and nobody
 * has to sign in by hand for that.
 */
export function preferably(conversation: Conversation, kind: string): string {
  const known = personOf(conversation.run.target.people, kind)
  return known && isOrdinary(known) && hasBrowsers(conversation) ? kind : anybody(conversation)
}

/** The kind of a person who is somebody else than {@link anybody}; a rule that asks for it needs this kind. */
export function somebodyElse(conversation: Conversation, kind = 'second'): string {
  const { people } = conversation.run.target
  return personOf(people, kind) === personOf(people, anybody(conversation)) ? 'full' : kind
}

/** The other people whose data the target file tells, by the kind that they log in as. */
export function people({ run }: Conversation): ReadonlyMap<string, Person> {
  return peopleKnown(run.target.people)
}
