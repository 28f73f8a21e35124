import { packageFile } from '../../schemas/package-file.js'
import { bankForFile } from '../testing/banks.js'
import { featureChoices } from './features.js'

type Defaults = () => { features: Record<string, { enabled: boolean }> }

/** The features of the installed oidc-provider, as it has them where nobody says otherwise. */
async function libraryFeatures(): Promise<Record<string, { enabled: boolean }>> {
  const module = await import(packageFile('node_modules/oidc-provider/lib/helpers/defaults.js'))
  return (module as { default: Defaults }).default().features
}

const { bank, service, client } = await bankForFile(
  {},
  { scope: 'openid profile.name offline_access', grant_types: ['authorization_code', 'refresh_token'] },
)

test('every feature of the installed oidc-provider is switched on or off by name, each with its reason', async () => {
  expect(Object.keys(featureChoices).sort()).toEqual(Object.keys(await libraryFeatures()).sort())
  for (const { why } of Object.values(featureChoices)) expect(why).toMatch(/^\w.{15,}\.$/)
})

test('of what the library has on by itself, nothing that the specification does not have is on', async () => {
  const byDefault = Object.entries(await libraryFeatures()).flatMap(([name, { enabled }]) => (enabled ? [name] : []))
  expect(byDefault.sort()).toEqual([
    'dPoP',
    'devInteractions',
    'pushedAuthorizationRequests',
    'resourceIndicators',
    'rpInitiatedLogout',
    'userinfo',
  ])
  const on = Object.entries(featureChoices).flatMap(([name, choice]) => (choice.on ? [name] : []))
  expect(on.sort()).toEqual(['deviceFlow', 'encryption'])
})

test.each([
  ['DPoP', 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImRwb3Arand0In0.e30.AAAA'],
  ['OAuth-Client-Attestation', 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA'],
  ['OAuth-Client-Attestation-PoP', 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA'],
])('the header %s at /token changes nothing', async (name, value) => {
  const { code } = await service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'approve' }])
  const answer = await service
    .http('post', '/token')
    .type('form')
    .set(name, value)
    .send({
      grant_type: 'authorization_code',
      code: String(code),
      redirect_uri: client.redirect_uri,
      ...(await service.clientAssertion(client.client_id)),
    })
  expect([answer.status, answer.body.token_type]).toEqual([200, 'Bearer'])
})

test('no pushed authorization request is taken, and no request_uri of one', async () => {
  const pushed = await service.http('post', '/request').type('form').send({ client_id: client.client_id })
  expect([pushed.status, pushed.body.error]).toEqual([404, 'invalid_request'])
  const answer = await service.http('get', '/auth').query({
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    response_type: 'code',
    scope: 'openid',
    state: 's',
    nonce: 'n',
    request_uri: 'urn:ietf:params:oauth:request_uri:x',
  })
  expect(new URL(String(answer.get('location'))).searchParams.get('error')).toBe('invalid_request_uri')
  const { body } = await service.http('get', '/.well-known/openid-configuration')
  expect(Object.keys(body).filter((name) => /dpop|pushed|resource/.test(name))).toEqual([])
  expect(body.issuer).toBe(bank.issuer)
})
