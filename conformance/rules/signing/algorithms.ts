import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { asOwnFailure } from './own-failure.js'
import { codeIn, expectObjectRefused } from './refusals.js'

/** What a result may be signed with (AMB-12). */
const resultAlgorithms = ['PS256', 'ES256', 'PS512', 'ES512']

export const algorithms = rule({
  id: 'signing/algorithms',
  requirement: 'SIGN-15',
  places: ['ES256', 'PS256'].flatMap((alg) =>
    ['request-object', 'client-assertion'].map((token) => `token=${token} alg=${alg}`).concat('token=id-of-signing'),
  ),
  title: 'Request object, client assertion and id_token are signed with PS256 or ES256',
  needs: toSign,
  async check({ bank, expect, inVariation, reading }) {
    const algs: unknown[] = []
    const both = ['ES256', 'PS256'] as const
    const tried = await Promise.allSettled(both.map((alg) => bank.signing.result({ alg })))
    // What is wrong with one of them is told where the other was seen to be taken.
    const beside = both.find((_, i) => tried[i]?.status === 'fulfilled')
    for (const alg of both) {
      await inVariation(`a request object and a client assertion signed with ${alg}`, async () => {
        const signed = await asOwnFailure(bank, () => bank.signing.result({ alg }), beside && { alg: beside })
        const { content } = await bank.signing.openResult(signed)
        const { header } = await bank.read(content, 'id_token', signed.response)
        expect<unknown>(header.alg, 'alg of the id_token', signed.response).toBeOneOf(resultAlgorithms)
        algs.push(header.alg)
      })
    }
    reading('AMB-12', algs.every((alg) => alg === 'PS256' || alg === 'ES256') ? 'sha256-only' : 'sha512-too')
  },
})

export const resultSigned = rule({
  id: 'signing/result-algorithm',
  requirement: 'SIGN-41',
  places: ['token=id-of-signing alg=RS256'],
  title: 'The result is not signed with an algorithm of RSASSA-PKCS1-v1_5',
  needs: toSign,
  async check({ bank, expect }) {
    const signed = await bank.signing.result()
    const { content } = await bank.signing.openResult(signed)
    const { header } = await bank.read(content, 'id_token', signed.response)
    expect(String(header.alg), 'alg of the id_token', signed.response).toSatisfy(
      (alg) => !alg.startsWith('RS'),
      'another algorithm than RS256 and its like',
    )
  },
})

export const unsignedAsRegistered = rule({
  id: 'signing/id-token-none',
  requirement: 'SIGN-41',
  places: ['token=id-of-signing alg=none'],
  title: 'No result is left unsigned for a client that registered id_token_signed_response_alg none',
  needs: toSign,
  async check({ bank, expect, reading }) {
    const clientMetadata = { id_token_signed_response_alg: 'none' }
    const { response: registered } = await bank.registration(await bank.signing.metadata(clientMetadata))
    if (registered.status >= 400) return reading('AMB-9', 'refused')
    reading('AMB-9', 'declared')
    const request = await bank.signing.requestObject.prepare({ clientMetadata })
    const outcome = await bank.signing.submission.modified({}, () => request)
    const code = outcome.accepted && codeIn(outcome.accepted.visit)
    // A bank may turn such a client away, as it may turn away whoever wants no signature.
    if (!outcome.accepted || !code) return expectObjectRefused(expect, outcome)
    await bank.signing.result()
    const response = await bank.signing.exchangeCode(outcome.accepted.object, code)
    if (response.status === 400 || response.status === 401) return
    const { content } = await bank.signing.openResult({ response, client: request.client })
    const { header } = await bank.read(content, 'id_token', response)
    expect<unknown>(header.alg, 'alg of the id_token', response).toBeOneOf(resultAlgorithms)
    await bank.verify(content, 'id_token', response)
  },
})
