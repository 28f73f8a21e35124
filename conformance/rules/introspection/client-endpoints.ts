import type { Metadata } from '../../bank/client-metadata.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { assertionType } from '../../service/assertions.js'
import { toLogIn } from '../../target/needs.js'
import { foreignAudiences } from '../support/assertion-flaws.js'
import { expectTokenRefused } from '../support/bearer-refusal.js'
import { type ClientEndpoint, clientEndpoints, expectLive } from '../support/client-endpoints.js'
import { assertingClient, expectInvalidClient } from '../support/client-refusals.js'
import { byPost, bySecretJwt } from '../support/proof-endpoints.js'
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

/** Clients that prove who they are by what the bank gave them, by how. */
const bySecret: Readonly<Record<string, Metadata>> = {
  'by client_secret': byPost,
  'by an assertion of its client_secret': bySecretJwt('HS512'),
}

/** Places of the requirements, which are alike at both endpoints. */
const placesOf: Partial<Record<Aspect, readonly string[]>> = {
  caller: [
    ...['client_secret_post', 'client_secret_jwt', 'private_key_jwt'].map((method) => `client-auth=${method}`),
    'caller=bearer',
    'caller=bearer value=unknown',
  ],
  audience: ['right', 'missing', 'wrong', 'prefix', 'superset'].map((value) => `value=${value}`),
  unauthenticated: [
    'caller=nobody value=missing',
    'caller=nobody parameter=client_id',
    ...['client_secret', 'client_assertion'].map((name) => `caller=nobody parameter=${name} value=empty`),
  ],
}

/** What is checked of an endpoint. */
const checks: Record<Aspect, (tools: Tools, endpoint: ClientEndpoint) => Promise<void>> = {
  async caller(tools, endpoint) {
    const { bank, inVariation, reading } = tools
    const { topic, usesUp, login, expectDone } = endpoint
    // Of a token that is not used up the answer itself shows that the good request is taken.
    if (usesUp) await bank[topic].expectBaseline()
    const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
    for (const [how, clientMetadata] of Object.entries(bySecret)) {
      if (!declared.includes(String(clientMetadata.token_endpoint_auth_method))) continue
      const { client, accessToken } = await login(bank, { clientMetadata })
      const own = { client, token: accessToken }
      await inVariation(how, async () => expectDone(tools, own, await bank[topic].try(own)))
    }
    const own = await liveToken(bank, await login(bank))
    await inVariation('by the method of the client', async () => expectDone(tools, own, await bank[topic].try(own)))
    const live = usesUp ? await liveToken(bank, await login(bank)) : own
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
    const { topic, address, login, expectDone } = endpoint
    await assertingClient(tools)
    await bank[topic].expectBaseline()
    const live = await liveToken(bank, await login(bank))
    const assertedFor = (aud: unknown) => bank[topic].try(live, () => ({ authentication: { claims: { aud } } }))
    for (const [what, aud] of Object.entries(foreignAudiences(await address(tools)))) {
      await inVariation(`by an assertion ${what}`, async () => expectInvalidClient(expect, await assertedFor(aud)))
    }
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
    const { bank, expect, inVariation, note, reading } = tools
    const { topic, usesUp, login } = endpoint
    const sendVariation = await bank[topic].variations()
    const live = await liveToken(bank, await login(bank))
    const unproven = {
      'without client authentication': {},
      'with a client_id alone': { client_id: live.client.clientId },
      'with a client_id and an empty client_secret': { client_id: live.client.clientId, client_secret: '' },
      'with a client_id and an empty client_assertion': {
        client_id: live.client.clientId,
        client_assertion: '',
        client_assertion_type: assertionType,
      },
    }
    for (const [what, credentials] of Object.entries(unproven)) {
      await inVariation(what, async () => {
        const form = { token: live.token }
        const refusal = await sendVariation(() => ({ authentication: 'none', form, credentials }))
        expect(refusal).toHaveStatus(401, 400)
        if (refusal.status === 400) note('the refusal is 400')
        const withBody = refusal.text === '' ? 'challenge-only' : 'unauthorized'
        reading('AMB-32', refusal.status === 400 ? 'bad-request' : withBody)
      })
    }
    if (usesUp) await expectLive(tools, live, 'a token that nobody revoked')
  },
}

/** The rules about one endpoint. */
function rulesAt(endpoint: ClientEndpoint): Rule[] {
  return (Object.keys(checks) as Aspect[]).map((aspect) => {
    const [requirement, title] = about[endpoint.topic][aspect]
    const id = `${endpoint.topic}/${aspect}`
    const places = placesOf[aspect] ?? []
    return rule({ id, requirement, places, title, needs: toLogIn, check: (tools) => checks[aspect](tools, endpoint) })
  })
}

/** The table as rules, four for each endpoint. */
export const callers: readonly Rule[] = clientEndpoints.flatMap(rulesAt)
