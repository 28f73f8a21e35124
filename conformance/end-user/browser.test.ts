import { spawnSync } from 'node:child_process'
import { EvidenceLog, type PageSeen } from '../evidence/evidence.js'
import { BankFailure, NoAnswer, Unreachable } from '../evidence/failure.js'
import { Masking } from '../evidence/masking.js'
import { createHttpClient, type HttpClient } from '../http/http.js'
import type { LoginSettings, Page } from '../target/login-settings.js'
import { TargetError } from '../target/target-error.js'
import { certificates } from '../testing/certificates.js'
import { chromiumPath } from '../testing/chromium.js'
import { html, type Routes, redirect, serve, type TestServer } from '../testing/https-server.js'
import { browserEndUser } from './browser.js'
import { findChromium, startChromium } from './chromium.js'
import { type AuthorizationTask, callbackOf, type EndUser } from './end-user.js'

const redirectUri = 'https://service.example/app/callback'
const person = { login: 'jana', password: 'heslo-jany', kinds: ['full'] }

let ca: string
let http: HttpClient
let endUser: EndUser
let server: TestServer | undefined
let log: EvidenceLog
/** What people were told. */
const said: string[] = []

beforeAll(async () => {
  ca = (await certificates()).ca
  http = createHttpClient({ ca, timeoutSeconds: 5 })
})

afterEach(end)

afterAll(() => http.close())

const signIn: Page = {
  when: '#sign-in',
  fill: { 'input[name=login]': '{login}' },
  steps: [
    { click: '#next' },
    { wait_for: 'input[name=password]' },
    { fill: { 'input[name=password]': '{password}', 'input[name=code]': '{code}', select: 'en', '#stay': false } },
  ],
  actions: { submit: '#go', decline: '#no' },
}

/** A page of one form that is built by scripts, its second half after the first was gone on from. */
const signInPage = `<title>Sign in</title><div id="root"></div><script>
  root.innerHTML = '<form id="sign-in" method="post" action="/login"><input name="login"><button type="button" id="next">Next</button></form>'
  document.querySelector('#next').onclick = () => setTimeout(() => {
    const more = document.createElement('div')
    more.innerHTML = '<input name="password" type="password"><input name="code"><select name="lang"><option>cs<option>en</select>' +
      '<input type="checkbox" id="stay" name="stay" value="yes" checked><button id="go" name="act" value="go">Go</button><a id="no" href="${redirectUri}?error=access_denied">No</a>'
    document.querySelector('form').append(more)
  }, 50)
</script>`

function visit(
  routes: Routes,
  { pages = { 'sign-in': signIn }, login, ...task }: Partial<AuthorizationTask> & Setting = {},
) {
  return visits(routes, { pages, login }).then((open) => open.visit({ person, ...task }))
}

interface Setting {
  pages?: Record<string, Page>
  login?: Partial<LoginSettings> | undefined
  /** What comes of a request of the harness's own. */
  asked?: Error
}

const unheard = new NoAnswer({ sentence: 'nothing is heard over HTTP either', actual: 'was silent' })

async function visits(routes: Routes, { pages = { 'sign-in': signIn }, login = {}, asked = unheard }: Setting = {}) {
  server = await serve(routes)
  const { url } = server
  const masking = new Masking()
  masking.secret('password', person.password)
  log = new EvidenceLog(masking)
  said.splice(0)
  const evidence = log.recorder()
  const { signal } = new AbortController()
  const code = [process.execPath, '-e', 'console.log("4711-" + process.argv[1])', '{login}']
  const guide = { ca, pages: new Map(Object.entries(pages)) }
  const settings: LoginSettings = { by: 'browser', browser: chromiumPath, code, pageSeconds: 3, ...login }
  endUser = browserEndUser({ ...guide, login: settings }, (text) => said.push(text))
  const browser = endUser.open()
  const context = { send: () => Promise.reject(asked), evidence, signal }
  return {
    visit: (task: Partial<AuthorizationTask> = {}) =>
      browser.visit({ url: `${url}/auth`, redirectUris: [redirectUri], origins: [url], person, ...task }, context),
  }
}

async function end(): Promise<void> {
  await endUser.close()
  await server?.close()
  server = undefined
}

const pagesSeen = () => log.masked().filter((item): item is PageSeen => item.kind === 'page')

