import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { htmlReport } from '../conformance/reports/html/html.js'
import { overflow, withPage } from './testing/chromium.js'
import { failingRun } from './testing/failing-run.js'

const directory = mkdtempSync(join(tmpdir(), 'report-'))
const url = pathToFileURL(join(directory, 'report.html')).href
beforeAll(() => writeFileSync(join(directory, 'report.html'), htmlReport(failingRun(80))))
afterAll(() => rmSync(directory, { recursive: true }))

const wide = { width: 1280, height: 800 }
const narrow = { width: 390, height: 844 }

/** Opens everything that is folded. */
const unfold = (page: Page) =>
  page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")

/** A number that an expression comes to in the page, in CSS pixels. */
const pixels = async (page: Page, expression: string) => Number(await page.evaluate(expression))

/** Where the first element of a selector is in the window. */
const edgeOf = (page: Page, selector: string, edge: 'top' | 'bottom' | 'right') =>
  pixels(page, `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().${edge}`)

describe('a report of 80 failures', () => {
  test('reads in five screens of a desktop', async () => {
    await withPage({ viewport: wide }, async (page) => {
      await page.goto(url)
      expect(await page.$$eval('details.card', (cards) => cards.length)).toBe(80)
      const [height, screens] = [await pixels(page, 'document.documentElement.scrollHeight'), 5]
      expect(height).toBeLessThanOrEqual(screens * wide.height)
      expect(await edgeOf(page, '#map', 'bottom')).toBeLessThan(wide.height)
    })
  })

  test.each([
    { name: 'a telephone', viewport: narrow },
    { name: 'a desktop', viewport: wide },
  ])('never scrolls sideways on $name, whatever is unfolded', async ({ viewport }) => {
    await withPage({ viewport }, async (page) => {
      await page.goto(url)
      expect(await overflow(page)).toBe(0)
      await unfold(page)
      expect(await overflow(page)).toBe(0)
    })
  })

  test.each([
    { scripts: 'with', javaScriptEnabled: true, viewport: wide },
    { scripts: 'without', javaScriptEnabled: false, viewport: wide },
    { scripts: 'with', javaScriptEnabled: true, viewport: narrow },
  ])(
    'leads from the map to a card, unfolded and below the bar, $scripts scripts at $viewport.width px',
    async (how) => {
      await withPage({ viewport: how.viewport, javaScriptEnabled: how.javaScriptEnabled }, async (page) => {
        await page.goto(url)
        await page.click('.map a.fail >> nth=20')
        const card = page.locator('details.card[open]')
        await card.waitFor()
        const [summary, bar] = [
          await card.locator('summary').first().boundingBox(),
          await page.locator('.filters').boundingBox(),
        ]
        const sticky = bar && bar.y < 1 && bar.height > 0 ? bar.y + bar.height : 0
        expect(summary?.y).toBeGreaterThanOrEqual(sticky)
        expect(summary?.y).toBeLessThan(how.viewport.height / 2)
      })
    },
  )

  test.each([
    { colorScheme: 'light', viewport: wide },
    { colorScheme: 'dark', viewport: wide },
    { colorScheme: 'light', viewport: narrow },
    { colorScheme: 'dark', viewport: narrow },
  ] as const)('is accessible, $colorScheme at $viewport.width px', async (look) => {
    await withPage(look, async (page) => {
      await page.goto(url)
      await page.evaluate("for (const one of [...document.querySelectorAll('details')].slice(0, 6)) one.open = true")
      await page.evaluate("for (const one of document.querySelectorAll('details.part')) one.open = true")
      // The policy of the report lets no other script run: axe comes in by the debugger.
      await page.evaluate(axe.source)
      const { violations, passes } = (await page.evaluate('axe.run()')) as axe.AxeResults
      expect(passes.length).toBeGreaterThan(10)
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3)}`)).toEqual([])
    })
  })

  test('tells the numbers by section on a telephone as a list of what is not nothing', async () => {
    await withPage({ viewport: narrow }, async (page) => {
      await page.goto(url)
      await unfold(page)
      expect(await edgeOf(page, '.coverage', 'right')).toBeLessThanOrEqual(narrow.width)
      const first = page.locator('.coverage tbody tr').first()
      expect(await first.locator('td:empty').first().isVisible()).toBe(false)
      expect(await first.locator('td:not(:empty)').first().isVisible()).toBe(true)
    })
  })

  test('draws the sequence within its card, in letters that can be read', async () => {
    await withPage({ viewport: narrow }, async (page) => {
      await page.goto(url)
      await unfold(page)
      expect(await edgeOf(page, 'svg.sequence', 'right')).toBeLessThanOrEqual(narrow.width)
      const height = await pixels(
        page,
        "document.querySelector('svg.sequence .judged text').getBoundingClientRect().height",
      )
      expect(height).toBeGreaterThanOrEqual(9)
    })
  })
})
