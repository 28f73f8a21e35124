import type { JWTPayload } from 'jose'
import type { Answered, Result, SigningOptions } from '../../bank/signing.js'
import { rule, type Tools } from '../../harness/rule.js'
import { compactJwe } from '../../service/decryption.js'
import { toSign } from '../../target/needs.js'
import { expectSeconds } from '../support/integers.js'
import { judgeContentType } from '../support/nested-content.js'
import { answerTo, expectBadRequest } from '../support/refusals.js'
import { everythingBorne, everythingHinted, type Made, optionsOf } from './everything-borne.js'
import { codeIn, expectObjectRefused } from './refusals.js'

/** The kinds of objects, each as another rule has it authorized too. */
const kindsOfObjects: Record<string, SigningOptions> = {
  signObject: {},
  documentObject: { kind: 'document' },
  documentObjects: { kind: 'documents', count: 10 },
  'text-and-documents': { kind: 'text and documents' },
}

/** Seconds: as long as a run may last, in which the id_token was issued, and less than milliseconds are more than seconds. */
const daySeconds = 86_400

/**
 * Holds that an id_token of the signing flow is encrypted as its client registered, signed, and says when, by whom and for whom.
 * @param from where it came from, in words
 * @param members those that it has to have beside exp and iat
 */
async function expectIdToken(
  { bank, expect, service, warn }: Tools,
  answered: Answered,
  from: string,
  members: readonly string[] = [],
): Promise<JWTPayload> {
  const { response, client } = answered
  expect(response.member('id_token'), `id_token of the ${from}`, response).toMatch(compactJwe, 'a compact JWE')
  const { content, encryption } = await bank.signing.openResult(answered)
  const { id_token_encrypted_response_alg: alg, id_token_encrypted_response_enc: enc } = client.metadata
  expect<unknown>(encryption?.alg, 'alg of the JWE', response).toBe(alg ?? encryption?.alg)
  expect<unknown>(encryption?.enc, 'enc of the JWE', response).toBe(enc ?? encryption?.enc)
  judgeContentType({ warn }, 'the JWE', encryption?.cty)
  const { payload } = await bank.verify(content, 'id_token', response)
  const claims = expect(payload, 'the id_token', response).toHaveMembers([...members, 'exp', 'iat'])
  expect(claims.iss, 'iss of the id_token', response).toBe(bank.issuer)
  expect([claims.aud].flat(), 'aud of the id_token', response).toEqual([client.clientId])
  const iat = expectSeconds(expect, claims.iat, 'iat of the id_token', response)
  expect(iat, 'iat of the id_token', response).toBeNear(service.clock(), daySeconds, 's')
  const exp = expectSeconds(expect, claims.exp, 'exp of the id_token', response)
  expect(exp - iat, 'the time from iat to exp of the id_token', response).toSatisfy(
    (seconds) => seconds > 0 && seconds < 366 * daySeconds,
    'seconds of no more than a year',
  )
  return claims
}

async function expectResult(tools: Tools, signed: Result): Promise<void> {
  const { response, object } = signed
  const claims = await expectIdToken(tools, signed, 'result', ['structured_scope'])
  tools.expect(claims.structured_scope, 'structured_scope of the id_token', response).toBeObject()
  tools.expect(claims.nonce, 'nonce of the id_token', response).toBe(object.request.claims.nonce)
}

export const result = rule({
  id: 'signing/result',
  requirement: 'SIGN-9',
  places: [
    'part=typ',
    ...Object.keys(kindsOfObjects).flatMap((kind) => [
      `part=signature member=${kind}`,
      `part=encryption member=${kind}`,
      `member=${kind} claim=structured_scope`,
    ]),
    'part=encryption value=wrong',
    ...['nonce', 'iss', 'aud', 'exp', 'iat'].map((claim) => `claim=${claim}`),
    ...['signature', 'encryption'].map((part) => `caller=bearer part=${part}`),
    'caller=bearer claim=structured_scope',
    'member=id_token_hint',
  ],
  title:
    'POST /token returns an encrypted and signed id_token that holds the authorized object, and says when, by whom and for whom',
  needs: toSign,
  async check(tools) {
    const { bank, inVariation } = tools
    const objects: Record<string, Made> = {
      ...kindsOfObjects,
      'documentObject with an access token': everythingBorne,
      'documentObject with id_token_hint': everythingHinted,
    }
    for (const [kind, made] of Object.entries(objects)) {
      await inVariation(kind, async () => expectResult(tools, await bank.signing.result(await optionsOf(tools, made))))
    }
  },
})

export const encryptedUnasked = rule({
  id: 'signing/encrypted-unasked',
  requirement: 'SIGN-9',
  places: ['member=id_token_encrypted_response_alg value=missing'],
  title: 'The result is encrypted for a client that registered no encryption of its id_tokens, or it gets none',
  needs: [...toSign, 'redirect'],
  async check({ bank, expect }) {
    const clientMetadata = { id_token_encrypted_response_alg: undefined, id_token_encrypted_response_enc: undefined }
    const registered = await answerTo(bank, await bank.signing.metadata(clientMetadata))
    if (registered.status >= 400) return expectBadRequest(expect, registered)
    const request = await bank.signing.requestObject.prepare({ clientMetadata })
    const outcome = await bank.signing.submission.modified({}, () => request)
    const code = outcome.accepted && codeIn(outcome.accepted.visit)
    if (!outcome.accepted || !code) return expectObjectRefused(expect, outcome)
    await bank.signing.result()
    const response = await bank.signing.exchangeCode(outcome.accepted.object, code)
    const idToken = response.member('id_token')
    if (response.status === 400 || response.status === 401) return
    expect(idToken, 'id_token of the result', response).toMatch(compactJwe, 'a compact JWE')
  },
})

export const refreshedScopes = rule({
  id: 'signing/refreshed-scopes',
  requirement: 'SIGN-46',
  places: ['grant=refresh'],
  title: 'What a refresh of the signing flow gives lists the scopes that the authorization gave, if any',
  needs: toSign,
  async check({ bank, expect, skip }) {
    const { first, response } = await bank.signing.refreshed()
    const [granted, listed] = [first.member('scope'), response.member('scope')]
    if (listed === undefined) return skip('a refresh lists no scopes (AMB-17)')
    // That the code's answer lists them is what other rules are about.
    if (typeof granted !== 'string') return skip('the answer to the code lists no scopes (see signing/scopes-listed)')
    expect(String(listed).split(' '), 'the scopes that the refresh lists', response).toBeSetOf(granted.split(' '))
  },
})

export const refreshedResult = rule({
  id: 'signing/refreshed-result',
  requirement: 'SIGN-9',
  places: [
    'grant=refresh part=signature',
    'grant=refresh part=encryption',
    'grant=refresh part=encryption value=wrong',
    ...['iss', 'aud', 'exp', 'iat'].map((claim) => `grant=refresh claim=${claim}`),
  ],
  title:
    'An id_token that a refresh of the signing flow gives is encrypted and signed as the result is, and says when, by whom and for whom',
  needs: toSign,
  async check(tools) {
    const { bank, skip } = tools
    const { response } = await bank.signing.refreshed()
    if (response.member('id_token') === undefined) return skip('a refresh of the signing flow gives no id_token')
    const client = await bank.client(await bank.signing.metadata())
    await expectIdToken(tools, { response, client }, 'refresh')
  },
})
