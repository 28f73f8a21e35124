import type { Locator, Page as Tab } from 'playwright-core'
import type { Page } from '../target/login-settings.js'
import { TargetError } from '../target/target-error.js'
import type { Denials } from './denials.js'
import { isPressable, tick } from './tick.js'

/** How long scripts of a page may take to show a box, in milliseconds. */
const shownAfterMs = 1_000

/** The boxes of a page in a real browser: ticked where they are to be, and denied what the person denies. */
export class Boxes {
  /** The scopes that were denied on this page. */
  private readonly denied = new Set<string>()

  constructor(
    private readonly tab: Tab,
    private readonly name: string,
    private readonly page: Page,
    private readonly denials: Denials,
  ) {}

  /**
   * Ticks and denies what is there.
   *
   * @param which `of this stage`: a later stage of the page may show the others; `all`: there is none
   * @throws TargetError naming what cannot be ticked or denied
   */
  async choose(which: 'all' | 'of this stage'): Promise<void> {
    const { tab, page, denials } = this
    const boxes = page.tick === 'all' ? await tab.locator('input[type=checkbox]:enabled').all() : []
    for (const box of boxes)
      if (await isPressable(box))
        await found(tick(box, true), `login.pages.${this.name}.tick: a box of the page cannot be ticked`)
    for (const [scope, selector] of denials.at(this.name, page)) {
      const box = tab.locator(selector).first()
      // What was denied at an earlier stage may be there still, and was ticked again.
      const isPassed = this.denied.has(scope)
        ? !(await box.isVisible())
        : which === 'of this stage' && !(await comes(box, 'visible'))
      if (!isPassed) await this.deny(scope, box)
    }
  }

  private async deny(scope: string, box: Locator): Promise<void> {
    const { name, denials } = this
    if (denials.mayBeElsewhere(name) && !(await comes(box, 'attached'))) return denials.absent(name, scope)
    await found(deny(box), denials.noBox(name, scope))
    for (const [other, own] of denials.others(this.page))
      if ((await box.and(this.tab.locator(own)).count()) > 0) denials.sharedBy(name, scope, other)
    this.denied.add(scope)
    denials.done(scope)
  }
}

/** Whether a page that scripts may still build has it, or shows it. */
async function comes(box: Locator, state: 'attached' | 'visible'): Promise<boolean> {
  return box.waitFor({ state, timeout: shownAfterMs }).then(
    () => true,
    () => false,
  )
}

/** Unticks the box of a scope, or chooses the radio button, or the option of a list, that denies it. */
async function deny(control: Locator): Promise<void> {
  const kind = await control.evaluate((element) =>
    element.matches('option') ? 'option' : element.matches('input[type=radio i]') ? 'radio' : 'box',
  )
  if (kind !== 'option') return tick(control, kind === 'radio')
  const list = control.locator('xpath=ancestor::select')
  await list.selectOption({
    index: await control.evaluate((element) => ('index' in element ? Number(element.index) : 0)),
  })
}

/** @throws TargetError saying so when the browser did not find in time what it should use */
export async function found(work: Promise<unknown>, otherwise: string): Promise<void> {
  await work.catch((error: Error) => {
    throw error.name === 'TimeoutError' ? new TargetError([otherwise]) : error
  })
}
