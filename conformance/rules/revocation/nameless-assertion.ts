import { rule } from '../../harness/rule.js'
import { clientKeys, foreignSigner } from '../../service/client-keys.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { expectLive } from '../support/client-endpoints.js'
import { assertingClient, bySecretJwt, needMethod } from '../support/client-methods.js'
import { ofOwnKey } from '../support/own-key.js'
import { atEach, hasRefreshTokens } from '../support/proof-endpoints.js'
import { expectDead, expectTaken, liveToken } from '../support/token-state.js'
import { unknownTokens } from '../support/unknown-tokens.js'

/** What a nameless assertion leaves out: it is told from the client's key, or by client_id in the form, whose it is. */
const nameless = { claims: { sub: undefined, iss: undefined } }

export const namelessAssertion = rule({
  id: 'revocation/nameless-assertion',
  requirement: 'REV-4',
  places: [
    'value=right',
    'value=missing',
    'parameter=client_id value=missing',
    'token=refresh value=missing',
    'alg=ES512 value=missing',
  ],
  title: 'An assertion for /revoke with neither sub nor iss authenticates the client that signed it',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    await assertingClient(tools)
    const named = await liveToken(bank)
    expectTaken(expect, await bank.revocation.try(named))
    await expectDead(tools, named, 'an access token revoked with sub and iss')
    const own = await ofOwnKey(tools)
    const live = await liveToken(bank, await bank.token.fresh({ clientMetadata: own }))
    const response = await bank.revocation.try(live, () => ({
      authentication: nameless,
      credentials: { client_id: undefined },
    }))
    if (response.status === 400 || response.status === 401) return reading('AMB-23', 'required')
    expectTaken(expect, response)
    await expectDead(tools, live, 'an access token revoked without sub and iss')
    reading('AMB-23', 'optional')
    const withClientId = await liveToken(bank, await bank.token.fresh({ clientMetadata: own }))
    await inVariation('with client_id in the form', async () => {
      expectTaken(expect, await bank.revocation.try(withClientId, () => ({ authentication: nameless })))
      await expectDead(tools, withClientId, 'an access token revoked by client_id, without sub and iss')
    })
    const clientMetadata = { token_endpoint_auth_signing_alg: 'ES512' }
    const algorithms = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported') ?? []
    if (algorithms.includes('ES512') && bank.client.canBe(clientMetadata)) {
      await inVariation('signed with ES512', async () => {
        const byEc = await ofOwnKey(tools, clientMetadata)
        const one = await liveToken(bank, await bank.token.fresh({ clientMetadata: byEc }))
        const authentication = { authentication: nameless, credentials: { client_id: undefined } }
        expectTaken(expect, await bank.revocation.try(one, () => authentication))
        await expectDead(tools, one, 'an access token revoked without sub and iss, by ES512')
      })
    }
    if (!(await hasRefreshTokens(tools))) return
    await inVariation('of a refresh token', async () => {
      const { client, refreshToken: token } = await bank.offlineToken.fresh({ clientMetadata: own })
      await bank.introspection.fresh({ client, token })
      const authentication = { authentication: nameless, credentials: { client_id: undefined } }
      expectTaken(expect, await bank.revocation.try({ client, token }, () => authentication))
      await expectDead(tools, { client, token }, 'a refresh token revoked without sub and iss')
    })
  },
})

export const namelessAssertionOfAnother = rule({
  id: 'revocation/nameless-assertion-of-another',
  requirement: 'REV-4',
  places: ['caller=other-client value=missing'],
  title: "An assertion with neither sub nor iss that another client signed leaves a client's token alone",
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect } = tools
    await assertingClient(tools)
    await bank.revocation.expectBaseline()
    const live = await liveToken(bank)
    // By a key of its own: whoever has the client's key is the client.
    const signer = await foreignSigner(String(live.client.metadata.token_endpoint_auth_signing_alg ?? 'PS512'))
    const keys = await bank.hostKeys([signer.publicJwk, (await clientKeys()).encryption.publicJwk])
    const client = await bank.client.fresh({ client_name: 'A client of other keys', jwks_uri: keys.url })
    const [unknown = ''] = Object.values(unknownTokens(live.token))
    expectTaken(expect, await bank.revocation.try({ client, token: unknown }, () => ({ authentication: { signer } })))
    await bank.revocation.try({ ...live, client }, () => ({
      authentication: { ...nameless, signer },
      credentials: { client_id: undefined },
    }))
    await expectLive(tools, live, "a token that another client's nameless assertion was to revoke")
  },
})

export const namelessAssertionBySecret = rule({
  id: 'revocation/nameless-assertion-by-secret',
  requirement: 'REV-4',
  places: ['client-auth=client_secret_jwt value=missing'],
  title: 'An assertion for /revoke by client_secret_jwt needs neither sub nor iss beside client_id',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect, reading } = tools
    await needMethod(tools, 'client_secret_jwt')
    const live = await liveToken(bank, await bank.token.fresh({ clientMetadata: bySecretJwt('HS512') }))
    const response = await bank.revocation.try(live, () => ({ authentication: nameless }))
    if (response.status === 400 || response.status === 401) return reading('AMB-23', 'required')
    expectTaken(expect, response)
    await expectDead(tools, live, 'an access token revoked without sub and iss')
    reading('AMB-23', 'optional')
  },
})

export const assertionOfOtherNames = rule({
  id: 'revocation/assertion-of-other-names',
  requirement: 'REV-4',
  places: ['iss', 'sub'].map((part) => `part=${part} value=wrong`),
  title: 'An assertion for /revoke that names another as its iss or sub is refused',
  needs: toLogIn,
  // The table names neither for /revoke; that one which is there has to be the client_id is RFC 7523's, so that a bank is warned.
  async check(tools) {
    await assertingClient(tools)
    await atEach(tools, { at: ['/revoke'] }, async ({ expectRefused }, send) => {
      for (const name of ['iss', 'sub']) {
        await tools.inVariation(`a client assertion with the ${name} of another`, async () => {
          const answer = await send(() => ({ authentication: { claims: { [name]: 'another-client' } } }))
          if (answer.status < 300) tools.warn(`an assertion with the ${name} of another is taken (RFC 7523 section 3)`)
          else expectRefused(tools, answer)
        })
      }
    })
  },
})
