import type { EndUser } from './end-user.js'

/** An end-user whose time on the bank's pages is counted. */
export interface TimedEndUser extends EndUser {
  /** Milliseconds in which at least one visit was under way so far: a rule's bound does not count them, for each visit has its own. */
  spent(): number
}

/** The same end-user with a clock beside them. */
export function timed(endUser: EndUser): TimedEndUser {
  let visits = 0
  let since = 0
  let over = 0
  return {
    ...endUser,
    open() {
      const browser = endUser.open()
      return {
        async visit(task, context) {
          if (visits === 0) since = performance.now()
          visits += 1
          try {
            return await browser.visit(task, context)
          } finally {
            visits -= 1
            if (visits === 0) over += performance.now() - since
          }
        },
      }
    },
    spent: () => over + (visits > 0 ? performance.now() - since : 0),
  }
}
