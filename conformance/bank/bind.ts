import type { Conversation } from './conversation.js'

/** What takes a conversation first, with that conversation given; a record of such, member by member. */
export type Bound<T> = (T extends (conversation: Conversation, ...parameters: infer Parameters) => infer Outcome
  ? (...parameters: Parameters) => Outcome
  : unknown) & { readonly [Name in keyof T]: Bound<T[Name]> }

/**
 * Binds functions, and whatever functions they have as members, to a conversation. A member is bound when it is first asked for: a rule
 * uses few of them.
 */
export function bind<T extends object>(conversation: Conversation, unbound: T): Bound<T> {
  const bound = unbound instanceof Function ? unbound.bind(undefined, conversation) : {}
  for (const [name, member] of Object.entries(unbound)) {
    let once: object | undefined
    Object.defineProperty(bound, name, { get: () => (once ??= bind(conversation, member)) })
  }
  return bound as Bound<T>
}
