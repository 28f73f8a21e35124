import { bankForFile } from '../../testing/banks.js'
import { door } from '../../testing/control-door.js'
import type { Cookies } from '../../testing/pages.js'
import { requestClaims } from '../../testing/request-objects.js'

const { bank, service, client } = await bankForFile({ control: true }, { scope: 'openid authorization profile.name' })

const scope = 'openid profile.name'
const block = (blocked: boolean) => door(bank, '/people/petr', { blocked })
const disabled = { error: 'eid_doesnt_exist', error_description: 'User disabled authentication' }

afterEach(() => block(false))

test('a blocked person whom an id_token_hint names is not let in to authorize an object', async () => {
  const { body } = await service.login(client, scope, 'petr')
  await block(true)
  const claims = requestClaims(client, { acr_values: 'loa2', id_token_hint: body.id_token })
  const registered = await service.registerRequestObject(claims)
  const password = [{ action: 'confirm', password: 'petr-secret' }]
  expect(await service.authorizeObject(registered.body.request_uri, client.redirect_uri, password)).toMatchObject(
    disabled,
  )
})

test('a person who is blocked between the sign-in and what follows it goes back, now and the next time', async () => {
  const cookies: Cookies = new Map()
  const { client_id, redirect_uri } = client
  const query = { client_id, redirect_uri, response_type: 'code', scope, state: 's', nonce: 'n' }
  const begun = await service.http('get', '/auth').query(query)
  const signedIn = await service.walk(begun, [{ person: 'petr' }], {
    cookies,
    until: (location) => location.includes('/auth/'),
  })
  await block(true)
  expect(await service.follow(signedIn, redirect_uri, [], { cookies })).toMatchObject(disabled)
  const again = await service.authorize(client, scope, [{ person: 'petr' }], {}, cookies)
  expect(again).toMatchObject(disabled)
})
