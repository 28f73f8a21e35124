import { type Authorization, parameterOf } from '../../bank/authorization.js'
import { idTokenOf } from '../../bank/token.js'
import type { Visit } from '../../end-user/end-user.js'
import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { claimsFor, demandSupport, toAskByReference, withPlace } from '../request-object/by-reference.js'
import { declaredLevels, expectOutOfReach, levels, oneLevel } from '../support/acr-levels.js'

/** A client at which the same scopes are always consented to: sessions with it tell by what else they differ. */
const clientMetadata = { client_name: 'Conformance sessions' }

export const acrReached = rule({
  id: 'authorization/acr-reached',
  requirement: 'AUTH-33',
  places: ['use=first member=loa2', 'use=first member=loa3'],
  title: 'What acr_values asks for is reached: acr in the id_token is at least that',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const declared = await declaredLevels(bank)
    for (const wanted of levels.filter((level) => declared.includes(level))) {
      await inVariation(`acr_values ${wanted}`, async () => {
        const login = await bank.token.fresh({
          authorization: await bank.authorization.try({ parameters: { acr_values: wanted } }),
        })
        const { acr } = await bank.idTokenClaims(login)
        expect<unknown>(acr, 'acr of the id_token', login.response).toBeOneOf(levels.slice(levels.indexOf(wanted)))
      })
    }
  },
})

export const acrDeclared = rule({
  id: 'authorization/acr-declared',
  requirement: 'DISC-20',
  title: 'Each declared acr value is reached by a user able to',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const declared = (await bank.discovery()).declared('acr_values_supported')
    if (!declared) return skip('the bank declares no acr_values_supported')
    const reached = new Map<string, Authorization>()
    for (const wanted of declared) {
      await inVariation(`acr_values ${wanted}`, async () => {
        const asked = await bank.authorization.try({ parameters: { acr_values: wanted } })
        const { response } = asked.callback
        expect(parameterOf(asked, 'error'), 'error of the callback', response).toBe(null)
        expect(parameterOf(asked, 'code'), 'code of the callback', response).toBeText()
        if (levels.includes(wanted)) reached.set(wanted, asked)
      })
    }
    // A person who reaches no more than one of them is told before what is said of that one.
    for (const [wanted, authorization] of reached) {
      await inVariation(`the id_token of acr_values ${wanted}`, async () => {
        const login = await bank.token.fresh({ authorization })
        const { acr } = await bank.idTokenClaims(login)
        expect<unknown>(acr, 'acr of the id_token', login.response).toBeOneOf(levels.slice(levels.indexOf(wanted)))
      })
    }
  },
})

export const acrOutOfReach = rule({
  id: 'authorization/acr-out-of-reach',
  requirement: 'AUTH-42',
  places: ['use=first'],
  title: 'A user who has no identity that meets the request ends in 302 eid_doesnt_exist',
  needs: [...toLogIn, 'person:loa2-only', 'redirect'],
  async check({ bank, expect }) {
    const asked = await bank.authorization.try({ person: 'loa2-only', parameters: { acr_values: 'loa3' } })
    expectOutOfReach(expect, asked)
  },
})

export const acrSteppedUp = rule({
  id: 'authorization/acr-stepped-up',
  requirement: 'AUTH-33',
  places: [
    ...['loa2', 'loa3'].map((level) => `use=session-login member=${level}`),
    'use=session-login parameter=id_token_hint',
    'claim=acr',
  ],
  title: 'In a session of loa2 acr_values loa3 is reached by asking the person, and told in the id_token from then on',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect, inVariation, skip }) {
    const missing = await oneLevel(bank)
    if (missing) return skip(missing)
    const session = bank.session({ clientMetadata })
    const first = await session.signIn({ parameters: { acr_values: 'loa2' } })
    const { acr: before } = await bank.idTokenClaims(first)
    if (before !== 'loa2') return skip(`a login for loa2 reaches ${before}: there is nothing to step up to`)
    const expectAsked = ({ response, pages }: Pick<Visit, 'response' | 'pages'>) =>
      expect(pages, 'the pages shown on the way from loa2 to loa3', response).toSatisfy(
        (shown) => shown.some((page) => page !== 'consent'),
        'a page on which the person authenticates',
      )
    await inVariation('acr_values loa3 beside the id_token of the session', async () => {
      const hint = await idTokenOf(first.response)
      expectAsked(await session.look({ parameters: { acr_values: 'loa3', id_token_hint: hint } }))
    })
    const authorization = await session.ask({ parameters: { acr_values: 'loa3' } })
    expectAsked(authorization.callback)
    const login = await bank.token.fresh({ authorization })
    const { acr } = await bank.idTokenClaims(login)
    expect<unknown>(acr, 'acr of the id_token', login.response).toBe('loa3')
    // What the session has reached already needs no page.
    for (const wanted of levels) {
      await inVariation(`acr_values ${wanted} once loa3 is reached`, async () => {
        const later = await bank.token.fresh({
          authorization: await session.ask({ parameters: { acr_values: wanted } }),
        })
        const { acr: told } = await bank.idTokenClaims(later)
        expect<unknown>(told, 'acr of the id_token', later.response).toBeOneOf(levels.slice(levels.indexOf(wanted)))
      })
    }
  },
})

