import { randomUUID } from 'node:crypto'
import { authenticatedBy } from '../../bank/client-metadata.js'
import { dressNow } from '../../bank/dress.js'
import { inStep } from '../../bank/steps.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { assertionType } from '../../service/assertions.js'
import { type Need, toLogIn } from '../../target/needs.js'
import { lookalikeAddresses, unsigned } from '../support/assertion-flaws.js'
import { expectTokenRefused, isUnknownCaller, noneAuthenticates } from '../support/bearer-refusal.js'
import { type ClientEndpoint, clientEndpoints, expectLive } from '../support/client-endpoints.js'
import { assertingClient, bySecretJwt } from '../support/client-methods.js'
import { expectInvalidClient } from '../support/client-refusals.js'
import { givesNone, givesRefreshTokens, refreshed, tokenOfSecondClient } from '../support/known-tokens.js'
import { hintInWords, hints } from '../support/token-hints.js'
import { liveToken, type TokenOfClient } from '../support/token-state.js'
import { toldByProxies } from '../support/told-by-proxies.js'
import { unknownTokens } from '../support/unknown-tokens.js'

/** What holds of every endpoint at which a client asks about a token of its own, by what it is about. */
type Aspect = 'caller' | 'own-refresh-token' | 'audience' | 'token-of-another' | 'unauthenticated'

/** Requirement and title of each rule. */
const about: Record<ClientEndpoint['topic'], Record<Aspect, readonly [requirement: string, title: string]>> = {
  introspection: {
    caller: ['INTR-4', 'Client credentials, or an access token of the client, authenticate the call'],
    'own-refresh-token': [
      'INTR-4',
      'An access token of the client authenticates the call about the refresh token of it too',
    ],
    audience: ['INTR-6', 'An assertion made out to /token-info is taken, one made out to a foreign address refused'],
    'token-of-another': ['INTR-8', "Another client's token is answered with 200 and active false"],
    unauthenticated: ['INTR-10', 'POST /token-info without client authentication is refused'],
  },
  revocation: {
    caller: ['REV-5', 'Client credentials, or an access token of the client, authenticate the revocation'],
    'own-refresh-token': [
      'REV-5',
      'An access token of the client authenticates the revocation of the refresh token of it too',
    ],
    audience: ['REV-6', 'An assertion made out to /revoke is taken, one made out to a foreign address refused'],
    'token-of-another': ['REV-9', "POST /revoke of another client's token leaves it active"],
    unauthenticated: ['REV-8', 'POST /revoke without client authentication is refused, and the token stays active'],
  },
}

/** The places that each rule looks at, the same for every endpoint. */
const places: Record<Aspect, readonly string[]> = {
  caller: [
    ...['client_secret_post', 'client_secret_jwt', 'private_key_jwt'].map((method) => `client-auth=${method}`),
    ...['wrong', 'prefix', 'superset', 'upper-case'].map((value) => `client-auth=client_secret_post value=${value}`),
    'caller=bearer',
    'caller=bearer value=unknown',
    'caller=bearer use=after-revocation',
    'caller=bearer token=refresh',
    'caller=bearer token=access-of-refresh',
    'caller=bearer parameter=scheme',
  ],
  'own-refresh-token': ['caller=bearer token=refresh value=right'],
  audience: [
    ...['right', 'wrong', 'missing', 'empty', 'prefix', 'superset', 'both', 'upper-case', 'equivalent'].map(
      (value) => `value=${value}`,
    ),
    'member=other-endpoint',
    'member=list value=right',
  ],
  'token-of-another': [
    ...['other-client', 'bearer'].flatMap((caller) =>
      ['access-of-code', 'refresh'].map((token) => `caller=${caller} token=${token}`),
    ),
    ...['access-of-refresh', 'refresh'].map((token) => `caller=other-client use=second-refresh token=${token}`),
    ...['access-of-code', 'refresh'].flatMap((token) =>
      ['right', 'wrong'].map((value) => `caller=other-client token=${token} parameter=token_type_hint value=${value}`),
    ),
  ],
  unauthenticated: [
    'caller=nobody value=missing',
    'caller=nobody parameter=client_id',
    'caller=nobody token=refresh',
    ...['client_secret', 'client_assertion'].flatMap((parameter) =>
      ['empty', 'wrong'].map((value) => `caller=nobody parameter=${parameter} value=${value}`),
    ),
  ],
}

/** The places that one of the endpoints has beside. */
const furtherPlaces: Readonly<Record<string, readonly string[]>> = {
  'revocation/audience': ['member=nameless value=wrong'],
}

/** Secrets that are not the client's, made of the one that is. */
function wrongSecrets(secret: string): Record<string, string> {
  const inCapitals = secret.toUpperCase()
  return {
    'a wrong client_secret': [...secret].reverse().join(''),
    'the first 8 characters of the client_secret': secret.slice(0, 8),
    'more at the end of the client_secret': `${secret}x`,
    ...(inCapitals !== secret && { 'the client_secret in capitals': inCapitals }),
  }
}

