import { anotherClient, authenticatedBy, type Metadata } from '../../bank/client-metadata.js'
import { dressNow } from '../../bank/dress.js'
import { inStep } from '../../bank/steps.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { clientKeys, foreignSigner, pkcs1Signer } from '../../service/client-keys.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { lookalikes, unsigned, wrongLifetimes, wrongSignatures } from '../support/assertion-flaws.js'
import { assertingClient, assertionAlgorithm, needMethod } from '../support/client-methods.js'
import { atEveryEndpoint, type ProofOptions, refuseEach } from '../support/proof-endpoints.js'
import { publicKeySecrets } from '../support/public-key-secrets.js'

/** To log in at a client that this rule registers. */
const toLogInAtOwn = [...toRegister, ...toLogIn]

/**
 * A client that signs its assertions and registered neither their algorithm nor that of its key.
 * @throws Skip where the bank does not declare such assertions
 */
async function ofOpenAlgorithm(tools: Tools): Promise<Metadata> {
  await needMethod(tools, 'private_key_jwt')
  return { ...authenticatedBy('private_key_jwt'), jwks_uri: await tools.bank.openKeys() }
}

export const pkcs1 = rule({
  id: 'client-authentication/pkcs1-algorithms',
  requirement: 'TOK-16',
  places: [
    ...['token', 'token-info', 'revoke'].map((one) => `endpoint=${one} alg=RS256`),
    ...['RS384', 'RS512'].map((alg) => `endpoint=token alg=${alg}`),
    'endpoint=token grant=refresh alg=RS256',
  ],
  title:
    'RSASSA-PKCS1-v1_5 is refused of a client that registered neither the algorithm of its assertions nor that of its key',
  needs: toLogInAtOwn,
  async check(tools) {
    const clientMetadata = await ofOpenAlgorithm(tools)
    const own = await clientKeys()
    const signers = await Promise.all(
      (['RS256', 'RS384', 'RS512'] as const).map(
        async (alg) => [`signed with ${alg}`, { signer: await pkcs1Signer(own, alg) }] as const,
      ),
    )
    await refuseEach(tools, () => Object.fromEntries(signers), { clientMetadata, at: atEveryEndpoint })
  },
})

export const publicKeyAsSecret = rule({
  id: 'client-authentication/public-key-as-secret',
  requirement: 'TOK-39',
  places: ['token', 'token-info', 'revoke'].flatMap((one) =>
    ['HS256', 'HS512'].map((alg) => `endpoint=${one} part=signature alg=${alg}`),
  ),
  title: "A client assertion with an HMAC, of which the client's public key is the secret, is refused",
  needs: toLogInAtOwn,
  async check(tools) {
    const clientMetadata = await ofOpenAlgorithm(tools)
    const secrets = publicKeySecrets((await clientKeys()).signing, 'the client')
    const flaws = Object.fromEntries(Object.entries(secrets).map(([what, signer]) => [what, { signer }]))
    await refuseEach(tools, () => flaws, { clientMetadata })
  },
})

/** A client whose assertions are signed with ES512. */
const ofEs512 = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'ES512' }

