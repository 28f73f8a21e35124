import { anotherClient, type Metadata } from '../../bank/client-metadata.js'
import type { Client } from '../../bank/registration.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { lookalikes } from '../support/assertion-flaws.js'
import { assertingClient, byPost, needMethod } from '../support/client-methods.js'
import { atEach, expectUnproven } from '../support/proof-endpoints.js'

const endpoints = ['token', 'token-info', 'revoke']

/** The changes of the default record for a client that sends its secret: none where the default one does, as one that is given may. */
async function sendingItsSecret(tools: Tools): Promise<Metadata> {
  const { token_endpoint_auth_method: method = 'client_secret_basic' } = (await tools.bank.client()).metadata
  if (method === 'client_secret_post' || method === 'client_secret_basic') return {}
  await needMethod(tools, 'client_secret_post')
  return byPost
}

/** The client_id in another case, where it has letters and is sent as a parameter of its own. */
function idInAnotherCase({ clientId, metadata }: Client): string | undefined {
  const isSent = metadata.token_endpoint_auth_method === 'client_secret_post'
  return isSent ? lookalikes(clientId)['in another case'] : undefined
}

/** Secrets that are not that of a client, whatever it is. */
function wrongOnes(clientSecret: string): Record<string, string> {
  return {
    'a client_secret that nobody has': [...clientSecret].reverse().join(''),
    'an empty client_secret': '',
    'the first 8 characters of the client_secret': clientSecret.slice(0, 8),
  }
}

export const wrongSecret = rule({
  id: 'client-authentication/wrong-secret',
  requirement: 'CLIENT-1',
  places: [
    ...endpoints.flatMap((one) =>
      ['empty', 'wrong', 'upper-case', 'prefix', 'superset'].map((value) => `endpoint=${one} value=${value}`),
    ),
    ...endpoints.map((one) => `endpoint=${one} member=blanks`),
    ...endpoints.map((one) => `endpoint=${one} member=client_id value=upper-case`),
    'caller=other-client',
  ],
  title: 'A client_secret that is not that of the client is refused at /token, /token-info and /revoke',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation, skip, warn } = tools
    const clientMetadata = await sendingItsSecret(tools)
    const client = await bank.client(clientMetadata)
    const { clientSecret } = client
    if (clientSecret === undefined) return skip('the bank gave the client no client_secret (see REG-21)')
    const another = { ...clientMetadata, ...anotherClient }
    const other = bank.client.canBe(another) ? await bank.client(another) : undefined
    const secrets = {
      ...wrongOnes(clientSecret),
      "another client's client_secret": other?.clientSecret,
      ...Object.fromEntries(
        Object.entries(lookalikes(clientSecret)).map(([how, like]) => [`the client_secret ${how}`, like]),
      ),
    }
    await atEach(tools, { clientMetadata }, async (endpoint, send) => {
      for (const [what, wrong] of Object.entries(secrets)) {
        if (wrong === undefined || wrong === clientSecret) continue
        await inVariation(`${what}, at ${endpoint.at}`, async () =>
          expectUnproven(tools, endpoint, await send(({ client }) => ({ client: { ...client, clientSecret: wrong } }))),
        )
      }
      const otherwise = idInAnotherCase(client)
      if (otherwise !== undefined)
        await inVariation(`the client_id in another case, at ${endpoint.at}`, async () =>
          expectUnproven(tools, endpoint, await send(() => ({ credentials: { client_id: otherwise } }))),
        )
      await inVariation(`the client_secret between blanks, at ${endpoint.at}`, async () => {
        const blank = await send(({ client }) => ({ client: { ...client, clientSecret: ` ${clientSecret} ` } }))
        // Some servers pass over blanks around every value that they read.
        if (blank.status < 300)
          warn('the blanks around a client_secret are passed over; they are characters of it (RFC 6749 appendix A.2)')
        else expectUnproven(tools, endpoint, blank)
      })
    })
  },
})

export const wrongSecretAtRefresh = rule({
  id: 'client-authentication/wrong-secret-at-refresh',
  requirement: 'CLIENT-1',
  places: [
    ...['empty', 'wrong', 'prefix'].map((value) => `endpoint=token grant=refresh value=${value}`),
    'endpoint=token grant=refresh member=client_id value=upper-case',
  ],
  title: 'A client_secret that is not that of the client is refused where a refresh token is exchanged',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation, skip } = tools
    const clientMetadata = await sendingItsSecret(tools)
    const client = await bank.client(clientMetadata)
    const { clientSecret } = client
    if (clientSecret === undefined) return skip('the bank gave the client no client_secret (see REG-21)')
    await atEach(tools, { clientMetadata, at: ['/token with a refresh token'] }, async (endpoint, send) => {
      for (const [what, wrong] of Object.entries(wrongOnes(clientSecret))) {
        await inVariation(what, async () =>
          expectUnproven(tools, endpoint, await send(({ client }) => ({ client: { ...client, clientSecret: wrong } }))),
        )
      }
      const otherwise = idInAnotherCase(client)
      if (otherwise !== undefined)
        await inVariation('the client_id in another case', async () =>
          expectUnproven(tools, endpoint, await send(() => ({ credentials: { client_id: otherwise } }))),
        )
    })
  },
})

export const assertionTypes = rule({
  id: 'client-authentication/assertion-type',
  requirement: 'CLIENT-2',
  places: endpoints.flatMap((one) => ['missing', 'empty', 'wrong'].map((value) => `endpoint=${one} value=${value}`)),
  title: 'A client assertion is refused without client_assertion_type, or with another one than that of JWTs',
  needs: toLogIn,
  async check(tools) {
    const { inVariation } = tools
    await assertingClient(tools)
    const types = {
      'the client_assertion_type of SAML': 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
      'the first part of the client_assertion_type': 'urn:ietf:params:oauth:client-assertion-type:jwt',
      'the last part of the client_assertion_type': 'jwt-bearer',
      'the last part of the client_assertion_type in capitals':
        'urn:ietf:params:oauth:client-assertion-type:JWT-BEARER',
      'a client_assertion_type that goes on': 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer-too',
      'no client_assertion_type': undefined,
      'an empty client_assertion_type': '',
    }
    await atEach(tools, {}, async (endpoint, send) => {
      for (const [what, client_assertion_type] of Object.entries(types)) {
        await inVariation(`${what}, at ${endpoint.at}`, async () => {
          expectUnproven(tools, endpoint, await send(() => ({ credentials: { client_assertion_type } })))
        })
      }
    })
  },
})
