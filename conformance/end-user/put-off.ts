import { Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { actionOn, calledIn, type Page } from '../target/login-settings.js'
import type { Denials } from './denials.js'
import type { PageActions } from './end-user.js'

/** The action that leads from a page to the boxes of its scopes. */
export const change = 'change'

/** A page of the target file that is before the person. */
interface Shown {
  name: string
  page: Page
}

/**
 * What a person does on pages that come in a row (`parts: true`): one that has no button for it is gone on from, since a later one has it.
 * So it is where a person can refuse on the last page alone. Who only looks goes on to the last page that there is to look at.
 * A page that leads to boxes by its action `change` is left by it, once, where something is to be denied or only looked at.
 */
export class PutOff {
  /** What was asked for on a page that has no button for it. */
  private waiting: { called: string; action: string } | undefined
  private readonly before: HttpResponse[] = []
  /** The entries of pages that were left for boxes. */
  private readonly changed = new Set<string>()

  /**
   * @param pages the entries of `login.pages`
   * @param actions what the person does, by page
   * @param denials what they deny
   */
  constructor(
    private readonly pages: ReadonlyMap<string, Page>,
    private readonly actions: PageActions | undefined,
    private readonly denials: Pick<Denials, 'areLeft'>,
  ) {}

  /**
   * What the person does on a page: what leads on, where only a later one has what is asked for.
   * @param isThere whether something matches a selector on the page
   * @param response the page
   */
  async actionOn(
    { name, page }: Shown,
    isThere: (selector: string) => boolean | Promise<boolean>,
    response: HttpResponse,
  ): Promise<string> {
    const action = actionOn([name, page], this.actions)
    this.waiting = undefined
    const choosesOrLooks = action === 'leave' || (action === 'submit' && this.denials.areLeft())
    if (choosesOrLooks && page.actions[change] !== undefined && !this.changed.has(name)) {
      this.changed.add(name)
      if (action === 'leave') this.before.push(response)
      return change
    }
    if (!page.parts || action === 'submit') return action
    if (action === 'leave') {
      if (!this.hasLess({ name, page })) return action
      this.before.push(response)
      return 'submit'
    }
    const button = page.actions[action]
    if (button !== undefined && (await isThere(button))) return action
    this.waiting = { called: calledIn([name, page]), action }
    return 'submit'
  }

  /** Whether another page of the same name has a button that this one lacks: this one is not the last. */
  private hasLess({ name, page }: Shown): boolean {
    const called = calledIn([name, page])
    const others = [...this.pages].filter((entry) => entry[0] !== name && calledIn(entry) === called)
    return others.some(([, other]) => Object.keys(other.actions).some((action) => !page.actions[action]))
  }

  /** The pages that were gone on from on the way to the one that is looked at, where there are any. */
  looked(): { before?: readonly HttpResponse[] } {
    return this.before.length > 0 ? { before: this.before } : {}
  }

  /** The way led to a code. @throws Skip where what was asked for was on none of the pages that came */
  expectDone(): void {
    if (!this.waiting) return
    const { called, action } = this.waiting
    throw new Skip(`none of the pages named ${called} that came has a button for the action ${action} of login.pages`)
  }
}
