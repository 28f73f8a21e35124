import { type JWK, SignJWT } from 'jose'
import { bankForTest } from '../testing/banks.js'
import { clientKeyPairs } from '../testing/client-key-pairs.js'
import { serveHttps } from '../testing/https-server.js'

/** The errors that a bank of a reading answers to these values in a request object. */
async function errorsOf(reading: 'object' | 'parameter', ways: readonly Record<string, unknown>[]) {
  const { bank, service } = await bankForTest({ readings: { 'AMB-80': reading } })
  let object = ''
  const objects = await serveHttps(bank.identity.service.certificate, (_req, res) => res.end(object))
  const request_uri = `${objects.url}/object`
  const { client_id, redirect_uri } = await service.client({ request_uris: [request_uri] })
  const { kid, alg = '', ...jwk } = clientKeyPairs.signing as JWK
  const query = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's', nonce: 'n', request_uri }
  const errors: (string | null)[] = []
  for (const claims of ways) {
    object = await new SignJWT({ iss: client_id, aud: bank.issuer, ...claims })
      .setProtectedHeader({ alg, ...(kid && { kid }) })
      .sign(jwk as JWK)
    const { headers } = await service.http('get', '/auth').query(query)
    errors.push(new URL(String(headers.location), bank.issuer).searchParams.get('error'))
  }
  await objects.close()
  return errors
}

const values = [{ scope: 'openid nothing' }, { scope: 'profile.name' }, { display: 'hologram' }, { max_age: -1 }]

test('AMB-80 object: a value in a request object is refused as that of an object', async () => {
  expect(await errorsOf('object', values)).toEqual(values.map(() => 'invalid_request_object'))
})

test('AMB-80 parameter: a value in a request object is refused as in a query', async () => {
  expect(await errorsOf('parameter', values)).toEqual([
    'invalid_scope',
    'invalid_scope',
    'invalid_request',
    'invalid_request',
  ])
})
