import { errorOf, Outline, redirectedError } from '../../bank/authorization-answer.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { rule } from '../../harness/rule.js'
import type { Signer } from '../../service/assertions.js'
import { foreignSigner, publishedKeys } from '../../service/client-keys.js'
import { publicKeySecrets } from '../support/public-key-secrets.js'
import { asking, demandSupport, isTaken, toAskByReference } from './by-reference.js'

export const foreignKeys = rule({
  id: 'request-object/foreign-keys',
  requirement: 'AUTH-22',
  places: [
    'caller=other-client part=signature',
    'part=signature value=unknown',
    'part=signature alg=HS512',
    'use=after-put part=signature',
  ],
  title:
    'A request object signed by a key that its client did not register, or registers no longer, is 302 invalid_request_object',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { keys } = await bank.client()
    const { alg } = keys.signing
    const ofOne = async () => ({ jwks_uri: await bank.hostKeysOfOne(alg) })
    const { ask, client, clientMetadata } = await asking(bank, 'request object, foreign keys', 7, await ofOne())
    const expectRefused = async (key: Signer) => {
      const response = await ask({}, { key })
      const code = 'invalid_request_object'
      expect(errorOf(response), 'the answer to the request', response).toEqual(redirectedError(code))
    }
    const { signing: former } = client.keys
    const { privateKey, publicJwk: jwk } = await foreignSigner(alg)
    await inVariation('a key that the header brings along', () => expectRefused({ alg, privateKey, leading: { jwk } }))
    await inVariation('a key that the header brings along, under the kid of a registered one', () =>
      expectRefused({ alg, privateKey, leading: { jwk }, kid: former.kid }),
    )
    for (const [how, secret] of Object.entries(publicKeySecrets(former, 'the client'))) {
      await inVariation(`an HMAC ${how}`, () => expectRefused(secret))
    }
    await inVariation('a key of another client', async () => {
      // Which serves that client.
      const other = await asking(bank, 'request object, the other client', 0, await ofOne())
      await expectRefused(other.client.keys.signing)
    })
    await inVariation('a key of the jwks_uri that a PUT replaced', async () => {
      const own = await asOwn(await bank.registration(clientMetadata))
      await bank.replaceRecord(own, replacement(own, { jwks_uri: bank.hostKeys(publishedKeys(keys)).url }))
      const taken = await ask({}, { key: keys.signing })
      const what = 'the answer to a request object signed by a key of the new jwks_uri'
      expect(new Outline(taken), what, taken).toSatisfy(isTaken, 'a page')
      await expectRefused(former)
    })
  },
})
