import { dressNow, inLeastDress } from '../../bank/dress.js'
import { rule } from '../../harness/rule.js'
import { foreignSigner, pkcs1Signer } from '../../service/client-keys.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import {
  nameless,
  unsigned,
  wrongAudiences,
  wrongLifetimes,
  wrongNames,
  wrongSignatures,
} from '../support/assertion-flaws.js'
import { assertingClient } from '../support/client-methods.js'
import { expectInvalidClient } from '../support/client-refusals.js'
import { leadingSigners } from '../support/leading-signers.js'
import { warnOfOddTypes } from '../support/odd-assertions.js'
import { ofOwnKey } from '../support/own-key.js'
import { atEach, atEveryEndpoint, refuseEach } from '../support/proof-endpoints.js'
import { expectOnce, expectOnceOfLong, expectOnceOfNameless } from '../support/proof-replay.js'

/** Where clients prove who they are. */
const endpoints = ['token', 'token-info', 'revoke']
const byKey = 'client-auth=private_key_jwt'

export const claims = rule({
  id: 'token/assertion-claims',
  requirement: 'TOK-14',
  places: [
    ...['iss', 'sub', 'aud'].flatMap((part) =>
      ['missing', 'wrong', 'prefix', 'superset'].map((value) => `endpoint=token ${byKey} part=${part} value=${value}`),
    ),
    ...['iss', 'sub'].flatMap((part) =>
      ['suffix', 'other-type'].map((value) => `endpoint=token ${byKey} part=${part} value=${value}`),
    ),
    ...['iss', 'sub', 'aud'].map((part) => `endpoint=token ${byKey} part=${part} value=upper-case`),
    ...['empty', 'equivalent'].map((value) => `endpoint=token ${byKey} part=aud value=${value}`),
    `endpoint=token ${byKey} value=both`,
    `endpoint=token ${byKey} token=registration-assertion part=aud`,
    `endpoint=token ${byKey} part=aud member=other-endpoint`,
    `endpoint=token ${byKey} part=aud member=list value=right`,
    ...['iss', 'sub', 'aud'].map((part) => `endpoint=token grant=refresh part=${part}`),
    ...['iss', 'sub'].map((part) => `endpoint=token-info part=${part}`),
  ],
  title: 'sub and iss of a client assertion are the client_id at /token and /token-info; aud is the address of /token',
  needs: toLogIn,
  async check(tools) {
    const { bank, note, reading, warn } = tools
    await assertingClient(tools)
    const discovery = await bank.discovery()
    const toRegister = await discovery.registrationEndpoint()
    const toAsk = await discovery.introspectionEndpoint()
    const [first] = await refuseEach(
      tools,
      (asserted) => ({
        ...wrongAudiences(asserted),
        'made out to the address of POST /register': { claims: { aud: toRegister } },
        'made out to the address of POST /token-info': { claims: { aud: toAsk } },
        ...wrongNames(asserted),
      }),
      { at: ['/token', '/token with a refresh token'] },
    )
    reading('AMB-29', first?.status === 401 ? 'unauthorized' : 'bad-request')
    await refuseEach(tools, wrongNames, { at: ['/token-info'] })
    if (inLeastDress()) return
    const exchange = await bank.token.variations()
    const byIssuer = await exchange(() => ({ authentication: { claims: { aud: bank.issuer } } }))
    if (byIssuer.status < 300) note('the issuer is taken as aud as well')
    const byList = await exchange(({ endpoint }) => ({ authentication: { claims: { aud: [endpoint] } } }))
    // The code is used up where the issuer was taken.
    const isBelieved = byList.status < 300 || byList.member('error') === 'invalid_grant'
    if (!isBelieved) warn('aud of a client assertion is not taken as a list at /token (RFC 7519 section 4.1.3)')
  },
})

/** The errors by which a bank may say that client_id is not who asks. */
const ofOtherClient = ['invalid_client', 'invalid_request', 'invalid_grant', 'unauthorized_client']

