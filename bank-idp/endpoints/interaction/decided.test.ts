import { decodeJwt } from 'jose'
import type { Response } from 'supertest'
import { bankForFile } from '../../testing/banks.js'
import type { Cookies, Form } from '../../testing/pages.js'
import { requestClaims } from '../../testing/request-objects.js'
import type { TestClient } from '../../testing/service.js'

const { bank, service, client } = await bankForFile(
  {},
  { scope: 'openid authorization profile.name profile.birthdate' },
)

const scope = 'openid profile.name profile.birthdate'
const approve = { action: 'approve', scope: scope.split(' ') }
const authorize = { action: 'authorize' }

/** One browser at the bank. */
function browser() {
  const cookies: Cookies = new Map()
  const cookie = () => [...cookies.values()].join('; ')
  return {
    /** The page that an authorization request comes to after these forms. */
    async ask(asking: TestClient, forms: Form[], parameters: Record<string, string> = {}): Promise<Response> {
      const { client_id, redirect_uri } = asking
      const query = { client_id, redirect_uri, response_type: 'code', scope, state: 'S-1', nonce: 'N-1', ...parameters }
      const first = await service.http('get', '/auth').query(query).set('cookie', cookie())
      return service.walk(first, forms, { cookies, until: (location) => location.startsWith(redirect_uri) })
    },
    /** The page that a request object comes to after these forms. */
    async sign(asking: TestClient, request_uri: string, forms: Form[] = []): Promise<Response> {
      const { redirect_uri } = asking
      const first = await service.http('get', '/authorize').query({ request_uri, redirect_uri }).set('cookie', cookie())
      return service.walk(first, forms, { cookies, until: (location) => location.startsWith(redirect_uri) })
    },
    /** What the client is told when the form of a page is sent. */
    send: (asking: TestClient, page: Response, ...forms: Form[]) =>
      service.follow(page, asking.redirect_uri, forms, { cookies }),
    /** What answers the form of a page itself. */
    post: (page: Response, form: Form) =>
      service
        .http('post', /action="([^"]+)"/.exec(page.text)?.[1] ?? '')
        .type('form')
        .set('cookie', cookie())
        .send(form),
  }
}

async function requestUri(asking: TestClient): Promise<string> {
  const claims = requestClaims(asking, { acr_values: 'loa2' })
  return (await service.registerRequestObject(claims)).body.request_uri
}

describe('max_age is judged when the interaction begins', () => {
  test.each([
    ['max_age', {}, { max_age: '60' }],
    ['default_max_age', { default_max_age: 60 }, {}],
  ])(
    'who reads the consent page for longer than %s and approves is not asked to sign in again',
    async (_name, record, parameters: Record<string, string>) => {
      const asking = await service.client(record)
      const person = browser()
      await person.ask(asking, [{ person: 'jana' }, approve], { scope: 'openid profile.name' })
      const page = await person.ask(asking, [], parameters)
      expect(page.text).toContain('id="consent"')
      await bank.clock.advance(120)
      expect(await person.send(asking, page, approve)).toEqual({
        code: expect.any(String),
        state: 'S-1',
        iss: bank.issuer,
      })
      // The same session, at the beginning of the next interaction.
      expect((await person.ask(asking, [], parameters)).text).toContain('id="sign-in"')
    },
  )

  test.each([
    [authorize, { code: expect.any(String) }],
    [{ action: 'refuse' }, { error: 'access_denied', error_description: 'User declined the authorization' }],
  ])('who decides %j after default_max_age is told as decided', async (decision, told) => {
    const asking = await service.client({ scope: `${scope} authorization`, default_max_age: 60 })
    const person = browser()
    await person.ask(asking, [{ person: 'jana' }, approve])
    const page = await person.sign(asking, await requestUri(asking))
    expect(page.text).toContain('id="sign"')
    await bank.clock.advance(120)
    expect(await person.send(asking, page, decision)).toEqual({ ...told, state: 'S-1', iss: bank.issuer })
  })
})

describe('auth_time is when the person authenticated', () => {
  const authTimeOf = async (code: unknown) =>
    Number(decodeJwt((await service.redeem(client, String(code))).body.id_token).auth_time)

  test('not when they left the page of their consent', async () => {
    const person = browser()
    const before = Math.floor(bank.clock.now().getTime() / 1000)
    const page = await person.ask(client, [{ person: 'jana' }], { prompt: 'consent' })
    await bank.clock.advance(300)
    const { code } = await person.send(client, page, approve)
    const authTime = await authTimeOf(code)
    expect(authTime).toBeGreaterThanOrEqual(before)
    expect(authTime).toBeLessThan(before + 200)
  })

  test('not when they chose one of their identities', async () => {
    const [first, second] = bank.people.byLogin('martin')?.accounts ?? []
    const person = browser()
    const page = await person.ask(client, [{ person: 'martin' }, { account: String(first?.id) }], { prompt: 'consent' })
    const { code } = await person.send(client, page, approve)
    const authTime = await authTimeOf(code)
    await bank.clock.advance(300)
    const again = await person.ask(client, [{ account: String(second?.id) }], { prompt: 'consent' })
    const { code: later } = await person.send(client, again, approve)
    expect(await authTimeOf(later)).toBe(authTime)
  })
})

describe('a page decides nothing once its session is another one', () => {
  const account = (number: number) => String(bank.people.byLogin('martin')?.accounts?.[number]?.id)
  const changes: [string, Form[], Form[], Record<string, string>, string][] = [
    ['somebody else signs in', [{ person: 'jana' }], [{ person: 'petr' }, approve], { prompt: 'login' }, 'loa2'],
    [
      'the person takes another identity',
      [{ person: 'martin' }, { account: account(0) }],
      [{ account: account(1) }, approve],
      { prompt: 'select_account' },
      'loa2',
    ],
    [
      'the person signs in anew at a lower level',
      [{ person: 'jana' }, { action: 'confirm' }],
      [{ person: 'jana' }, approve],
      { prompt: 'login', acr_values: 'loa2' },
      'loa3',
    ],
  ]

  test.each(changes)('%s', async (_what, forms, others, parameters, acr_values) => {
    const claims = requestClaims(client, { acr_values })
    const { request_uri } = (await service.registerRequestObject(claims)).body
    const person = browser()
    const page = await person.sign(client, request_uri, forms)
    expect(page.text).toContain('id="sign"')
    await person.ask(client, others, parameters)
    const answer = await person.post(page, authorize)
    expect([answer.status, answer.type, answer.get('location')]).toEqual([400, 'text/html', undefined])
    // Nothing was decided.
    const again = browser()
    expect(await again.send(client, await again.sign(client, request_uri, forms), authorize)).toHaveProperty('code')
  })
})
