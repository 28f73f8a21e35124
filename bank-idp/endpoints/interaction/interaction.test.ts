import { bankForFile } from '../../testing/banks.js'
import { door } from '../../testing/control-door.js'
import type { Form } from '../../testing/pages.js'
import type { TestService } from '../../testing/service.js'

const { bank, service } = await bankForFile({ control: true })

const scope = 'openid profile.name profile.birthdate'

/** The first page that an authorization request shows. */
async function firstPage(
  client: Awaited<ReturnType<TestService['client']>>,
  parameters: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const { client_id, redirect_uri } = client
  const query = { client_id, redirect_uri, response_type: 'code', scope, state: 's', nonce: 'n', ...parameters }
  const begun = await service.http('get', '/auth').query(query)
  const { pathname } = new URL(String(begun.get('location')), bank.issuer)
  const cookie = [begun.get('set-cookie') ?? []].flat().map((one) => one.split(';')[0])
  return service.http('get', pathname).set('cookie', cookie.join('; ')).set(headers)
}

test.each([
  ['application/x-www-form-urlencoded', `person=${'x'.repeat(20_480)}`, 413],
  ['application/x-www-form-urlencoded; charset=koi8-r', 'person=jana', 415],
])('a form of %s that cannot be read is answered with a page, and the login goes on', async (type, form, status) => {
  const client = await service.client()
  const cookies = new Map()
  const { redirect_uri, client_id } = client
  const query = { client_id, redirect_uri, response_type: 'code', scope, state: 's', nonce: 'n', ui_locales: 'cs' }
  const begun = await service.http('get', '/auth').query(query)
  const address = String(begun.get('location'))
  const answer = await service.http('post', address).set({ 'content-type': type, 'accept-language': 'cs' }).send(form)
  expect([answer.status, answer.type, answer.get('cache-control')]).toEqual([status, 'text/html', 'no-store'])
  expect(answer.get('content-security-policy')).toContain("default-src 'none'")
  expect(answer.text).toContain('<h1>Formulář nelze zpracovat</h1>')
  const consent = { action: 'approve', scope: ['profile.name'] }
  expect(await service.follow(begun, redirect_uri, [{ person: 'jana' }, consent], { cookies })).toHaveProperty('code')
})

describe('a form', () => {
  /** An authorization that waits, and how its form is sent. */
  async function begin(mode?: string) {
    const { client_id, redirect_uri } = await service.client()
    const query = { client_id, redirect_uri, response_type: 'code', scope, state: 's', nonce: 'n', ui_locales: 'cs' }
    const begun = await service.http('get', '/auth').query(query)
    const cookie = [begun.get('set-cookie') ?? []].flat().map((one) => one.split(';')[0])
    const at = (method: 'get' | 'post', address: unknown) =>
      service.http(method, new URL(String(address), bank.issuer).pathname).set('cookie', cookie.join('; '))
    const decline = () => {
      const post = at('post', begun.get('location')).type('form')
      return (mode === undefined ? post : post.set('sec-fetch-mode', mode)).send({ action: 'decline' })
    }
    return { at, decline }
  }

  test('leads a browser on by a page that goes on by itself, and twice to the same', async () => {
    const { at, decline } = await begin('navigate')
    const { status, type, text, headers } = await decline()
    expect([status, type, headers.location, headers['cache-control']]).toEqual([
      200,
      'text/html',
      undefined,
      'no-store',
    ])
    const [, address] = /<meta http-equiv="refresh" content="0;url=([^"]+)"\/>/.exec(text) ?? []
    expect(address).toMatch(new RegExp(`^${bank.issuer}/auth/[\\w-]+$`))
    expect(text).toContain(`<p><a href="${address}">Pokračovat</a></p>`)
    expect((await decline()).text).toBe(text)
    const back = await at('get', address)
    expect([back.status, back.get('location')]).toEqual([302, expect.stringContaining('error=access_denied')])
    expect((await at('get', address)).text).toContain('<h1 id="answered">This sign-in ended here</h1>')
    const late = await decline()
    expect([late.status, late.text.includes('refresh')]).toEqual([400, false])
  })

  test.each([undefined, 'cors'])('redirects a program that says Sec-Fetch-Mode %s', async (mode) => {
    const { at, decline } = await begin(mode)
    const first = await decline()
    expect([first.status, (await decline()).get('location')]).toEqual([303, first.get('location')])
    const back = await at('get', first.get('location'))
    expect([back.status, back.get('location')]).toEqual([302, expect.stringContaining('error=access_denied')])
  })
})

