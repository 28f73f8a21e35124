import { type Authorization, parameterOf } from '../../bank/authorization.js'
import { scopesOfBoth, userDataEndpoints } from '../../bank/claims.js'
import { dressNow } from '../../bank/dress.js'
import { grantedScopes, type Login } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { type Need, toLogIn } from '../../target/needs.js'
import { oneBox } from '../support/consent-boxes.js'
import { expectScopesTold } from '../support/granted-scopes.js'
import { withOfflineAccess } from '../support/offline-access.js'
import { claimsBeyond } from '../user-data/checks.js'

/** What the consent screen offers, and what becomes of a box that is unticked, where the target file describes the boxes. */

/** To see the consent screen with its boxes. */
const toSeeBoxes: readonly Need[] = [...toLogIn, 'page-detection', 'deny-scopes']

/** A client of a rule's own, so that no other rule's consent is in its way. */
const own = (name: string) => ({ client_name: `Conformance ${name}` })

/**
 * What is asked for, by the boxes that stand for it: up to three boxes of scopes that lead to claims at both endpoints.
 *
 * @throws Skip with fewer than two
 */
async function boxesOf({ bank, skip }: Tools): Promise<[one: string[], two: string[], three?: string[]]> {
  const { dataScopes } = await bank.client()
  const scopes = scopesOfBoth(dataScopes)
  if (scopes.length < 2) return skip('the bank declares fewer than two scopes that lead to data at both endpoints')
  const [one, two, three] = bank.consentBoxes(scopes)
  if (!one || !two) return skip(oneBox)
  return three ? [one, two, three] : [one, two]
}

/** A scope of each of two boxes. @throws Skip where there is none of a second */
async function scopesOf(tools: Tools): Promise<[string, string]> {
  const [[one = ''], [two = '']] = await boxesOf(tools)
  return [one, two]
}

export const askedAlone = rule({
  id: 'consent/boxes-asked',
  requirement: 'CONS-10',
  places: ['use=first', 'use=session-login', 'scope=required'],
  title: 'The consent screen has a box for no scope that was not asked for: a registered, required or consented one',
  needs: toSeeBoxes,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const [asked, required] = await scopesOf(tools)
    const clientMetadata = { ...own('boxes of scopes asked for'), required_scope: `openid ${required}` }
    const { dataScopes } = await bank.client(clientMetadata)
    const boxes = bank.consentBoxes(dataScopes)
    /** The scopes that a box stands for which stands for one of these too. */
    const beside = (scopes: readonly string[]) => boxes.filter((box) => box.some((one) => scopes.includes(one))).flat()
    const further = dataScopes.find((scope) => !beside([asked, required]).includes(scope))
    const session = bank.session({ clientMetadata })
    const expectBoxes = async (scopes: readonly string[]) => {
      const { response, pages } = await session.look({ scope: ['openid', ...scopes].join(' ') }, 'consent')
      expect(pages, 'the pages shown', response).toContain('consent')
      if (scopes.every((scope) => bank.consentBox(response, scope) === 'absent'))
        skip('the consent screen has no box, found as login.pages says, for a scope that was asked for')
      const others = dataScopes.filter((scope) => !beside(scopes).includes(scope))
      const offered = others.filter((scope) => bank.consentBox(response, scope) !== 'absent')
      expect(offered, 'the scopes not asked for that have a box on the consent screen', response).toEqual([])
    }
    await inVariation('the first request', () => expectBoxes([asked]))
    if (further === undefined) return
    await inVariation('a request after another was consented', async () => {
      await session.signIn({ scope: `openid ${asked}` })
      await expectBoxes([further])
    })
  },
})

