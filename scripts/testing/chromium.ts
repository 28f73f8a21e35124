import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../../conformance/testing/chromium.js'

/** The size of a telephone's window, in CSS pixels. */
export const telephone = { width: 360, height: 740 }

/** Opens a page of a browser of its own, and closes the browser whatever happens. */
export async function withPage(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options })
    await use(await context.newPage())
  } finally {
    await browser.close()
  }
}

/** Goes on with the tabulator until what the selector names has the focus. @throws Error when it cannot be reached by keyboard */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let tabs = 0; tabs < 100; tabs += 1) {
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${selector} of ${page.url()} is not reached by keyboard`)
}

/** Presses a button by keyboard, and waits for where it leads, beyond the page that goes on by itself. */
export async function press(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector)
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  await settled(page)
}

/** Waits until the bank's page that goes on by itself has done so. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('#way-on', { state: 'detached' })
  await page.waitForLoadState()
}

/** Types into a field that is reached by keyboard. */
export async function typeInto(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector)
  await page.keyboard.type(text)
}

/** By how many CSS pixels the page is wider than the window. */
export async function overflow(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'))
}
