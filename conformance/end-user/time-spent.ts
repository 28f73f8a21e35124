import { Stopwatch } from '../evidence/stopwatch.js'
import type { EndUser } from './end-user.js'

/** An end-user whose time on the bank's pages is counted. */
export interface TimedEndUser extends EndUser {
  /** Milliseconds in which at least one visit was under way so far: a rule's bound does not count them, for each visit has its own. */
  spent(): number
}

/** The same end-user with a clock beside them. */
export function timed(endUser: EndUser): TimedEndUser {
  const visits = new Stopwatch()
  return {
    ...endUser,
    open() {
      const browser = endUser.open()
      return { visit: (task, context) => visits.during(() => browser.visit(task, context)) }
    },
    spent: () => visits.spent(),
  }
}