describe('an end-user in a browser', () => {
  test('judges no bank that answers nobody any more, which the harness finds out by a request of its own', async () => {
    const cut: Routes = { 'GET /auth': () => 'cut' }
    const here = await visits(cut)
    await expect(here.visit()).rejects.toThrow(/^GET https:\/\/localhost:\d+\/auth: the bank could not be reached /)
    await end()
    const gone = await visits(cut, { asked: new Unreachable({ sentence: 'the bank does not answer any more' }) })
    await expect(gone.visit()).rejects.toThrow(/^the bank does not answer any more$/)
  })

  test('charges the bank with a page whose scripts it did not give, where its pages led back before', async () => {
    const shown = [html(signInPage), html('<title>Sign in</title><p>Loading…</p><script src="/app.js"></script>')]
    const browser = await visits({
      'GET /auth': () => shown.shift() ?? 'cut',
      'GET /app.js': () => 'cut',
      'POST /login': () => redirect(`${redirectUri}?code=x`, 303),
    })
    expect(callbackOf(await browser.visit()).query.get('code')).toBe('x')
    const { blockedBy } = await browser.visit()
    expect(blockedBy).toBeInstanceOf(BankFailure)
    expect(blockedBy?.message).toContain('instead of a redirect GET /auth shows a page titled "Sign in", forms: none')
  })

  test('leaves open who is to blame for a page that waits for the person elsewhere, where its pages led back before', async () => {
    const waiting = '<title>Sign in</title><p>Confirm in your app</p><script src="/app.js"></script>'
    const shown = [html(signInPage), html(waiting)]
    const browser = await visits({
      'GET /auth': () => shown.shift() ?? 'cut',
      'GET /app.js': () => ({
        status: 200,
        headers: { 'content-type': 'text/javascript' },
        body: 'document.title = "Waiting"',
      }),
      'POST /login': () => redirect(`${redirectUri}?code=x`, 303),
    })
    expect(callbackOf(await browser.visit()).query.get('code')).toBe('x')
    const { blockedBy } = await browser.visit()
    expect(blockedBy).toBeInstanceOf(TargetError)
    expect(blockedBy?.message).toContain('no entry recognises the page of GET /auth, which is a page titled "Waiting"')
  })

  test('fills in, clicks, waits and enters a one-time code, and comes back with the callback', async () => {
    const got: Record<string, string> = {}
    const { callback, pages, response } = await visit({
      'GET /auth': () => redirect('/login', 302, { 'set-cookie': 'a=1; Path=/; HttpOnly; Secure' }),
      'GET /login': () => html(signInPage),
      'POST /login': ({ form, headers }) => {
        Object.assign(got, Object.fromEntries(form), { cookie: headers.cookie })
        return redirect(`${redirectUri}?code=x#f=1`, 303)
      },
    })
    expect(got).toEqual({
      login: 'jana',
      password: person.password,
      code: '4711-jana',
      lang: 'en',
      act: 'go',
      cookie: 'a=1',
    })
    expect(callback?.query.get('code')).toBe('x')
    expect([...(callback?.fragment ?? [])]).toEqual([['f', '1']])
    expect({ pages, status: response.status }).toEqual({ pages: ['sign-in'], status: 303 })
    const message = JSON.stringify(log.items)
    expect(message).not.toContain(person.password)
    expect(message).not.toContain('4711')
    const exchanges = log.items.map((item) => item.kind === 'exchange' && [item.request.method, item.response?.status])
    expect(exchanges).toEqual([
      ['GET', 302],
      ['GET', 200],
      ['POST', 303],
    ])
  })

  test('denies a scope by a radio button or an option of a list, and leaves others as they are', async () => {
    const radio = (name: string) =>
      `<input type="radio" name="${name}" value="yes" checked><input type="radio" name="${name}" value="no">`
    const list = (name: string) => `<select name="${name}"><option value="yes">Yes<option value="no">No</select>`
    const form = `<form id="consent" method="post" action="/consent">${radio('a')}${radio('b')}${list('c')}${list('d')}<button>Go</button></form>`
    const scope = 'input[name="{scope}"][value=no], select[name="{scope}"] option[value=no]'
    const consent: Page = { when: '#consent', fill: {}, scope, actions: { submit: 'button' } }
    const { callback } = await visit(
      {
        'GET /auth': () => html(form),
        'POST /consent': ({ form }) => redirect(`${redirectUri}?code=${[...form.values()].join('-')}`),
      },
      { pages: { consent }, denyScopes: ['b', 'd'] },
    )
    expect(callback?.query.get('code')).toBe('yes-no-yes-no')
  })

  test('goes through an action other than the way on, and by a link', async () => {
    const routes = { 'GET /auth': () => html(signInPage) }
    const { callback } = await visit(routes, { actions: { 'sign-in': 'decline' } })
    expect(callback?.query.get('error')).toBe('access_denied')
  })

  test('follows pages that go on by themselves, between pages and back to the service', async () => {
    const refresh = (address: string) =>
      html(`<title>Wait</title><meta http-equiv="refresh" content="0;url=${address}">`)
    const { callback, pages } = await visit({
      'GET /auth': () => refresh('/login'),
      'GET /login': () => html(signInPage),
      'POST /login': () => refresh('/done'),
      'GET /done': () => refresh(`${redirectUri}?code=x`),
    })
    expect([callback?.query.get('code'), callback?.response.status, pages]).toEqual(['x', 200, ['sign-in']])
  })

  test('takes what a page posts to the service by itself, and follows none to somebody else', async () => {
    const posting = (address: string, more = '') =>
      html(
        `<form method="post" action="${address}"><input type="hidden" name="code" value="x"></form>${more}<script>document.forms[0].submit()</script>`,
      )
    const { callback } = await visit({ 'GET /auth': () => posting(redirectUri) })
    expect([...(callback?.posted ?? [])]).toEqual([['code', 'x']])
    expect(callback?.response.status).toBe(200)
    await end()
    const endless = visit({ 'GET /auth': () => posting(redirectUri, '<i>'.repeat(600)) })
    await expect(endless).rejects.toThrow(/^sent a page of more than 512 levels$/)
    await end()
    const elsewhere = visit({ 'GET /auth': () => posting('https://evil.example/') })
    await expect(elsewhere).rejects.toMatchObject({
      finding: { actual: 'https://evil.example/', expected: `a redirect to ${redirectUri}` },
    })
  })

  test('keeps a session from one visit to the next, and looks at a page without going on', async () => {
    const { visit: again } = await visits({
      'GET /auth': ({ headers }) => (headers.cookie ? redirect(`${redirectUri}?code=y`) : html(signInPage)),
      'POST /login': () => redirect(`${redirectUri}?code=x`, 302, { 'set-cookie': 's=1; Path=/; Secure' }),
    })
    const left = await again({ actions: { 'sign-in': 'leave' } })
    expect({ ...left, response: left.response.text.includes('id="next"') }).toEqual({
      response: true,
      pages: ['sign-in'],
    })
    expect(callbackOf(await again()).query.get('code')).toBe('x')
    expect(callbackOf(await again()).query.get('code')).toBe('y')
  })

  test('does not send a password to a foreign address, and follows no redirect there', async () => {
    const foreign = visit({
      'GET /auth': () => html(signInPage.replace('/login', 'https://evil.example/login')),
    })
    await expect(foreign).rejects.toThrow(
      new TargetError([
        "login.origins: the page leads to https://evil.example; if that is also the bank's, name it there",
      ]),
    )
    await end()
    await expect(visit({ 'GET /auth': () => redirect('https://evil.example/x?code=x') })).rejects.toMatchObject({
      finding: { actual: 'https://evil.example/x?code=x', expected: `a redirect to ${redirectUri}` },
    })
  })

  describe.each([
    ['a new tab', 'target="_blank"', ''],
    ['a tab of a name', 'target="elsewhere"', ''],
    ['a frame', 'target="inner"', '<iframe name="inner"></iframe>'],
    ['a frame of another origin', 'target="inner"', '<iframe name="inner" src="{other}/inner"></iframe>'],
    ['a frame in a frame', 'target="deep"', '<iframe srcdoc="&lt;iframe name=deep&gt;&lt;/iframe&gt;"></iframe>'],
  ])('of a page that sends what was entered into %s', (_what, target, more) => {
    test.each(['post', 'get'])('by %s, sends it to no origin that is not of the bank', async (method) => {
      const foreign = await serve({ 'POST /login': () => html('thanks'), 'GET /login': () => html('thanks') })
      const further = await serve({ 'GET /inner': () => html('inside') })
      try {
        const page = signInPage
          .replace('method="post" action="/login"', `method="${method}" action="${foreign.url}/login" ${target}`)
          .replace('<div id="root">', `${more.replace('{other}', further.url)}<div id="root">`)
        const { visit: one } = await visits({ 'GET /auth': () => html(page) })
        const origins = [String(server?.url), further.url]
        const { callback } = await one({ origins })
        await end()
        expect([callback, foreign.seen]).toEqual([undefined, []])
        expect(said.filter((text) => text.includes('login.origins'))).toEqual([
          `a page of the bank was not let send what was entered to ${foreign.url}; if that is also the bank's, name it in login.origins`,
        ])
      } finally {
        await foreign.close()
        await further.close()
      }
    })
  })

  test('is shown no document that is larger than any answer may be', async () => {
    const large = visit({ 'GET /auth': () => html('x'.repeat(2 * 1024 * 1024)) })
    await expect(large).rejects.toThrow(/\/auth: the bank sent a body of more than 1 MiB$/)
  })

  test('keeps the page on which it got no further, with what was entered masked', async () => {
    const { blockedBy, callback } = await visit({
      'GET /auth': () => html(signInPage),
      'POST /login': () => html(`${signInPage}<p>No account of jana with ${person.password}</p>`),
    })
    expect(callback).toBeUndefined()
    expect(blockedBy).toBeInstanceOf(TargetError)
    expect(blockedBy?.message).toContain('login.pages.sign-in: the bank showed the page again after it was submitted')
    const [page] = pagesSeen()
    expect(page).toMatchObject({ url: `${server?.url}/login`, source: expect.stringContaining('No account of jana') })
    expect(page?.source).not.toContain(person.password)
    expect(
      Buffer.from(page?.screenshot ?? '', 'base64')
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('ffd8')
  })

  test('describes a page that no entry recognises, and charges the bank with an error page', async () => {
    const strange = await visit({ 'GET /auth': () => html('<title>News</title>') })
    expect(strange.blockedBy).toBeInstanceOf(TargetError)
    expect(strange.blockedBy?.message).toContain(
      'no entry recognises the page of GET /auth, which is a page titled "News"',
    )
    await end()
    const failing = await visit({ 'GET /auth': () => html('<title>Oops</title>', 500) })
    expect(failing.blockedBy).toBeInstanceOf(BankFailure)
    expect(failing.blockedBy?.message).toContain('shows a page titled "Oops"')
  })

  test.each<[string, Partial<Page>, string]>([
    ['a control', { fill: { '#pin': '1' } }, 'login.pages.sign-in.fill: no usable element of the page matches #pin'],
    [
      'a step',
      { steps: [{ wait_for: '#never' }] },
      'login.pages.sign-in.steps.0.wait_for: no usable element of the page matches #never',
    ],
    [
      'a button',
      { steps: [], actions: { submit: '#never' } },
      'login.pages.sign-in.actions.submit: no usable element of the page matches #never',
    ],
  ])('names %s that is not on the page', async (_, change, message) => {
    const pages = { 'sign-in': { ...signIn, ...change } }
    const lost = visit({ 'GET /auth': () => html(signInPage) }, { pages })
    await expect(lost).rejects.toThrow(new TargetError([message]))
    expect(pagesSeen()).toHaveLength(1)
  })

  test('ticks and denies what a later stage of a page asks about', async () => {
    const box = (name: string) => `<input type="checkbox" name="${name}" value="yes">`
    const page = `<form id="sign-in" method="post" action="/login">${box('early')}${box('first')}<button type="button" id="next">Next</button>
      <div id="more" hidden>${box('late')}${box('last')}<button id="go">Go</button></div></form>
      <script>document.querySelector('#next').onclick = () => setTimeout(() => { document.querySelector('#more').hidden = false }, 50)</script>`
    const both: Page = {
      when: '#sign-in',
      fill: {},
      tick: 'all',
      scope: 'input[name={scope}]',
      steps: [{ click: '#next' }, { wait_for: '#go' }],
      actions: { submit: '#go' },
    }
    const { callback } = await visit(
      {
        'GET /auth': () => html(page),
        'POST /login': ({ form }) => redirect(`${redirectUri}?code=${[...form.keys()].join('-')}`),
      },
      { pages: { 'sign-in': both }, denyScopes: ['early', 'late'] },
    )
    expect(callback?.query.get('code')).toBe('first-last')
  })

  test('ticks and denies boxes that styles hide behind their labels, and switches', async () => {
    const page = `<style>.gone { display: none } .clear { opacity: 0; position: absolute; width: 1px; height: 1px }</style>
      <form id="consent" method="post" action="/consent">
      ${['a', 'b'].map((name) => `<input class="gone" type="checkbox" id="${name}" name="${name}"><label for="${name}">${name}</label>`).join('')}
      ${['c', 'd'].map((name) => `<label><input class="clear" type="checkbox" name="${name}"><span style="display:block;position:relative">${name}</span></label>`).join('')}
      <button>Go</button></form>`
    const consent: Page = {
      when: '#consent',
      fill: {},
      tick: 'all',
      scope: 'input[name={scope}]',
      actions: { submit: 'button' },
    }
    const { callback } = await visit(
      {
        'GET /auth': () => html(page),
        'POST /consent': ({ form }) => redirect(`${redirectUri}?code=${[...form.keys()].join('-')}`),
      },
      { pages: { consent }, denyScopes: ['a', 'c'] },
    )
    expect(callback?.query.get('code')).toBe('b-d')
  })

  test.each([
    ['asks for itself again', (seconds: number) => `<meta http-equiv="refresh" content="${seconds}">`],
    [
      'has a script that asks',
      (seconds: number) => `<script>setTimeout(() => { location.href = '/auth?asked=2' }, ${seconds * 300})</script>`,
    ],
  ])('waits at a page that goes on once an app approved, and %s', async (_, asking) => {
    const app: Page = { when: '#app', fill: {}, waits: true, actions: { cancel: '#app button' } }
    const pageThatAsks = (seconds: number) =>
      html(`<form id="app" action="/no"><button>Cancel</button></form>${asking(seconds)}`)
    let asked = 0
    const routes = {
      'GET /auth': () => {
        asked += 1
        return asked < 3 ? pageThatAsks(1) : redirect(`${redirectUri}?code=x`)
      },
      'GET /no': () => redirect(`${redirectUri}?error=access_denied`),
    }
    const { callback, pages } = await visit(routes, { pages: { app } })
    expect([callback?.query.get('code'), pages]).toEqual(['x', ['app']])
    // However long a click takes, the app approves later.
    const slower = { ...routes, 'GET /auth': () => pageThatAsks(3_600) }
    const cancelled = await visit(slower, { pages: { app }, actions: { app: 'cancel' } })
    expect(cancelled.callback?.query.get('error')).toBe('access_denied')
  })

  test('sends a form again where the bank served nobody for a moment', async () => {
    let tries = 0
    const { callback } = await visit({
      'GET /auth': () => html(signInPage),
      'POST /login': ({ form }) => {
        tries += 1
        if (tries === 1) return { status: 503, headers: { 'retry-after': '1' } }
        return redirect(`${redirectUri}?code=${form.get('login')}`)
      },
    })
    expect(tries).toBe(2)
    expect(callback?.query.get('code')).toBe(person.login)
  })

  test('tries a broken connection again, but nothing that was answered', async () => {
    let tries = 0
    const { callback } = await visit({
      'GET /auth': () => {
        tries += 1
        return tries === 1 ? 'cut' : redirect(`${redirectUri}?code=x`)
      },
    })
    expect(callback?.query.get('code')).toBe('x')
    await end()
    await expect(visit({ 'GET /auth': () => 'cut' })).rejects.toThrow(/the bank could not be reached by the browser/)
  })
})

describe('a browser', () => {
  const nowhere = { server: 'http://127.0.0.1:9', key: '' }

  test('keeps its sandbox, and says where there is none', async () => {
    const said: string[] = []
    const browser = await startChromium(nowhere, chromiumPath, (text) => said.push(text))
    await browser.close()
    // Whether the system gives it one is asked of the browser itself, which ends at once where it has none.
    const alone = spawnSync(chromiumPath, ['--headless', '--disable-gpu', '--dump-dom', 'about:blank'], {
      timeout: 30_000,
    })
    const why = process.getuid?.() === 0 ? 'there is none for root' : 'this system gives it none'
    const expected = alone.status === 0 ? [] : [expect.stringContaining(`runs without its sandbox (${why})`)]
    expect(said).toEqual(expected)
  })

  test('that is not there is told by the name of the setting', async () => {
    endUser = browserEndUser({ pages: new Map() })
    await expect(startChromium(nowhere, '/nowhere/chrome')).rejects.toThrow(
      new TargetError(['login.browser: the program /nowhere/chrome does not exist']),
    )
    await expect(startChromium(nowhere, '/bin/false')).rejects.toThrow(/^login\.browser: \/bin\/false does not start/)
    expect(findChromium('/nowhere')).toBeUndefined()
  })
})
