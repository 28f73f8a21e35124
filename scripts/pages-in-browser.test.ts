import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { bankForFile } from '../bank-idp/testing/banks.js'
import { documentObject, requestClaims, signObject } from '../bank-idp/testing/request-objects.js'
import { overflow, press, tabTo, telephone, typeInto, withPage } from './testing/chromium.js'

const { bank, service, client } = await bankForFile(
  {},
  { scope: 'openid authorization profile.name profile.birthdate', required_scope: 'profile.name' },
)

interface Looks {
  locale: 'cs' | 'en'
  colorScheme: 'light' | 'dark'
  viewport: { width: number; height: number }
}

const looks: Looks[] = [
  { locale: 'cs', colorScheme: 'light', viewport: telephone },
  { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
]

/** Judges the page by the rules of WCAG and by its width. */
async function expectAccessible(page: Page, { locale }: Looks): Promise<void> {
  await page.evaluate(axe.source)
  const { violations, passes } = (await page.evaluate('axe.run()')) as axe.AxeResults
  expect(passes.length).toBeGreaterThan(5)
  const found = violations.map(({ id, nodes }) => `${page.url()}: ${id} at ${nodes.map(({ html }) => html).join(', ')}`)
  expect(found).toEqual([])
  expect(await overflow(page)).toBe(0)
  expect(await page.getAttribute('html', 'lang')).toBe(locale)
}

function authorization(parameters: Record<string, string> = {}): string {
  const { client_id, redirect_uri } = client
  const good = { client_id, redirect_uri, response_type: 'code', scope: 'openid profile.name profile.birthdate' }
  return `${bank.issuer}/auth?${new URLSearchParams({ ...good, state: 's', nonce: 'n', ...parameters })}`
}

/** Where a person authorizes something. */
async function object(claims: Record<string, unknown>, headers?: Record<string, string>): Promise<string> {
  const { body } = await service.registerRequestObject(requestClaims(client, claims), headers)
  const { redirect_uri } = client
  return `${bank.issuer}/authorize?${new URLSearchParams({ request_uri: body.request_uri, redirect_uri })}`
}

async function signIn(page: Page, login: string): Promise<void> {
  await typeInto(page, 'input[name=login]', login)
  await typeInto(page, 'input[name=password]', `${login}-secret`)
  await press(page, 'button[value=sign-in]')
}

test.each(looks)(
  'every page of a login is accessible, and is passed with the keyboard alone, $locale and $colorScheme',
  async (look) => {
    await withPage({ ...look, locale: look.locale }, async (page) => {
      await page.goto(authorization({ acr_values: 'loa3', prompt: 'login consent' }))
      await expectAccessible(page, look)
      await typeInto(page, 'input[name=password]', 'wrong')
      await press(page, 'button[value=sign-in]')
      expect(await page.$('[role=alert]')).not.toBeNull()
      await expectAccessible(page, look)
      await signIn(page, 'jana')
      expect(await page.$('form#second-factor')).not.toBeNull()
      await expectAccessible(page, look)
      await press(page, 'button[value=confirm]')
      expect(await page.$('form#consent')).not.toBeNull()
      await expectAccessible(page, look)
      // The page that goes on by itself, held.
      await page.route('**/auth/*', (route) => route.abort('aborted'))
      await tabTo(page, 'button[value=approve]')
      await page.keyboard.press('Enter')
      await page.waitForSelector('#way-on')
      await expectAccessible(page, look)
      await tabTo(page, 'main a')
      await page.unroute('**/auth/*')
      await page.reload()
      await page.waitForURL(/[?&]code=/)
    })
    await withPage({ ...look, locale: look.locale }, async (page) => {
      await page.goto(authorization())
      await signIn(page, 'martin')
      expect(await page.$('form#account')).not.toBeNull()
      await expectAccessible(page, look)
      await page.goto(`${bank.issuer}/session/end`)
      await expectAccessible(page, look)
      await press(page, 'button[value=log-out]')
      await expectAccessible(page, look)
    })
  },
)

test.each(looks)('every page of the signing flow is accessible, $locale and $colorScheme', async (look) => {
  await withPage({ ...look, locale: look.locale }, async (page) => {
    const { body: tokens } = await service.login(client, 'openid authorization')
    const structured_scope = { signObject: signObject(), documentObject: documentObject() }
    const claims = { structured_scope, ui_locales: look.locale, scope: '' }
    await page.goto(await object(claims, { authorization: `Bearer ${tokens.access_token}` }))
    expect(await page.$('form#identify')).not.toBeNull()
    await expectAccessible(page, look)
    await typeInto(page, 'input[name=password]', 'jana-secret')
    await press(page, 'button[value=confirm]')
    await press(page, 'button[value=confirm]')
    expect(await page.$('form#sign')).not.toBeNull()
    await expectAccessible(page, look)
    const address = page.url()
    // Nobody serves the document.
    await page.goto(`${address}/document/1`)
    await expectAccessible(page, look)
    await page.goto(address)
    await press(page, 'button[value=refuse]')
    expect(page.url()).toContain('error=access_denied')
    await page.goto(address)
    await expectAccessible(page, look)
  })
})

test.each(looks)(
  'the landing page and those that discovery names are accessible, $locale and $colorScheme',
  async (look) => {
    await withPage(look, async (page) => {
      for (const path of ['/', '/documentation', '/policy', '/terms']) {
        await page.goto(`${bank.issuer}${path}`)
        await expectAccessible(page, look)
      }
    })
  },
)
