import type { RequestObjectOptions } from '../../bank/ros.js'
import { type Rule, rule } from '../../harness/rule.js'
import type { Signer } from '../../service/assertions.js'
import type { Unsigned } from '../../service/request-objects.js'
import { toSign } from '../../target/needs.js'
import { publicKeySecrets } from '../support/public-key-secrets.js'
import { forbiddenSigner } from './forbidden-signer.js'
import { expectObjectRefused } from './refusals.js'

/** What request objects must not be signed with. */
function forbidden(definition: {
  slug: string
  requirement: string
  title: string
  algs: readonly string[]
  /** In which other letters what nobody signed names its algorithm. */
  spelled?: readonly Unsigned[]
  /** Whether also with an HMAC, of which a public key of the client is the secret. */
  byPublicKey?: boolean
}): Rule {
  const { slug, requirement, title, algs, spelled = [], byPublicKey } = definition
  return rule({
    id: `signing/${slug}`,
    requirement,
    places: [
      ...algs.map((alg) => `token=request-object alg=${alg}`),
      ...(spelled.length > 0 ? ['token=request-object alg=none value=upper-case'] : []),
      'caller=bearer token=request-object',
      // in another dress
      'token=request-object member=documentObject',
      ...(byPublicKey ? ['token=request-object part=signature alg=HS512'] : []),
    ],
    title,
    needs: toSign,
    async check({ bank, expect, inVariation }) {
      const { clientMetadata } = await bank.signing.unnamedAlgorithms()
      const expectRefused = async (options: RequestObjectOptions, signer: Signer | Unsigned) =>
        expectObjectRefused(
          expect,
          await bank.signing.submission.modified({ clientMetadata, ...options }, () => ({ signer })),
        )
      const withToken = async (): Promise<RequestObjectOptions> => {
        const whole = await bank.signing.metadata(clientMetadata)
        return {
          bearer: (await bank.token({ clientMetadata: whole, scope: 'openid authorization', person: 'full' }))
            .accessToken,
        }
      }
      for (const [how, optionsOf] of Object.entries({ '': async () => ({}), ', with an access token': withToken })) {
        for (const alg of algs) {
          await inVariation(`a request object of alg ${alg}${how}`, async () => {
            const signer = alg === 'none' ? 'none' : await forbiddenSigner(bank, alg)
            await expectRefused(await optionsOf(), signer)
          })
        }
      }
      for (const alg of spelled) await inVariation(`a request object of alg ${alg}`, () => expectRefused({}, alg))
      const secrets = byPublicKey ? publicKeySecrets(await forbiddenSigner(bank, 'RS256'), 'the client') : {}
      for (const [how, secret] of Object.entries(secrets)) {
        await inVariation(`a request object signed ${how}`, () => expectRefused({}, secret))
      }
    },
  })
}

export const forbiddenAlgorithms: readonly Rule[] = [
  forbidden({
    slug: 'forbidden-algorithms',
    requirement: 'SIGN-41',
    title: 'A request object signed with an algorithm of RSASSA-PKCS1-v1_5, or with none, is refused',
    algs: ['RS256', 'RS384', 'RS512', 'none'],
    spelled: ['None', 'NONE'],
  }),
  forbidden({
    slug: 'other-algorithms',
    requirement: 'SIGN-15',
    title: 'A request object signed with another algorithm than those of the flow is refused',
    algs: ['PS384', 'ES384', 'HS256'],
    byPublicKey: true,
  }),
]
