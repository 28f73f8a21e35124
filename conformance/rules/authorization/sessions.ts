import { type Authorization, parameterOf } from '../../bank/authorization.js'
import { idTokenOf } from '../../bank/token.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'

/** A client at which the same scopes are always consented to: sessions with it tell by what else they differ. */
const clientMetadata = { client_name: 'Conformance sessions' }

/** A client of a rule's own, so that no other rule's consent is in its way. */
const own = (name: string) => ({ client_name: `Conformance ${name}` })

function expectError(expect: Expect, authorization: Authorization, ...codes: string[]): void {
  const { response } = authorization.callback
  expect(response).toHaveStatus(302)
  expect(parameterOf(authorization, 'error'), 'error of the callback', response).toBeOneOf(codes)
}

/** What a callback brings: a code, or which error. */
function outcomeOf(authorization: Authorization): string | null {
  return parameterOf(authorization, 'code') === null ? parameterOf(authorization, 'error') : 'code'
}

export const consentMissing = rule({
  id: 'authorization/prompt-none-consent',
  requirement: 'AUTH-26',
  title: 'prompt=none with a session, but without consent to the scopes, is 302 consent_required',
  needs: [...toLogIn, 'redirect'],
  async check({ bank, expect, skip }) {
    const clientMetadata = own('prompt none, consent')
    const [first, second] = (await bank.client(clientMetadata)).dataScopes
    if (!first || !second) return skip('the bank declares fewer than two data scopes')
    const session = bank.session({ clientMetadata })
    await session.signIn({ scope: `openid ${first}` })
    const asked = await session.ask({ scope: `openid ${first} ${second}`, parameters: { prompt: 'none' } })
    expectError(expect, asked, 'consent_required')
  },
})

export const withoutPages = rule({
  id: 'authorization/prompt-none-consented',
  requirement: 'AUTH-39',
  title: 'prompt=none with a session and every scope consented answers with a code, without a page',
  needs: toLogIn,
  async check({ bank, expect, reading }) {
    const session = bank.session({ clientMetadata })
    await session.signIn()
    const asked = await session.ask({ parameters: { prompt: 'none' } })
    const error = parameterOf(asked, 'error')
    const { response } = asked.callback
    expect(error, 'error of the callback', response).toBeOneOf([null, 'consent_required'])
    reading('AMB-46', error === null ? 'skipped' : 'shown-again')
    if (error === null) expect(parameterOf(asked, 'code'), 'code of the callback', response).toBeText()
  },
})

export const severalAccounts = rule({
  id: 'authorization/prompt-none-accounts',
  requirement: 'AUTH-27',
  title: 'prompt=none with a session and several accounts is 302 account_selection_required',
  needs: [...toLogIn, 'person:several-accounts', 'redirect'],
  async check({ bank, expect }) {
    const session = bank.session({ clientMetadata, person: 'several-accounts' })
    await session.signIn()
    expectError(expect, await session.ask({ parameters: { prompt: 'none' } }), 'account_selection_required')
  },
})

export const otherHint = rule({
  id: 'authorization/id-token-hint-of-another',
  requirement: 'AUTH-28',
  title:
    'id_token_hint with prompt none or consent for another user than the session’s is 302 login_required or the like',
  needs: [...toLogIn, 'person:sparse', 'redirect'],
  async check({ bank, expect, inVariation }) {
    const hint = await idTokenOf((await bank.session({ clientMetadata }).signIn()).response)
    const session = bank.session({ clientMetadata, person: 'sparse' })
    await session.signIn()
    const codes = ['login_required', 'interaction_required', 'account_selection_required', 'consent_required']
    for (const prompt of ['none', 'consent']) {
      await inVariation(`prompt ${prompt}`, async () =>
        expectError(expect, await session.ask({ parameters: { prompt, id_token_hint: hint } }), ...codes),
      )
    }
  },
})

export const hintKind = rule({
  id: 'authorization/id-token-hint-kind',
  requirement: 'AUTH-28',
  title: 'A reply with user data does not serve as id_token_hint',
  needs: [...toLogIn, 'person:sparse', 'redirect'],
  // RFC 8725's, not the specification's. A bank that refuses or ignores what is not an id_token does so whoever it is about.
  async check({ bank, expect, inVariation, warn }) {
    const silent = { prompt: 'none' }
    const outcomes = [
      'code',
      'login_required',
      'interaction_required',
      'account_selection_required',
      'consent_required',
    ]
    let hint: string | undefined
    const changes: boolean[] = []
    for (const person of ['full', 'sparse']) {
      await inVariation(`the session of the person who is ${person}`, async () => {
        const session = bank.session({ clientMetadata, person })
        const login = await session.signIn()
        const before = await session.ask({ parameters: silent })
        const { response } = before.callback
        expect(outcomeOf(before), 'code or error of the callback without a hint', response).toBeOneOf(outcomes)
        if (hint === undefined) {
          const reply = await bank.userData.userinfo.try(login)
          hint = (await bank.open('userinfo', reply, login.client)).content
        }
        const hinted = await session.ask({ parameters: { ...silent, id_token_hint: hint } })
        changes.push(outcomeOf(hinted) !== outcomeOf(before))
      })
    }
    const [forTheOne, forAnother] = changes
    if (!forTheOne && forAnother) warn('userinfo is taken as id_token_hint (RFC 8725 sections 3.11 and 3.12)')
  },
})

