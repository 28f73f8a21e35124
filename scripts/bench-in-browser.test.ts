import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { bankForFile } from '../bank-idp/testing/banks.js'
import { overflow, press, tabTo, typeInto, withPage } from './testing/chromium.js'

const { bank, service } = await bankForFile({ benchPage: true })
const client = await bank.registerClient({
  redirectUris: ['https://app.example/cb'],
  clientName: 'Shop',
  record: { id_token_encrypted_response_alg: 'RSA-OAEP-256' },
})
const { client_id } = client
await bank.login(client, 'jana', { scope: 'openid profile.name offline_access' })
await bank.endNextLogin(client, 'not-eligible')
await bank.trouble('GET /healthcheck', { status: 503 })
bank.faults.on('token/scope-missing', client_id)
const tokenRequest = bank.requests.last('POST /token')?.id

const entrance = String(bank.control?.page)
const at = (path: string) => new URL(path, entrance).href

/** Asks for a login with a redirect URI that is not registered. */
const failing = (redirect_uri: string) =>
  service.http('get', '/auth').query({ client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's' })

const looks = [
  { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
] as const

const paths = [
  '/bench',
  `/bench/requests/${tokenRequest}`,
  '/bench/clients',
  `/bench/clients/${client_id}`,
  '/bench/people',
  '/bench/people/jana',
  '/bench/logins',
  '/bench/outbox',
  '/bench/faults?search=scope',
  '/bench/answers',
  '/bench/state',
  '/bench/operations',
  '/bench/nothing',
]

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  const found = violations.map(({ id, nodes }) => `${page.url()}: ${id} at ${nodes.map(({ html }) => html).join(', ')}`)
  expect(found).toEqual([])
  expect([page.url(), await overflow(page)]).toEqual([page.url(), 0])
}

test.each(looks)('every page of the bench is accessible, $colorScheme at $viewport.width px', async (look) => {
  await withPage(look, async (page) => {
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await page.goto(at('/bench'))
    expect(await page.textContent('h1')).toBe('The bench is shut')
    await expectAccessible(page)
    await page.goto(entrance)
    expect(page.url()).toBe(at('/bench'))
    messages.length = 0
    for (const path of paths) {
      await page.goto(at(path))
      await expectAccessible(page)
    }
    expect(messages.filter((message) => !message.includes('404'))).toEqual([])
  })
})

test('what comes is shown while the list is looked at, until that is paused', async () => {
  await withPage({}, async (page) => {
    await page.goto(entrance)
    await failing('https://app.example/first')
    await page.waitForSelector('#live li:first-child .why')
    expect(await page.textContent('#live li:first-child .why')).toBe(
      'invalid_request: redirect_uri is not registered for this client',
    )
    await press(page, '#live li:first-child a')
    expect(await page.textContent('h2.mismatch')).toBe('redirect_uri is not one that the client registered')
    expect(await page.textContent('main')).toContain('https://app.example/first')
    await page.goBack()
    await tabTo(page, '#pause')
    await page.keyboard.press('Enter')
    expect(await page.textContent('#live-state')).toBe('Paused')
    expect(await page.getAttribute('#pause', 'aria-pressed')).toBe('true')
    await expectAccessible(page)
  })
})

test('without scripts a link shows what came, and buttons and searches work by keyboard', async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(entrance)
    expect(await page.isVisible('#pause')).toBe(false)
    await failing('https://app.example/second')
    await page.getByText('Show what came since').focus()
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(await page.textContent('#live li:first-child .why')).toContain('redirect_uri is not registered')
    await page.goto(at('/bench/faults'))
    await page.locator('input[name=search]').fill('token/expires-in-missing')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await page.getByRole('button', { name: 'Switch on' }).first().focus()
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(await page.textContent('[role=status]')).toContain('Done.')
    expect(bank.faults.list()).toHaveLength(2)
  })
})

test('a client is made, and logs somebody in, by the forms of the bench', async () => {
  await withPage({}, async (page) => {
    await page.goto(entrance)
    await page.goto(at('/bench/clients'))
    await typeInto(page, 'textarea[name="in.redirect_uris"]', 'https://made.example/cb')
    await typeInto(page, 'input[name="in.client_name"]', 'Made by hand')
    await page.keyboard.press('Enter')
    await page.waitForSelector('main > pre')
    const made = JSON.parse(String(await page.textContent('main > pre'))) as { client_id: string }
    await page.goto(at(`/bench/clients/${made.client_id}`))
    await typeInto(page, 'form[action$=logIn] input[name="in.login"]', 'petr')
    await page.keyboard.press('Enter')
    await page.waitForSelector('main > pre')
    expect(JSON.parse(String(await page.textContent('main > pre')))).toMatchObject({ claims: { acr: 'loa2' } })
  })
})
