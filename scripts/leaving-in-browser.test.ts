import type { Page } from 'playwright-core'
import { deviceGrant } from '../bank-idp/capabilities.js'
import { bankForFile } from '../bank-idp/testing/banks.js'
import { serveHttps } from '../bank-idp/testing/https-server.js'
import { documentObject, requestClaims, signObject } from '../bank-idp/testing/request-objects.js'
import { press, typeInto, withPage } from './testing/chromium.js'

const { bank, service } = await bankForFile()
const { certificate } = bank.identity.service

/** What the browser brought to where it ends, by address. */
const arrived: URL[] = []
/** The third party, to which the service redirects on; the bank does not know it. */
const thirdParty = await serveHttps(certificate, ({ url }, res) => {
  const address = new URL(String(url), thirdParty.url)
  if (address.pathname.startsWith('/arrived')) arrived.push(address)
  res.setHeader('content-type', 'text/html').end('<title>Third party</title>')
})
/** The service's redirect URI. */
const callback = await serveHttps(certificate, ({ url }, res) => {
  const { pathname, search } = new URL(String(url), callback.url)
  res.writeHead(302, { location: `${thirdParty.url}/arrived${pathname}${search}` }).end()
})
afterAll(() => Promise.all([callback.close(), thirdParty.close()]))

const client = await service.client({
  redirect_uris: [`${callback.url}/callback`],
  post_logout_redirect_uris: [`${callback.url}/bye`],
  grant_types: ['authorization_code', 'refresh_token', deviceGrant],
  scope: 'openid profile.name authorization',
})
const { client_id, redirect_uri } = client
const scope = 'openid profile.name'

function authorization(parameters: Record<string, string> = {}): string {
  const good = { client_id, redirect_uri, response_type: 'code', scope, state: 's', nonce: 'n' }
  return `${bank.issuer}/auth?${new URLSearchParams({ ...good, ...parameters })}`
}

/** Where a text and a document are authorized by the person whose access token the request object came with. */
async function object(): Promise<string> {
  const { body: tokens } = await service.login(client, 'openid authorization')
  const structured_scope = { signObject: signObject(), documentObject: documentObject() }
  const { body } = await service.registerRequestObject(requestClaims(client, { structured_scope, scope: '' }), {
    authorization: `Bearer ${tokens.access_token}`,
  })
  return `${bank.issuer}/authorize?${new URLSearchParams({ request_uri: body.request_uri, redirect_uri })}`
}

async function signIn(page: Page, login = 'jana'): Promise<void> {
  await typeInto(page, 'input[name=login]', login)
  await typeInto(page, 'input[name=password]', `${login}-secret`)
  await press(page, 'button[value=sign-in]')
}

async function identify(page: Page): Promise<void> {
  await typeInto(page, 'input[name=password]', 'jana-secret')
  await press(page, 'button[value=confirm]')
  await press(page, 'button[value=confirm]')
}

interface Way {
  name: string
  begin: () => Promise<string> | string
  leave: (page: Page) => Promise<void>
  /** What arrives with the person beside iss and state. */
  brings: Record<string, unknown>
}

const code = { code: expect.any(String) }
const declined = (what: string) => ({ error: 'access_denied', error_description: `User declined ${what}` })

const unfinished = { error: 'access_denied', error_description: 'User did not finish the authentication' }

