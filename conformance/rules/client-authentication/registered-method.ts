import type { Metadata } from '../../bank/client-metadata.js'
import type { Client } from '../../bank/registration.js'
import { rule } from '../../harness/rule.js'
import { clientKeys } from '../../service/client-keys.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { byPost, bySecretJwt, declaresMethod, needMethod } from '../support/client-methods.js'
import { atEach, atEveryEndpoint, refuseEach } from '../support/proof-endpoints.js'

/** To log in at a client that this rule registers. */
const toLogInAtOwn = [...toRegister, ...toLogIn]

const endpoints = ['token', 'token-info', 'revoke']

/** What a client is taken for that sends another proof, by what it sends. */
const proofs = {
  'its client secret': byPost,
  'an assertion by its client secret': bySecretJwt('HS512'),
  'an assertion by its key': {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'PS512',
  },
} as const

type Proof = keyof typeof proofs

/** Which proofs are of another method than the registered one. Without changes a client is registered for private_key_jwt. */
const otherProofs: readonly { registered: string; clientMetadata?: Metadata; others: readonly Proof[] }[] = [
  { registered: 'private_key_jwt', others: ['its client secret', 'an assertion by its client secret'] },
  {
    registered: 'client_secret_jwt',
    clientMetadata: bySecretJwt('HS512'),
    others: ['its client secret', 'an assertion by its key'],
  },
  {
    registered: 'client_secret_post',
    clientMetadata: byPost,
    others: ['an assertion by its key', 'an assertion by its client secret'],
  },
]

/** The client as one that sends this proof; undefined where the bank gave it no secret to do so (AMB-21). */
function sending(client: Client, proof: Proof): Client | undefined {
  if (proof !== 'an assertion by its key' && client.clientSecret === undefined) return undefined
  return { ...client, metadata: { ...client.metadata, ...proofs[proof] } }
}

export const otherMethod = rule({
  id: 'client-authentication/other-method',
  requirement: 'REG-37',
  places: otherProofs.flatMap(({ registered }) => endpoints.map((one) => `endpoint=${one} client-auth=${registered}`)),
  title: 'A client registered for one authentication method is refused with another, at each endpoint',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, inVariation, skip } = tools
    let tried = 0
    for (const { registered, clientMetadata, others } of otherProofs) {
      if (!(await declaresMethod(tools, registered))) continue
      const client = await bank.client(clientMetadata)
      if (client.metadata.token_endpoint_auth_method !== registered) continue
      await atEach(tools, { ...(clientMetadata && { clientMetadata }) }, async ({ at, expectRefused }, send) => {
        for (const proof of others) {
          const other = sending(client, proof)
          if (!other) continue
          tried += 1
          await inVariation(`${proof}, of a client of ${registered}, at ${at}`, async () =>
            expectRefused(tools, await send(() => ({ client: other }))),
          )
        }
      })
    }
    if (tried === 0) return skip('the bank declares no method of which another could be told')
  },
})

export const otherAlgorithm = rule({
  id: 'client-authentication/other-algorithm',
  requirement: 'REG-24',
  places: [
    ...endpoints.map((one) => `endpoint=${one} client-auth=private_key_jwt`),
    'endpoint=token-info client-auth=client_secret_jwt',
    'endpoint=token grant=refresh',
    'endpoint=revoke member=nameless',
  ],
  title: 'An assertion with another declared algorithm than the registered one is refused, at each endpoint',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, note, skip } = tools
    await needMethod(tools, 'private_key_jwt', 'client_secret_jwt')
    const declared = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported')
    const signsByKey = await declaresMethod(tools, 'private_key_jwt')
    const algorithms = ['PS512', 'ES512'].filter((alg) => signsByKey && (declared?.includes(alg) ?? true))
    if (await declaresMethod(tools, 'client_secret_jwt')) {
      const flaws = ({ client: { clientSecret } }: { client: Client }) => ({
        'with HS256 of a client that registered HS512': {
          signer: { alg: 'HS256', privateKey: new TextEncoder().encode(clientSecret) },
        },
      })
      await refuseEach(tools, flaws, { clientMetadata: bySecretJwt('HS512'), at: ['/token-info'] })
    } else if (algorithms.length < 2) return skip('the bank declares one of PS512 and ES512 alone')
    if (algorithms.length < 2) return
    const { signing, ecSigning } = await clientKeys()
    for (const [alg, signer] of [
      ['PS512', ecSigning],
      ['ES512', signing],
    ] as const) {
      if (!signer) continue
      const clientMetadata = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: alg }
      await refuseEach(tools, () => ({ [`with ${signer.alg} of a client that registered ${alg}`]: { signer } }), {
        clientMetadata,
        ...(alg === 'PS512' && { at: atEveryEndpoint }),
      })
      if (alg !== 'PS512') continue
      const claims = { sub: undefined, iss: undefined }
      const asked = { client: await bank.client(clientMetadata), token: 'a-token-of-nobody' }
      const good = await bank.revocation.try(asked, () => ({ authentication: { claims } }))
      // A bank may want both (AMB-23), or answer a token of nobody with an error: then nothing is seen of the algorithm.
      if (good.status >= 300) {
        note('an assertion without sub and iss is not taken at /revoke, with the registered algorithm either')
        continue
      }
      const what = `without sub and iss, with ${signer.alg} of a client that registered ${alg}`
      const flaws = { [what]: { signer, claims } }
      await refuseEach(tools, () => flaws, { clientMetadata, at: ['/revoke'] })
    }
  },
})
