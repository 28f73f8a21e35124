import { type Authorization, type Parameters, parameterOf } from '../../bank/authorization.js'
import { errorOf, redirectedError } from '../../bank/authorization-answer.js'
import type { Session, SessionRequest } from '../../bank/session.js'
import { inStep } from '../../bank/steps.js'
import type { Expect } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { PageRepeated } from '../../target/target-error.js'
import { claimsFor, demandSupport, toAskByReference, withPlace } from '../request-object/by-reference.js'
import { declaredLevels, oneLevel } from '../support/acr-levels.js'
import { codeAndImplicitClient } from '../support/implicit-client.js'
import { expectSessionKept } from '../support/kept-session.js'
import { declaresFrontChannel } from '../support/known-tokens.js'
import { withOfflineAccess } from '../support/offline-access.js'

/** A client at which the same scopes are always consented to: sessions with it tell by what else they differ. */
const clientMetadata = { client_name: 'Conformance sessions' }

/** A client of a rule's own, so that no other rule's consent is in its way. */
const own = (name: string) => ({ client_name: `Conformance ${name}` })

function expectError(expect: Expect, authorization: Authorization, ...codes: string[]): void {
  const { response } = authorization.callback
  expect(response).toHaveStatus(302)
  expect(parameterOf(authorization, 'error'), 'error of the callback', response).toBeOneOf(codes)
}

/** That prompt=none in a session is answered by this error. */
async function expectErrorInSession(tools: Tools, authorization: Authorization, code: string): Promise<void> {
  await expectSessionKept(tools, parameterOf(authorization, 'error'))
  expectError(tools.expect, authorization, code)
}

/** What a callback brings: a code, or which error. */
function outcomeOf(authorization: Authorization): string | null {
  return parameterOf(authorization, 'code') === null ? parameterOf(authorization, 'error') : 'code'
}

export const consentMissing = rule({
  id: 'authorization/prompt-none-consent',
  requirement: 'AUTH-26',
  places: [
    ...['use=session-login', 'use=session-login scope=openid', 'use=session-login scope=offline_access'],
    ...['max_age', 'id_token_hint'].map((parameter) => `use=session-login parameter=${parameter}`),
  ],
  title: 'prompt=none with a session, but without consent to the scopes, is 302 consent_required',
  needs: [...toLogIn, 'redirect'],
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const offline = withOfflineAccess(await bank.discovery(), (await bank.client()).metadata)
    const clientMetadata = { ...own('prompt none, consent'), ...offline }
    const [first, second] = (await bank.client(clientMetadata)).dataScopes
    if (!first || !second) return skip('the bank declares fewer than two data scopes')
    const session = bank.session({ clientMetadata })
    const before = await session.signIn({ scope: `openid ${first}` })
    const hint = await bank.hint(before)
    const scope = `openid ${first} ${second}`
    const ways: Record<string, SessionRequest> = {
      [`the scope ${scope}`]: { scope },
      // Only openid stands for every scope that is registered (CONS-3).
      'the scope openid': { scope: 'openid' },
      'a max_age that holds': { scope, parameters: { max_age: '3600' } },
      'the id_token of the session': { scope, parameters: { id_token_hint: hint } },
    }
    for (const [how, { parameters, ...asked }] of Object.entries(ways)) {
      await inVariation(how, async () =>
        expectErrorInSession(
          tools,
          await session.ask({ ...asked, parameters: { ...parameters, prompt: 'none' } }),
          'consent_required',
        ),
      )
    }
    if (!('scope' in offline)) return
    await inVariation('the scope offline_access', async () => {
      const asked = await session.ask({ scope: `openid ${first} offline_access`, parameters: { prompt: 'none' } })
      if (parameterOf(asked, 'code') === null) return expectErrorInSession(tools, asked, 'consent_required')
      // Without prompt=consent a bank may ignore it (OpenID Connect Core section 11).
      const { response } = await bank.token.fresh({ authorization: asked })
      expect(response.member('refresh_token'), 'refresh_token for a scope without consent', response).toBe(undefined)
    })
  },
})

export const consentRefused = rule({
  id: 'authorization/prompt-none-refused',
  requirement: 'AUTH-26',
  places: ['use=after-refusal'],
  title: 'prompt=none with a session is 302 consent_required also after the person refused the consent',
  needs: [...toLogIn, ...toRegister, 'redirect', 'action:consent/refuse'],
  async check(tools) {
    const { bank, expect } = tools
    const session = bank.session({ clientMetadata })
    await session.signIn()
    const refusing = own('prompt none, refused')
    const refused = await session.ask({ clientMetadata: refusing, actions: { consent: 'refuse' } })
    await inStep('authorization', async () => expectError(expect, refused, 'access_denied'))
    const asked = await session.ask({ clientMetadata: refusing, parameters: { prompt: 'none' } })
    await expectErrorInSession(tools, asked, 'consent_required')
  },
})

