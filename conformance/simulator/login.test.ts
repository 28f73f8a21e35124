import { askStatistics, logoutClaims } from '../testing/bank-messages.js'
import { changedBody } from '../testing/changed-answers.js'
import type { ForeignBank } from '../testing/foreign-bank.js'
import { json, type Replaced, type Routes, type TestRequest } from '../testing/https-server.js'
import { bankAndSimulator } from '../testing/simulator-for-test.js'

const discovery = 'GET /.well-known/openid-configuration'

describe('a login', () => {
  /** Records what the bank is asked, with a txn and a profile that it has not by itself. */
  function recording(seen: TestRequest[], txn?: string) {
    return (own: Routes): Routes => {
      const routes: Routes = {
        ...own,
        'GET /userinfo': async (request) => {
          const answer = await own['GET /userinfo']?.(request)
          if (txn === undefined || typeof answer !== 'object' || answer.status !== 200) return answer ?? 'cut'
          return { ...answer, body: await bank.sign({ sub: 'somebody', txn, given_name: 'Jana' }) }
        },
      }
      return Object.fromEntries(
        Object.entries(routes).map(([name, route]) => [
          name,
          (request: TestRequest) => {
            seen.push(request)
            return route(request)
          },
        ]),
      )
    }
  }

  let bank: ForeignBank
  async function startRecording(txn?: string, replaced: Replaced = () => ({})) {
    const seen: TestRequest[] = []
    const started = await bankAndSimulator((own) => recording(seen, txn)({ ...own, ...replaced(own) }))
    bank = started.bank
    return { ...started, seen }
  }

  const details = (failing: Record<string, string>) => () =>
    json({
      status: 'OK',
      description: 'd',
      version: '1',
      time: '2026-01-01T00:00:00Z',
      poll_interval: 60_000,
      outage_description: 'maintenance',
      details: Object.fromEntries(
        Object.entries(failing).map(([name, status]) => [
          name,
          { status, description: 'd', version: '1', time: '2026-01-01T00:00:00Z' },
        ]),
      ),
    })

  test('ends on a page with the claims, and is kept', async () => {
    const { service, journal } = await startRecording()
    const answer = await service.login()
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<h1>Logged in</h1>')
    expect(journal.of('login')).toMatchObject([
      { idpSub: 'somebody', sepSub: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ])
    expect(answer.text).toContain('Bearer access_token:‹')
  })

  test('SVC-9[parameter=redirect_uri], SVC-9[parameter=client_id], SVC-9[parameter=response_type], SVC-9[parameter=scope], SVC-9[parameter=state], SVC-9[parameter=nonce]: each /auth request carries redirect_uri, client_id, response_type, scope with openid, state and nonce', async () => {
    const { service, seen } = await startRecording()
    await service.login([['scope', 'profile.name']])
    await service.login()
    const asked = seen
      .filter(({ url }) => url.pathname === '/auth')
      .map(({ url }) => Object.fromEntries(url.searchParams))
    const long = expect.stringMatching(/^[\w-]{43}$/)
    const carried = {
      redirect_uri: `${service.simulator.url}/callback`,
      client_id: expect.stringMatching(/./),
      response_type: 'code',
      scope: 'openid profile.name',
      state: long,
      nonce: long,
    }
    expect(asked).toEqual([carried, { ...carried, scope: 'openid' }])
    expect(asked[0]?.state).not.toBe(asked[1]?.state)
  })

  test('GEN-1: whatever grants the client registered, every call is in the authorization-code flow', async () => {
    const { service, seen } = await startRecording(
      undefined,
      changedBody(discovery, (found) => ({
        ...found,
        grant_types_supported: ['authorization_code', 'implicit', 'refresh_token'],
        response_types_supported: ['code', 'token'],
      })),
    )
    expect(await service.login()).toMatchObject({ status: 200 })
    const registered = JSON.parse(seen.find(({ url }) => url.pathname === '/register')?.body ?? '{}')
    expect(registered).toMatchObject({
      grant_types: ['authorization_code', 'implicit', 'refresh_token'],
      response_types: ['code', 'token'],
    })
    const flows = seen.flatMap(({ url, form }) => [url.searchParams.get('response_type'), form.get('grant_type')])
    expect(flows.filter(Boolean)).toEqual(['code', 'authorization_code'])
  })

  test('SVC-8[endpoint=auth], SVC-8[endpoint=token], SVC-8[endpoint=userinfo], SVC-8[endpoint=register], SVC-8[value=missing]: for an SLA customer each direct call and the /auth request name its organization, and none otherwise', async () => {
    const { service, seen } = await startRecording()
    await service.login({ sep_id: 'org-7' })
    const ofBrowser = (path: string) => ['/auth', '/login', '/consent'].includes(path)
    const direct = seen.filter(({ url }) => !ofBrowser(url.pathname) && url.pathname !== '/healthcheck')
    expect(direct.map(({ url }) => url.pathname)).toEqual(expect.arrayContaining(['/token', '/userinfo']))
    const byPath = direct.filter(({ url }) => ['/register', '/token', '/userinfo'].includes(url.pathname))
    expect(byPath.map(({ headers }) => headers['x-sep-identifier'])).toEqual(byPath.map(() => 'org-7'))
    expect(seen.find(({ url }) => url.pathname === '/auth')?.url.searchParams.get('sep_id')).toBe('org-7')
    seen.splice(0)
    await service.login()
    expect(seen.filter(({ headers, url }) => headers['x-sep-identifier'] ?? url.searchParams.get('sep_id'))).toEqual([])
  })

  test('SVC-10[claim=txn value=right], SVC-10[claim=txn value=missing], SVC-10[claim=txn value=unknown]: what the bank does for itself is its own usage by the transaction number alone', async () => {
    const withNumber = await startRecording('11111111-2222-3333-4444-555555555555:openid')
    await withNumber.service.login({ own: 'yes' })
    expect((await askStatistics(withNumber.service, withNumber.bank, { idpSub: 'somebody' })).json).toMatchObject({
      numberOfRecords: 1,
      numberOfIdpRecords: 1,
    })
    const without = await startRecording()
    await without.service.login({ own: 'yes' })
    expect((await askStatistics(without.service, without.bank, { idpSub: 'somebody' })).json).toMatchObject({
      numberOfRecords: 1,
      numberOfIdpRecords: 0,
    })
    const third = await startRecording('11111111-2222-3333-4444-666666666666:openid')
    await third.service.login()
    expect((await askStatistics(third.service, third.bank, { idpSub: 'somebody', idp: true })).json).toMatchObject({
      numberOfRecords: 0,
    })
  })

  test('SVC-7[member=oidc-core]: while /auth and /token are down nobody is sent there, and health is read once', async () => {
    const { service, seen } = await startRecording(undefined, () => ({
      'GET /healthcheck': details({ 'oidc-core': 'ERROR' }),
    }))
    const answers = [await service.login(), await service.login()]
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    expect(answers[0]?.text).toContain('maintenance')
    expect(seen.map(({ url }) => url.pathname)).toEqual(['/healthcheck'])
  })

  test('SVC-7[member=dynamic-registration]: while registration is down, clients that are registered still log in', async () => {
    let status = 'OK'
    const { service, seen } = await startRecording(undefined, () => ({
      'GET /healthcheck': () =>
        json({
          status: 'OK',
          description: 'd',
          version: '1',
          time: '2026-01-01T00:00:00Z',
          poll_interval: 0,
          details: { 'dynamic-registration': { status, description: 'd', version: '1', time: '2026-01-01T00:00:00Z' } },
        }),
    }))
    expect(await service.login()).toMatchObject({ status: 200 })
    status = 'ERROR'
    expect(await service.login()).toMatchObject({ status: 200 })
    expect(await service.login({ provider: 'A new one' })).toMatchObject({ status: 503 })
    expect(seen.filter(({ url }) => url.pathname === '/register')).toHaveLength(1)
  })

  test('SVC-7[member=kyc]: while profile data is down, only /profile is left out', async () => {
    for (const [status, calls] of [
      ['OK', 1],
      ['ERROR', 0],
    ] as const) {
      const { service, seen, bank } = await startRecording(undefined, (own) => ({
        'GET /healthcheck': details({ kyc: status }),
        'GET /profile': async () => ({ status: 200, body: await bank.sign({ sub: 'somebody', age: 40 }) }),
        ...changedBody(discovery, (found) => ({ ...found, profile_endpoint: `${found.issuer}/profile` }))(own),
      }))
      expect(await service.login({ scope: 'profile.name' })).toMatchObject({ status: 200 })
      expect(seen.filter(({ url }) => url.pathname === '/profile')).toHaveLength(calls)
    }
  })

  test('by another browser, or with an error of the bank, ends without being counted', async () => {
    const { service, journal } = await startRecording(undefined, () => ({
      'POST /token': () => json({ error: 'invalid_grant' }, 400),
    }))
    expect(await service.login()).toMatchObject({ status: 502, text: expect.stringContaining('invalid_grant') })
    const begun = await service.form('/login', {})
    const state = new URL(String(begun.headers.location)).searchParams.get('state')
    expect(await service.send('GET', `/callback?state=${state}&code=c`)).toMatchObject({ status: 400 })
    const [cookie = ''] = String(begun.headers['set-cookie']).split(';')
    const declined = await service.send('GET', `/callback?state=${state}&error=access_denied`, undefined, { cookie })
    expect([declined.status, declined.text]).toEqual([200, expect.stringContaining('access_denied')])
    expect(journal.of('login')).toEqual([])
  })

  test('is ended by a logout of the bank', async () => {
    const { service, journal, bank } = await startRecording()
    await service.login()
    expect((await service.send('GET', '/')).text).toContain('somebody at Demo client')
    const [{ clientId } = { clientId: '' }] = journal.of('login')
    const logout_token = await bank.sign(logoutClaims(bank, { aud: clientId, sid: undefined }))
    expect(await service.form('/back-channel/logout', { logout_token })).toMatchObject({ status: 200 })
    expect((await service.send('GET', '/')).text).not.toContain('somebody at Demo client')
  })

  test('is taken from the service’s own pages alone', async () => {
    const { service } = await startRecording()
    expect(await service.form('/login', {}, { origin: 'https://evil.example' })).toMatchObject({ status: 400 })
    // A page in a sandbox, or one that came through a redirect of another site.
    expect(await service.form('/login', {}, { origin: 'null' })).toMatchObject({ status: 400 })
  })
})
