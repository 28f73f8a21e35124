import type { Response } from 'supertest'
import { deviceGrant } from '../../capabilities.js'
import { bankForFile } from '../../testing/banks.js'
import type { Cookies, Form } from '../../testing/pages.js'
import { sent, signingPages } from '../../testing/signing-pages.js'

const scope = 'openid profile.name'
const { bank, service, client } = await bankForFile(
  {},
  { scope: `${scope} authorization`, grant_types: ['authorization_code', 'refresh_token', deviceGrant] },
)

const query = {
  client_id: client.client_id,
  redirect_uri: client.redirect_uri,
  response_type: 'code',
  scope,
  state: 's',
  nonce: 'n',
}

const until = (location: string) => location.startsWith(client.redirect_uri)
const approve = { action: 'approve', scope: scope.split(' ') }
const martin = String(bank.people.byLogin('martin')?.accounts?.[0]?.id)

const auth = (parameters: Record<string, string> = {}) =>
  service.http('get', '/auth').query({ ...query, ...parameters })
const cookieOf = (answer: Response) => [answer.get('set-cookie') ?? []].flat()
const actionOf = (page: Response) => String(/action="([^"]+)"/.exec(page.text)?.[1])

const codeOf = (page: Response) => String(/name="user_code"[^>]* value="([^"]+)"/.exec(page.text)?.[1])

function hiddenOf(page: Response): Record<string, string> {
  const fields = page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}

/** A way through pages, to an end that was decided on them. */
interface Way {
  begin(cookies: Cookies): Promise<Response>
  /** By the id of the page's form, in their order. */
  pages: [page: string, form: Form][]
  isDecided(end: Response, cookies: Cookies): boolean | Promise<boolean>
}

const withCode = (end: Response) => new URL(String(end.get('location'))).searchParams.has('code')

async function signIn(cookies: Cookies, person: string): Promise<void> {
  await service.authorize(client, scope, [{ person }, approve], { prompt: 'login' }, cookies)
}

async function objectOf(changes: Record<string, unknown>): Promise<Response> {
  const request_uri = await signingPages(service, client).requestUri(changes)
  return service.http('get', '/authorize').query({ request_uri, redirect_uri: client.redirect_uri })
}

const ways: Record<string, Way> = {
  'a login': {
    begin: async () => auth({ acr_values: 'loa3', prompt: 'login consent' }),
    pages: [
      ['sign-in', { person: 'martin' }],
      ['second-factor', { action: 'confirm' }],
      ['account', { account: martin }],
      ['consent', approve],
    ],
    isDecided: withCode,
  },
  'a signature': {
    begin: () => objectOf({}),
    pages: [
      ['sign-in', { person: 'jana' }],
      ['sign', { action: 'authorize' }],
    ],
    isDecided: withCode,
  },
  'a signature of a person who is named': {
    async begin() {
      const { body } = await service.login(client, 'openid')
      return objectOf({ id_token_hint: body.id_token })
    },
    pages: [
      ['identify', { action: 'confirm', password: 'jana-secret' }],
      ['sign', { action: 'authorize' }],
    ],
    isDecided: withCode,
  },
  'a device': {
    async begin() {
      const { body } = await service.post(client, '/device_authorization', { scope })
      return service.http('get', `/device?user_code=${body.user_code}`)
    },
    pages: [
      ['device-code', {}],
      ['device-confirm', { confirm: 'yes' }],
      // Who approved before, and is not asked again.
      ['sign-in', { person: 'petr' }],
    ],
    isDecided: ({ status, text }) => status === 200 && !text.includes('action='),
  },
  'a logout': {
    async begin(cookies) {
      await signIn(cookies, 'petr')
      return service.http('get', '/session/end').set('cookie', sent(cookies))
    },
    pages: [['log-out', {}]],
    isDecided: async (_end, cookies) =>
      String((await auth({ prompt: 'none' }).set('cookie', sent(cookies))).get('location')).includes('login_required'),
  },
}

beforeAll(() => signIn(new Map(), 'petr'))

const formOf = (page: Response, given: Form): Form =>
  page.text.includes('id="device-code"') ? { user_code: codeOf(page) } : given

/** What another site has a browser post. */
const post = (path: string, fields: Form, cookie = '') =>
  service.http('post', path).set({ origin: 'https://evil.example', cookie }).type('form').send(fields)