describe('the consent screen', () => {
  test('CONS-5: a scope of required_scope stays granted though its box is not ticked, and its box cannot be unticked', async () => {
    const client = await service.client({ required_scope: 'profile.name' })
    const nothing = { action: 'approve' }
    const { code } = await service.authorize(client, scope, [{ person: 'jana' }, nothing])
    const { body } = await service.redeem(client, String(code))
    expect(body.scope.split(' ').sort()).toEqual(['openid', 'profile.name'])
  })

  test('CONS-11: an unticked scope is not granted, and is asked for again the next time', async () => {
    const client = await service.client()
    const some = { action: 'approve', scope: ['profile.name'] }
    const { code } = await service.authorize(client, scope, [{ person: 'jana' }, some])
    const { body } = await service.redeem(client, String(code))
    expect(body.scope.split(' ').sort()).toEqual(['openid', 'profile.name'])
    const again = await service.authorize(client, scope, [{ person: 'jana' }, { action: 'refuse' }])
    expect(again).toMatchObject({ error: 'access_denied', error_description: 'User declined consent' })
  })

  test('a scope that is unticked when consent is asked for again is not approved any more', async () => {
    const client = await service.client()
    const cookies = new Map()
    const all = { action: 'approve', scope: ['profile.name', 'profile.birthdate'] }
    const fewer = { action: 'approve', scope: ['profile.name'] }
    expect(await service.authorize(client, scope, [{ person: 'jana' }, all], {}, cookies)).toHaveProperty('code')
    expect(await service.authorize(client, scope, [], { prompt: 'none' }, cookies)).toHaveProperty('code')
    await service.authorize(client, scope, [fewer], { prompt: 'consent' }, cookies)
    expect(await service.authorize(client, scope, [], { prompt: 'none' }, cookies)).toMatchObject({
      error: 'consent_required',
    })
  })

  test('CONS-10: shows the scopes of the request alone, the required ones disabled', async () => {
    const client = await service.client({ required_scope: 'profile.birthdate' })
    const displayed = await service.authorize(client, 'openid profile.name', [{ person: 'jana' }]).catch(String)
    expect(displayed).toContain('value="profile.name"')
    expect(displayed).not.toContain('value="profile.birthdate"')
    const both = await service.authorize(client, scope, [{ person: 'jana' }]).catch(String)
    expect(both).toMatch(/<input[^>]*value="profile.birthdate"[^>]*disabled/)
    expect(both).not.toMatch(/<input[^>]*value="profile.name"[^>]*disabled/)
  })
})

describe('the language of a page', () => {
  test.each([
    [{ ui_locales: 'cs' }, 'en', 'cs', 'Přihlásit se'],
    [{ ui_locales: 'sk de' }, 'en', 'cs', 'Přihlásit se'],
    [{ ui_locales: 'cs_CZ' }, 'en', 'cs', 'Přihlásit se'],
    [{ ui_locales: 'de_AT en_GB' }, 'cs', 'en', 'Sign in'],
    [{ ui_locales: 'en cs' }, 'cs', 'en', 'Sign in'],
    [{ ui_locales: 'de fr' }, 'cs', 'cs', 'Přihlásit se'],
    [{}, 'cs-CZ, en;q=0.5', 'cs', 'Přihlásit se'],
    [{}, 'de', 'en', 'Sign in'],
  ])('follows %j, then Accept-Language %s', async (parameters, accepted, language, button) => {
    const page = await firstPage(await service.client(), parameters as Record<string, string>, {
      'accept-language': accepted,
    })
    expect(page.text).toContain(`<html lang="${language}">`)
    expect(page.text).toContain(`>${button}</button>`)
  })

  test('touch and popup are told to the style', async () => {
    const client = await service.client()
    expect((await firstPage(client, { display: 'touch' })).text).toContain('<body class="touch">')
    expect((await firstPage(client, { display: 'popup' })).text).toContain('<body class="popup">')
  })
})

describe('people who behave', () => {
  test.each([
    ['radek', 'eid_doesnt_exist', 'User not eligible'],
    ['simona', 'eid_doesnt_exist', 'User disabled authentication'],
  ])('%s ends in %s', async (person, error, error_description) => {
    const client = await service.client()
    expect(await service.authorize(client, scope, [{ person }])).toMatchObject({ error, error_description })
  })

  test('one with two identities chooses one, and is known by it', async () => {
    const client = await service.client({ subject_type: 'public' })
    const account = '6f79633e-9a4c-469e-bf97-8f2c08598c6a'
    const forms: Form[] = [{ person: 'martin' }, { account }, { action: 'approve', scope: scope.split(' ') }]
    const { code } = await service.authorize(client, scope, forms)
    const { body } = await service.redeem(client, String(code))
    const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString())
    expect(claims.sub).toBe(account)
  })

  test('a login for loa3 asks for a second factor, and who leaves it unfinished is access_denied', async () => {
    const client = await service.client()
    const parameters = { acr_values: 'loa3' }
    const left = await service.authorize(client, scope, [{ person: 'jana' }, { action: 'cancel' }], parameters)
    expect(left).toMatchObject({ error: 'access_denied', state: 'S-1' })
  })
})

describe('the forced outcome, set through the control door', () => {
  const end = (next: object) => door(bank, '/outcomes', next)

  test('ends the next login of that client alone, once', async () => {
    const [one, other] = [await service.client(), await service.client()]
    expect((await end({ client: one.client_id, outcome: 'weak-method' })).status).toBe(200)
    const forms: Form[] = [{ person: 'jana' }, { action: 'approve', scope: scope.split(' ') }]
    expect(await service.authorize(other, scope, forms)).toHaveProperty('code')
    expect(await service.authorize(one, scope, forms)).toMatchObject({
      error: 'user_not_eligible',
      error_description: 'User authentication method insufficient',
    })
    expect(await service.authorize(one, scope, forms)).toHaveProperty('code')
  })

  test('is told what is wrong', async () => {
    expect((await end({ client: 'x', outcome: 'sunny' })).body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('outcome must be one of authentication-declined'),
    })
    expect((await end({ client: 'nobody', outcome: 'not-eligible' })).status).toBe(400)
  })
})