export const interactionNeeded = rule({
  id: 'authorization/prompt-none-interaction',
  requirement: 'AUTH-47',
  title: 'prompt=none, when an interaction other than login or consent is needed, is 302 interaction_required',
  needs: [...toLogIn, 'redirect'],
  async check({ bank, expect, skip }) {
    const levels = (await bank.discovery()).declared('acr_values_supported') ?? []
    if (!levels.includes('loa3')) return skip('the bank declares no loa3 to step up to')
    const session = bank.session({ clientMetadata })
    const { acr } = await bank.idTokenClaims(await session.signIn({ parameters: { acr_values: 'loa2' } }))
    if (acr !== 'loa2') return skip(`a login for loa2 reaches ${acr}: no interaction is left to be needed`)
    const asked = await session.ask({ parameters: { prompt: 'none', acr_values: 'loa3' } })
    // To reach a higher level is to authenticate again (OpenID Connect Core section 3.1.2.1, acr_values).
    if (parameterOf(asked, 'error') === 'login_required') skip('the bank takes a step up for a login')
    expectError(expect, asked, 'interaction_required')
  },
})

export const loginAgain = rule({
  id: 'authorization/prompt-login',
  requirement: 'AUTH-35',
  title: 'prompt=login leads to a new login within a session',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect }) {
    const session = bank.session({ clientMetadata })
    const before = await session.signIn()
    const asked = await session.ask({ parameters: { prompt: 'login' } })
    expect(asked.callback.pages, 'the pages shown', asked.callback.response).toContain('sign-in')
    const { sub } = await bank.idTokenClaims(before)
    const after = await bank.token.fresh({ authorization: asked })
    const claims = await bank.idTokenClaims(after)
    expect(claims.sub, 'sub of the second login', after.response).toBe(sub)
  },
})

export const consentAgain = rule({
  id: 'authorization/prompt-consent',
  requirement: 'AUTH-51',
  title: 'prompt=consent shows consent again',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect }) {
    const session = bank.session({ clientMetadata })
    await session.signIn()
    const { callback } = await session.ask({ parameters: { prompt: 'consent' } })
    expect(callback.pages, 'the pages shown', callback.response).toContain('consent')
  },
})

/** How old a session has to get before a max_age of one second is over, in milliseconds. */
const sessionAgeMs = 2_100

export const tooOld = rule({
  id: 'authorization/max-age',
  requirement: 'AUTH-34',
  title: 'A max_age shorter than the age of the session leads to a new login',
  needs: [...toLogIn, 'page-detection'],
  waits: true,
  async check({ bank, expect }) {
    const session = bank.session({ clientMetadata })
    await session.signIn()
    const young = await session.ask({ parameters: { max_age: '3600' } })
    expect(young.callback.pages, 'the pages shown in a young session', young.callback.response).toLack('sign-in')
    await new Promise((resolve) => setTimeout(resolve, sessionAgeMs))
    const old = await session.ask({ parameters: { max_age: '1' } })
    expect(old.callback.pages, 'the pages shown in an old session', old.callback.response).toContain('sign-in')
  },
})

export const authTime = rule({
  id: 'authorization/max-age-auth-time',
  requirement: 'AUTH-50',
  title: 'With max_age the id_token carries auth_time',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, service }) {
    const bare = { ...own('auth_time'), require_auth_time: false, default_max_age: undefined }
    const { response: registered } = await bank.registration(bare)
    // A bank may want default_max_age in every record (AMB-58).
    const clientMetadata = registered.status < 400 ? bare : { ...own('auth_time'), require_auth_time: false }
    const login = await bank.token({ clientMetadata, parameters: { max_age: '600' } })
    const { auth_time } = await bank.idTokenClaims(login)
    const now = service.clock()
    expect(auth_time, 'auth_time of the id_token', login.response).toSatisfy(
      (time) => Number.isInteger(time) && now - Number(time) > -60 && now - Number(time) <= 600,
      `the time of the login: an integer from ${now - 600} to ${now + 59}`,
    )
  },
})

/** The levels of authentication, from the lowest. */
const levels = ['loa2', 'loa3']

export const acrReached = rule({
  id: 'authorization/acr-reached',
  requirement: 'AUTH-33',
  title: 'What acr_values asks for is reached: acr in the id_token is at least that',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const declared = (await bank.discovery()).declared('acr_values_supported') ?? levels
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
    for (const wanted of declared) {
      await inVariation(`acr_values ${wanted}`, async () => {
        const asked = await bank.authorization.try({ parameters: { acr_values: wanted } })
        const { response } = asked.callback
        expect(parameterOf(asked, 'error'), 'error of the callback', response).toBe(null)
        expect(parameterOf(asked, 'code'), 'code of the callback', response).toBeText()
      })
    }
  },
})

export const acrOutOfReach = rule({
  id: 'authorization/acr-out-of-reach',
  requirement: 'AUTH-42',
  title: 'A user who has no identity that meets the request ends in 302 eid_doesnt_exist',
  needs: [...toLogIn, 'person:loa2-only', 'redirect'],
  async check({ bank, expect }) {
    const asked = await bank.authorization.try({ person: 'loa2-only', parameters: { acr_values: 'loa3' } })
    expectError(expect, asked, 'eid_doesnt_exist')
  },
})
