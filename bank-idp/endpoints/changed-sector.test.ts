import { decodeJwt } from 'jose'
import { bankForFile } from '../testing/banks.js'

const scope = 'openid offline_access profile.name'
const asked = { scope, grant_types: ['authorization_code', 'refresh_token'] }
const { service, client } = await bankForFile({}, asked)

const put = async (changes: Record<string, unknown>) =>
  (await service.replaceRegistration(client, service.record({ ...asked, ...changes }))).status

/** The answers about what was granted: the status at /userinfo, whether /token-info knows the token, the status of a refresh. */
async function known(tokens: Record<string, string>) {
  const userinfo = await service.http('get', '/userinfo').set('authorization', `Bearer ${tokens.access_token}`)
  const info = await service.post(client, '/token-info', { token: String(tokens.access_token) })
  const refreshed = await service.refresh(client, String(tokens.refresh_token))
  return { userinfo: userinfo.status, active: info.body.active, refreshed: refreshed.status, tokens: refreshed.body }
}

test('SUB-7: a PUT by which people have other subs ends what was granted before; one that leaves the subs ends nothing', async () => {
  const { body: first } = await service.login(client, scope)
  const { sub } = decodeJwt(first.id_token)

  expect(await put({ client_name: 'Renamed' })).toBe(200)
  const renamed = await known(first)
  expect(renamed).toMatchObject({ userinfo: 200, active: true, refreshed: 200 })
  expect(decodeJwt(renamed.tokens.id_token).sub).toBe(sub)

  expect(await put({ subject_type: 'public' })).toBe(200)
  expect(await known(renamed.tokens)).toMatchObject({ userinfo: 401, active: false, refreshed: 400 })

  const { body: later } = await service.login(client, scope)
  expect(decodeJwt(later.id_token).sub).not.toBe(sub)
  expect(await known(later)).toMatchObject({ userinfo: 200, active: true, refreshed: 200 })
})
