import { decodeProtectedHeader } from 'jose'
import { type ChosenReadings, openEdition } from '../../schemas/editions/index.js'
import { validate } from '../../schemas/index.js'
import type { Bank } from '../bank.js'
import { bankForTest } from '../testing/banks.js'
import type { TestService } from '../testing/service.js'

let bank: Bank
let service: TestService

async function start(readings: ChosenReadings = {}): Promise<void> {
  ;({ bank, service } = await bankForTest({ readings }))
}

async function document() {
  return (await service.http('get', '/.well-known/openid-configuration')).body
}

test('the document has its form, and the pages that it names are there', async () => {
  await start()
  const found = await document()
  expect(validate('discovery', found)).toEqual([])
  for (const member of ['service_documentation', 'op_policy_uri', 'op_tos_uri']) {
    const { pathname } = new URL(found[member])
    const page = await service.http('get', pathname)
    expect([page.status, page.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toMatch(/<h1>[^<]+<\/h1>/)
  }
})

test("the bank serves every method of the edition's endpoints, and the document names their addresses", async () => {
  await start()
  const found = await document()
  const own = openEdition(bank.config.edition).endpoints.filter(({ at }) => at === 'bank')
  const named = own.flatMap(({ path, discovery }) => (discovery === undefined ? [] : [[discovery, path]]))
  expect(named.map(([member = '']) => [member, found[member]])).toEqual(
    named.map(([member, path]) => [member, `${bank.issuer}${path}`]),
  )
  const notServed = own.map(async ({ path, methods }) => {
    const at = path.replace('{client_id}', 'somebody')
    const answers = methods.map(async (method) => (await service.http(method.toLowerCase() as 'get', at)).text)
    return (await Promise.all(answers)).filter((text) => text.includes('nothing is served at'))
  })
  expect((await Promise.all(notServed)).flat()).toEqual([])
})

test("a client's library finds where to introspect and to revoke, and how to say who it is (RFC 8414 section 2)", async () => {
  await start()
  const found = await document()
  expect([found.introspection_endpoint, found.revocation_endpoint]).toEqual([
    `${bank.issuer}/token-info`,
    `${bank.issuer}/revoke`,
  ])
  for (const member of ['auth_methods_supported', 'auth_signing_alg_values_supported']) {
    const atToken = found[`token_endpoint_${member}`]
    expect([found[`introspection_endpoint_${member}`], found[`revocation_endpoint_${member}`]]).toEqual([
      atToken,
      atToken,
    ])
  }
})

test('no other document speaks for the bank, and what is not there is told as JSON', async () => {
  await start()
  for (const path of ['/.well-known/oauth-authorization-server', '/me', '/token', '/nowhere/%ff']) {
    const { status, body } = await service.http('get', path)
    expect([status, body]).toEqual([
      404,
      { error: 'invalid_request', error_description: `nothing is served at GET ${path}` },
    ])
  }
})

test('an id_token is unsigned for a client of the code flow that registered none, and for no other', async () => {
  await start()
  expect((await document()).id_token_signing_alg_values_supported).toEqual(['ES512', 'PS512', 'none'])
  const unsigned = await service.client({ id_token_signed_response_alg: 'none' })
  const { body } = await service.login(unsigned, 'openid')
  expect(decodeProtectedHeader(body.id_token)).toEqual({ alg: 'none' })
  expect(JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString())).toMatchObject({
    iss: bank.issuer,
    aud: unsigned.client_id,
    nonce: 'N-1',
  })
  const signed = await service.login(await service.client(), 'openid')
  expect(decodeProtectedHeader(signed.body.id_token).alg).toBe('PS512')
  const userinfo = await service.register({ userinfo_signed_response_alg: 'none' })
  expect([userinfo.status, userinfo.body.error]).toEqual([400, 'invalid_client_metadata'])
  const implicit = await service.register({
    id_token_signed_response_alg: 'none',
    response_types: ['code', 'token'],
    grant_types: ['authorization_code', 'implicit'],
  })
  expect(implicit.body).toEqual({
    error: 'invalid_client_metadata',
    error_description: 'id_token_signed_response_alg: none is allowed for the code flow only',
  })
})

test('none is neither declared nor taken by the other reading of AMB-9', async () => {
  await start({ 'AMB-9': 'refused' })
  expect((await document()).id_token_signing_alg_values_supported).toEqual(['ES512', 'PS512'])
  expect((await service.register({ id_token_signed_response_alg: 'none' })).status).toBe(400)
})