const ways: Way[] = [
  {
    name: 'approval',
    begin: () => authorization({ prompt: 'consent' }),
    leave: async (page) => {
      await signIn(page)
      await press(page, 'button[value=approve]')
    },
    brings: code,
  },
  {
    name: 'a sign-in after which nothing is asked',
    begin: async () => {
      await service.login(client, scope)
      return authorization()
    },
    leave: (page) => signIn(page),
    brings: code,
  },
  {
    name: 'refusal of consent',
    begin: () => authorization({ prompt: 'consent' }),
    leave: async (page) => {
      await signIn(page)
      await press(page, 'button[value=refuse]')
    },
    brings: declined('consent'),
  },
  {
    name: 'refusal to sign in',
    begin: authorization,
    leave: (page) => press(page, 'button[value=decline]'),
    brings: declined('the authentication'),
  },
  {
    name: 'refusal of a second factor',
    begin: () => authorization({ acr_values: 'loa3' }),
    leave: async (page) => {
      await signIn(page)
      await press(page, 'button[value=cancel]')
    },
    brings: unfinished,
  },
  {
    name: 'a sign-in by somebody who cannot do what is asked',
    begin: () => authorization({ acr_values: 'loa3' }),
    leave: (page) => signIn(page, 'lenka'),
    brings: { error: 'eid_doesnt_exist', error_description: 'User not eligible' },
  },
  {
    name: 'refusal of a choice of accounts',
    begin: authorization,
    leave: async (page) => {
      await signIn(page, 'martin')
      await press(page, 'button[value=cancel]')
    },
    brings: unfinished,
  },
  {
    name: 'signature',
    begin: object,
    leave: async (page) => {
      await identify(page)
      await press(page, 'button[value=authorize]')
    },
    brings: code,
  },
  {
    name: 'refusal to sign',
    begin: object,
    leave: async (page) => {
      await identify(page)
      await press(page, 'button[value=refuse]')
    },
    brings: declined('the authorization'),
  },
  {
    name: 'refusal to identify oneself',
    begin: object,
    leave: (page) => press(page, 'button[value=decline]'),
    brings: declined('the authentication'),
  },
]

test.each(ways)('$name leads on through a redirect URI that redirects elsewhere', async ({ begin, leave, brings }) => {
  const address = await begin()
  await withPage({}, async (page) => {
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    arrived.length = 0
    await page.goto(address)
    await leave(page)
    await page.waitForURL(`${thirdParty.url}/**`)
    expect(arrived.map(({ pathname }) => pathname)).toEqual(['/arrived/callback'])
    const { state, iss, ...brought } = Object.fromEntries(arrived[0]?.searchParams ?? [])
    expect(brought).toEqual(brings)
    expect(messages).toEqual([])
    // Nobody goes on a second time from where the way led out.
    await page.goBack()
    // What happened is told: on the page that was answered, or on the one before it.
    expect(await page.textContent('h1#answered')).toMatch(/^(You have already|This sign-in ended here)/)
    expect(arrived).toHaveLength(1)
  })
})

test('a logout leads on through an address that redirects elsewhere', async () => {
  await withPage({}, async (page) => {
    await page.goto(authorization({ prompt: 'consent' }))
    await signIn(page)
    await press(page, 'button[value=approve]')
    await page.waitForURL(`${thirdParty.url}/**`)
    arrived.length = 0
    const post_logout_redirect_uri = `${callback.url}/bye`
    await page.goto(
      `${bank.issuer}/session/end?${new URLSearchParams({ client_id, post_logout_redirect_uri, state: 's' })}`,
    )
    await press(page, 'button[value=log-out]')
    await page.waitForURL(`${thirdParty.url}/**`)
    expect(arrived.map(({ pathname, search }) => pathname + search)).toEqual(['/arrived/bye?state=s'])
  })
})

test.each([
  ['approve', 'petr', 'You are signed in'],
  ['refuse', 'thao', 'Sign in on a device'],
])('a sign-in on a device ends at the bank, after %s', async (action, login, title) => {
  const { body: codes } = await service.post(client, '/device_authorization', { scope })
  await withPage({}, async (page) => {
    await page.goto(codes.verification_uri_complete)
    await press(page, 'button[type=submit]')
    await press(page, 'button[name=confirm]')
    await signIn(page, login)
    await press(page, `button[value=${action}]`)
    expect(await page.title()).toBe(`${title} · Reference Bank`)
    expect(new URL(page.url()).origin).toBe(bank.issuer)
  })
})
