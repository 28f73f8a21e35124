import { calledIn, type Page } from '../target/login-settings.js'
import { TargetError } from '../target/target-error.js'
import type { Callback, Visit } from './end-user.js'
import type { PutOff } from './put-off.js'

/** What a person denies on the way, on whichever page asks about it: a consent may take several, each with some of the scopes. */
export class Denials {
  private readonly left: Set<string>
  /** The entry of the first page that asked about some scopes and not about one that is denied. */
  private lacking: string | undefined

  /**
   * @param pages the entries of `login.pages`
   * @param scopes what is denied
   */
  constructor(
    private readonly pages: ReadonlyMap<string, Page>,
    private readonly scopes: readonly string[] = [],
  ) {
    this.left = new Set(scopes)
  }

  /** What is to be denied on a page, by scope the selector that denies it. */
  at({ scope: selector }: Page): [scope: string, selector: string][] {
    return selector === undefined ? [] : this.scopes.map((scope) => [scope, selector.replaceAll('{scope}', scope)])
  }

  /** Whether another page of the same name asks about scopes too, or another part of this one. */
  mayBeElsewhere(name: string): boolean {
    const page = this.pages.get(name)
    if (page?.parts) return true
    const called = page && calledIn([name, page])
    return [...this.pages].some(
      (entry) => entry[0] !== name && calledIn(entry) === called && entry[1].scope !== undefined,
    )
  }

  done(scope: string): void {
    this.left.delete(scope)
  }

  /** The page of an entry does not ask about a scope. @throws TargetError where no other page of the same name could */
  absent(name: string, scope: string): void {
    if (!this.mayBeElsewhere(name))
      throw new TargetError([`login.pages.${name}.scope: the page has no checkbox of scope ${scope}`])
    this.lacking ??= name
  }

  /** The way led to a code. @throws TargetError where no page asked about a scope that is denied */
  expectDone(): void {
    const [scope] = this.left
    if (this.lacking === undefined || scope === undefined) return
    throw new TargetError([
      `login.pages.${this.lacking}.scope: no page of that name has a checkbox of scope ${scope}, neither this one nor another`,
    ])
  }
}

/**
 * The end of a way that led back to the client.
 *
 * @throws TargetError where what leads to a code was to be denied, and no page asked; Skip where no page had what was to be done
 */
export function ended(callback: Callback, denials: Denials, putOff: PutOff): Visit {
  if (!callback.query.has('error')) {
    denials.expectDone()
    putOff.expectDone()
  }
  return { response: callback.response, pages: callback.pages, callback }
}
