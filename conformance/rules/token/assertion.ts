import { randomUUID } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import type { AssertionChanges } from '../../bank/client-authentication.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { foreignSigner, rs256Signer } from '../../service/client-keys.js'
import { toLogIn } from '../../target/needs.js'
import { assertingClient, expectInvalidClient } from '../support/client-refusals.js'

/** Exchanges a code with one assertion after the other, each named, all of which are to be refused. */
async function refuseEach(
  { bank, expect, inVariation }: Tools,
  assertions: Readonly<Record<string, AssertionChanges>>,
): Promise<HttpResponse[]> {
  const sendVariation = await bank.token.variations()
  const refusals: HttpResponse[] = []
  for (const [what, authentication] of Object.entries(assertions)) {
    await inVariation(`a client assertion ${what}`, async () => {
      const refusal = await sendVariation(() => ({ authentication }))
      expectInvalidClient(expect, refusal)
      refusals.push(refusal)
    })
  }
  return refusals
}

export const claims = rule({
  id: 'token/assertion-claims',
  requirement: 'TOK-14',
  title: 'sub and iss of a client assertion are the client_id, aud the address of /token',
  needs: toLogIn,
  async check(tools) {
    const { bank, note, reading } = tools
    await assertingClient(tools)
    const [first] = await refuseEach(tools, {
      'with the aud of another': { claims: { aud: 'https://elsewhere.example/token' } },
      'without aud': { claims: { aud: undefined } },
      'with the iss of another': { claims: { iss: 'another-client' } },
      'without iss': { claims: { iss: undefined } },
      'with the sub of another': { claims: { sub: 'another-client' } },
      'without sub': { claims: { sub: undefined } },
    })
    reading('AMB-29', first?.status === 401 ? 'unauthorized' : 'bad-request')
    const byIssuer = await bank.token.modified({}, () => ({ authentication: { claims: { aud: bank.issuer } } }))
    if (byIssuer.status < 300) note('the issuer is taken as aud as well')
  },
})

/** Each differs from a good assertion in one thing, by which another kind of JWT is known. */
const marksOfOthers: Readonly<Record<string, AssertionChanges>> = {
  'with the typ of a request object': { typ: 'oauth-authz-req+jwt' },
  'with the response_type of a request object': { claims: { response_type: 'code' } },
  'with the event of a logout token': {
    claims: { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  },
}

export const kind = rule({
  id: 'token/assertion-kind',
  requirement: 'TOK-14',
  title: 'A JWT that shows that it was made for another purpose is not taken as a client assertion',
  needs: toLogIn,
  // The table names the claims of an assertion; that no other JWT is taken for one is RFC 8725's, so that a bank is warned.
  async check(tools) {
    const { bank, expect, inVariation, warn } = tools
    await assertingClient(tools)
    const sendVariation = await bank.token.variations()
    for (const [what, authentication] of Object.entries(marksOfOthers)) {
      await inVariation(`a client assertion ${what}`, async () => {
        const answer = await sendVariation(() => ({ authentication }))
        // One that is taken uses the code up: the next one leads to what is wrong with the code.
        const taken = answer.status < 300 || answer.member('error') === 'invalid_grant'
        if (taken) warn(`a client assertion ${what} is taken (RFC 8725 sections 3.11 and 3.12)`)
        else expectInvalidClient(expect, answer)
      })
    }
  },
})

export const replay = rule({
  id: 'token/assertion-replay',
  requirement: 'TOK-15',
  title: 'A client assertion whose jti was seen before is refused',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, reading } = tools
    await assertingClient(tools)
    const authentication = { claims: { jti: randomUUID() } }
    const sendVariation = await bank.token.variations()
    expect(await sendVariation(() => ({ authentication }))).toHaveStatus(200)
    const again = await sendVariation(() => ({ authentication }))
    // Taken again, the assertion leads to what is wrong with the code.
    const accepted = again.status === 400 && again.member('error') === 'invalid_grant'
    if (accepted) return reading('AMB-68', 'accepted')
    expectInvalidClient(expect, again)
    reading('AMB-68', 'refused')
  },
})

export const algorithms = rule({
  id: 'token/assertion-algorithms',
  requirement: 'TOK-16',
  title: 'A client assertion signed by RSASSA-PKCS1-v1_5, or not at all, is refused',
  needs: toLogIn,
  async check(tools) {
    const { bank, service } = tools
    const { clientId, keys } = await assertingClient(tools)
    const endpoint = await (await bank.discovery()).endpoint('token_endpoint')
    const now = service.clock()
    const unsigned = new UnsecuredJWT({ iss: clientId, sub: clientId, aud: endpoint, jti: randomUUID() })
    await refuseEach(tools, {
      'signed with RS256': { signer: await rs256Signer(keys) },
      'without a signature': {
        jwt: unsigned
          .setIssuedAt(now)
          .setExpirationTime(now + 60)
          .encode(),
      },
    })
  },
})

export const lifetime = rule({
  id: 'token/assertion-lifetime',
  requirement: 'TOK-38',
  title: 'A client assertion past its exp, or without exp or jti, is refused',
  needs: toLogIn,
  async check(tools) {
    const { bank, service, expect, warn } = tools
    await assertingClient(tools)
    const now = service.clock()
    await refuseEach(tools, {
      'past its exp': { claims: { iat: now - 7200, exp: now - 3600 } },
      'without exp': { claims: { exp: undefined } },
      'without jti': { claims: { jti: undefined } },
    })
    const undated = await bank.token.modified({}, () => ({ authentication: { claims: { iat: undefined } } }))
    if (undated.status < 300) warn('an assertion without iat is taken')
    else expectInvalidClient(expect, undated)
  },
})

export const signature = rule({
  id: 'token/assertion-signature',
  requirement: 'TOK-39',
  title: 'A client assertion with a wrong signature, or of a key that is not registered, is refused',
  needs: toLogIn,
  async check(tools) {
    const { keys } = await assertingClient(tools)
    await refuseEach(tools, {
      'of a key that is not registered': { signer: await foreignSigner(keys.signing.alg) },
      'of another key under the kid of a registered one': {
        signer: await foreignSigner(keys.signing.alg, keys.signing.kid),
      },
    })
  },
})