export const requiredBox = rule({
  id: 'consent/required-box',
  requirement: 'CONS-5',
  places: ['scope=required', 'scope=optional', 'use=session-login scope=required'],
  title: 'On the consent screen a scope of required_scope cannot be unticked, and the others can',
  needs: toSeeBoxes,
  async check(tools) {
    const { bank, expect, inVariation, skip, note } = tools
    const [optional, required] = await scopesOf(tools)
    const clientMetadata = { ...own('boxes of required scopes'), required_scope: `openid ${required}` }
    const scope = `openid ${optional} ${required}`
    const session = bank.session({ clientMetadata })
    const { response, pages } = await session.look({ scope }, 'consent')
    expect(pages, 'the pages shown', response).toContain('consent')
    const free = bank.consentBox(response, optional)
    if (free === 'absent' && bank.consentBox(response, required) === 'absent')
      skip('the consent screen has no box, found as login.pages says, for a scope that was asked for')
    expect(free, `the box of ${optional}, which is not required,`, response).toBe('free')
    /** @param untick asks once more, and unticks the box there */
    const expectHeld = async (page: HttpResponse, untick: () => Promise<Authorization>) => {
      if (bank.consentBox(page, required) !== 'free') return
      // What a script on the page prevents is not seen; what becomes of it is.
      const asked = await untick()
      if (parameterOf(asked, 'code') === null) return note('without the required scope nothing is granted')
      const { response: tokens } = await bank.token.fresh({ authorization: asked })
      const granted = await grantedScopes(tokens)
      expect(granted, `the scopes of the token where the box of ${required}, required, was unticked`, tokens).toContain(
        required,
      )
    }
    const denyScopes = [required]
    await expectHeld(response, () => bank.authorization.try({ clientMetadata, scope, denyScopes }))
    if (dressNow() !== undefined) return
    await inVariation('a page that is shown though everything was approved', async () => {
      await session.signIn({ scope })
      const again = { scope, parameters: { prompt: 'consent' } }
      const { response: page } = await session.look(again, 'consent')
      await expectHeld(page, () => session.ask({ ...again, denyScopes }))
    })
  },
})

/** A login with the scopes of its token. */
interface Granted {
  login: Login
  scopes: string[]
}

/** The scopes of the token that an authorization leads to; none where it ended in an error. */
async function grantedTo({ bank }: Tools, authorization: Authorization): Promise<Granted | undefined> {
  if (parameterOf(authorization, 'error') !== null) return undefined
  const login = await bank.token.fresh({ authorization })
  return { login, scopes: await grantedScopes(login.response) }
}

export const unticked = rule({
  id: 'consent/unticked',
  requirement: 'CONS-11',
  places: ['value=first', 'value=last', 'value=both'],
  title: 'A scope that is unticked on the consent screen is not granted, whichever it is, and the others are',
  needs: [...toLogIn, 'deny-scopes'],
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const boxes = (await boxesOf(tools)).filter((box) => box !== undefined)
    const asked = boxes.flat()
    await expectScopesTold(tools)
    const ways = { first: boxes.slice(0, 1).flat(), last: boxes.slice(-1).flat(), all: asked }
    for (const [which, denied] of Object.entries(ways)) {
      await inVariation(`${which} of the boxes unticked`, async () => {
        const clientMetadata = own(`unticked, ${which}`)
        const scope = ['openid', ...asked].join(' ')
        const authorization = await bank.authorization.try({ clientMetadata, scope, denyScopes: denied })
        const granted = await grantedTo(tools, authorization)
        const left = asked.filter((one) => !denied.includes(one))
        const { response } = granted?.login ?? authorization.callback
        // To approve nothing may be to refuse.
        if (!granted && left.length === 0) return
        expect(granted?.scopes ?? [], 'the scopes of the token', response).toBeSetOf(['openid', ...left])
      })
    }
  },
})

export const untickedRefreshed = rule({
  id: 'consent/unticked-refreshed',
  requirement: 'CONS-11',
  places: ['token=access-of-refresh'],
  title: 'A scope that was unticked is not granted by a refresh either: its claims do not come',
  needs: [...toLogIn, 'deny-scopes'],
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const [approved, refused] = await boxesOf(tools)
    const clientMetadata = own('unticked, refreshed')
    const scope = ['openid', ...approved, ...refused, 'offline_access'].join(' ')
    const login = await bank.offlineToken.fresh({ clientMetadata, scope, denyScopes: refused })
    const response = await bank.refresh.try({ login })
    const accessToken = response.member('access_token')
    if (typeof accessToken !== 'string') return skip('the refresh gives no access token (see TOK-21)')
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const { claims, response: data } = await bank.userData[endpoint]({ client: login.client, accessToken })
        const { unknown } = claimsBeyond(endpoint, approved, claims)
        expect(unknown, `the claims that do not belong to ${approved.join(' ')}`, data).toEqual([])
      })
    }
  },
})

