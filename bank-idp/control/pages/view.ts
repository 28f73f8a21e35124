import type { ComponentChildren } from 'preact'
import type { Bench } from '../operation.js'

/** What was asked for at a page and could not be done. */
export interface Mistake {
  /** Id of the operation. */
  operation: string
  /** What its form carried beside its fields, as text. */
  fixed: string
  /** What stood in its fields, by their names. */
  given: Record<string, string>
  /** What was meant. */
  message: string
}

/** What a page of the bench is made of. */
export interface View {
  bench: Bench
  query: URLSearchParams
  /** Where the page is: the forms on it lead back there. */
  here: string
  /** Shows that a form comes from the bench. */
  secret: string
  mistake?: Mistake | undefined
}

/** One page of the bench. */
export interface Section {
  /** Below /bench; empty for the first one. `:id` stands for what the page is about. */
  path: string
  /** In the navigation; absent for a page that is reached from another one. */
  name?: string
  /** @throws {BankError} not_found where there is nothing of this id */
  show(view: View, id: string): Promise<{ title: string; content: ComponentChildren }>
}