export const withoutPages = rule({
  id: 'authorization/prompt-none-consented',
  requirement: 'AUTH-39',
  places: ['use=session-login'],
  title: 'prompt=none with a session and every scope consented answers with a code, without a page',
  needs: toLogIn,
  async check({ bank, expect, reading, skip }) {
    // At the client of other rules more may be consented to than is asked for.
    const session = bank.session({ clientMetadata: own('prompt none, consented') })
    await session.signIn()
    const asked = await session.ask({ parameters: { prompt: 'none' } })
    const error = parameterOf(asked, 'error')
    await expectSessionKept({ bank, skip }, error)
    const { response } = asked.callback
    expect(error, 'error of the callback', response).toBeOneOf([null, 'consent_required'])
    reading('AMB-46', error === null ? 'skipped' : 'shown-again')
    if (error === null) expect(parameterOf(asked, 'code'), 'code of the callback', response).toBeText()
  },
})

/** What `login.pages` call the page on which a person chooses one of several accounts. */
const accountPage = 'account'

/**
 * A session of the person of several accounts in which a choice is still needed: the one given where the bank asks again for each request,
 * else one in which the person left the page that asks.
 */
async function choiceNeededIn({ bank, skip }: Tools, session: Session): Promise<Session> {
  // Not by a request that may ask for a new login.
  const pagesIn = async (one: Session) =>
    bank.asSignIns((await one.ask({ parameters: { prompt: 'consent' } })).callback.pages)
  const shown = (await pagesIn(session)).filter((name) => name !== 'consent')
  // Whether the choice holds for the session is the bank's to say: the specification speaks of one that is needed. Pages that a person
  // of one account sees as well, such as one that leads back, ask for none.
  if (shown.length > 0) {
    const ofOneAccount = bank.session({ clientMetadata })
    await ofOneAccount.signIn()
    const usual = await pagesIn(ofOneAccount)
    if (shown.some((name) => !usual.includes(name))) return session
  }
  const left = bank.session({ clientMetadata, person: 'several-accounts' })
  const visit = await left.look({}, accountPage)
  if (visit.pages.at(-1) !== accountPage)
    return skip(
      `an account once chosen holds for the session, and login.pages calls no page of the login ${accountPage}, at which to leave it`,
    )
  const asked = await left.ask({ parameters: { prompt: 'none' } })
  if (parameterOf(asked, 'error') === 'login_required')
    return skip('an account once chosen holds for the session, which begins with the choice: none is needed in it')
  return left
}

export const severalAccounts = rule({
  id: 'authorization/prompt-none-accounts',
  requirement: 'AUTH-27',
  places: ['use=session-login', 'parameter=id_token_hint value=empty'],
  title: 'prompt=none with a session and several accounts is 302 account_selection_required',
  needs: [...toLogIn, 'person:several-accounts', 'redirect'],
  async check(tools) {
    const session = tools.bank.session({ clientMetadata, person: 'several-accounts' })
    await session.signIn()
    const first = await session.ask({ parameters: { prompt: 'none' } })
    await expectSessionKept(tools, parameterOf(first, 'error'))
    const isAsked = parameterOf(first, 'error') === 'account_selection_required'
    const before = isAsked ? session : await choiceNeededIn(tools, session)
    const expectChoice = async (parameters: Parameters) =>
      expectErrorInSession(tools, await before.ask({ parameters }), 'account_selection_required')
    const answered = before === session ? first : await before.ask({ parameters: { prompt: 'none' } })
    await expectErrorInSession(tools, answered, 'account_selection_required')
    // Without a value it counts as left out (RFC 6749 section 3.1).
    await tools.inVariation('beside an empty id_token_hint', () => expectChoice({ prompt: 'none', id_token_hint: '' }))
  },
})

/** By which a hint of another person than the session's is answered ("Effect of authorization request parameters on errors"). */
const ofAnother = ['login_required', 'interaction_required', 'account_selection_required', 'consent_required']

/** Parameters that ask in a new session for what is so anyhow. */
const asIsAnyhow = { max_age: '3600', display: 'page', ui_locales: 'cs en' }

