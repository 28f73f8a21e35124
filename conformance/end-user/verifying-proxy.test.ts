import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:tls'
import { EvidenceLog } from '../evidence/evidence.js'
import { NoAnswer } from '../evidence/failure.js'
import { Masking } from '../evidence/masking.js'
import { selfSigned } from '../http/self-signed.js'
import type { Target } from '../target/target.js'
import { certificates } from '../testing/certificates.js'
import { chromiumPath } from '../testing/chromium.js'
import { html, type Routes, redirect, serve, type TestServer } from '../testing/https-server.js'
import { browserEndUser } from './browser.js'
import type { EndUser } from './end-user.js'
import { startVerifyingProxy } from './verifying-proxy.js'

const redirectUri = 'https://service.example/app/callback'
const page = { when: 'form', fill: { 'input[name=password]': '{password}' }, actions: { submit: 'button' } }
const form = '<form method="post" action="/login"><input name="password"><button>Go</button></form>'

const servers: TestServer[] = []
const endUsers: EndUser[] = []

afterEach(async () => {
  await Promise.all(endUsers.splice(0).map((one) => one.close()))
  await Promise.all(servers.splice(0).map((one) => one.close()))
})

async function started(routes: Routes, certificate?: Parameters<typeof serve>[1]): Promise<TestServer> {
  const server = await serve(routes, certificate)
  servers.push(server)
  return server
}

/** Somebody who logs in at a bank whose pages are known. */
async function person({ url }: TestServer, tls: Partial<Target>, origins: string[] = []) {
  const said: string[] = []
  const endUser = browserEndUser(
    {
      pages: new Map([['login', page]]),
      login: { by: 'browser', browser: chromiumPath, pageSeconds: 3 },
      timeoutSeconds: 5,
      ...tls,
    },
    (text) => said.push(text),
  )
  endUsers.push(endUser)
  const { signal } = new AbortController()
  const evidence = new EvidenceLog(new Masking()).recorder()
  const unheard = new NoAnswer({ sentence: 'nothing is heard over HTTP either', actual: 'was silent' })
  const context = { send: () => Promise.reject(unheard), evidence, signal }
  const jana = { login: 'jana', password: 'heslo-jany', kinds: [] }
  const task = { url: `${url}/auth`, redirectUris: [redirectUri], origins: [url, ...origins], person: jana }
  return { said, visit: () => endUser.open().visit(task, context) }
}

const untrusted = 'presents a self-signed TLS certificate that `ca` of the target file does not contain'

describe('what a browser of the harness types', () => {
  test('goes to no bank with a certificate of another authority, whose name for it is told', async () => {
    const bank = await started({ 'GET /auth': () => html(form), 'POST /login': () => redirect(redirectUri) })
    const other = await selfSigned('other')
    const { visit } = await person(bank, { ca: other.cert })
    await expect(visit()).rejects.toMatchObject({
      finding: {
        sentence: expect.stringMatching(
          /^GET \S+\/auth: the bank presents a TLS certificate of an authority that `ca`/,
        ),
      },
    })
    expect(bank.seen).toEqual([])
  })

  test('goes nowhere on from a bank that leads to an address whose certificate nobody vouches for', async () => {
    const elsewhere = await started({ 'POST /login': () => redirect(redirectUri) }, await selfSigned('localhost'))
    const bank = await started({
      'GET /auth': () => html(form.replace('/login', `${elsewhere.url}/login`)),
    })
    const { visit } = await person(bank, { ca: (await certificates()).ca }, [elsewhere.url])
    await expect(visit()).rejects.toMatchObject({
      finding: { sentence: `POST ${elsewhere.url}/login: the bank ${untrusted}` },
    })
    expect(elsewhere.seen).toEqual([])
  })

  test('is typed without what a page could not load in a verified way, and that is said once', async () => {
    const elsewhere = await started({}, await selfSigned('localhost'))
    const scripts = [1, 2].map((i) => `<script src="${elsewhere.url}/${i}.js"></script>`).join('')
    const bank = await started({
      'GET /auth': () => html(form + scripts),
      'POST /login': ({ form: sent }) => redirect(`${redirectUri}?code=${sent.get('password')}`),
    })
    const { visit, said } = await person(bank, { ca: (await certificates()).ca })
    expect((await visit()).callback?.query.get('code')).toBe('heslo-jany')
    expect(said.filter((text) => text.includes(elsewhere.url))).toEqual([
      `what pages load from ${elsewhere.url} is missing in the browser: whoever answers there ${untrusted}`,
    ])
    expect(elsewhere.seen).toEqual([])
  })

  test('comes with the client certificate exactly where every connection of the harness shows it', async () => {
    const bank = await started({ 'GET /auth': ({ certified }) => redirect(`${redirectUri}?code=${certified}`) })
    const { ca, localhost: clientCertificate } = await certificates()
    for (const certificateEverywhere of [true, false]) {
      const { visit } = await person(bank, { ca, clientCertificate, certificateEverywhere })
      expect((await visit()).callback?.query.get('code')).toBe(String(certificateEverywhere))
    }
  })
})

describe('the proxy of a browser', () => {
  test('shows the client certificate to the bank, and to nobody else whose address a page names', async () => {
    const shown: boolean[] = []
    const elsewhere = await started({
      'GET /x.js': ({ certified }) => {
        shown.push(certified)
        return { status: 200 }
      },
    })
    const bank = await started({
      'GET /auth': () => html(`<script src="${elsewhere.url}/x.js"></script>${form}`),
      'POST /login': ({ certified }) => redirect(`${redirectUri}?code=${certified}`),
    })
    const { ca, localhost: clientCertificate } = await certificates()
    const { visit } = await person(bank, { ca, clientCertificate, certificateEverywhere: true })
    expect((await visit()).callback?.query.get('code')).toBe('true')
    expect(shown).toEqual([false])
  })

  test('serves nobody else on this machine, and nothing without TLS', async () => {
    const bank = await started({ 'GET /auth': () => html('') })
    const proxy = await startVerifyingProxy({ ca: (await certificates()).ca }, 5_000)
    const { username, password } = proxy.credentials
    const ask = async (proxyAuthorization?: string) => {
      const headers = proxyAuthorization === undefined ? {} : { 'proxy-authorization': proxyAuthorization }
      const asked = request(proxy.server, { method: 'CONNECT', path: new URL(bank.url).host, headers }).end()
      const [{ statusCode }, socket] = (await once(asked, 'connect')) as [IncomingMessage, Socket]
      return { statusCode, socket }
    }
    const basic = (words: string) => `Basic ${Buffer.from(words).toString('base64')}`
    for (const wrong of [undefined, basic(`${username}:`), basic(`${username}:${password}x`)])
      expect((await ask(wrong)).statusCode).toBe(407)
    const { statusCode, socket } = await ask(basic(`${username}:${password}`))
    expect(statusCode).toBe(200)
    // Whoever trusts authorities alone does not trust the proxy's key.
    const [error] = await once(connect({ socket, servername: 'localhost' }), 'error')
    expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    const plain = (headers = {}) =>
      once(request(proxy.server, { path: 'http://bank.example/login', headers }).end(), 'response')
    expect((await plain())[0]).toMatchObject({ statusCode: 407 })
    expect(proxy.trouble('http://bank.example/')).toBeUndefined()
    await expect(plain({ 'proxy-authorization': basic(`${username}:${password}`) })).rejects.toMatchObject({
      code: 'ECONNRESET',
    })
    expect(proxy.trouble('http://bank.example/')).toBe('is to be asked without TLS')
    await proxy.close()
    expect(bank.seen).toEqual([])
  })
})
