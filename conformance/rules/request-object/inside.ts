import { randomBytes } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { codeOf, parameterOf } from '../../bank/authorization.js'
import { errorOf, Outline } from '../../bank/authorization-answer.js'
import { grantedScopes, idTokenOf } from '../../bank/token.js'
import { rule } from '../../harness/rule.js'
import {
  asking,
  type Changes,
  claimsFor,
  demandSupport,
  expectServed,
  isTaken,
  toAskByReference,
  withPlaces,
} from './by-reference.js'

/** How old a session has to get before a max_age of one second is over, in milliseconds. */
const sessionAgeMs = 2_100

export const parametersInside = rule({
  id: 'request-object/parameters-inside',
  requirement: 'AUTH-24',
  places: [
    ...['scope', 'state', 'prompt', 'max_age', 'acr_values', 'code_challenge', 'id_token_hint'].map(
      (member) => `member=${member}`,
    ),
    'value=second',
  ],
  title: 'The parameters of a request object hold in place of those of the query, at whichever registered request_uri',
  needs: [...toAskByReference, 'page-detection'],
  waits: true,
  async check({ bank, expect, inVariation, skip, service }) {
    const discovery = await bank.discovery()
    demandSupport(discovery, skip)
    const { places, clientMetadata, client } = await withPlaces(bank, 'parameters inside', { count: 7 })
    const [plain, ...others] = places
    const placed = async (changes: JWTPayload, place = String(others.shift())) => {
      const claims = { ...claimsFor(bank, client), ...changes }
      bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
      return { request_uri: place }
    }
    const session = bank.session({ clientMetadata })
    const { response: first } = await session.signIn({ parameters: await placed({}, plain) })

    const [, scope] = client.dataScopes
    if (scope) {
      await inVariation('another scope inside', async () => {
        const state = 'state-of-the-request-object'
        const authorization = await session.ask({ parameters: await placed({ scope: `openid ${scope}`, state }) })
        const { response: callback } = authorization.callback
        // That a state comes back, and in which part, is the business of authorization/code.
        expect(parameterOf(authorization, 'state'), 'state of the callback', callback).toBeOneOf([state, null])
        const { response } = await bank.token.fresh({ authorization })
        expect(await grantedScopes(response), 'the scopes of the token', response).toBeSetOf(['openid', scope])
      })
    }
    if (discovery.declared('code_challenge_methods_supported')?.includes('S256')) {
      await inVariation('code_challenge inside', async () => {
        const challenge = { code_challenge: randomBytes(32).toString('base64url'), code_challenge_method: 'S256' }
        const asked = await session.ask({ parameters: await placed(challenge) })
        const refused = await bank.exchangeCode(asked.client, await codeOf(asked))
        expect(refused.status, 'the status of an exchange without a code_verifier', refused).toBeOneOf([400, 401])
      })
    }
    await inVariation('prompt none inside', async () => {
      const parameters = await placed({ prompt: 'none' })
      const response = await bank.authorizationRequest.try({ clientMetadata, parameters })
      expect(errorOf(response).code, 'the error without a session', response).toBe('login_required')
    })
    if (discovery.declared('acr_values_supported')?.includes('loa3')) {
      await inVariation('acr_values loa3 inside', async () => {
        const authorization = await session.ask({ parameters: await placed({ acr_values: 'loa3' }) })
        const login = await bank.token.fresh({ authorization })
        const { acr } = await bank.idTokenClaims(login)
        expect<unknown>(acr, 'acr of the id_token', login.response).toBe('loa3')
      })
    }
    await inVariation('id_token_hint inside', async () => {
      const asked = await session.ask({ parameters: await placed({ id_token_hint: await idTokenOf(first) }) })
      expect(parameterOf(asked, 'code'), 'code of the callback', asked.callback.response).toBeText()
    })
    await service.wait(sessionAgeMs)
    await inVariation('max_age 1 inside', async () => {
      const { pages, response } = await session.look({ parameters: await placed({ max_age: 1 }) }, 'sign-in')
      expect(bank.asSignIns(pages), 'the pages shown in an old session', response).toContain('sign-in')
    })
  },
})

export const optionalInside = rule({
  id: 'request-object/optional-parameters',
  requirement: 'AUTH-24',
  places: [
    ...['display', 'response_mode', 'ui_locales', 'conformance'].map((member) => `member=${member}`),
    ...['iss', 'aud', 'exp'].map((part) => `part=${part} value=missing`),
    'part=aud value=equivalent',
  ],
  title: 'A request object with a valid value of an optional parameter, or without one, is served',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip, warn }) {
    demandSupport(await bank.discovery(), skip)
    const good: Record<string, Changes> = {
      'display popup': { display: 'popup' },
      'response_mode query': { response_mode: 'query' },
      'ui_locales cs en': { ui_locales: 'cs en' },
      // RFC 7519 sections 4 and 4.1.3: aud may be a list, and what is not understood is ignored.
      'aud in a list': { aud: [bank.issuer] },
      'a member that nobody knows': { conformance: true },
    }
    // OpenID Connect Core section 6.1: iss and aud should be there, exp may be. A bank that asks for them is strict, no more.
    const unneeded = ['iss', 'aud', 'exp']
    const count = Object.keys(good).length + unneeded.length
    const { ask } = await asking(bank, 'request object, optional parameters', count)
    for (const [what, changes] of Object.entries(good)) {
      await inVariation(`${what} inside`, async () => {
        const response = await ask(changes)
        expect(new Outline(response), 'the answer to the request', response).toSatisfy(isTaken, 'a page')
      })
    }
    for (const name of unneeded) {
      await inVariation(`no ${name} inside`, async () => {
        const response = await ask({ [name]: undefined })
        if (isTaken(response)) return
        expect(response.status, 'the status of the refusal', response).toBeAtMost(499)
        warn(`a request object without ${name} is refused`)
      })
    }
  },
})

export const servedAgain = rule({
  id: 'request-object/served-again',
  requirement: 'AUTH-24',
  places: ['use=second-login', 'parameter=prompt'],
  title: 'A registered request_uri is served again in a later login, and by the session beside prompt=none',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { places, clientMetadata, client } = await withPlaces(bank, 'request_uri again', { count: 1 })
    const [request_uri = ''] = places
    // Made anew for the second login: a bank may take a jti but once.
    const placed = async () => {
      const object = await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing })
      bank.placeRequestObject(request_uri, object)
      return { request_uri }
    }
    const session = bank.session({ clientMetadata })
    await session.signIn({ parameters: await placed() })
    await expectServed({ bank, expect }, await session.ask({ parameters: await placed() }))
    await inVariation('prompt none beside request_uri', async () => {
      const asked = await session.ask({ parameters: { ...(await placed()), prompt: 'none' } })
      // Consent may be shown again (AMB-46), and a session not be kept.
      await expectServed({ bank, expect }, asked, ['consent_required', 'login_required'])
    })
  },
})
