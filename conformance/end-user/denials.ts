import { asksAboutScopes, boxOf } from '../target/consent-boxes.js'
import { calledIn, type Page } from '../target/login-settings.js'
import { TargetError } from '../target/target-error.js'

/** What a person denies on the way, on whichever page asks about it: a consent may take several, each with some of the scopes. */
export class Denials {
  private readonly left: Set<string>
  /** The entry of the first page that asked about some scopes and not about one that is denied. */
  private lacking: string | undefined

  /** The entry of the first page without boxes that was gone on from, though another of its name has some. */
  private boxless: string | undefined
  /** Whether a page came that asks about scopes. */
  private asked = false

  /**
   * @param pages the entries of `login.pages`
   * @param scopes what is denied
   * @param known the scopes that the client can ask for, where it is known
   */
  constructor(
    private readonly pages: ReadonlyMap<string, Page>,
    private readonly scopes: readonly string[] = [],
    private readonly known: readonly string[] = [],
  ) {
    this.left = new Set(scopes)
  }

  /**
   * What is to be denied on the page of an entry, by scope the selector that denies it.
   * @throws TargetError where the entry tells of no box of a scope, and no other page of the same name could have one
   */
  at(name: string, page: Page): [scope: string, selector: string][] {
    if (!asksAboutScopes(page)) {
      if (this.mayBeElsewhere(name)) this.boxless ??= name
      return []
    }
    this.asked = true
    return this.scopes.flatMap((scope) => {
      const selector = boxOf(page, scope)
      if (selector === undefined) this.absent(name, scope)
      return selector === undefined ? [] : [[scope, selector] as [string, string]]
    })
  }

  /** What would deny the scopes that are not to be denied, as far as each has a selector of its own. */
  others({ scope }: Page): [scope: string, selector: string][] {
    const kept = this.known.filter((one) => !this.scopes.includes(one))
    return scope === undefined ? [] : kept.map((one) => [one, scope.replaceAll('{scope}', one)])
  }

  /** @throws TargetError saying that what denies a scope denies another one too, which the target file does not tell */
  sharedBy(name: string, scope: string, other: string): never {
    throw new TargetError([
      `login.pages.${name}.scope: one box of the page stands for ${scope} and for ${other}; name it in login.pages.${name}.boxes, with all that it stands for`,
    ])
  }

  /** Whether another page of the same name asks about scopes too, or another part of this one. */
  mayBeElsewhere(name: string): boolean {
    const page = this.pages.get(name)
    if (page?.parts) return true
    const called = page && calledIn([name, page])
    return [...this.pages].some((entry) => entry[0] !== name && calledIn(entry) === called && asksAboutScopes(entry[1]))
  }

  /** Whether something is still to be denied. */
  areLeft(): boolean {
    return this.left.size > 0
  }

  done(scope: string): void {
    this.left.delete(scope)
  }

  /** The page of an entry does not ask about a scope. @throws TargetError where no other page of the same name could */
  absent(name: string, scope: string): void {
    if (!this.mayBeElsewhere(name)) throw new TargetError([this.noBox(name, scope)])
    this.lacking ??= name
  }

  /** The entry says where the box of a scope is, and the page has none there. */
  noBox(name: string, scope: string): string {
    const page = this.pages.get(name)
    const own = page?.scope === undefined ? undefined : boxOf({ scope: page.scope }, scope)
    const selector = page && boxOf(page, scope)
    const what = selector === undefined ? 'nothing says which box is that of' : 'the page has no checkbox of'
    return `login.pages.${name}.${selector === own && own !== undefined ? 'scope' : 'boxes'}: ${what} scope ${scope}`
  }

  /** The way led to a code. @throws TargetError where no page asked about a scope that is denied */
  expectDone(): void {
    const [scope] = this.left
    if (scope !== undefined && this.boxless !== undefined && !this.asked)
      throw new TargetError([
        `login.pages.${this.boxless}: the way on led past the boxes, of which another page of that name has that of scope ${scope}; the action \`change\` is what leads to them`,
      ])
    if (this.lacking === undefined || scope === undefined) return
    throw new TargetError([
      `login.pages.${this.lacking}.scope: no page of that name has a checkbox of scope ${scope}, neither this one nor another`,
    ])
  }
}