export const otherHint = rule({
  id: 'authorization/id-token-hint-of-another',
  requirement: 'AUTH-28',
  places: [
    ...['none', 'consent'].map((prompt) => `member=${prompt} parameter=prompt`),
    'use=first member=consent parameter=prompt',
    ...Object.keys(asIsAnyhow).map((parameter) => `parameter=${parameter}`),
    'parameter=acr_values',
  ],
  title:
    'id_token_hint with prompt none or consent for another user than the session’s is 302 login_required or the like',
  needs: [...toLogIn, 'person:sparse', 'redirect'],
  async check({ bank, expect, inVariation, note, warn }) {
    const hint = await bank.hint(await bank.session({ clientMetadata }).signIn())
    const somebodyElse = { clientMetadata, person: bank.somebodyElse('sparse') }
    const session = bank.session(somebodyElse)
    await session.signIn()
    const ask = (parameters: Parameters) => session.ask({ parameters: { ...parameters, id_token_hint: hint } })
    const expectRefused = async (parameters: Parameters) => expectError(expect, await ask(parameters), ...ofAnother)
    await inVariation('prompt none', () => expectRefused({ prompt: 'none' }))
    // Whom the hint means may be signed in by the request (OpenID Connect Core section 3.1.2.1): a page for that takes nobody else.
    const unlessAskedAgain = async (asking: Promise<Authorization>) => {
      const asked = await asking.catch((error: unknown) => {
        if (error instanceof PageRepeated) return undefined
        throw error
      })
      if (asked === undefined) note('the bank asks the person of the hint to sign in, and takes nobody else')
      return asked
    }
    // That who signs in by the request is refused OpenID Connect Core says with SHOULD, so that a bank is warned.
    const expectNobodyElse = (asked: Authorization, signedIn: boolean) => {
      if (signedIn && outcomeOf(asked) === 'code')
        warn('a code is given to another person than the one whom id_token_hint names')
      else expectError(expect, asked, ...ofAnother)
    }
    await inVariation('prompt consent', async () => {
      const asked = await unlessAskedAgain(ask({ prompt: 'consent' }))
      // A bank may ask who is there in place of an error.
      if (asked) expectNobodyElse(asked, bank.asSignIns(asked.callback.pages).includes('sign-in'))
    })
    await inVariation('prompt consent, and somebody else signs in', async () => {
      const parameters = { prompt: 'consent', id_token_hint: hint }
      const asked = await unlessAskedAgain(bank.session(somebodyElse).ask({ parameters }))
      if (asked) expectNobodyElse(asked, true)
    })
    const [level] = await declaredLevels(bank)
    for (const [name, value] of Object.entries({ ...asIsAnyhow, ...(level !== undefined && { acr_values: level }) }))
      await inVariation(`prompt none beside ${name}`, () => expectRefused({ prompt: 'none', [name]: value }))
  },
})

export const otherHintOfImplicit = rule({
  id: 'authorization/id-token-hint-of-implicit',
  requirement: 'AUTH-28',
  places: ['grant=implicit'],
  title: 'id_token_hint with prompt none for another user than the session’s is an error for response_type token too',
  needs: [...toLogIn, ...toRegister, 'person:sparse', 'redirect'],
  async check({ bank, expect, skip }) {
    if (!(await declaresFrontChannel(bank))) return skip('the bank does not declare response_type token')
    const of = { clientMetadata: codeAndImplicitClient }
    const hint = await bank.hint(await bank.session(of).signIn())
    const session = bank.session({ ...of, person: bank.somebodyElse('sparse') })
    // Consented to as well, so that nothing but the hint can be what the bank objects to.
    await session.signIn()
    const parameters = { prompt: 'none', id_token_hint: hint }
    const byCode = parameterOf(await session.ask({ parameters }), 'error')
    if (byCode === null || !ofAnother.includes(byCode))
      return skip('the hint is not refused in the code flow either (see authorization/id-token-hint-of-another)')
    expectError(expect, await session.ask({ parameters: { ...parameters, response_type: 'token' } }), ...ofAnother)
  },
})