/** A client that posts its secret is known by it, and by nothing like it. */
async function expectSecretAsked(tools: Tools, { topic, login, expectDone }: ClientEndpoint): Promise<void> {
  const { bank, expect, inVariation } = tools
  const { client, accessToken } = await login(bank, { clientMetadata: authenticatedBy('client_secret_post') })
  const bySecret = { client, token: accessToken }
  for (const [what, client_secret] of Object.entries(wrongSecrets(client.clientSecret ?? ''))) {
    await inVariation(`by ${what}`, async () =>
      expectInvalidClient(expect, await bank[topic].try(bySecret, () => ({ credentials: { client_secret } }))),
    )
  }
  await inVariation('by client_secret', async () => expectDone(tools, bySecret, await bank[topic].try(bySecret)))
}

/** A client access token authenticates its client, and nothing does that is none, or none any more (AMB-47). */
async function expectBearer(tools: Tools, { topic, usesUp, expectDone }: ClientEndpoint): Promise<void> {
  const { bank, expect, inVariation, note, reading, warn } = tools
  const live = await liveToken(bank)
  const callWith = (bearer: string, asked: TokenOfClient = live) =>
    bank[topic].try(asked, () => ({ authentication: { bearer } }))
  const response = await callWith(live.token)
  if (response.status === 400 || response.status === 401) return reading('AMB-47', 'credentials-only')
  await inVariation('as Bearer', () => expectDone(tools, live, response))
  reading('AMB-47', 'access-token-too')
  await inVariation('as Bearer, with an unknown token', async () =>
    expectTokenRefused(tools, await callWith(`${live.token.slice(0, -4)}none`), 'unknown'),
  )
  if (!usesUp) {
    const revoked = await bank.revocation.try(live)
    await inStep('revocation', async () =>
      expect(revoked.status, 'the status of POST /revoke', revoked).toBeAtMost(299),
    )
  }
  await inVariation('as Bearer, with a revoked token', async () =>
    expectTokenRefused(tools, await callWith(live.token), 'expired'),
  )
  if (!(await givesRefreshTokens(bank))) return note(givesNone)
  const { client, refreshToken } = await bank.offlineToken()
  // Of an unknown token, so that nothing is used up should it be taken.
  const [token = ''] = Object.values(unknownTokens(refreshToken))
  await inVariation('as Bearer, with a refresh token', async () =>
    expectTokenRefused(tools, await callWith(refreshToken, { client, token }), 'unknown'),
  )
  const { login, reordered } = await bank.refreshChain()
  const accessToken = reordered.member('access_token')
  if (typeof accessToken !== 'string') return note('the last of several refreshes gave no access token (see TOK-19)')
  await inVariation('as Bearer, with an access token of a refresh', async () => {
    const answer = await callWith(accessToken, { client: login.client, token })
    expect(isUnknownCaller(answer) ? 'unknown' : 'known', 'who asks', answer).toBe('known')
  })
  await inVariation('as Bearer, with the scheme in lower case', async () => {
    const answer = await bank[topic].try({ client: login.client, token }, () => ({
      authentication: { bearer: accessToken },
      headers: { authorization: `bearer ${accessToken}` },
    }))
    if (isUnknownCaller(answer)) warn('a scheme in lower case is not taken (RFC 9110 section 11.1)')
  })
}

/** A client's access token authenticates it for the refresh token that came with it as well (AMB-47). */
async function expectBearerOfOwn(tools: Tools, { topic, expectDone }: ClientEndpoint): Promise<void> {
  const { bank, skip } = tools
  if (!(await givesRefreshTokens(bank))) skip(givesNone)
  const { client, accessToken: bearer, refreshToken: token } = await bank.offlineToken.fresh()
  await bank.introspection.fresh({ client, token })
  const callAbout = (asked: string) => bank[topic].try({ client, token: asked }, () => ({ authentication: { bearer } }))
  const [unknown = ''] = Object.values(unknownTokens(token))
  const { status } = await callAbout(unknown)
  if (status === 400 || status === 401) skip(noneAuthenticates)
  await expectDone(tools, { client, token }, await callAbout(token))
}

/** That the good request is taken: of a token that is live, where the endpoint uses it up. */
async function expectTaken(tools: Tools, { topic, usesUp, login, expectDone }: ClientEndpoint): Promise<void> {
  const { bank } = tools
  const given = await login(bank)
  const token = usesUp ? await liveToken(bank, given) : { client: given.client, token: given.accessToken }
  await expectDone(tools, token, await bank[topic].try(token))
}

