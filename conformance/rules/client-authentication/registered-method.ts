import type { Metadata } from '../../bank/client-metadata.js'
import type { ClientRequest } from '../../bank/client-request.js'
import { dressNow } from '../../bank/dress.js'
import type { Replace } from '../../bank/operation.js'
import type { Client } from '../../bank/registration.js'
import { rule } from '../../harness/rule.js'
import { clientKeys } from '../../service/client-keys.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { assertingClient, byPost, bySecretJwt, declaresMethod, needMethod } from '../support/client-methods.js'
import { atEach, atEveryEndpoint, expectUnproven, refuseEach } from '../support/proof-endpoints.js'

/** To log in at a client that this rule registers. */
const toLogInAtOwn = [...toRegister, ...toLogIn]

const endpoints = ['token', 'token-info', 'revoke']

/** What a client is taken for that sends another proof, by what it sends. */
const proofs = {
  'its client secret': byPost,
  'its client secret by HTTP Basic': { token_endpoint_auth_method: 'client_secret_basic' },
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
    others: ['an assertion by its key', 'an assertion by its client secret', 'its client secret by HTTP Basic'],
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
  places: [
    ...otherProofs.flatMap(({ registered }) => endpoints.map((one) => `endpoint=${one} client-auth=${registered}`)),
    ...['token-info', 'revoke'].map(
      (one) => `endpoint=${one} client-auth=client_secret_post member=client_secret_basic`,
    ),
    'endpoint=token client-auth=client_secret_post grant=refresh member=client_secret_basic',
  ],
  title: 'A client registered for one authentication method is refused with another, at each endpoint',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, inVariation, skip } = tools
    let tried = 0
    const isBasicDeclared = await declaresMethod(tools, 'client_secret_basic')
    for (const { registered, clientMetadata, others } of otherProofs) {
      if (!(await declaresMethod(tools, registered))) continue
      const client = await bank.client(clientMetadata)
      if (client.metadata.token_endpoint_auth_method !== registered) continue
      const isEach = clientMetadata === byPost && dressNow() === undefined
      const options = { ...(clientMetadata && { clientMetadata }), ...(isEach && { at: atEveryEndpoint }) }
      await atEach(tools, options, async ({ at, expectRefused }, send) => {
        for (const proof of others) {
          const other = sending(client, proof)
          if (!other) continue
          // A bank that declares it may take it of every client with a secret (RFC 6749 section 2.3.1); beside a code it is DISC-22's.
          if (proof === 'its client secret by HTTP Basic' && (isBasicDeclared || at === '/token')) continue
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

/** Requests that differ from those of this harness in what is left to who sends them, by how they are sent. */
const otherwiseSent: Readonly<Record<string, Replace<ClientRequest>>> = {
  // RFC 7515 section 4.1.9.
  'whose assertion has no typ': () => ({ authentication: { typ: null } }),
  // RFC 7519 section 4.
  'whose assertion has a claim that nobody knows': () => ({ authentication: { claims: { conformance_unknown: 'x' } } }),
  // RFC 9110 sections 5.6.6 and 8.3.1.
  'with a charset in its content type': () => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
  }),
}

export const otherwise = rule({
  id: 'client-authentication/sent-otherwise',
  requirement: 'REG-36',
  places: endpoints.flatMap((one) => [
    `endpoint=${one} part=typ value=missing`,
    `endpoint=${one} claim=further`,
    `endpoint=${one} parameter=content-type`,
  ]),
  title: 'A client is believed whatever a library leaves out of its request, or adds, that means nothing',
  needs: toLogIn,
  // Each is said by a document that the specification does not name, so that a bank is warned.
  async check(tools) {
    const { inVariation, warn } = tools
    await assertingClient(tools)
    const at = ['/token', '/token-info', '/revoke'] as const
    await atEach(tools, { at }, async ({ at: where }, send) => {
      for (const [how, replace] of Object.entries(otherwiseSent)) {
        await inVariation(`a request ${how}, at ${where}`, async () => {
          const answer = await send(replace)
          // The first one that is taken uses the code up: the next leads to what is wrong with the code.
          const isTaken = answer.status < 300 || answer.member('error') === 'invalid_grant'
          if (!isTaken) warn(`a request ${how} is not taken at ${where} (status ${answer.status})`)
        })
      }
    })
  },
})

export const secretInQuery = rule({
  id: 'client-authentication/secret-in-query',
  requirement: 'REG-37',
  places: endpoints.map((one) => `endpoint=${one} client-auth=client_secret_post parameter=query`),
  title: 'A client_secret in the query of the address authenticates nobody, and by GET nobody gets tokens',
  needs: toLogInAtOwn,
  // That the request URI must not have it is RFC 6749's (section 2.3.1), so that a bank is warned.
  async check(tools) {
    const { inVariation, warn } = tools
    await needMethod(tools, 'client_secret_post')
    await atEach(tools, { clientMetadata: byPost }, async (endpoint, send) => {
      const { at } = endpoint
      const ways = {
        'in the query': ['client_secret'],
        ...(at === '/token' && { 'with all else by GET': 'by GET' as const }),
      }
      for (const [how, inQuery] of Object.entries(ways)) {
        await inVariation(`the client_secret ${how}, at ${at}`, async () => {
          const refusal = await send(() => ({ inQuery }))
          if (refusal.status < 300) warn(`a client_secret ${how} is taken at ${at} (RFC 6749 section 2.3.1)`)
          else if (inQuery !== 'by GET') expectUnproven(tools, endpoint, refusal)
          else tools.expect(refusal).toHaveStatus(400, 401, 404, 405)
        })
      }
    })
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
