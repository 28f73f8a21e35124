import type { JWTPayload } from 'jose'
import type { Submission, SubmissionOutcome } from '../../bank/submission-outcome.js'
import { type Callback, callbackOf } from '../../end-user/end-user.js'
import { rule, type Tools } from '../../harness/rule.js'
import { compactJwe } from '../../service/decryption.js'
import { toSign } from '../../target/needs.js'
import { codeAndImplicitClient } from '../support/implicit-client.js'
import { halfHash } from '../support/issued-tokens.js'
import { declaresFrontChannel } from '../support/known-tokens.js'
import { expectObjectRefused, isAuthorized } from './refusals.js'

const hybrid = ['code id_token', 'code id_token token']

/**
 * What binds the id_token in front of the user to what comes beside it (OpenID Connect Core section 3.3.2.11). The specification itself only
 * says of at_hash that it can be there, so that a bank which leaves a hash out is warned; a wrong at_hash is TOK-8's.
 */
function expectHashes(
  { expect, warn }: Tools,
  { header, claims }: { header: { alg?: unknown }; claims: JWTPayload },
  { fragment, response }: Callback,
): void {
  for (const [hash, name] of [
    ['c_hash', 'code'],
    ['at_hash', 'access_token'],
  ] as const) {
    const bound = fragment.get(name)
    if (bound === null) continue
    if (claims[hash] === undefined)
      warn(
        `the id_token of the callback has no ${hash}, by which it is bound to the ${name} (OpenID Connect Core 3.3.2.11)`,
      )
    else if (hash === 'c_hash')
      expect<unknown>(claims.c_hash, 'c_hash of the id_token of the callback', response).toBe(
        halfHash(bound, header.alg),
      )
  }
}

/** The id_token in front of the user, which is as that of POST /token (AMB-61). */
async function expectFrontToken(
  tools: Tools,
  { object }: NonNullable<SubmissionOutcome['accepted']>,
  callback: Callback,
): Promise<void> {
  const { bank, expect } = tools
  const { fragment, response } = callback
  const { client, claims: asked } = object.request
  const idToken = String(fragment.get('id_token'))
  expect(idToken, 'id_token of the callback', response).toMatch(compactJwe, 'a compact JWE')
  const { content } = await bank.signing.openFront({ idToken, client, response })
  const { header, payload } = await bank.verify(content, 'id_token', response)
  expect<unknown>(header.alg, 'alg of the id_token', response).toBeOneOf(['PS256', 'ES256', 'PS512', 'ES512'])
  const claims = payload as JWTPayload
  expect(claims.nonce, 'nonce of the id_token of the callback', response).toBe(asked.nonce)
  expect([claims.aud].flat(), 'aud of the id_token of the callback', response).toEqual([client.clientId])
  expectHashes(tools, { header, claims }, callback)
}

function isInFragment({ accepted }: SubmissionOutcome): boolean {
  return accepted?.visit.callback?.fragment.has('code') ?? false
}

async function expectWholeCallback(tools: Tools, response_type: string, outcome: SubmissionOutcome): Promise<void> {
  const { expect, reading } = tools
  const { response, accepted } = outcome
  expect(response).toHaveStatus(200, 201)
  if (!accepted) return expectObjectRefused(expect, outcome)
  const callback = callbackOf(accepted.visit)
  const inFragment = isInFragment(outcome)
  reading('AMB-61', inFragment ? 'fragment' : 'query')
  const where = inFragment ? callback.fragment : callback.query
  const expected = inFragment ? ['id_token', ...(response_type.endsWith(' token') ? ['access_token'] : [])] : []
  for (const name of ['code', ...expected]) {
    expect(where.get(name), `${name} of the callback`, callback.response).toBeText()
  }
  const { state } = accepted.object.request.claims
  expect<unknown>(where.get('state'), 'state of the callback', callback.response).toBe(state)
  if (inFragment) await expectFrontToken(tools, accepted, callback)
}

export const responseTypes = rule({
  id: 'signing/response-types',
  requirement: 'SIGN-17',
  places: [
    'member=code-id_token',
    'member=code-id_token-token',
    'parameter=state',
    'token=id-of-front-channel claim=nonce',
    'token=id-of-front-channel claim=aud',
    'token=id-of-front-channel claim=c_hash',
    'token=id-of-front-channel claim=at_hash',
    'token=id-of-front-channel part=encryption',
    'value=unknown',
    'grant=implicit value=unknown',
  ],
  title: 'response_type code id_token and code id_token token are taken, and none that the flow does not have',
  needs: [...toSign, 'redirect'],
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    const attempt = (response_type: string) =>
      bank.signing.submission.modified({}, ({ claims }) => ({ claims: { ...claims, response_type } }))
    for (const response_type of ['token', 'id_token', 'none', 'code token', 'id_token token']) {
      await inVariation(`response_type ${response_type}`, async () =>
        expectObjectRefused(expect, await attempt(response_type)),
      )
    }
    if (await declaresFrontChannel(bank)) {
      const { response_types, grant_types } = codeAndImplicitClient
      const options = { clientMetadata: { response_types, grant_types } }
      for (const response_type of ['token', 'id_token token']) {
        await inVariation(`response_type ${response_type} of a client of the implicit flow`, async () => {
          const change = ({ claims }: Submission) => ({ claims: { ...claims, response_type } })
          expectObjectRefused(expect, await bank.signing.submission.modified(options, change))
        })
      }
    }
    const outcomes = new Map<string, SubmissionOutcome>()
    for (const response_type of hybrid) outcomes.set(response_type, await attempt(response_type))
    const taken = [...outcomes.values()].some(isAuthorized)
    reading('AMB-13', taken ? 'hybrid-too' : 'code-only')
    for (const [response_type, outcome] of outcomes) {
      await inVariation(`response_type ${response_type}`, async () =>
        taken ? expectWholeCallback(tools, response_type, outcome) : expectObjectRefused(expect, outcome),
      )
    }
    const [first, second] = [...outcomes.values()].map(isInFragment)
    expect(first, 'whether the fragment carries what code id_token gives').toBe(second ?? false)
  },
})