/** What is checked of an endpoint. */
const checks: Record<Aspect, (tools: Tools, endpoint: ClientEndpoint) => Promise<void>> = {
  async caller(tools, endpoint) {
    const { bank, inVariation, note } = tools
    const { topic } = endpoint
    const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
    for (const method of ['client_secret_post', 'client_secret_jwt'])
      if (!declared.includes(method)) note(`the bank does not declare ${method}`)
    if (declared.includes('client_secret_post')) await expectSecretAsked(tools, endpoint)
    if (declared.includes('client_secret_jwt')) {
      const { client, accessToken } = await endpoint.login(bank, { clientMetadata: bySecretJwt('HS512') })
      const own = { client, token: accessToken }
      await inVariation('by client_secret_jwt', async () => endpoint.expectDone(tools, own, await bank[topic].try(own)))
    }
    await inVariation('by the method registered', () => expectTaken(tools, endpoint))
    await expectBearer(tools, endpoint)
  },

  async audience(tools, endpoint) {
    const { bank, expect, inVariation, note, warn } = tools
    const { topic, path, usesUp, login } = endpoint
    await assertingClient(tools)
    await inVariation('by an assertion made out to the endpoint', () => expectTaken(tools, endpoint))
    const live = await liveToken(bank, await login(bank))
    const assertedFor = (audienceOf: (address: string) => string | string[] | undefined) =>
      bank[topic].try(live, ({ endpoint: address }) => ({ authentication: { claims: { aud: audienceOf(address) } } }))
    const foreign = `https://elsewhere.example${path}`
    const others = clientEndpoints.filter((other) => other.path !== path)
    const own = await Promise.all(others.map((other) => other.address(tools)))
    const wrong: Record<string, (address: string) => string | string[] | undefined> = {
      'made out to a foreign address': () => foreign,
      'made out to several foreign addresses': () => [foreign, 'https://elsewhere.example'],
      'made out to the other endpoint for tokens': () => own,
      'made out to nobody': () => undefined,
      'made out to the beginning of the address': (address) => address.slice(0, -1),
      'made out to a longer address': (address) => `${address}-of-another`,
      'made out to a host whose name begins with the own': (address) => {
        const { host, pathname } = new URL(address)
        return `https://${host.replace(':', '.')}.elsewhere.example${pathname}`
      },
      'made out to an empty list': () => [],
    }
    for (const [what, audienceOf] of Object.entries(wrong)) {
      await inVariation(`by an assertion ${what}`, async () =>
        expectInvalidClient(expect, await assertedFor(audienceOf)),
      )
    }
    for (const [what, aud] of Object.entries(lookalikeAddresses(await endpoint.address(tools)))) {
      await inVariation(`by an assertion made out to ${what}`, async () =>
        expectInvalidClient(expect, await assertedFor(() => aud)),
      )
    }
    if (dressNow() === undefined) {
      await inVariation('by an assertion made out to a foreign address, told in headers as by a proxy', async () => {
        const headers = toldByProxies(new URL(foreign).host)
        const refusal = await bank[topic].try(live, () => ({ authentication: { claims: { aud: foreign } }, headers }))
        // A bank may refuse the headers too.
        expect(refusal.status, 'the status of the refusal', refusal).toBeAtLeast(400)
      })
    }
    // Only the table of the assertion for /revoke lists neither sub nor iss: whoever wants them refuses it all the more (AMB-23).
    if (usesUp) {
      const nameless = { sub: undefined, iss: undefined, aud: foreign }
      await inVariation('by an assertion without sub and iss, made out to a foreign address', async () =>
        expectInvalidClient(expect, await bank[topic].try(live, () => ({ authentication: { claims: nameless } }))),
      )
    }
    await inVariation('by an assertion made out to a list of the endpoint alone', async () => {
      const listed = await assertedFor((address) => [address])
      if (listed.status < 300) return
      expectInvalidClient(expect, listed)
      warn(`aud is not taken as a list at ${path} (RFC 7519 section 4.1.3)`)
    })
    for (const aud of [bank.issuer, await (await bank.discovery()).endpoint('token_endpoint')]) {
      if ((await assertedFor(() => aud)).status < 300) note(`${aud} is taken as aud as well`)
    }
  },

  async 'token-of-another'(tools, endpoint) {
    const { bank, inVariation, note } = tools
    const { topic, usesUp, expectNothingDone } = endpoint
    await bank[topic].expectBaseline()
    const other = await tokenOfSecondClient(bank)
    const offline = await givesRefreshTokens(bank)
    const { client, ...login } = offline ? await bank.offlineToken.fresh() : await bank.token.fresh()
    const tokens = {
      'an access token': login.accessToken,
      ...('refreshToken' in login && { 'a refresh token': String(login.refreshToken) }),
    }
    const expectOwn = async (what: string, token: string, forms: typeof hints) => {
      const live = await liveToken(bank, { client, accessToken: token })
      for (const form of forms) {
        await inVariation(`${what} of another client, with ${hintInWords(form)}`, async () => {
          await expectNothingDone(tools, live, await bank[topic].try({ ...live, client: other.client, form }))
        })
      }
      const response = await bank[topic].try(live, () => ({ authentication: { bearer: other.token } }))
      // Where no access token authenticates (AMB-47), nothing is to be learned of what it does.
      const refused = response.status === 400 || response.status === 401
      if (refused && !usesUp) return note(noneAuthenticates)
      await inVariation(`${what} of another client, as Bearer`, () => expectNothingDone(tools, live, response))
    }
    for (const [what, token] of Object.entries(tokens)) await expectOwn(what, token, hints)
    if (!offline) return note(givesNone)
    const ofRefresh = await refreshed(bank, await bank.offlineToken.fresh())
    await expectOwn('an access token of a refresh', ofRefresh.second, [{}])
    await expectOwn('a refresh token of a refresh', ofRefresh.refreshToken, [{}])
  },

  'own-refresh-token': expectBearerOfOwn,

  async unauthenticated(tools, endpoint) {
    const { bank, expect, inVariation, note, reading } = tools
    const { topic, usesUp, login } = endpoint
    const sendVariation = await bank[topic].variations()
    const live = await liveToken(bank, await login(bank))
    const { token } = live
    const client_id = live.client.clientId
    const nobody: Record<string, Record<string, string>> = {
      'nothing but the token': {},
      'client_id alone': { client_id },
      'an empty client_secret': { client_id, client_secret: '' },
      'an empty client_assertion': { client_id, client_assertion: '', client_assertion_type: assertionType },
      'a client_secret that is not its own': { client_id, client_secret: randomUUID() },
      'a client_assertion that nobody signed': {
        client_id,
        client_assertion: unsigned(tools, { client: live.client, endpoint: await endpoint.address(tools) }),
        client_assertion_type: assertionType,
      },
    }
    for (const [what, form] of Object.entries(nobody)) {
      await inVariation(what, async () => {
        const refusal = await sendVariation(() => ({ authentication: 'none', form: { token, ...form } }))
        expect(refusal).toHaveStatus(401, 400)
        // What has no value counts as left out, and a request that lacks what it has to have is 400 (RFC 6749 sections 3.2 and 5.2).
        const lacks = form.client_assertion === '' && refusal.member('error') === 'invalid_request'
        if (lacks && refusal.status === 400) return note('what has no value is answered as a parameter that is missing')
        if (refusal.status === 400) note('the refusal is 400')
        reading(
          'AMB-32',
          refusal.status === 400 ? 'bad-request' : refusal.text === '' ? 'challenge-only' : 'unauthorized',
        )
      })
    }
    // A bank may say of what it does not know that it is dead, whoever asks.
    await inVariation('client_id alone, about a token that nobody has', async () => {
      const form = { token: 'a-token-of-nobody', client_id }
      const refusal = await sendVariation(() => ({ authentication: 'none', form }))
      expect(refusal).toHaveStatus(401, 400)
    })
    if (usesUp) await expectLive(tools, live, 'a token that nobody revoked')
    if (!(await givesRefreshTokens(bank))) return note(givesNone)
    const { client, refreshToken } = usesUp ? await bank.offlineToken.fresh() : await bank.offlineToken()
    const offline = await liveToken(bank, { client, accessToken: refreshToken })
    for (const [what, form] of Object.entries({
      'nothing but a refresh token': {},
      'client_id alone, and a refresh token': { client_id: client.clientId },
    })) {
      await inVariation(what, async () => {
        const refusal = await sendVariation(() => ({ authentication: 'none', form: { token: refreshToken, ...form } }))
        expect(refusal).toHaveStatus(401, 400)
      })
    }
    if (usesUp) await expectLive(tools, offline, 'a refresh token that nobody revoked')
  },
}

/** What rules need that do not get by with a login: to revoke a refresh token may end the session that the others log in by. */
const needs: Partial<Record<Aspect, readonly Need[]>> = { 'own-refresh-token': [...toLogIn, 'browsers'] }

/** The rules about one endpoint. */
function rulesAt(endpoint: ClientEndpoint): Rule[] {
  return (Object.keys(checks) as Aspect[]).map((aspect) => {
    const [requirement, title] = about[endpoint.topic][aspect]
    const id = `${endpoint.topic}/${aspect}`
    const check = (tools: Tools) => checks[aspect](tools, endpoint)
    const looksAt = [...places[aspect], ...(furtherPlaces[id] ?? [])]
    return rule({ id, requirement, places: looksAt, title, needs: needs[aspect] ?? toLogIn, check })
  })
}

/** The table as rules, five for each endpoint. */
export const callers: readonly Rule[] = clientEndpoints.flatMap(rulesAt)