/** @throws Skip where the bank does not declare assertions by ES512 */
async function needEs512(tools: Tools): Promise<void> {
  await needMethod(tools, 'private_key_jwt')
  const declared = (await tools.bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported')
  if (declared && !declared.includes('ES512')) tools.skip('the bank does not declare ES512')
}

/** What is asked of an assertion by ES512 as of one by another algorithm, at an endpoint where that costs no login. */
const es512Rows: readonly {
  slug: string
  requirement: string
  places: readonly string[]
  title: string
  check(tools: Tools, at: ProofOptions): Promise<unknown>
}[] = [
  {
    slug: 'lifetime',
    requirement: 'TOK-38',
    places: ['exp', 'jti'].map((part) => `endpoint=token-info part=${part} alg=ES512`),
    title: 'A client assertion by ES512 past its exp, or without exp or jti, is refused',
    check(tools, at) {
      const flaws = wrongLifetimes(tools.service.clock())
      const chosen = Object.entries(flaws).filter(([what]) =>
        ['past its exp', 'without exp', 'without jti'].includes(what),
      )
      return refuseEach(tools, () => Object.fromEntries(chosen), at)
    },
  },
  {
    slug: 'algorithms',
    requirement: 'TOK-16',
    places: ['RS256', 'none'].map((alg) => `endpoint=token-info alg=${alg}`),
    title: 'Of a client of ES512 an assertion signed by RSASSA-PKCS1-v1_5, or not at all, is refused',
    async check(tools, at) {
      const signer = await pkcs1Signer(await clientKeys(), 'RS256')
      return refuseEach(
        tools,
        (asserted) => ({
          'signed with RS256': { signer },
          'without a signature': { jwt: unsigned(tools, asserted) },
        }),
        at,
      )
    },
  },
  {
    slug: 'names',
    requirement: 'TOK-14',
    places: ['iss', 'sub'].flatMap((part) =>
      ['', ' value=superset'].map((value) => `endpoint=token-info part=${part} alg=ES512${value}`),
    ),
    title: 'A client assertion by ES512 whose iss or sub is not the client_id is refused',
    check: (tools, at) =>
      refuseEach(
        tools,
        ({ client: { clientId } }) => ({
          'with the iss of another': { claims: { iss: 'another-client' } },
          'with the sub of another': { claims: { sub: 'another-client' } },
          ...Object.fromEntries(
            Object.entries(lookalikes(clientId)).flatMap(([how, like]) =>
              ['iss', 'sub'].map((name) => [`with the client_id ${how} as ${name}`, { claims: { [name]: like } }]),
            ),
          ),
        }),
        at,
      ),
  },
  {
    slug: 'audience',
    requirement: 'INTR-6',
    places: ['missing', 'wrong'].map((value) => `alg=ES512 value=${value}`),
    title: 'A client assertion by ES512 is refused that is made out to a foreign address, or to nobody',
    check: (tools, at) =>
      refuseEach(
        tools,
        () => ({
          'with the aud of another': { claims: { aud: 'https://elsewhere.example/token-info' } },
          'without aud': { claims: { aud: undefined } },
        }),
        at,
      ),
  },
]

export const es512: readonly Rule[] = es512Rows.map(({ slug, requirement, places, title, check }) =>
  rule({
    id: `client-authentication/es512-${slug}`,
    requirement,
    places,
    title,
    needs: toLogInAtOwn,
    async check(tools) {
      await needEs512(tools)
      await check(tools, { clientMetadata: ofEs512, at: ['/token-info'] })
    },
  }),
)

export const es512Signature = rule({
  id: 'client-authentication/es512-signature',
  requirement: 'TOK-39',
  places: ['token-info', 'revoke'].map((endpoint) => `endpoint=${endpoint} part=signature alg=ES512`),
  title: 'A client assertion by ES512 with a wrong signature, or of a key that is not registered, is refused',
  needs: toLogInAtOwn,
  async check(tools) {
    await needEs512(tools)
    const { ecSigning } = await clientKeys()
    const { publicJwk: jwk, privateKey } = await foreignSigner('ES512')
    const unregistered = await foreignSigner('ES512')
    const signers = {
      'of a key that is not registered': unregistered,
      'of a key that its header brings along': { alg: 'ES512', privateKey, leading: { jwk } },
      'of another key under the kid of a registered one': await foreignSigner('ES512', ecSigning?.kid),
    }
    await refuseEach(tools, () => wrongSignatures(signers), { clientMetadata: ofEs512, at: ['/token-info'] })
    if (dressNow() !== undefined) return
    const flaws = { 'of a key that is not registered': { signer: unregistered } }
    await refuseEach(tools, () => flaws, { clientMetadata: ofEs512, at: ['/revoke'] })
  },
})

export const keyOfAnother = rule({
  id: 'client-authentication/key-of-another',
  requirement: 'TOK-39',
  places: ['caller=other-client part=signature'],
  title: 'A client assertion that is signed by a key of another client is refused',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect } = tools
    const alg = assertionAlgorithm(await assertingClient(tools))
    const { encryption } = await clientKeys()
    const signer = await foreignSigner(alg, `${(await foreignSigner(alg)).kid}-of-another`)
    const keys = await bank.hostKeys([{ ...signer.publicJwk, kid: signer.kid }, encryption.publicJwk])
    const other = await bank.client({ ...anotherClient, jwks_uri: keys.url })
    // The bank is seen to know the key.
    const known = await bank.introspection.try({ client: other, token: 'a-token-of-nobody' }, () => ({
      authentication: { signer },
    }))
    await inStep('introspection', async () => expect(known).toHaveStatus(200))
    const itsOwn = { iss: other.clientId, sub: other.clientId }
    const flaws = {
      'signed by a key of another client': { signer },
      "that is another client's own": { signer, claims: itsOwn },
    }
    await refuseEach(tools, () => flaws, { at: ['/token', '/token-info', '/revoke'] })
  },
})

export const keyOfService = rule({
  id: 'client-authentication/key-of-service',
  requirement: 'TOK-39',
  places: ['token', 'token-info', 'revoke'].map((endpoint) => `endpoint=${endpoint} part=signature value=second`),
  title: 'A client assertion that is signed by a key of the service, which the client did not register, is refused',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, skip } = tools
    await needMethod(tools, 'private_key_jwt')
    const declared = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported')
    let tried = 0
    for (const alg of ['PS512', 'ES512']) {
      const signer = await bank.signing.serviceSigner(alg)
      if (!signer || declared?.includes(alg) === false) continue
      tried += 1
      const clientMetadata = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: alg }
      const flaws = { [`signed by the service with ${alg}`]: { signer } }
      await refuseEach(tools, () => flaws, { clientMetadata, at: ['/token', '/token-info', '/revoke'] })
    }
    if (tried === 0) skip('service.keys has no key for an algorithm of client assertions that the bank declares')
  },
})
