import { Skip } from '../evidence/failure.js'
import { actionOn, calledIn, type Page } from '../target/login-settings.js'
import type { PageActions } from './end-user.js'

type Entry = readonly [name: string, page: Page]

/**
 * What a person does on the way, of pages that come one after the other and have one name: one that has no button for it is gone on
 * from, since a later one may have it. So it is where a person can refuse on the last page alone.
 */
export class PutOff {
  /** What was asked for on a page that has no button for it. */
  private waiting: { page: string; action: string } | undefined

  /**
   * @param pages the entries of `login.pages`
   * @param actions what the person does, by page
   */
  constructor(
    private readonly pages: ReadonlyMap<string, Page>,
    private readonly actions: PageActions | undefined,
  ) {}

  /** What the person does on a page: what leads on, where only another page of its name has what is asked for. */
  actionOn(entry: Entry): string {
    const action = actionOn(entry, this.actions)
    if (action === 'submit' || action === 'leave') return action
    const called = calledIn(entry)
    const isElsewhere = [...this.pages].some((other) => calledIn(other) === called && other[1].actions[action])
    if (entry[1].actions[action] || !isElsewhere) {
      this.waiting = undefined
      return action
    }
    this.waiting = { page: called, action }
    return 'submit'
  }

  /** The way led to a code. @throws Skip where what was asked for was on none of the pages that came */
  expectDone(): void {
    if (!this.waiting) return
    const { page, action } = this.waiting
    throw new Skip(
      `of the pages named ${page} none that came has an action ${action} in login.pages of the target file`,
    )
  }
}
