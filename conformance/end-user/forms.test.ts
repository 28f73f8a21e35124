import { EvidenceLog } from '../evidence/evidence.js'
import { BankFailure } from '../evidence/failure.js'
import { Masking } from '../evidence/masking.js'
import { createHttpClient, type HttpClient } from '../http/http.js'
import type { Page } from '../target/login-settings.js'
import { TargetError } from '../target/target-error.js'
import { certificates } from '../testing/certificates.js'
import { html, type Routes, redirect, serve, type TestServer } from '../testing/https-server.js'
import { callbackOf } from './end-user.js'
import { formsEndUser } from './forms.js'

let client: HttpClient
let server: TestServer | undefined
let masking: Masking

beforeAll(async () => {
  const { ca } = await certificates()
  client = createHttpClient({ ca, timeoutSeconds: 5 })
})

afterEach(async () => {
  await server?.close()
  server = undefined
})

afterAll(() => client.close())

const redirectUri = 'https://service.example/app/callback'
const person = { login: 'jana', password: 'tajné heslo', kinds: ['full'] }

const signIn: Page = {
  when: 'form#sign-in',
  fill: { 'input[name=login]': '{login}', 'input[name=password]': '{password}' },
  actions: { submit: 'button[value=go]' },
}

async function visitOf(
  routes: Routes,
  pages: Record<string, Page> = { 'sign-in': signIn },
  {
    query = '',
    origins = [],
    ...further
  }: {
    query?: string
    origins?: string[]
    denyScopes?: string[]
    knownScopes?: string[]
    actions?: Record<string, string>
  } = {},
) {
  server = await serve(routes)
  masking = new Masking()
  const evidence = new EvidenceLog(masking).recorder()
  masking.secret('password', person.password)
  const task = {
    url: `${server.url}/auth${query}`,
    redirectUris: [redirectUri],
    origins: [server.url, ...origins],
    person,
    ...further,
  }
  const browser = formsEndUser({ pages: new Map(Object.entries(pages)) }).open()
  const { signal } = new AbortController()
  return browser.visit(task, { send: (request) => client.send(request, { evidence, signal }), evidence, signal })
}

async function authorize(...asked: Parameters<typeof visitOf>) {
  return callbackOf(await visitOf(...asked))
}

const signInForm = (inner = '', attributes = 'method="post" action="/login"') =>
  html(
    `<title>Sign in</title><form id="sign-in" ${attributes}><input name="login"><input name="password" type="password">${inner}<button name="act" value="go">Go</button><button name="act" value="no">No</button></form>`,
  )