describe.each(Object.entries(ways))('the pages of %s', (_name, { begin, pages, isDecided }) => {
  test('take no form without cookies, as another site posts it', async () => {
    const cookies: Cookies = new Map()
    let page = await service.walk(await begin(cookies), [], { cookies, until })
    for (const [id, given] of pages) {
      expect(page.text).toContain(`id="${id}"`)
      const answer = await post(actionOf(page), { ...hiddenOf(page), ...formOf(page, given) })
      expect(until(String(answer.get('location')))).toBe(false)
      expect(cookieOf(answer).filter((cookie) => cookie.startsWith('__Host-session='))).toEqual([])
      // Nothing was decided: the page goes on.
      page = await service.walk(page, [formOf(page, given)], { cookies, until })
    }
    expect(await isDecided(page, cookies)).toBe(true)
  })

  test.each(pages.map(([id], at) => [id, at] as const))(
    'take no form with cookies that does not say what the page %s alone knows',
    async (id, at) => {
      const cookies: Cookies = new Map()
      let page = await service.walk(await begin(cookies), [], { cookies, until })
      for (const [, given] of pages.slice(0, at))
        page = await service.walk(page, [formOf(page, given)], { cookies, until })
      expect(page.text).toContain(`id="${id}"`)
      const hidden = hiddenOf(page)
      const guessed = Object.fromEntries(Object.keys(hidden).map((name) => [name, 'guessed']))
      // The page of a login that somebody else began, and knows.
      const other = actionOf(await service.walk(await auth(), []))
      const action = id.startsWith('device') || id === 'log-out' ? actionOf(page) : other
      const answer = await post(action, { ...guessed, ...formOf(page, pages[at]?.[1] ?? {}) }, sent(cookies))
      const shown = /<form[^>]* id="([^"]+)"/.exec(answer.text)?.[1]
      const again = {
        'device-code': [400, 'device-code'],
        'device-confirm': [400, 'device-code'],
        'log-out': [200, 'log-out'],
      }
      expect([answer.status, shown]).toEqual(again[id as keyof typeof again] ?? [400, undefined])
      if (id === 'log-out') expect(await isDecided(answer, cookies)).toBe(false)
    },
  )
})

test('cookies are for TLS alone, for no script, for this host, and not for the forms of other sites', async () => {
  const cookies: Cookies = new Map()
  const begun = await auth({ prompt: 'login' })
  const page = await service.walk(begun, [], { cookies, until })
  const signedIn = await service
    .http('post', actionOf(page))
    .set('cookie', sent(cookies))
    .type('form')
    .send({ person: 'jana' })
  const entered = await service
    .http('get', new URL(String(signedIn.get('location')), bank.issuer).pathname)
    .set('cookie', sent(cookies))
  const set = [begun, page, signedIn, entered].flatMap(cookieOf)
  const names = new Set(set.map((cookie) => cookie.replace(/(\.sig)?=.*/, '')))
  expect([...names].sort()).toEqual(['__Host-device', '__Host-session', '__Secure-interaction', '__Secure-resume'])
  for (const cookie of set) {
    const attributes = cookie.toLowerCase().split('; ').slice(1)
    const path = cookie.startsWith('__Host-') ? 'path=/' : expect.stringMatching(/^path=\/(interaction|auth)\/[\w-]+$/)
    const every = ['secure', 'httponly', 'samesite=lax', path]
    expect([cookie, attributes]).toEqual([cookie, expect.arrayContaining(every)])
    expect([cookie, attributes.some((one) => one.startsWith('domain='))]).toEqual([cookie, false])
  }
})

test('a browser that names a login in a cookie that the bank did not sign is shown no page of it', async () => {
  const begun = await auth()
  const cookies = cookieOf(begun).map((cookie) => String(cookie.split(';')[0]))
  const shown = (sent: string[]) => service.http('get', String(begun.get('location'))).set('cookie', sent.join('; '))
  expect((await shown(cookies)).status).toBe(200)
  expect((await shown(cookies.filter((cookie) => !cookie.includes('.sig=')))).status).toBe(400)
  expect((await shown(cookies.map((cookie) => cookie.replace(/\.sig=./, '.sig=_')))).status).toBe(400)
})
