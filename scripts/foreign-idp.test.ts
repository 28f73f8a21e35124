import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { browserEndUser } from '../conformance/end-user/browser.js'
import { callbackOf } from '../conformance/end-user/end-user.js'
import { EvidenceLog } from '../conformance/evidence/evidence.js'
import { Masking } from '../conformance/evidence/masking.js'
import { examine } from '../conformance/examine.js'
import { createHttpClient } from '../conformance/http/http.js'
import { consoleReport } from '../conformance/reports/console.js'
import type { Page } from '../conformance/target/login-settings.js'
import type { Target } from '../conformance/target/target.js'
import { certificates } from '../conformance/testing/certificates.js'
import { chromiumPath } from '../conformance/testing/chromium.js'

const redirectUri = 'https://service.example/callback'

/** The development pages that oidc-provider brings with it, described as a target file describes a bank's. */
const pages = new Map<string, Page>([
  [
    'sign-in',
    {
      when: 'form:has(input[name=prompt][value=login])',
      fill: { 'input[name=login]': '{login}', 'input[name=password]': '{password}' },
      actions: { submit: 'form button[type=submit]', decline: 'a[href$=abort]' },
    },
  ],
  [
    'consent',
    {
      when: 'form:has(input[name=prompt][value=consent])',
      fill: {},
      actions: { submit: 'form button[type=submit]', refuse: 'a[href$=abort]' },
    },
  ],
])

/** A server of oidc-provider with one client. @param client what it registered beside its id and its address */
async function startProvider(client: object = {}): Promise<{ issuer: string; ca: string; close(): void }> {
  const { ca, localhost } = await certificates()
  const server = createServer(localhost)
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve)
  })
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'rp', client_secret: 'secret', redirect_uris: [redirectUri], ...client }],
    pkce: { required: () => false },
  })
  server.on('request', provider.callback())
  return {
    issuer,
    ca,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('the report says that a refresh token is asked for with prompt=consent, where none comes otherwise', async () => {
  const registered = { grant_types: ['authorization_code', 'refresh_token'], scope: 'openid offline_access' }
  const { issuer, ca, close } = await startProvider(registered)
  const record = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_basic', ...registered }
  const target: Target = {
    issuer,
    ca,
    client: { clientId: 'rp', clientSecret: 'secret', keys: [], record },
    people: [{ login: 'jana', password: 'anything', kinds: ['full'] }],
    pages,
    concurrency: 4,
    timeoutSeconds: 30,
  }
  try {
    const results = await examine({ target, only: ['token/refresh-reordered'] })
    const told = consoleReport({ styled: false }).summary(results).split('\n')
    expect(told).toContain('agreed   a login for a refresh token asks: prompt=consent (preferred: nothing)')
  } finally {
    close()
  }
})

test('the browser driver logs in, declines and reuses a session at an IdP that is not ours', async () => {
  const { issuer, ca, close } = await startProvider()
  const http = createHttpClient({ ca, timeoutSeconds: 10 })
  const evidence = new EvidenceLog(new Masking()).recorder()
  const { signal } = new AbortController()
  const exchange = {
    send: (request: Parameters<typeof http.send>[0]) => http.send(request, { evidence, signal }),
    evidence,
    signal,
  }
  const endUser = browserEndUser({ ca, pages, login: { by: 'browser', browser: chromiumPath } })
  const ask = (parameters: Record<string, string> = {}) => {
    const query = {
      client_id: 'rp',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      state: 's',
      ...parameters,
    }
    return {
      url: `${issuer}/auth?${new URLSearchParams(query)}`,
      redirectUris: [redirectUri],
      origins: [issuer],
      person: { login: 'jana', password: 'anything', kinds: ['full'] },
    }
  }
  try {
    const browser = endUser.open()
    const first = callbackOf(await browser.visit(ask(), exchange))
    expect(first.pages).toEqual(['sign-in', 'consent'])
    expect(first.query.get('code')).toMatch(/^.{20,}$/)
    expect(first.query.get('state')).toBe('s')
    expect(first.response.status).toBe(303)

    const silent = callbackOf(await browser.visit(ask({ prompt: 'none' }), exchange))
    expect({ pages: silent.pages, error: silent.query.get('error') }).toEqual({ pages: [], error: null })

    const declined = await endUser.open().visit({ ...ask(), actions: { 'sign-in': 'decline' } }, exchange)
    expect(callbackOf(declined).query.get('error')).toBe('access_denied')
  } finally {
    await endUser.close()
    await http.close()
    close()
  }
})
