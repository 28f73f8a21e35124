import { type Person, peopleKnown, personOf } from '../target/target.js'
import type { Conversation } from './conversation.js'
import { dressing } from './dressing.js'

/** The person of a kind as the target file describes them. */
export function person({ run }: Conversation, kind = 'full'): Person {
  const known = personOf(run.target.people, kind)
  if (known) return known
  throw new Error(`a rule about a person of kind ${kind} has to need one`)
}

/** The kind of a person who does what anybody may do: in each dress the one that it has for that, where the target file has such. */
export function anybody({ run }: Conversation): string {
  const kind = dressing()?.anybody
  return kind !== undefined && personOf(run.target.people, kind) ? kind : 'full'
}

/** The kind of a person who is tried in place of anybody: that kind, where the target file has such a person. */
export function preferably(conversation: Conversation, kind: string): string {
  return personOf(conversation.run.target.people, kind) ? kind : anybody(conversation)
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