export const issuerOfAnother = rule({
  id: 'token/assertion-issuer-of-another',
  requirement: 'TOK-14',
  places: [
    ...['token', 'token-info'].map((endpoint) => `endpoint=${endpoint} caller=other-client part=iss`),
    ...['token', 'token-info', 'revoke'].map(
      (endpoint) => `endpoint=${endpoint} caller=other-client parameter=client_id`,
    ),
    'endpoint=token caller=other-client grant=refresh parameter=client_id',
  ],
  title: 'A client assertion with the iss, or beside the client_id, of another client that is registered is refused',
  needs: [...toRegister, ...toLogIn],
  async check(tools) {
    await assertingClient(tools)
    const { clientId } = await tools.bank.client({ client_name: 'Conformance another client' })
    // A refresh costs a login, which is for the default dress.
    const at = dressNow() === undefined ? atEveryEndpoint : (['/token', '/token-info'] as const)
    await atEach(tools, { at }, async (endpoint, send) => {
      const { inVariation, expect } = tools
      const ofAnother = `of another client that is registered, at ${endpoint.at}`
      // The table of the assertion for /revoke lists no iss (AMB-23).
      if (endpoint.at !== '/revoke')
        await inVariation(`a client assertion with the iss ${ofAnother}`, async () =>
          endpoint.expectRefused(tools, await send(() => ({ authentication: { claims: { iss: clientId } } }))),
        )
      await inVariation(`a client assertion beside the client_id ${ofAnother}`, async () => {
        const refusal = await send(() => ({ credentials: { client_id: clientId } }))
        expect(refusal).toHaveStatus(400, 401)
        // It names another client than the assertion (RFC 7521 section 4.2); which error says so is not shown.
        if (refusal.text !== '')
          expect(refusal.member('error'), 'error of the refusal', refusal).toBeOneOf(ofOtherClient)
      })
    })
  },
})

export const kind = rule({
  id: 'token/assertion-kind',
  requirement: 'TOK-14',
  places: ['endpoint=token client-auth=private_key_jwt part=typ'],
  title: 'A JWT that shows that it was made for another purpose is not taken as a client assertion',
  needs: toLogIn,
  // The table names the claims of an assertion; that no other JWT is taken for one is RFC 8725's, so that a bank is warned. Claims and header
  // members that it does not know it has to ignore (RFC 7519 section 4, RFC 7515 section 4), whichever other JWT they are of.
  async check(tools) {
    const { bank, expect, warn } = tools
    await assertingClient(tools)
    const answer = await bank.token.modified({}, () => ({ authentication: { typ: 'oauth-authz-req+jwt' } }))
    if (answer.status < 300)
      warn('a client assertion with the typ of a request object is taken (RFC 8725 sections 3.11 and 3.12)')
    else expectInvalidClient(expect, answer)
  },
})

export const replay = rule({
  id: 'token/assertion-replay',
  requirement: 'TOK-15',
  places: [
    ...endpoints.map((one) => `endpoint=${one} ${byKey}`),
    'endpoint=token grant=refresh',
    ...endpoints.map((one) => `endpoint=${one} part=replay member=iat`),
    'endpoint=token-info part=replay',
    ...['long', 'prefix', 'upper-case'].map((value) => `endpoint=token-info part=jti value=${value}`),
    'endpoint=revoke part=replay value=missing',
  ],
  title:
    'A client assertion whose jti was seen before is refused, however long, whatever its times, with sub and iss or without',
  needs: toLogIn,
  async check(tools) {
    await assertingClient(tools)
    await expectOnce(tools)
    if (inLeastDress()) return
    await expectOnceOfLong(tools)
    await expectOnceOfNameless(tools, await ofOwnKey(tools))
  },
})

export const algorithms = rule({
  id: 'token/assertion-algorithms',
  requirement: 'TOK-16',
  places: [...endpoints.map((one) => `endpoint=${one} alg=none`), 'alg=none value=upper-case'],
  title: 'A client assertion signed by RSASSA-PKCS1-v1_5, or not at all, is refused',
  needs: toLogIn,
  async check(tools) {
    const { keys } = await assertingClient(tools)
    const signer = await pkcs1Signer(keys, 'RS256')
    await refuseEach(tools, (asserted) => ({
      'signed with RS256': { signer },
      'without a signature': { jwt: unsigned(tools, asserted) },
      'without a signature, by the algorithm None': { jwt: unsigned(tools, asserted, 'None') },
    }))
  },
})

