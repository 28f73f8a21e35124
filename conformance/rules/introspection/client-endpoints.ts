import { authenticatedBy } from '../../bank/client-metadata.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { expectTokenRefused } from '../support/bearer-refusal.js'
import { type ClientEndpoint, clientEndpoints, expectLive } from '../support/client-endpoints.js'
import { assertingClient, expectInvalidClient } from '../support/client-refusals.js'
import { liveToken } from '../support/token-state.js'

/** What holds of every endpoint at which a client asks about a token of its own, by what it is about. */
type Aspect = 'caller' | 'audience' | 'token-of-another' | 'unauthenticated'

/** Requirement and title of each rule. */
const about: Record<ClientEndpoint['topic'], Record<Aspect, readonly [requirement: string, title: string]>> = {
  introspection: {
    caller: ['INTR-4', 'Client credentials, or an access token of the client, authenticate the call'],
    audience: ['INTR-6', 'An assertion made out to /token-info is taken, one made out to a foreign address refused'],
    'token-of-another': ['INTR-8', "Another client's token is answered with 200 and active false"],
    unauthenticated: ['INTR-10', 'POST /token-info without client authentication is refused'],
  },
  revocation: {
    caller: ['REV-5', 'Client credentials, or an access token of the client, authenticate the revocation'],
    audience: ['REV-6', 'An assertion made out to /revoke is taken, one made out to a foreign address refused'],
    'token-of-another': ['REV-9', "POST /revoke of another client's token leaves it active"],
    unauthenticated: ['REV-8', 'POST /revoke without client authentication is refused, and the token stays active'],
  },
}

/** What is checked of an endpoint. */
const checks: Record<Aspect, (tools: Tools, endpoint: ClientEndpoint) => Promise<void>> = {
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
    const bearer = `${live.token.slice(0, -4)}none`
    await inVariation('as Bearer, with an unknown token', async () =>
      expectTokenRefused(tools, await bank[topic].try(live, () => ({ authentication: { bearer } })), 'unknown'),
    )
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
function rulesAt(endpoint: ClientEndpoint): Rule[] {
  return (Object.keys(checks) as Aspect[]).map((aspect) => {
    const [requirement, title] = about[endpoint.topic][aspect]
    const id = `${endpoint.topic}/${aspect}`
    return rule({ id, requirement, title, needs: toLogIn, check: (tools) => checks[aspect](tools, endpoint) })
  })
}

/** The table as rules, four for each endpoint. */
export const callers: readonly Rule[] = clientEndpoints.flatMap(rulesAt)
