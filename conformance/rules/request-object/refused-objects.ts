import { errorOf, redirectedError } from '../../bank/authorization-answer.js'
import { rule } from '../../harness/rule.js'
import { canEncrypt } from '../../service/algorithms.js'
import { foreignSigner } from '../../service/client-keys.js'
import { expectNothingThere, unregisteredAddress } from '../support/unregistered-address.js'
import { asking, demandSupport, encryptionsOf, toAskByReference } from './by-reference.js'

/** What signs request objects where the bank declares it, and nothing that it takes otherwise ("Discovery document"). */
const candidates = ['none', 'RS256', 'HS256']

/** What none may be taken for that a list of what is forbidden does not hold: names of algorithms have one case (RFC 7515 section 4.1.1). */
const spelledOtherwise = ['None', 'NONE'] as const

export const otherAlgorithms = rule({
  id: 'request-object/other-algorithms',
  requirement: 'AUTH-22',
  places: [
    ...candidates.map((alg) => `alg=${alg}`),
    'alg=none value=upper-case',
    'part=encryption alg=none',
    'part=signature value=missing',
  ],
  title: 'A request object that is not signed, or by an algorithm that the bank does not declare, is refused',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip }) {
    const discovery = await bank.discovery()
    demandSupport(discovery, skip)
    const declared = discovery.declared('request_object_signing_alg_values_supported') ?? []
    const algs = candidates.filter((alg) => !declared.includes(alg))
    const { clientMetadata, signer } = await bank.signing.unnamedAlgorithms()
    const { ask, client } = await asking(bank, 'request object, alg', algs.length + 4, clientMetadata)
    const secret = new TextEncoder().encode(client.clientSecret ?? 'of a client without a secret')
    const keyFor = (alg: string) => (alg === 'HS256' ? { alg, privateKey: secret } : signer(alg))
    const ways: [string, Parameters<typeof ask>[1]][] = [
      ['whose signature is cut off', { rewrite: (object) => object.replace(/[^.]*$/, '') }],
    ]
    for (const alg of algs) ways.push([`of alg ${alg}`, { key: alg === 'none' ? alg : await keyFor(alg) }])
    const encryption = encryptionsOf(discovery).find(canEncrypt)
    if (algs.includes('none')) for (const key of spelledOtherwise) ways.push([`of alg ${key}`, { key }])
    // To encrypt to the bank, anybody can.
    if (encryption && algs.includes('none')) ways.push(['of alg none that is encrypted', { key: 'none', encryption }])
    for (const [how, options] of ways) {
      await inVariation(`a request object ${how}`, async () => {
        const response = await ask({}, options)
        // What is not signed as it has to be may count as no request object at all.
        const codes = ['invalid_request_object', 'invalid_request_uri']
        expect(errorOf(response), 'the answer to the request', response).toSatisfy(
          ({ to, status, code }) => to === 'redirect' && status === 302 && codes.includes(code),
          codes.map(redirectedError).join(' or '),
        )
      })
    }
  },
})

export const nothingElsewhere = rule({
  id: 'request-object/redirect-uri-not-registered',
  requirement: 'AUTH-3',
  places: ['token=request-object', 'error=invalid_request_object'],
  title: 'Nothing is redirected to an address that is not registered, named by a request object or beside a wrong one',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip }) {
    demandSupport(await bank.discovery(), skip)
    const redirect_uri = unregisteredAddress
    const { ask, client } = await asking(bank, 'request object, redirect_uri', 3)
    const key = await foreignSigner(client.keys.signing.alg, client.keys.signing.kid)
    for (const [how, changes, options] of [
      ['inside of the request object', { redirect_uri }, {}],
      ['inside of the request object and beside it', { redirect_uri }, { parameters: { redirect_uri } }],
      ['beside a request object that another key signed', {}, { key, parameters: { redirect_uri } }],
    ] as const) {
      await inVariation(`an unregistered redirect_uri ${how}`, async () =>
        expectNothingThere(expect, await ask(changes, options)),
      )
    }
  },
})
