import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { createBank } from '../bank-idp/bank.js'
import { startSimulator } from '../conformance/simulator/simulator.js'
import { targetOf } from './bundled-bank.js'
import { press, withPage } from './testing/chromium.js'

/** Goes through the bank's pages until the browser is back at the service. */
async function passPages(page: Page, service: string): Promise<void> {
  for (let steps = 0; steps < 5 && !page.url().startsWith(service); steps += 1) {
    if (await page.$('form#sign-in')) {
      await page.fill('input[name=login]', 'jana')
      await page.fill('input[name=password]', 'jana-secret')
      await press(page, 'button[value=sign-in]')
    } else {
      await press(page, 'button[value=approve]')
    }
  }
}

test('a logout in Chromium is told to all three clients of the session, at the front and at the back', async () => {
  const bank = await createBank()
  await bank.listen()
  const service = await startSimulator({ targets: [targetOf(bank)], port: 0 })
  try {
    await withPage({ locale: 'cs-CZ' }, async (page) => {
      const refused: string[] = []
      page.on('console', (message) => refused.push(message.text()))
      for (const name of ['Shop', 'Insurance', 'Library']) {
        await page.goto(service.url)
        await page.fill('input[name=provider]', name)
        await Promise.all([page.waitForNavigation(), page.click('#login button[type=submit]')])
        await passPages(page, service.url)
        expect(await page.textContent('h1')).toBe('Logged in')
      }
      await page.goto(service.url)
      await Promise.all([page.waitForNavigation(), page.click('#logged-in li:first-child button')])
      expect(await page.textContent('h1')).toBe('Odhlášení proběhlo')
      await page.waitForURL(`${service.url}/`)
      for (let tries = 0; tries < 100 && service.journal.of('logout').length < 3; tries += 1) await setTimeout(50)
      const received = service.journal.of('logout')
      expect(new Set(received.flatMap(({ clientIds }) => clientIds)).size).toBe(3)
      const front = service.journal.of('front-channel-logout').map(({ sid }) => sid)
      expect(front.sort()).toEqual(received.map(({ sid }) => sid).sort())
      await page.reload()
      expect(await page.$$('#logged-in li')).toEqual([])
      expect(refused).toEqual([])
    })
  } finally {
    await service.close()
    await bank.close()
  }
})
