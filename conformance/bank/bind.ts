import type { Conversation } from './conversation.js'

/** What takes a conversation first, with that conversation given; a record of such, member by member. */
export type Bound<T> = (T extends (conversation: Conversation, ...parameters: infer Parameters) => infer Outcome
  ? (...parameters: Parameters) => Outcome
  : unknown) & { readonly [Name in keyof T]: Bound<T[Name]> }

/** Binds functions, and whatever functions they have as members, to a conversation. */
export function bind<T extends object>(conversation: Conversation, unbound: T): Bound<T> {
  const members = Object.entries(unbound).map(([name, member]) => [name, bind(conversation, member)])
  const bound = unbound instanceof Function ? unbound.bind(undefined, conversation) : {}
  return Object.assign(bound, Object.fromEntries(members)) as Bound<T>
}