export const offlineAccessUnticked = rule({
  id: 'consent/offline-access-unticked',
  requirement: 'CONS-11',
  places: ['scope=offline_access'],
  title: 'Where offline_access is unticked on the consent screen, it is not granted, and no refresh token given',
  needs: toSeeBoxes,
  async check(tools) {
    const { bank, expect, skip } = tools
    const usual = await bank.client()
    const offline = withOfflineAccess(await bank.discovery(), usual.metadata)
    if (!('scope' in offline)) return skip('the bank does not declare grant refresh_token and scope offline_access')
    const clientMetadata = { ...own('unticked offline access'), ...offline }
    const scope = ['openid', ...usual.dataScopes.slice(0, 1), 'offline_access'].join(' ')
    const parameters = await bank.offlineParameters()
    const session = bank.session({ clientMetadata })
    const { response } = await session.look({ scope, parameters }, 'consent')
    if (bank.consentBox(response, 'offline_access') !== 'free')
      return skip('the consent screen has no box, found as login.pages says, by which offline_access is unticked')
    const authorization = await session.ask({ scope, parameters, denyScopes: ['offline_access'] })
    const granted = await grantedTo(tools, authorization)
    const answer = granted?.login.response ?? authorization.callback.response
    const others = ['openid', ...usual.dataScopes.slice(0, 1)]
    expect(granted?.login.response.member('refresh_token'), 'refresh_token', answer).toBe(undefined)
    expect(granted?.scopes ?? [], 'the scopes of the token', answer).toBeSetOf(others)
  },
})

/** That a login was granted none of some scopes. */
function expectWithout({ expect }: Tools, { login, scopes }: Granted, taken: readonly string[]): void {
  for (const one of taken) expect(scopes, 'the scopes of the token', login.response).toLack(one)
}

/** A session in which some scopes were approved, and the request for the same in which consent is asked for again. */
async function offeredAgain(tools: Tools, name: string) {
  const { bank, skip } = tools
  const [kept, taken] = await boxesOf(tools)
  const clientMetadata = own(name)
  const scope = ['openid', ...kept, ...taken].join(' ')
  const session = bank.session({ clientMetadata })
  const login = await session.signIn({ scope })
  const again = { scope, parameters: { prompt: 'consent' } }
  const seen = await session.look(again, 'consent')
  if (taken.some((one) => bank.consentBox(seen.response, one) !== 'free'))
    skip('the consent screen offers no consented scope again where prompt=consent asks for it')
  return { session, login, again, scope, taken }
}

export const withdrawn = rule({
  id: 'consent/withdrawn',
  requirement: 'CONS-6',
  places: ['use=after-refusal', 'use=second-login'],
  title: 'A scope that was approved once and is unticked when consent is asked for again is granted no more',
  needs: [...toSeeBoxes, 'redirect'],
  async check(tools) {
    const { inVariation } = tools
    const { session, again, scope, taken } = await offeredAgain(tools, 'consent withdrawn')
    const fewer = await session.ask({ ...again, denyScopes: taken })
    await inVariation('the login in which it is unticked', async () => {
      const granted = await grantedTo(tools, fewer)
      if (granted) expectWithout(tools, granted, taken)
    })
    await inVariation('a later login that shows no page', async () => {
      const silent = await session.ask({ scope, parameters: { prompt: 'none' } })
      const granted = await grantedTo(tools, silent)
      if (granted) expectWithout(tools, granted, taken)
    })
  },
})

export const untickedLater = rule({
  id: 'token/later-unticked',
  requirement: 'TOK-10',
  places: [
    'use=after-refusal token=access-of-code value=subset',
    'endpoint=userinfo use=after-refusal token=access-of-code value=subset',
  ],
  title: 'A scope that is unticked at a later login is left to the access token of an earlier one',
  needs: [...toSeeBoxes, 'redirect'],
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const { session, login, again, taken } = await offeredAgain(tools, 'unticked later')
    const introspected = () => bank.introspection.try({ client: login.client, token: login.accessToken })
    const before = await introspected()
    if (before.member('active') !== true) return skip('the access token was not active before either')
    const told = await bank.userData.userinfo(login)
    await session.ask({ ...again, denyScopes: taken })
    const after = await introspected()
    for (const member of ['active', 'scope', 'exp'])
      expect(after.member(member), `${member} of the access token of the earlier login`, after).toBe(
        before.member(member),
      )
    await inVariation('userinfo', async () => {
      const { claims, response } = await bank.userData.userinfo.fresh(login)
      expect(Object.keys(claims), 'the claims of the access token of the earlier login', response).toBeSetOf(
        Object.keys(told.claims),
      )
    })
  },
})