export const acrOfTwo = rule({
  id: 'authorization/acr-of-two',
  requirement: 'AUTH-33',
  places: ['person=loa2-only value=both'],
  title: 'Of a user who can reach loa2 alone no id_token says loa3, where acr_values name both',
  needs: [...toLogIn, 'person:loa2-only'],
  async check({ bank, expect, skip }) {
    const missing = await oneLevel(bank)
    if (missing) return skip(missing)
    const authorization = await bank.authorization.try({
      person: 'loa2-only',
      parameters: { acr_values: 'loa3 loa2' },
    })
    if (parameterOf(authorization, 'code') === null)
      return skip('the bank gives no code to a user below the first level')
    const login = await bank.token.fresh({ authorization })
    const { acr } = await bank.idTokenClaims(login)
    expect<unknown>(acr, 'acr of the id_token', login.response).toBe('loa2')
  },
})

export const acrOfAccount = rule({
  id: 'authorization/acr-of-account',
  requirement: 'AUTH-33',
  places: ['person=several-accounts'],
  title: 'What acr_values asks for is reached and told, too, of a user who chose one of several accounts',
  needs: [...toLogIn, 'person:several-accounts'],
  async check({ bank, expect, skip }) {
    const declared = await declaredLevels(bank)
    const level = levels.find((one) => declared.includes(one))
    if (level === undefined) return skip('the bank declares no level that it could be asked for')
    const person = 'several-accounts'
    const authorization = await bank.authorization.try({ person, parameters: { acr_values: level } })
    if (parameterOf(authorization, 'code') === null) return skip(`the user does not reach ${level}`)
    const login = await bank.token.fresh({ authorization })
    const { acr } = await bank.idTokenClaims(login)
    expect<unknown>(acr, 'acr of the id_token', login.response).toBeOneOf(levels.slice(levels.indexOf(level)))
  },
})

export const acrOutOfReachLater = rule({
  id: 'authorization/acr-out-of-reach-in-session',
  requirement: 'AUTH-42',
  places: ['use=session-login'],
  title: 'A user who is signed in, and has no identity that meets a later request, ends in 302 eid_doesnt_exist',
  needs: [...toLogIn, 'person:loa2-only', 'redirect'],
  async check({ bank, expect, skip }) {
    const missing = await oneLevel(bank)
    if (missing) return skip(missing)
    const session = bank.session({ clientMetadata, person: 'loa2-only' })
    await session.signIn()
    expectOutOfReach(expect, await session.ask({ parameters: { acr_values: 'loa3' } }))
  },
})

export const acrOutOfReachInside = rule({
  id: 'authorization/acr-out-of-reach-in-request-object',
  requirement: 'AUTH-42',
  places: ['token=request-object'],
  title: 'A user who has no identity that meets what a request object asks for ends in 302 eid_doesnt_exist',
  needs: [...toAskByReference, 'person:loa2-only', 'redirect'],
  async check({ bank, expect, skip }) {
    demandSupport(await bank.discovery(), skip)
    const missing = await oneLevel(bank)
    if (missing) return skip(missing)
    const { place, clientMetadata, client } = await withPlace(bank, 'acr out of reach, inside')
    const claims = { ...claimsFor(bank, client), acr_values: 'loa3' }
    bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
    const parameters = { request_uri: place }
    expectOutOfReach(expect, await bank.authorization.try({ person: 'loa2-only', clientMetadata, parameters }))
  },
})
