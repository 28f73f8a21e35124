import type { Bank } from '../../bank/bank.js'
import { authenticatedBy } from '../../bank/client-metadata.js'
import type { Login, TokenOptions } from '../../bank/token.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { assertingClient, expectInvalidClient } from '../support/client-refusals.js'
import { expectDead, expectTaken, liveToken, type TokenOfClient } from '../support/token-state.js'

/** What holds of every endpoint at which a client asks about a token of its own, by what it is about. */
type Aspect = 'caller' | 'audience' | 'token-of-another' | 'unauthenticated'

/** An endpoint at which a client asks about a token of its own. */
interface Endpoint {
  /** Of the rules, and of the operation. */
  topic: 'introspection' | 'revocation'
  path: '/token-info' | '/revoke'
  /** Requirement and title of each rule. */
  rules: Record<Aspect, readonly [requirement: string, title: string]>
  /** Whether a token that was sent there is used up. */
  usesUp: boolean
  /** A login whose token may be sent there. */
  login(bank: Bank, options?: TokenOptions): Promise<Login>
  /** That the endpoint did what it is for. */
  expectDone(tools: Tools, token: TokenOfClient, response: HttpResponse): Promise<void>
  /** That it did nothing for a client that the token does not belong to. */
  expectNothingDone(tools: Tools, token: TokenOfClient, response: HttpResponse): Promise<void>
}

async function expectLive({ bank, expect }: Tools, token: TokenOfClient, what: string): Promise<void> {
  const introspected = await bank.introspection.try(token)
  expect(introspected.member('active'), `active of ${what}`, introspected).toBe(true)
}

const endpoints: readonly Endpoint[] = [
  {
    topic: 'introspection',
    path: '/token-info',
    rules: {
      caller: ['INTR-4', 'Client credentials, or an access token of the client, authenticate the call'],
      audience: ['INTR-6', 'An assertion made out to /token-info is taken, one made out to a foreign address refused'],
      'token-of-another': ['INTR-8', "Another client's token is answered with 200 and active false"],
      unauthenticated: ['INTR-10', 'POST /token-info without client authentication is refused'],
    },
    usesUp: false,
    login: (bank, options) => bank.token(options),
    async expectDone({ expect }, _token, response) {
      expect(response).toHaveStatus(200)
      expect(response.member('active'), 'active of a live token', response).toBe(true)
    },
    async expectNothingDone({ expect }, _token, response) {
      expect(response).toHaveStatus(200)
      expect(response.member('active'), "active of another client's token", response).toBe(false)
    },
  },
  {
    topic: 'revocation',
    path: '/revoke',
    rules: {
      caller: ['REV-5', 'Client credentials, or an access token of the client, authenticate the revocation'],
      audience: ['REV-6', 'An assertion made out to /revoke is taken, one made out to a foreign address refused'],
      'token-of-another': ['REV-9', "POST /revoke of another client's token leaves it active"],
      unauthenticated: ['REV-8', 'POST /revoke without client authentication is refused, and the token stays active'],
    },
    usesUp: true,
    login: (bank, options) => bank.token.fresh(options),
    async expectDone(tools, token, response) {
      expectTaken(tools.expect, response)
      await expectDead(tools, token, 'a revoked access token')
    },
    expectNothingDone: (tools, token) => expectLive(tools, token, 'a token that another client revoked'),
  },
]

/** What is checked of an endpoint. */
const checks: Record<Aspect, (tools: Tools, endpoint: Endpoint) => Promise<void>> = {
  async caller(tools, endpoint) {
    const { bank, inVariation, reading } = tools
    const { topic, usesUp, login, expectDone } = endpoint
    // Of a token that is not used up the answer itself shows that the good request is taken.
    if (usesUp) await bank[topic].expectBaseline()
    const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
    if (declared.includes('client_secret_post')) {
      const { client, accessToken } = await login(bank, { clientMetadata: authenticatedBy('client_secret_post') })
      const bySecret = { client, token: accessToken }
      await inVariation('by client_secret', async () => expectDone(tools, bySecret, await bank[topic].try(bySecret)))
    }
    const live = await liveToken(bank, await login(bank))
    const response = await bank[topic].try(live, () => ({ authentication: { bearer: live.token } }))
    if (response.status === 400 || response.status === 401) return reading('AMB-47', 'credentials-only')
    await inVariation('as Bearer', () => expectDone(tools, live, response))
    reading('AMB-47', 'access-token-too')
  },

  async audience(tools, endpoint) {
    const { bank, expect, inVariation, note } = tools
    const { topic, path, login, expectDone } = endpoint
    await assertingClient(tools)
    await bank[topic].expectBaseline()
    const live = await liveToken(bank, await login(bank))
    const assertedFor = (aud: string) => bank[topic].try(live, () => ({ authentication: { claims: { aud } } }))
    await inVariation('by an assertion made out to a foreign address', async () =>
      expectInvalidClient(expect, await assertedFor(`https://elsewhere.example${path}`)),
    )
    await bank.introspection.fresh(live)
    await inVariation('by an assertion made out to the endpoint', async () =>
      expectDone(tools, live, await bank[topic].try(live)),
    )
    // That a revoked token is dead is no error (RFC 7009 section 2.2): what is refused from here on is the assertion.
    for (const aud of [bank.issuer, await (await bank.discovery()).endpoint('token_endpoint')]) {
      if ((await assertedFor(aud)).status < 300) note(`${aud} is taken as aud as well`)
    }
  },

  async 'token-of-another'(tools, endpoint) {
    const { bank } = tools
    const { topic, login, expectNothingDone } = endpoint
    const other = await bank.client({ client_name: 'Another client' })
    const live = await liveToken(bank, await login(bank))
    const response = await bank[topic].try({ ...live, client: other })
    await expectNothingDone(tools, live, response)
  },

  async unauthenticated(tools, endpoint) {
    const { bank, expect, note, reading } = tools
    const { topic, usesUp, login } = endpoint
    const sendVariation = await bank[topic].variations()
    const live = await liveToken(bank, await login(bank))
    const refusal = await sendVariation(() => ({ authentication: 'none', form: { token: live.token } }))
    expect(refusal).toHaveStatus(401, 400)
    if (refusal.status === 400) note('the refusal is 400')
    reading('AMB-32', refusal.status === 400 ? 'bad-request' : refusal.text === '' ? 'challenge-only' : 'unauthorized')
    if (usesUp) await expectLive(tools, live, 'a token that nobody revoked')
  },
}

/** The rules about one endpoint. */
function rulesAt(endpoint: Endpoint): Rule[] {
  return (Object.keys(checks) as Aspect[]).map((aspect) => {
    const [requirement, title] = endpoint.rules[aspect]
    const id = `${endpoint.topic}/${aspect}`
    return rule({ id, requirement, title, needs: toLogIn, check: (tools) => checks[aspect](tools, endpoint) })
  })
}

/** The table as rules, four for each endpoint. */
export const clientEndpoints: readonly Rule[] = endpoints.flatMap(rulesAt)
