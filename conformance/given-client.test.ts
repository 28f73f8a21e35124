import { exportJWK, generateKeyPair } from 'jose'
import type { GivenClient, Target } from './bank/target.js'
import { examine } from './examine.js'
import { bankForFile } from './testing/banks.js'

const bank = await bankForFile()

/** The bank with a client in place of all that registering one takes. */
function withClient(client: Partial<Omit<GivenClient, 'record'>> & { record?: object }): Target {
  const record = {
    redirect_uris: ['https://service.example/callback'],
    scope: 'openid profile.name profile.email of-the-bank',
    token_endpoint_auth_method: 'private_key_jwt',
    ...client.record,
  }
  bank.clients.set('given', record)
  const { keys: _keys, clientCertificate: _certificate, server: _server, ...target } = bank.target
  return { ...target, client: { clientId: 'given', keys: [], ...client, record } }
}

describe('at a bank that gives a client', () => {
  test('every rule comes to a verdict or says why not', async () => {
    const { privateKey } = await generateKeyPair('PS512', { extractable: true })
    const key = { ...(await exportJWK(privateKey)), kid: 'given', alg: 'PS512', use: 'sig' }
    const results = await examine({ target: withClient({ keys: [key] }), skip: ['tls/*'] })
    expect(results.results.filter(({ status }) => status === 'error').map(({ rule }) => rule)).toEqual([])
    const said = Object.fromEntries(results.results.map(({ rule, status }) => [rule, status]))
    expect(said).toMatchObject({
      'authorization/max-age-auth-time': 'skip',
      // Its record names no algorithm.
      'token/id-token-signed': 'pass',
      'userinfo/signed': 'pass',
      // Which claims are those of the bank's own scope nobody knows.
      'user-data/scope-of-other-endpoint': 'skip',
    })
  })

  test('nobody judges the assertions of one that has a secret', async () => {
    const record = { token_endpoint_auth_method: 'client_secret_post' }
    const results = await examine({
      target: withClient({ clientSecret: 'secret-of-the-given-client', record }),
      only: ['introspection/audience', 'revocation/audience', 'token/assertion-claims'],
    })
    expect(new Set(results.results.map(({ reason }) => reason))).toEqual(
      new Set(['the application does not authenticate by private_key_jwt']),
    )
  })
})
