import type { Answered, SigningOptions } from '../../bank/signing.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toSign } from '../../target/needs.js'
import { answerTo } from '../support/refusals.js'
import { asOwnFailure } from './own-failure.js'
import { codeIn, expectObjectRefused } from './refusals.js'

/** What a result may be signed with (AMB-12). */
const resultAlgorithms = ['PS256', 'ES256', 'PS512', 'ES512']

export const algorithms = rule({
  id: 'signing/algorithms',
  requirement: 'SIGN-15',
  places: ['ES256', 'PS256']
    .flatMap((alg) => ['request-object', 'client-assertion'].map((token) => `token=${token} alg=${alg}`))
    .concat('token=id-of-signing', 'token=id-of-signing member=documentObject'),
  title: 'Request object, client assertion and id_token are signed with PS256 or ES256',
  needs: toSign,
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    const algs: unknown[] = []
    const both = ['ES256', 'PS256'] as const
    const tried = await Promise.allSettled(both.map((alg) => bank.signing.result({ alg })))
    // What is wrong with one of them is told where the other was seen to be taken.
    const beside = both.find((_, i) => tried[i]?.status === 'fulfilled')
    for (const alg of both) {
      await inVariation(`a request object and a client assertion signed with ${alg}`, async () => {
        const signed = await asOwnFailure(bank, () => bank.signing.result({ alg }), beside && { alg: beside })
        const { alg: used, response } = await algorithmOf(tools, signed)
        expect<unknown>(used, 'alg of the id_token', response).toBeOneOf(resultAlgorithms)
        algs.push(used)
      })
    }
    await inVariation('a document', async () => {
      const { alg, response } = await algorithmOf(tools, await bank.signing.result({ kind: 'document' }))
      expect<unknown>(alg, 'alg of the id_token', response).toBeOneOf(resultAlgorithms)
      algs.push(alg)
    })
    reading('AMB-12', algs.every((alg) => alg === 'PS256' || alg === 'ES256') ? 'sha256-only' : 'sha512-too')
  },
})

const textAndDocument: Record<string, SigningOptions> = {
  'a text': {},
  'a document': { kind: 'document' },
  'ten documents': { kind: 'documents', count: 10 },
}

/** What a result is signed with, as its header says. */
async function algorithmOf({ bank }: Tools, answered: Answered): Promise<{ alg: unknown; response: HttpResponse }> {
  const { content } = await bank.signing.openResult(answered)
  const { header } = await bank.read(content, 'id_token', answered.response)
  return { alg: header.alg, response: answered.response }
}

export const resultSigned = rule({
  id: 'signing/result-algorithm',
  requirement: 'SIGN-41',
  places: ['token=id-of-signing alg=RS256', 'token=id-of-signing member=documentObject'],
  title: 'The result is not signed with an algorithm of RSASSA-PKCS1-v1_5',
  needs: toSign,
  async check(tools) {
    for (const [what, options] of Object.entries(textAndDocument)) {
      await tools.inVariation(what, async () => {
        const { alg, response } = await algorithmOf(tools, await tools.bank.signing.result(options))
        tools
          .expect(String(alg), 'alg of the id_token', response)
          .toSatisfy((name) => !name.startsWith('RS'), 'another algorithm than RS256 and its like')
      })
    }
  },
})

export const unsignedAsRegistered = rule({
  id: 'signing/id-token-none',
  requirement: 'SIGN-41',
  places: ['token=id-of-signing alg=none'],
  title: 'No result is left unsigned for a client that registered id_token_signed_response_alg none',
  needs: [...toSign, 'redirect'],
  async check({ bank, expect, reading }) {
    const clientMetadata = { id_token_signed_response_alg: 'none' }
    const registered = await answerTo(bank, await bank.signing.metadata(clientMetadata))
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
