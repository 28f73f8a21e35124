import type { PageActions } from '../end-user/end-user.js'
import { calledIn, type Page, pagesCalled } from '../target/login-settings.js'
import type { Conversation } from './conversation.js'

/** What `login.pages` call the page on which people say who they are. */
const signIn = 'sign-in'

/** Pages that are about something else, where a password may be asked for too. */
const others = ['consent', 'sign']

function asksForPassword({ fill, steps = [] }: Page): boolean {
  const fillings = [fill, ...steps.map((step) => ('fill' in step ? step.fill : {}))]
  return fillings.some((filling) => Object.values(filling).some((value) => String(value).includes('{password}')))
}

/** Names of the pages on which people sign in: a bank may ask somebody whom it knows for the password alone, on a page of its own. */
function signInPages({ run }: Conversation): string[] {
  const asking = [...run.target.pages].filter((entry) => asksForPassword(entry[1]) && !others.includes(calledIn(entry)))
  return [...new Set([signIn, ...asking.map(calledIn)])]
}

/** What is done on the page on which people say who they are, done on each on which they sign in, where that can be done there. */
export function actionsAtSignIns(conversation: Conversation, actions: PageActions): PageActions {
  const action = actions[signIn]
  if (action === undefined) return actions
  const { pages } = conversation.run.target
  const able = signInPages(conversation).filter(
    (name) => action === 'leave' || pagesCalled(pages, name).some(({ actions }) => actions[action]),
  )
  return { ...Object.fromEntries(able.map((name) => [name, action])), ...actions }
}

/** Names of pages, where each on which people sign in is called as the one on which they say who they are. */
export function asSignIns(conversation: Conversation, pages: readonly string[]): string[] {
  const known = signInPages(conversation)
  return pages.map((name) => (known.includes(name) ? signIn : name))
}