describe('an end-user at HTML forms', () => {
  test('goes through pages and redirects to the callback, with cookies', async () => {
    const callback = await authorize({
      'GET /auth': () => redirect('/login', 302, { 'set-cookie': ['a=1; Path=/; HttpOnly', 'b=2; Path=/elsewhere'] }),
      'GET /login': ({ headers }) => signInForm(`<input type="hidden" name="cookie" value="${headers.cookie}">`),
      'POST /login': ({ form }) => redirect(`${redirectUri}?code=x&got=${encodeURIComponent(String(form))}#f=1`),
    })
    expect(callback.query.get('code')).toBe('x')
    expect(Object.fromEntries(new URLSearchParams(callback.query.get('got') ?? ''))).toEqual({
      login: 'jana',
      password: 'tajné heslo',
      cookie: 'a=1',
      act: 'go',
    })
    expect([...callback.fragment]).toEqual([['f', '1']])
    expect(callback.pages).toEqual(['sign-in'])
    expect(callback.response.status).toBe(302)
  })

  test('sends what a browser would: defaults and ticks, but nothing disabled or unticked', async () => {
    const controls =
      '<input type="checkbox" name="scope" value="a" checked><input type="checkbox" name="scope" value="b"><input type="checkbox" name="stay" checked>' +
      '<input type="radio" name="account" value="1"><input type="radio" name="account" value="2" checked><input name="off" value="x" disabled>' +
      '<select name="lang"><option>cs</option><option selected>en</option></select><textarea name="note">hi</textarea><input type="submit" name="other" value="y">'
    const callback = await authorize(
      {
        'GET /auth': () => signInForm(controls),
        'POST /login': ({ form }) => redirect(`${redirectUri}?${form}`),
      },
      { 'sign-in': { ...signIn, fill: { 'input[value=b]': true, 'input[name=stay]': false } } },
    )
    expect([...callback.query]).toEqual([
      ['login', ''],
      ['password', ''],
      ['scope', 'a'],
      ['scope', 'b'],
      ['account', '2'],
      ['lang', 'en'],
      ['note', 'hi'],
      ['act', 'go'],
    ])
  })

  test('sends of lists what is shown in them, and nothing of a group that is disabled', async () => {
    const controls =
      '<fieldset disabled><legend><input name="legend" value="1"></legend><input name="captcha" value="no"></fieldset>' +
      '<select name="realm"><optgroup label="a"><option disabled>None</option><option value="retail">For people</option></optgroup><option>Other</option></select>' +
      '<select name="language"><option>\n Čeština\n </option></select><select name="two"><option selected>1</option><option selected>2</option></select>' +
      '<select name="several" multiple><option selected>1</option><option>2</option><option selected>3</option></select><select name="none" multiple><option>1</option></select>' +
      '<select name="empty"></select><select name="placeholder"><option selected disabled value="">Choose</option><option>1</option></select>' +
      '<input type="radio" name="kind" value="1"><input type="checkbox" name="on" checked><textarea name="note">\na\nb</textarea><input type="reset" name="reset" value="1">'
    let sent: URLSearchParams | undefined
    await authorize({
      'GET /auth': () => signInForm(controls),
      'POST /login': ({ form }) => {
        sent = form
        return redirect(`${redirectUri}?code=x`)
      },
    })
    expect([...(sent ?? [])]).toEqual([
      ['login', 'jana'],
      ['password', 'tajné heslo'],
      ['legend', '1'],
      ['realm', 'retail'],
      ['language', 'Čeština'],
      ['two', '2'],
      ['several', '1'],
      ['several', '3'],
      ['on', 'on'],
      ['note', 'a\r\nb'],
      ['act', 'go'],
    ])
  })

  test('reads and fills in a page in an older encoding, and presses an image', async () => {
    const page = Buffer.from(
      '<meta charset="windows-1250"><form id="sign-in" method="post" action="/login"><input type="hidden" name="krok" value="\xe8tvrt\xfd"><input name="login"><input name="heslo" type="password"><input type="image" name="go" alt="P\xf8ihl\xe1sit"></form>',
      'latin1',
    )
    let sent = ''
    const { query } = await authorize(
      {
        'GET /auth': () => (res) => void res.writeHead(200, { 'content-type': 'text/html' }).end(page),
        'POST /login': ({ body }) => {
          sent = body
          return redirect(`${redirectUri}?code=x`)
        },
      },
      {
        'sign-in': {
          when: signIn.when,
          fill: { 'input[name=login]': '{login}', 'input[name=heslo]': '{password}' },
          actions: { submit: 'input[alt="Přihlásit"]' },
        },
      },
    )
    expect(query.get('code')).toBe('x')
    expect(sent).toBe('krok=%E8tvrt%FD&login=jana&heslo=tajn%E9+heslo&go.x=0&go.y=0')
    expect(masking.body('application/x-www-form-urlencoded', sent)).toContain('&heslo=password:')
  })

  test('sends a GET form in the query', async () => {
    const callback = await authorize({
      'GET /auth': () => signInForm('', 'action="/login?old=1"'),
      'GET /login': ({ url }) => redirect(`${redirectUri}${url.search}`),
    })
    expect(Object.fromEntries(callback.query)).toEqual({ login: 'jana', password: 'tajné heslo', act: 'go' })
  })

  test('goes on by a link, resolves addresses against the base of the page, and sends the controls that name its form', async () => {
    const callback = await authorize(
      {
        'GET /auth': () =>
          html('<base href="/deep/"><p id="notice">Notice</p><a id="on" href="login?step=2">Continue</a>'),
        'GET /deep/login': () =>
          html(
            '<base href="/deep/"><form action="/search"><input name="q"></form><form id="f" method="post" action="done"><input name="login"></form>' +
              '<input form="f" name="password"><input form="other" name="lost"><button form="f" name="act" value="go">Go</button>',
          ),
        'POST /deep/done': ({ form }) => redirect(`${redirectUri}?${form}`),
      },
      {
        notice: { when: '#notice', fill: {}, actions: { submit: '#on' } },
        'sign-in': { ...signIn, when: 'form#f' },
      },
    )
    expect([...callback.query]).toEqual([
      ['login', 'jana'],
      ['password', 'tajné heslo'],
      ['act', 'go'],
    ])
    expect(callback.pages).toEqual(['notice', 'sign-in'])
  })

  test('takes a link that leads back to the service for the end of the way', async () => {
    const callback = await authorize(
      { 'GET /auth': () => html(`<a id="no" href="${redirectUri}?error=access_denied">No</a>`) },
      { notice: { when: '#no', fill: {}, actions: { submit: '#no' } } },
    )
    expect(callback.query.get('error')).toBe('access_denied')
    expect(callback.response.status).toBe(200)
  })

  test('follows no link to a foreign address', async () => {
    const leading = authorize(
      { 'GET /auth': () => html('<a id="on" href="https://evil.example/">On</a>') },
      { notice: { when: '#on', fill: {}, actions: { submit: '#on' } } },
    )
    await expect(leading).rejects.toThrow('login.origins: the link of page notice leads to https://evil.example')
  })

  test('repeats a POST at a 307, and makes a GET of it at a 303', async () => {
    const callback = await authorize({
      'GET /auth': () => signInForm(),
      'POST /login': () => redirect('/again', 307),
      'POST /again': ({ form }) => redirect(`/done?login=${form.get('login')}`, 303),
      'GET /done': ({ url }) => redirect(`${redirectUri}${url.search}`),
    })
    expect(callback.query.get('login')).toBe('jana')
  })

  test('follows what a page or a header says goes on by itself, and waits as long', async () => {
    const refresh = (content: string) => html(`<title>Wait</title><META HTTP-EQUIV="Refresh" content="${content}">`)
    const begun = performance.now()
    const callback = await authorize({
      'GET /auth': () => refresh('1; URL=/again'),
      'GET /again': () => signInForm(),
      'POST /login': () => refresh("0;url='/done?a=1&amp;b=2'"),
      'GET /done': ({ url }) => ({ status: 200, headers: { refresh: `0, ${redirectUri}${url.search}` } }),
    })
    expect([...callback.query]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
    expect(callback.response.status).toBe(200)
    expect(performance.now() - begun).toBeGreaterThan(900)
  })

  test('goes on as a page has it for who runs no scripts', async () => {
    const leading = '<script>location.replace("/scripted")</script><noscript>'
    const callback = await authorize({
      'GET /auth': () => html(`<head>${leading}<meta http-equiv="refresh" content="0; url=/plain"></noscript></head>`),
      'GET /plain': () => signInForm('<noscript><input type="hidden" name="scripts" value="none"></noscript>'),
      'POST /login': ({ form }) => redirect(`${redirectUri}?code=x&scripts=${form.get('scripts')}`),
    })
    expect(callback.query.get('scripts')).toBe('none')
  })

  test('sends of what a page posts by itself nothing that is for who runs no scripts', async () => {
    const field = '<noscript><input type="hidden" name="scripts" value="none"><input name="why"></noscript>'
    const callback = await authorize({
      'GET /auth': () => signInForm(),
      'POST /login': () => posting(redirectUri, `${field}<script>document.forms[0].submit()</script>`),
    })
    expect([...callback.posted]).toEqual([['code', 'a&b']])
  })

  const posting = (address: string, script = '<script>document.forms[0].submit()</script>') =>
    html(`<form method="POST" action="${address}"><input type="hidden" name="code" value="a&amp;b">${script}</form>`)

  test('takes what a page posts to the service by itself', async () => {
    const callback = await authorize({
      'GET /auth': () => signInForm(),
      'POST /login': () => posting(redirectUri),
    })
    expect([...callback.posted]).toEqual([['code', 'a&b']])
    expect([...callback.query]).toEqual([])
    expect(callback.response.status).toBe(200)
    expect(callback.pages).toEqual(['sign-in'])
  })

  test('does not take for it a page that waits for somebody to press its button', async () => {
    const routes = { 'GET /auth': () => posting(redirectUri, '<button>Go on</button>') }
    await expect(authorize(routes)).rejects.toBeInstanceOf(TargetError)
  })

  test.each([
    ['seen to', '<button>Continue</button><script>document.forms[0].submit()</script>'],
    ['where there is nothing to press', '<noscript><button>Continue</button></noscript><script src="/go.js"></script>'],
  ])('follows a page that posts itself to another host of the bank, %s', async (_, inner) => {
    const other = await serve({
      'POST /sso': ({ form, headers }) =>
        signInForm(`<input type="hidden" name="got" value="${form.get('SAMLRequest')} from ${headers.origin}">`),
      'POST /login': ({ form }) => redirect(`${redirectUri}?code=x&got=${encodeURIComponent(form.get('got') ?? '')}`),
    })
    try {
      const page = `<form method="post" action="${other.url}/sso"><input type="hidden" name="SAMLRequest" value="r">${inner}</form>`
      const callback = await authorize({ 'GET /auth': () => html(page) }, undefined, { origins: [other.url] })
      expect(callback.query.get('got')).toBe(`r from ${server?.url}`)
      expect(callback.pages).toEqual(['sign-in'])
      await server?.close()
      const unnamed = authorize({ 'GET /auth': () => html(page) })
      await expect(unnamed).rejects.toBeInstanceOf(TargetError)
      await expect(unnamed).rejects.toThrow(`/auth leads to ${other.url}; if that is also the bank's, name it there`)
    } finally {
      await other.close()
    }
  })

  const search = '<form id="search" action="/search"><input name="q"><button>Search</button></form>'
  const language =
    '<form method="post" action="/language"><input type="hidden" name="to" value="en"><button>EN</button></form>'

  test.each([
    ['named by its number', '', '<script>document.forms[1].submit()</script>'],
    ['named by its id', 'id="go-on"', '<body onload="document.getElementById(\'go-on\').requestSubmit()">'],
    ['named by its name', 'name="answer"', `${language}<script>document.answer.submit()</script>`],
    ['at which nobody can do anything', '', `${language}<script src="/go.js"></script>`],
  ])('takes what a page posts by itself from the one of several forms %s', async (_, attributes, after) => {
    const posted = `<form method="post" action="${redirectUri}" ${attributes}><input type="hidden" name="code" value="x"></form>`
    const callback = await authorize({ 'GET /auth': () => html(`${search}${posted}${after}`) })
    expect([...callback.posted]).toEqual([['code', 'x']])
  })

  test.each([
    ['which of two no script says', `${language}${language}<script>document.forms[n].submit()</script>`],
    ['at which somebody has something to do', `${search}${language}<script src="/go.js"></script>`],
  ])('sends no form of an undescribed page, %s', async (_, page) => {
    await expect(authorize({ 'GET /auth': () => html(page) })).rejects.toThrow('login.pages: no entry recognises')
  })

  test.each([
    ['the form', 'enctype="multipart/form-data"', ''],
    ['its button', '', 'formenctype="multipart/form-data"'],
  ])('sends multipart/form-data where %s says so', async (_, ofForm, ofButton) => {
    const inner = `<input name="login"><input name="password" type="password"><textarea name="note">a\nb</textarea>`
    const page = `<form id="sign-in" method="post" action="/login" ${ofForm}>${inner}<button name="act" value="go" ${ofButton}>Go</button></form>`
    const callback = await authorize({
      'GET /auth': () => html(page),
      async 'POST /login'({ headers, body: sent }) {
        const type = String(headers['content-type'])
        const data = await new Response(sent, { headers: { 'content-type': type } }).formData()
        return redirect(`${redirectUri}?code=x&got=${encodeURIComponent(JSON.stringify([...data]))}`)
      },
    })
    const fields = { login: 'jana', password: 'tajné heslo', note: 'a\r\nb', act: 'go' }
    expect(JSON.parse(callback.query.get('got') ?? '')).toEqual(Object.entries(fields))
  })

  test.each([
    ['its page', 'windows-1250', '', 'windows-1250', 'tajné heslo'],
    ['what the form accepts', 'utf-8', 'accept-charset="nothing ISO-8859-2, utf-8"', 'UTF-8', 'tajné heslo'],
    ['what the form accepts first', 'windows-1250', 'accept-charset="latin2 utf-8"', 'ISO-8859-2', 'tajné heslo'],
  ])('sends multipart/form-data in the encoding of %s, which a hidden field tells', async (...args) => {
    const [, charset, accepted, told, password] = args
    const attributes = `method="post" action="/login" enctype="multipart/form-data" ${accepted}`
    const form = `<form id="sign-in" ${attributes}><input type="hidden" name="_Charset_" value="x"><input name="login"><input name="password" type="password"><input type="hidden" name="a&quot;b" value="ž&euro;&#x1f600;"><button value="go">Go</button></form>`
    const page = Buffer.from(form).toString('latin1').replace('\xc5\xbe', '\x9e')
    let sent: Buffer = Buffer.of()
    await authorize({
      'GET /auth': () => (res) =>
        void res
          .writeHead(200, { 'content-type': `text/html; charset=${charset}` })
          .end(charset === 'utf-8' ? form : Buffer.from(page, 'latin1')),
      'POST /login': ({ bytes }) => {
        sent = bytes
        return redirect(`${redirectUri}?code=x`)
      },
    })
    const text = new TextDecoder(told).decode(sent)
    expect(text).toContain(`name="_Charset_"\r\n\r\n${told}\r\n`)
    expect(text).toContain(`name="password"\r\n\r\n${password}\r\n`)
    expect(text).toContain('name="a%22b"\r\n\r\nž')
  })

  test('sends nothing of a list of proposals', async () => {
    const proposals = '<datalist id="all"><input name="proposed" value="1"><option value="a"></datalist>'
    const callback = await authorize({
      'GET /auth': () => signInForm(proposals),
      'POST /login': ({ form }) => redirect(`${redirectUri}?code=x&got=${encodeURIComponent(String(form))}`),
    })
    expect([...new URLSearchParams(callback.query.get('got') ?? '').keys()]).toEqual(['login', 'password', 'act'])
  })

  describe('where consent takes two pages', () => {
    const box = (scope: string) => `<input type="checkbox" name="scope" value="${scope}" checked>`
    const asking = (number: number, kept: string, scopes: string[]) =>
      html(
        `<form id="consent-${number}" method="post" action="/consent-${number}">${kept}${scopes.map(box).join('')}<button value="go">Go</button></form>`,
      )
    const consent = (number: number): Page => ({
      as: 'consent',
      when: `#consent-${number}`,
      fill: {},
      scope: 'input[value="{scope}"]',
      actions: { submit: 'button' },
    })
    const consentTo = (...denyScopes: string[]) =>
      authorize(
        {
          'GET /auth': () => asking(1, '', ['a', 'b']),
          'POST /consent-1': ({ form }) =>
            asking(2, `<input type="hidden" name="first" value="${form.getAll('scope').join('-')}">`, ['c', 'd']),
          'POST /consent-2': ({ form }) =>
            redirect(`${redirectUri}?code=${[form.get('first'), ...form.getAll('scope')].join('-')}`),
        },
        { 'consent-1': consent(1), 'consent-2': consent(2) },
        { denyScopes },
      )

    test('denies each scope on the page that asks about it', async () => {
      const callback = await consentTo('b', 'c')
      expect(callback.query.get('code')).toBe('a-d')
      expect(callback.pages).toEqual(['consent', 'consent'])
    })

    test('names a scope that no page asks about', async () => {
      await expect(consentTo('b', 'e')).rejects.toThrow(
        'login.pages.consent-1.scope: no page of that name has a checkbox of scope e, neither this one nor another',
      )
    })
  })

  describe('where consent takes pages that look alike', () => {
    const box = (scope: string) => `<input type="checkbox" name="scope" value="${scope}" checked>`
    const asking = (scopes: string[], kept: string[] = []) =>
      html(
        `<form id="consent" method="post" action="/consent">${kept.map((one) => `<input type="hidden" name="kept" value="${one}">`).join('')}${scopes.map(box).join('')}<button value="go">Go</button></form>`,
      )
    const consent: Page = {
      when: '#consent',
      fill: {},
      scope: 'input[value="{scope}"]',
      parts: true,
      actions: { submit: 'button' },
    }
    const next: Record<string, string[]> = { 0: ['b'], 1: ['c'] }
    const consentTo = (page: Page, ...denyScopes: string[]) => {
      let answered = 0
      return authorize(
        {
          'GET /auth': () => asking(['a']),
          'POST /consent': ({ form }) => {
            const kept = [...form.getAll('kept'), ...form.getAll('scope')]
            const scopes = next[answered]
            answered += 1
            return scopes ? asking(scopes, kept) : redirect(`${redirectUri}?code=${kept.join('-')}`)
          },
        },
        { consent: page },
        { denyScopes },
      )
    }

    test('answers each of them by one entry, and denies a scope where it is asked about', async () => {
      const callback = await consentTo(consent, 'b')
      expect(callback.query.get('code')).toBe('a-c')
      expect(callback.pages).toEqual(['consent', 'consent', 'consent'])
    })

    test('names a scope that none of them asks about', async () => {
      await expect(consentTo(consent, 'e')).rejects.toThrow('has a checkbox of scope e')
    })

    test('says how they are described, where the entry does not', async () => {
      const { parts: _, ...once } = consent
      await expect(consentTo(once)).rejects.toThrow('gets `parts: true`')
    })
  })

  describe('where what is signed takes pages in a row', () => {
    const pages: Record<string, Page> = {
      'sign-show': { as: 'sign', when: '#show', fill: {}, parts: true, actions: { submit: 'button' } },
      sign: { when: '#sign', fill: {}, actions: { submit: '#yes', refuse: '#no' } },
    }
    const showing = (text: string) =>
      html(`<p>${text}</p><form id="show" method="post" action="/next"><button>Next</button></form>`)
    const signing = (action: string) => {
      let asked = 0
      return visitOf(
        {
          'GET /auth': () => showing('one'),
          'POST /next': () => {
            asked += 1
            return asked === 1
              ? showing('two')
              : html(
                  '<p>three</p><form id="sign" method="post" action="/end"><button id="yes" name="act" value="yes">Yes</button><button id="no" name="act" value="no">No</button></form>',
                )
          },
          'POST /end': ({ form }) => redirect(`${redirectUri}?code=${form.get('act')}`),
        },
        pages,
        { actions: { sign: action } },
      )
    }

    test.each(['submit', 'refuse'])('does on the last one what only that has a button for: %s', async (action) => {
      const { query, pages: passed } = callbackOf(await signing(action))
      expect(query.get('code')).toBe(action === 'refuse' ? 'no' : 'yes')
      expect(passed).toEqual(['sign', 'sign', 'sign'])
    })

    test('looks at all of them', async () => {
      const { before = [], response } = await signing('leave')
      expect([...before, response].map(({ document }) => document('p').text())).toEqual(['one', 'two', 'three'])
    })

    test('says so where none has a button for what is to be done', async () => {
      const { sign: _, ...alone } = pages
      const last = { ...alone, sign: { when: '#none', fill: {}, actions: { submit: '#x', refuse: '#x' } } }
      const never = authorize(
        { 'GET /auth': () => showing('one'), 'POST /next': () => redirect(`${redirectUri}?code=x`) },
        last,
        { actions: { sign: 'refuse' } },
      )
      await expect(never).rejects.toThrow('none of the pages named sign that came has a button for the action refuse')
    })
  })

  describe('where boxes stand for several scopes', () => {
    const page = html(
      '<form id="consent" method="post" action="/consent"><input type="checkbox" name="contact" data-of="email phone" checked><input type="checkbox" name="name" data-of="name" checked><button>Go</button></form>',
    )
    const routes = {
      'GET /auth': () => page,
      'POST /consent': ({ form }: { form: URLSearchParams }) =>
        redirect(`${redirectUri}?code=${[...form.keys()].join('-')}`),
    }
    const consent: Page = { when: '#consent', fill: {}, actions: { submit: 'button' } }
    const boxes = { 'input[name=contact]': ['email', 'phone'], 'input[name=name]': ['name'] }
    const knownScopes = ['email', 'phone', 'name']
    const denying = (entry: Partial<Page>, ...denyScopes: string[]) =>
      authorize(routes, { consent: { ...consent, ...entry } }, { denyScopes, knownScopes })

    test('unticks the box of a scope', async () => {
      expect((await denying({ boxes }, 'phone')).query.get('code')).toBe('name')
      expect((await denying({ boxes }, 'email', 'phone', 'name')).query.get('code')).toBe('')
    })

    test('names a scope of which nothing says where its box is', async () => {
      const contact = { 'input[name=contact]': ['email', 'phone'] }
      await expect(denying({ boxes: contact }, 'name')).rejects.toThrow(
        'login.pages.consent.boxes: nothing says which box is that of scope name',
      )
    })

    test('names what a box stands for beside what is denied', async () => {
      await expect(denying({ scope: '[data-of~="{scope}"]' }, 'phone')).rejects.toThrow(
        'login.pages.consent.scope: one box of the page stands for phone and for email; name it in login.pages.consent.boxes',
      )
      expect((await denying({ scope: '[data-of~="{scope}"]' }, 'name')).query.get('code')).toBe('contact')
    })
  })

  describe('where consent begins with a summary that leads to boxes', () => {
    const summary = '<form id="summary" method="post" action="/approve"><p>All</p><button>Yes</button></form>'
    const chosen: string[] = []
    const routes = {
      'GET /auth': () => html(`${summary}<a id="change" href="/boxes">Change</a>`),
      'GET /boxes': () =>
        html(
          '<form id="boxes" method="post" action="/auth"><input type="checkbox" name="email" checked><button>Save</button></form>',
        ),
      'POST /auth': ({ form }: { form: URLSearchParams }) => {
        chosen.push([...form.keys()].join())
        return redirect('/auth')
      },
      'POST /approve': () => redirect(`${redirectUri}?code=x`),
    }
    const pages: Record<string, Page> = {
      summary: { as: 'consent', when: '#summary', fill: {}, actions: { submit: '#summary button', change: '#change' } },
      consent: { when: '#boxes', fill: {}, scope: 'input[name={scope}]', actions: { submit: '#boxes button' } },
    }

    test('goes there to deny, and to look, and else approves of all', async () => {
      const whole = await authorize(routes, pages)
      expect([whole.pages, chosen]).toEqual([['consent'], []])
      const part = await authorize(routes, pages, { denyScopes: ['email'] })
      expect([part.pages, chosen]).toEqual([['consent', 'consent', 'consent'], ['']])
    })

    test('says so where the target file does not tell of it', async () => {
      const told = { ...pages, summary: { ...pages.summary, actions: { submit: '#summary button' } } as Page }
      await expect(authorize(routes, told, { denyScopes: ['email'] })).rejects.toThrow(
        'login.pages.summary: the way on led past the boxes, of which another page of that name has that of scope email',
      )
    })
  })

  describe('at a page that waits for an app', () => {
    const app: Page = { when: '#app', fill: {}, waits: true, actions: { cancel: '#app button' } }
    const page = (refresh: string) => html(`<form id="app"><button>Cancel</button></form>${refresh}`)

    test('goes on with it', async () => {
      let asked = 0
      const asking = () => {
        asked += 1
        return asked < 3 ? page('<meta http-equiv="refresh" content="1">') : redirect(`${redirectUri}?code=x`)
      }
      const { pages, query } = await authorize({ 'GET /auth': asking }, { app })
      expect([query.get('code'), pages]).toEqual(['x', ['app']])
    })

    test('says so where it needs a script', async () => {
      await expect(authorize({ 'GET /auth': () => page('') }, { app })).rejects.toThrow(
        'login.pages.app.waits: the page did not go on by itself within',
      )
    })
  })

  test('chooses the first of radio buttons that a selector matches all of', async () => {
    const radios = ['1', '2'].map((value) => `<input type="radio" name="account" value="${value}">`).join('')
    const routes = {
      'GET /auth': () => html(`<form id="account" method="post" action="/account">${radios}<button>Go</button></form>`),
      'POST /account': ({ form }: { form: URLSearchParams }) =>
        redirect(`${redirectUri}?code=${form.getAll('account').join()}`),
    }
    const account: Page = { when: '#account', fill: { 'input[name=account]': true }, actions: { submit: 'button' } }
    expect((await authorize(routes, { account })).query.get('code')).toBe('1')
  })

  describe('where one page asks who the person is and for consent', () => {
    const both: Page = { ...signIn, also: 'consent', actions: { ...signIn.actions, refuse: 'button[value=refuse]' } }
    const visit = (actions: Record<string, string>) =>
      authorize(
        {
          'GET /auth': () => signInForm('<button name="act" value="refuse">No</button>'),
          'POST /login': ({ form }) => redirect(`${redirectUri}?code=${form.get('act')}`),
        },
        { 'sign-in': both },
        { actions },
      )

    test('tells it as both', async () => {
      expect((await visit({})).pages).toEqual(['sign-in', 'consent'])
    })

    test('does on it what is to be done on either', async () => {
      expect((await visit({ consent: 'refuse' })).query.get('code')).toBe('refuse')
    })
  })

  test('presses no button of a page that is not described, though it has a script', async () => {
    const page =
      '<title>May we?</title><form id="consent" method="post" action="/consent"><button name="yes">Yes</button></form><script src="/a.js"></script>'
    await expect(authorize({ 'GET /auth': () => html(page) })).rejects.toThrow('login.pages: no entry recognises')
  })

  test('fails a page that posts the answer to somebody else', async () => {
    const routes = { 'GET /auth': () => posting('https://evil.example/') }
    await expect(authorize(routes)).rejects.toThrow(/sends the browser to https:\/\/evil\.example\/, which is neither/)
  })

  test('fills in a page that would go on by itself', async () => {
    const page = signInForm('<meta http-equiv="refresh" content="300;url=/expired">')
    const callback = await authorize({
      'GET /auth': () => page,
      'POST /login': () => redirect(`${redirectUri}?code=x`),
    })
    expect(callback.query.get('code')).toBe('x')
  })

  test('is led to a foreign address by no page', async () => {
    const leading = authorize({
      'GET /auth': () => html('<meta http-equiv=refresh content="0; https://evil.example/a">'),
    })
    await expect(leading).rejects.toThrow(
      /^login\.origins: the page of GET https:\S+\/auth leads to https:\/\/evil\.example; if that is also the bank's, name it there$/,
    )
  })

  test.each(['', '400', 'soon; url=/x', '400;url=/later'])('stays at a page that refreshes by %j', async (content) => {
    const staying = authorize({
      'GET /auth': () => html(`<title>Stay</title><meta http-equiv=refresh content="${content}">`),
    })
    await expect(staying).rejects.toThrow(
      /^login\.pages: no entry recognises the page of GET \/auth, which is a page titled "Stay"/,
    )
  })

  test.each([
    [`${redirectUri}/`, 'a longer path'],
    ['https://service.example/app/Callback', 'another case'],
    ['http://service.example/app/callback', 'another scheme'],
    ['https://service.example.evil.example/app/callback', 'another host'],
  ])('does not go to %s: %s', async (address) => {
    await expect(authorize({ 'GET /auth': () => redirect(`${address}?code=x`) })).rejects.toMatchObject({
      finding: { actual: `${address}?code=x`, expected: `a redirect to ${redirectUri}` },
    })
  })

  test('ticks each box that can be ticked, where the page says so, and unticks what is to be denied', async () => {
    const page: Page = { ...signIn, tick: 'all', scope: 'input[value="{scope}"]' }
    const boxes = ['a', 'b', 'c" disabled="'].map((value) => `<input type="checkbox" name="scope" value="${value}">`)
    const callback = await authorize(
      {
        'GET /auth': () => signInForm(boxes.join('')),
        'POST /login': ({ form }) => redirect(`${redirectUri}?code=${form.getAll('scope').join('-')}`),
      },
      { 'sign-in': page },
      { denyScopes: ['b'] },
    )
    expect(callback.query.get('code')).toBe('a')
  })

  test.each([
    [
      'radio buttons',
      'input[name="{scope}"][value=no]',
      (scope: string) =>
        `<input type="radio" name="${scope}" value="yes" checked><input type="radio" name="${scope}" value="no">`,
    ],
    [
      'a list',
      'select[name="{scope}"] option[value=no]',
      (scope: string) => `<select name="${scope}"><option value="yes" selected>Yes<option value="no">No</select>`,
    ],
  ])('denies a scope by %s, and leaves the others as they are', async (_, scope, choice) => {
    const callback = await authorize(
      {
        'GET /auth': () => signInForm(`${choice('a')}${choice('b')}`),
        'POST /login': ({ form }) =>
          redirect(`${redirectUri}?code=${[...form.getAll('a'), ...form.getAll('b')].join('-')}`),
      },
      { 'sign-in': { ...signIn, scope } },
      { denyScopes: ['b'] },
    )
    expect(callback.query.get('code')).toBe('yes-no')
  })

  test('calls the forms of one page by one name, and does what is to be done there on each', async () => {
    const ofCode: Page = { ...signIn, as: 'sign-in', when: '#with-code', fill: { '#with-code': '1' } }
    const withCode = '<input id="with-code" name="code">'
    for (const inner of ['', withCode]) {
      const callback = await authorize(
        {
          'GET /auth': () => signInForm(inner),
          'POST /login': ({ form }) => redirect(`${redirectUri}?code=${form.get('code') ?? 'none'}`),
        },
        { 'sign-in-by-code': ofCode, 'sign-in': signIn },
      )
      expect({ code: callback.query.get('code'), pages: callback.pages }).toEqual({
        code: inner === '' ? 'none' : '1',
        pages: ['sign-in'],
      })
    }
  })

  test('AUTH-3: who is sent at once to the unregistered address that the request named is sent wrong, whatever is carried there', async () => {
    const address = 'https://unregistered.example/callback'
    const sent = authorize(
      { 'GET /auth': () => redirect(address) },
      {},
      { query: `?redirect_uri=${encodeURIComponent(address)}` },
    )
    await expect(sent).rejects.toMatchObject({ finding: { actual: address, expected: `a redirect to ${redirectUri}` } })
  })

  test('does not send a password to a foreign address', async () => {
    const leading = authorize({
      'GET /auth': () => signInForm('', 'method="post" action="https://evil.example/login"'),
    })
    await expect(leading).rejects.toThrow(
      new TargetError([
        "login.origins: the form of page sign-in leads to https://evil.example; if that is also the bank's, name it there",
      ]),
    )
  })

  test('stops when a page comes back', async () => {
    const wrong = authorize({ 'GET /auth': () => signInForm(), 'POST /login': () => signInForm() })
    await expect(wrong).rejects.toThrow(TargetError)
    await expect(wrong).rejects.toThrow('login.pages.sign-in: the bank showed the page again after it was submitted')
  })

  test('stops when redirects do not end', async () => {
    await expect(authorize({ 'GET /auth': () => redirect('/auth') })).rejects.toThrow(
      'the bank did not redirect the browser to the client within 30 requests',
    )
  })

  test('describes a page that no entry recognises', async () => {
    const page =
      '<title> Choose </title><form id="pick"><select name="who"></select><input name="x"></form><button id="b" value="1"> <b>Go</b><i>on</i> </button><input type="submit" value="Stop">'
    await expect(authorize({ 'GET /auth': () => html(page) })).rejects.toThrow(
      'login.pages: no entry recognises the page of GET /auth, which is a page titled "Choose", forms: form#pick with who, x, buttons: "Go on"#b[value="1"], "Stop"[value="Stop"], status 200',
    )
  })

  test('charges the bank with a page about maintenance that comes in place of those that led back before', async () => {
    const shown = [signInForm(), html('<title>Maintenance</title><p>Come back later.</p>')]
    server = await serve({
      'GET /auth': () => shown.shift() ?? 'cut',
      'POST /login': () => redirect(`${redirectUri}?code=c`),
    })
    const evidence = new EvidenceLog(new Masking()).recorder()
    const { signal } = new AbortController()
    const task = { url: `${server.url}/auth`, redirectUris: [redirectUri], origins: [server.url], person }
    const context = { send: (request: Parameters<HttpClient['send']>[0]) => client.send(request, { evidence, signal }) }
    const endUser = formsEndUser({ pages: new Map([['sign-in', signIn]]) })
    const visited = () => endUser.open().visit(task, { ...context, evidence, signal })
    expect((await visited()).callback?.query.get('code')).toBe('c')
    const { blockedBy } = await visited()
    expect(blockedBy).toBeInstanceOf(BankFailure)
    expect(blockedBy?.message).toContain('instead of a redirect GET /auth shows a page titled "Maintenance"')
  })

  test('charges the bank with a redirect that leads nowhere', async () => {
    const failing = authorize({ 'GET /auth': () => ({ status: 302 }) })
    await expect(failing).rejects.toThrow(BankFailure)
    await expect(failing).rejects.toThrow('instead of a redirect GET /auth shows not a page but nothing, status 302')
  })

  test('charges the bank with an error page', async () => {
    const failing = authorize({ 'GET /auth': () => html('<title>Oops</title>', 500) })
    await expect(failing).rejects.toThrow(BankFailure)
    await expect(failing).rejects.toThrow(
      'instead of a redirect GET /auth shows a page titled "Oops", forms: none, buttons: none, status 500',
    )
  })

  test.each([
    [{ ...signIn, fill: { '#pin': '1' } }, 'login.pages.sign-in.fill: nothing on the page matches #pin'],
    [
      { ...signIn, actions: { submit: '#next' } },
      'login.pages.sign-in.actions.submit: #next matches neither a button of a form nor a link',
    ],
  ])('says which entry does not fit the page', async (page, message) => {
    await expect(authorize({ 'GET /auth': () => signInForm() }, { 'sign-in': page })).rejects.toThrow(
      new TargetError([message]),
    )
  })
})