export const otherHintInside = rule({
  id: 'authorization/id-token-hint-in-request-object',
  requirement: 'AUTH-28',
  places: ['token=request-object'],
  title:
    'id_token_hint with prompt none for another user than the session’s is an error inside of a request object too',
  needs: [...toAskByReference, 'person:sparse', 'redirect'],
  async check({ bank, expect, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { place, clientMetadata, client } = await withPlace(bank, 'hint inside')
    const hint = await bank.hint(await bank.session({ clientMetadata }).signIn())
    const session = bank.session({ clientMetadata, person: bank.somebodyElse('sparse') })
    await session.signIn()
    const parameters = { prompt: 'none', id_token_hint: hint }
    const byQuery = parameterOf(await session.ask({ parameters }), 'error')
    if (byQuery === null || !ofAnother.includes(byQuery))
      return skip('the hint is not refused in the query either (see authorization/id-token-hint-of-another)')
    const claims = { ...claimsFor(bank, client), ...parameters }
    bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
    expectError(expect, await session.ask({ parameters: { request_uri: place } }), ...ofAnother)
  },
})

export const hintKind = rule({
  id: 'authorization/id-token-hint-kind',
  requirement: 'AUTH-28',
  places: ['part=typ'],
  title: 'A reply with user data does not serve as id_token_hint',
  needs: [...toLogIn, 'person:sparse', 'redirect'],
  // RFC 8725's, not the specification's. A bank that refuses or ignores what is not an id_token does so whoever it is about.
  async check({ bank, expect, inVariation, warn }) {
    const silent = { prompt: 'none' }
    const outcomes = ['code', ...ofAnother]
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
    const missing = await oneLevel(bank)
    if (missing) return skip(missing)
    const session = bank.session({ clientMetadata })
    const { acr } = await bank.idTokenClaims(await session.signIn({ parameters: { acr_values: 'loa2' } }))
    if (acr !== 'loa2') return skip(`a login for loa2 reaches ${acr}: no interaction is left to be needed`)
    const asked = await session.ask({ parameters: { prompt: 'none', acr_values: 'loa3' } })
    // To reach a higher level is to authenticate again (OpenID Connect Core section 3.1.2.1, acr_values).
    if (parameterOf(asked, 'error') === 'login_required') skip('the bank takes a step up for a login')
    expectError(expect, asked, 'interaction_required')
  },
})

export const consentOfAnother = rule({
  id: 'authorization/prompt-none-second-client',
  requirement: 'AUTH-26',
  places: ['use=second-client'],
  title: 'prompt=none of a client that was never consented to is 302 consent_required, whoever else was',
  needs: [...toLogIn, ...toRegister, 'redirect'],
  async check(tools) {
    const session = await tools.bank.sharedSession()
    const asked = { clientMetadata: own('second client, consent'), parameters: { prompt: 'none' } }
    await expectErrorInSession(tools, await session.ask(asked), 'consent_required')
  },
})

export const registrationInSession = rule({
  id: 'authorization/registration-in-session',
  requirement: 'AUTH-20',
  places: ['use=session-login'],
  title: 'The parameter registration is 302 registration_not_supported within a session too',
  needs: [...toLogIn, 'redirect'],
  async check({ bank, expect }) {
    const session = bank.session({ clientMetadata })
    await session.signIn()
    const { callback } = await session.ask({ parameters: { registration: '{"client_name":"conformance"}' } })
    const { response } = callback
    const code = 'registration_not_supported'
    expect(errorOf(response), 'the answer to the request', response).toEqual(redirectedError(code))
  },
})

export const silentVariations = rule({
  id: 'authorization/prompt-none-variations',
  requirement: 'AUTH-39',
  places: ['parameter=max_age', 'parameter=id_token_hint'],
  title: 'prompt=none with a session answers with a code beside a max_age that holds, and the id_token of the session',
  needs: toLogIn,
  async check({ bank, expect, inVariation, reading, skip }) {
    const session = bank.session({ clientMetadata })
    const hint = await bank.hint(await session.signIn())
    for (const beside of [{ max_age: '3600' }, { id_token_hint: hint }]) {
      await inVariation(`prompt none beside ${Object.keys(beside).join()}`, async () => {
        const asked = await session.ask({ parameters: { prompt: 'none', ...beside } })
        const error = parameterOf(asked, 'error')
        await expectSessionKept({ bank, skip }, error)
        expect(error, 'error of the callback', asked.callback.response).toBeOneOf([null, 'consent_required'])
        reading('AMB-46', error === null ? 'skipped' : 'shown-again')
      })
    }
  },
})

export const earlierHint = rule({
  id: 'authorization/id-token-hint-of-earlier-login',
  requirement: 'AUTH-44',
  places: ['use=second-login parameter=id_token_hint'],
  title: 'id_token_hint of an earlier login of the person in the session is taken with prompt=none',
  needs: toLogIn,
  async check({ bank, expect, skip }) {
    const session = bank.session({ clientMetadata })
    const hint = await bank.hint(await session.signIn())
    await bank.token.fresh({ authorization: await session.ask({}) })
    const asked = await session.ask({ parameters: { prompt: 'none', id_token_hint: hint } })
    const error = parameterOf(asked, 'error')
    await expectSessionKept({ bank, skip }, error)
    // Where consent is shown each time anew (AMB-46).
    expect(error, 'error of the callback', asked.callback.response).toBeOneOf([null, 'consent_required'])
  },
})
