import { decodeJwt } from 'jose'
import { bankForFile } from '../testing/banks.js'
import type { Cookies } from '../testing/pages.js'
import { authorizing, signingPages } from '../testing/signing-pages.js'

const { bank, service, client } = await bankForFile(
  {},
  { scope: 'openid authorization profile.name profile.birthdate' },
)
const { requestUri, pageOf, authorize } = signingPages(service, client)

test('a person with several accounts is not asked which, where the access token or the hint names one', async () => {
  const [, account] = bank.people.byLogin('martin')?.accounts ?? []
  const chosen: Record<string, string>[] = [
    { person: 'martin' },
    { account: String(account?.id) },
    { action: 'approve', scope: 'authorization' },
  ]
  const { code } = await service.authorize(client, 'openid authorization', chosen)
  const { body } = await service.redeem(client, String(code))
  const password = { action: 'confirm', password: 'martin-secret' }
  const named = [await requestUri({ scope: '' }, body.access_token), await requestUri({ id_token_hint: body.id_token })]
  for (const uri of named) {
    const { code: signed } = await authorize(uri, password, authorizing)
    const tokens = await service.redeemSigned(client, String(signed))
    const { sub } = decodeJwt(await service.decrypt(tokens.body.id_token))
    expect(sub).toBe(decodeJwt(body.id_token).sub)
  }
})

test.each([
  ['jana', 'J. D.'],
  ['sukarni', 'S.'],
  ['haruto', '春. 山.'],
])('who is named by a hint, %s, is shown as %s before anyone is authenticated', async (login, initials) => {
  const { body: tokens } = await service.login(client, 'openid authorization', login)
  const named = [
    await requestUri({ scope: '' }, tokens.access_token),
    await requestUri({ id_token_hint: tokens.id_token }),
  ]
  for (const uri of named) {
    const { page } = await pageOf(uri)
    expect(page).toContain('<form id="identify"')
    expect(page).toContain(`<p>${initials}</p>`)
    const { name, given_name, family_name } = bank.people.byLogin(login)?.claims ?? {}
    for (const part of [name, given_name, family_name]) if (part !== undefined) expect(page).not.toContain(part)
  }
})

test('an object that came with an access token is for its person alone, who need not say who it is', async () => {
  const { body: tokens } = await service.login(client, 'openid authorization')
  const bound = () => requestUri({ scope: '' }, tokens.access_token)
  const password = { action: 'confirm', password: 'jana-secret' }
  expect(await authorize(await bound(), { action: 'confirm', password: 'wrong' }, password, authorizing)).toMatchObject(
    {
      code: expect.any(String),
    },
  )
})

describe('an object with an id_token_hint, in a browser where another person is signed in,', () => {
  /** Where jana was hinted and petr is signed in: what the browser is shown, and where it is in the end. */
  async function inOtherSession(bearer: boolean, ...forms: Record<string, string>[]) {
    const { body: tokens } = await service.login(client, 'openid authorization')
    const cookies: Cookies = new Map()
    const browser = { cookies }
    const signing = [{ person: 'petr' }, authorizing]
    await service.authorizeObject(await requestUri(), client.redirect_uri, signing, browser)
    const hint = { id_token_hint: tokens.id_token }
    const uri = bearer ? await requestUri({}, tokens.access_token) : await requestUri(hint)
    const callback = await service.authorizeObject(uri, client.redirect_uri, forms, browser)
    return { callback, subject: decodeJwt(tokens.id_token).sub }
  }

  test.each([false, true])(
    'is authorized by the hinted person, or by the one of the access token (%p)',
    async (bearer) => {
      const password = { action: 'confirm', password: 'jana-secret' }
      const { callback, subject } = await inOtherSession(bearer, password, authorizing)
      const { body } = await service.redeemSigned(client, String(callback.code))
      expect(decodeJwt(await service.decrypt(body.id_token)).sub).toBe(subject)
    },
  )

  test.each([false, true])('is not authorized by the other one (%p)', async (bearer) => {
    const { callback } = await inOtherSession(bearer, { action: 'decline' })
    expect(callback).toMatchObject({ error: 'access_denied', error_description: 'User declined the authentication' })
  })
})
