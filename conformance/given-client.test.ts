import { exportJWK, generateKeyPair } from 'jose'
import { examine } from './examine.js'
import type { Results } from './harness/results.js'
import { jsonReport } from './reports/json.js'
import type { GivenClient, Target } from './target/target.js'
import { bankForTest } from './testing/banks.js'
import { type ForeignBank, rulesKept } from './testing/foreign-bank.js'
import { json } from './testing/https-server.js'

/** A bank with a client in place of all that registering one takes. */
async function withClient(
  client: Partial<Omit<GivenClient, 'record'>> & { record?: object },
  ...how: Parameters<typeof bankForTest>
): Promise<{ bank: ForeignBank; target: Target }> {
  const bank = await bankForTest(...how)
  const record = {
    redirect_uris: ['https://service.example/callback'],
    scope: 'openid profile.name profile.email of-the-bank',
    token_endpoint_auth_method: 'private_key_jwt',
    ...client.record,
  }
  bank.clients.set('given', record)
  const { keys: _keys, clientCertificate: _certificate, server: _server, ...target } = bank.target
  return { bank, target: { ...target, client: { clientId: 'given', keys: [], ...client, record } } }
}

const exchangeIn = ({ evidence }: Results) =>
  evidence.find((item) => item.kind === 'exchange' && item.request.url.endsWith('/token'))

async function newKey() {
  const { privateKey } = await generateKeyPair('PS512', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'given', alg: 'PS512', use: 'sig' }
}

describe('at a bank that gives a client', () => {
  test('every rule comes to a verdict or says why not', async () => {
    const { target } = await withClient({ keys: [await newKey()] })
    const results = await examine({ target, skip: ['tls/*'] })
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

  test('a rule that finds nothing to look at is skipped', async () => {
    const { target } = await withClient({ keys: [await newKey()], record: { scope: 'openid of-the-bank' } })
    const { results } = await examine({ target, only: ['*/nothing-else'] })
    expect(results.map(({ rule, status, reason }) => [rule, status, reason])).toEqual(
      ['profile', 'userinfo'].map((endpoint) => [
        `${endpoint}/nothing-else`,
        'skip',
        `the client has none of the scopes that have claims at ${endpoint}`,
      ]),
    )
  })

  test('a second one is used for what another client has, and a wrong secret is tried with the id of the first', async () => {
    const record = { token_endpoint_auth_method: 'client_secret_post' }
    const { bank, target } = await withClient({ clientSecret: 'secret-of-the-given-client', record })
    const { client } = target
    if (!client) throw new Error('no client is given')
    bank.clients.set('second', client.record)
    const otherClient = { ...client, clientId: 'second', clientSecret: 'secret-of-the-second-client' }
    const only = ['client-authentication/wrong-secret', 'token/code-of-another']
    const said = async (examined: Target) =>
      (await examine({ target: examined, only, skip: ['tls/*'] })).results.map(({ rule, status }) => [rule, status])
    // The small bank knows neither secrets nor whose a code is.
    expect(await said({ ...target, otherClient })).toEqual(only.map((rule) => [rule, 'fail']))
    expect(await said(target)).toEqual([
      ['client-authentication/wrong-secret', 'fail'],
      ['token/code-of-another', 'skip'],
    ])
  })

  test('what a wrong secret is answered is not judged where a right one takes no token back', async () => {
    const record = { token_endpoint_auth_method: 'client_secret_post' }
    const isProven = (form: URLSearchParams) =>
      form.get('client_id') === 'given' && form.get('client_secret') === 'secret-of-the-given-client'
    const { target } = await withClient({ clientSecret: 'secret-of-the-given-client', record }, (own) => ({
      'POST /token': (request) =>
        isProven(request.form)
          ? (own['POST /token']?.(request) ?? 'cut')
          : json({ error: 'invalid_client', error_description: 'who are you' }, 401),
      'POST /token-info': ({ form }) =>
        isProven(form) ? json({ active: false }) : json({ error: 'invalid_client' }, 401),
      'POST /revoke': () => json({ error: '9' }, 401),
    }))
    const { results } = await examine({ target, only: ['client-authentication/wrong-secret'] })
    expect(results).toMatchObject([{ status: 'blocked', blockedBy: 'revocation/access-token' }])
  })

  test('the secrets of both are masked before anybody sends them', async () => {
    const secrets = ['secret-of-the-given-client', 'secret-of-the-second-client']
    const { target } = await withClient({ clientSecret: secrets[0] ?? '' }, () => ({
      'GET /healthcheck': () => json({ status: 'ok', description: `clients: ${secrets.join(' ')}` }),
    }))
    const { client } = target
    if (!client) throw new Error('no client is given')
    const otherClient = { ...client, clientId: 'second', clientSecret: secrets[1] ?? '' }
    const results = await examine({ target: { ...target, otherClient }, only: ['health/record'] })
    const report = jsonReport(results, { whole: true })
    expect(report.match(/clients: client_secret:‹[0-9a-f]{8}› client_secret:‹[0-9a-f]{8}›/g)).not.toBeNull()
    for (const secret of secrets) expect(report).not.toContain(secret)
  })

  test('nobody judges the assertions of one that has a secret', async () => {
    const record = { token_endpoint_auth_method: 'client_secret_post' }
    const { target } = await withClient({ clientSecret: 'secret-of-the-given-client', record })
    const results = await examine({
      target,
      only: ['introspection/audience', 'revocation/audience', 'token/assertion-claims'],
    })
    expect(new Set(results.results.map(({ reason }) => reason))).toEqual(
      new Set(['the client does not authenticate by private_key_jwt']),
    )
  })

  test('that client is used in place of registration, whose rules are skipped, and is left where it is', async () => {
    const record = { token_endpoint_auth_method: 'client_secret_post', userinfo_signed_response_alg: 'PS512' }
    const { bank, target } = await withClient({ clientSecret: 'a-very-secret-secret', record })
    const results = await examine({ target, only: rulesKept })
    expect(Object.fromEntries(results.results.map(({ rule, status }) => [rule, status]))).toMatchObject({
      'registration/create': 'skip',
      'authorization/code': 'pass',
      'token/code-exchange': 'pass',
      'token/scope-listed': 'pass',
      'userinfo/signed': 'pass',
      'userinfo/encrypted': 'skip',
    })
    expect(bank.seen.filter((request) => request.includes('/register'))).toEqual([])
    expect([...bank.clients.keys()]).toEqual(['given'])
    expect(exchangeIn(results)).toMatchObject({
      request: { body: expect.stringMatching(/client_id=given&client_secret=client_secret:‹[0-9a-f]{8}›$/) },
    })
    expect(jsonReport(results)).not.toContain('a-very-secret-secret')
  })

  test('that client authenticates with HTTP Basic when its record does not say how', async () => {
    const record = { token_endpoint_auth_method: undefined }
    const { target } = await withClient({ clientSecret: 's:cret/2', record })
    expect(exchangeIn(await examine({ target, only: rulesKept }))).toMatchObject({
      request: {
        headers: { authorization: expect.stringMatching(/^Basic authorization:‹/) },
        body: expect.not.stringContaining('client_id'),
      },
    })
  })
})