export const lifetime = rule({
  id: 'token/assertion-lifetime',
  requirement: 'TOK-38',
  places: [
    ...endpoints.flatMap((one) =>
      ['part=exp value=missing', 'part=exp value=wrong', 'part=jti value=missing'].map(
        (flaw) => `endpoint=${one} ${byKey} ${flaw}`,
      ),
    ),
    ...['exp', 'jti'].map((part) => `endpoint=token grant=refresh part=${part}`),
    ...['other-type', 'null', 'lower-bound'].map((value) => `endpoint=token part=exp value=${value}`),
    ...['text', 'iat'].map((member) => `endpoint=token part=exp member=${member}`),
    ...['other-type', 'empty'].map((value) => `endpoint=token part=jti value=${value}`),
    ...['iat', 'iat value=other-type', 'nbf value=other-type'].map((part) => `endpoint=token part=${part}`),
    ...endpoints.map((one) => `endpoint=${one} part=nbf`),
    ...endpoints.map((one) => `endpoint=${one} part=signature member=crit`),
    'endpoint=token grant=refresh part=nbf',
    ...['exp', 'jti'].map((part) => `endpoint=revoke part=${part} member=nameless`),
  ],
  title: 'A client assertion past its exp, or without exp or jti, is refused',
  needs: toLogIn,
  async check(tools) {
    const { bank, service, expect, warn } = tools
    await assertingClient(tools)
    await refuseEach(tools, () => wrongLifetimes(service.clock()))
    if (inLeastDress()) return
    // Whoever wants sub and iss there too refuses it all the more (AMB-23).
    const { 'past its exp': past = {}, 'without jti': unnumbered = {} } = wrongLifetimes(service.clock())
    await refuseEach(tools, () => nameless({ 'past its exp': past, 'without jti': unnumbered }), { at: ['/revoke'] })
    await warnOfOddTypes(tools)
    const undated = await bank.token.modified({}, () => ({ authentication: { claims: { iat: undefined } } }))
    if (undated.status < 300) warn('an assertion without iat is taken')
    else expectInvalidClient(expect, undated)
    const odd = await bank.token.modified({}, () => ({ authentication: { claims: { nbf: String(service.clock()) } } }))
    if (odd.status < 300) warn('an assertion whose nbf is no number is taken (RFC 7519 section 4.1.5)')
    else expectInvalidClient(expect, odd)
  },
})

export const signature = rule({
  id: 'token/assertion-signature',
  requirement: 'TOK-39',
  places: [
    ...endpoints.map((one) => `endpoint=${one} ${byKey} part=signature`),
    'endpoint=token grant=refresh part=signature',
    'endpoint=revoke part=signature member=nameless',
    ...['missing', 'wrong', 'unknown'].map((value) => `endpoint=token part=signature value=${value}`),
    ...endpoints.map((one) => `endpoint=${one} part=kid value=missing`),
    ...endpoints.flatMap((one) =>
      ['jku', 'x5u', 'x5c'].map((member) => `endpoint=${one} part=signature member=${member}`),
    ),
  ],
  title: 'A client assertion with a wrong signature, or of a key that is not registered, is refused',
  needs: toLogIn,
  async check(tools) {
    const { keys } = await assertingClient(tools)
    const { alg, kid } = keys.signing
    const { privateKey } = await foreignSigner(alg)
    if (!tools.service.server)
      tools.note('there is no service.server: no assertion names an address of ours, where its key would be')
    const signers = {
      'of a key that is not registered': await foreignSigner(alg),
      'of a key that is not registered, without kid': { alg, privateKey },
      ...(await leadingSigners(tools, alg)),
      'of another key under the kid of a registered one': await foreignSigner(alg, kid),
    }
    await refuseEach(tools, () => wrongSignatures(signers))
    if (inLeastDress()) return
    const known = { 'of a key that is not registered': { signer: await foreignSigner(alg) } }
    await refuseEach(tools, () => nameless(known), { at: ['/revoke'] })
  },
})
