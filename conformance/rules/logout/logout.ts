import { parameterOf } from '../../bank/authorization.js'
import { Outline } from '../../bank/authorization-answer.js'
import { userDataEndpoints } from '../../bank/claims.js'
import type { FurtherToken, Logout } from '../../bank/logout.js'
import { BankFailure } from '../../evidence/failure.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { expectObjectRefused } from '../signing/refusals.js'
import { heardLogout, toHearLogout } from '../support/heard-tokens.js'
import { expectSessionKept } from '../support/kept-session.js'
import { expectInactive } from '../support/token-state.js'

/** A compact JWS or JWE (RFC 7515 section 7.1, RFC 7516 section 7.1). */
const compactJwt = /^[\w-]+(\.[\w-]*){2,4}$/

const errorOf = (authorization: Logout['after']) => parameterOf(authorization, 'error')

/** That prompt=none finds no session after a logout, and found one before. */
async function expectSessionEnded(tools: Tools, { before, after }: Pick<Logout, 'before' | 'after'>): Promise<void> {
  const { expect } = tools
  expect(errorOf(after), 'the error that prompt=none gives after the logout', after.callback.response).toBe(
    'login_required',
  )
  await expectSessionKept(tools, errorOf(before))
  if (errorOf(before) === 'login_required') {
    const sentence = 'prompt=none gave login_required before the logout too: there was no session to end'
    throw new BankFailure({ sentence, evidence: before.callback.response.evidence })
  }
}

export const session = rule({
  id: 'logout/session',
  requirement: 'LOGOUT-4',
  places: ['parameter=id_token_hint', 'use=second-client', 'method=POST'],
  title: 'end_session_endpoint ends the session: prompt=none gives login_required afterwards, at every client',
  needs: [...toHearLogout, 'redirect'],
  async check(tools) {
    const { bank, expect, inVariation, reading, warn } = tools
    const logout = await bank.logout()
    await expectSessionEnded(tools, logout)
    await inVariation('a request by POST', async () => {
      const { status } = await bank.send({
        method: 'POST',
        url: await (await bank.discovery()).endpoint('end_session_endpoint'),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'ui_locales=cs',
      })
      // Of nobody's session: that there is somebody to answer it is all that it shows.
      if ([404, 405, 501].includes(status))
        warn(`end_session_endpoint takes no POST: status ${status} (OpenID Connect RP-Initiated Logout 1.0 section 2)`)
    })
    // It is the person who is logged out, whichever client they are sent there by.
    await inVariation('another client of the session', async () => {
      const { afterAtAnother: after } = logout
      const what = 'the error that prompt=none of another client gives after the logout'
      expect(errorOf(after), what, after.callback.response).toBe('login_required')
    })
    reading(
      'AMB-52',
      (await bank.discovery()).value('frontchannel_logout_supported') === true ? 'offered' : 'not-offered',
    )
  },
})

export const confirmed = rule({
  id: 'logout/confirmed',
  requirement: 'LOGOUT-4',
  places: ['parameter=id_token_hint value=missing'],
  title: 'Without an id_token a page may ask first, and the yes of the person ends the session',
  needs: [...toHearLogout, 'browsers'],
  async check(tools) {
    const { bank, skip } = tools
    const logout = await bank.confirmedLogout()
    const { response, pages, after } = logout
    if (response.status >= 400) return skip(`the bank takes no logout without an id_token (status ${response.status})`)
    if (pages.length === 0 && errorOf(after) !== 'login_required')
      return skip('login.pages of the target file names no page that asks whether to log out')
    await expectSessionEnded(tools, logout)
  },
})

/** That an answer holds no user data, whatever else it is. */
function expectNoData({ expect }: Tools, answer: HttpResponse, where: string): void {
  const body = answer.text.trim()
  expect(new Outline(answer), where, answer).toSatisfy(
    ({ status }) => status >= 300 || !compactJwt.test(body),
    'a refusal, or an answer without user data',
  )
}

/** That a token which was live before the logout is dead at /token-info, and where it led to data. @param what names it in messages */
async function expectFurtherDead(tools: Tools, { before, after, withData }: FurtherToken, what: string): Promise<void> {
  const { inVariation, note, skip } = tools
  if (before.member('active') !== true) skip('introspection calls no live token active (see INTR-1)')
  await expectInactive(tools, after, what)
  for (const [endpoint, answers] of withData) {
    if (answers.before.status >= 300) {
      note(`GET /${endpoint} gave nothing with ${what} before the logout: what it gives afterwards was not looked at`)
      continue
    }
    await inVariation(endpoint, async () =>
      expectNoData(tools, answers.after, `the answer to GET /${endpoint} with ${what}`),
    )
  }
}

/** The places of a kind of token at the endpoints that tell of one, and of the person whose it is. */
function atEndpoints(token: string): string[] {
  return ['token-info', 'userinfo', 'profile'].map((endpoint) => `endpoint=${endpoint} token=${token}`)
}

export const tokens = rule({
  id: 'logout/tokens',
  requirement: 'LOGOUT-3',
  places: [
    ...['access-of-code', 'access-of-refresh'].flatMap(atEndpoints),
    'use=second-client',
    'use=second-client token=refresh',
  ],
  title: 'The tokens of the session are dead at once',
  needs: [...toHearLogout, 'redirect'],
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    // That there was something to end is seen of every endpoint first.
    for (const endpoint of userDataEndpoints) await bank.userData[endpoint].expectBaseline()
    const { clients } = await bank.logout()
    const [ofFirst] = clients.flatMap(({ withRefreshToken }) => withRefreshToken ?? [])
    for (const { what: client, tokens, withRefreshToken } of clients) {
      for (const { what, withData, introspected } of tokens) {
        // How a dead token is refused is for other rules to say; here it is enough that no data comes.
        for (const endpoint of userDataEndpoints) {
          const answer = withData.get(endpoint)
          if (!answer) continue
          await inVariation(client, async () =>
            expectNoData(tools, answer, `the answer to GET /${endpoint} with ${what} of the session`),
          )
        }
        await inVariation(client, () => expectInactive(tools, introspected, `${what} of the session`))
      }
      if (!withRefreshToken || !ofFirst) continue
      const lives = ({ status }: HttpResponse) => (status < 300 ? 'lives on' : 'is dead')
      // Each client asked for offline access: what becomes of that is one reading or the other, for all of them.
      if (withRefreshToken !== ofFirst)
        await inVariation(client, async () =>
          expect(lives(withRefreshToken), 'the refresh token after the logout', withRefreshToken).toBe(lives(ofFirst)),
        )
      reading('AMB-43', withRefreshToken.status < 300 ? 'online-tokens' : 'all-tokens')
    }
  },
})

export const frontChannelToken = rule({
  id: 'logout/front-channel-token',
  requirement: 'LOGOUT-3',
  places: atEndpoints('access-of-front-channel'),
  title: 'An access token of the session that came by response_type token is dead at once',
  needs: [...toHearLogout, 'redirect'],
  async check(tools) {
    const { bank, skip } = tools
    const { ofFrontChannel } = await bank.logout()
    if (!ofFrontChannel) return skip('the bank gave no access token by response_type token')
    await expectFurtherDead(tools, ofFrontChannel, 'the access token of response_type token')
  },
})

export const signingToken = rule({
  id: 'logout/signing-token',
  requirement: 'LOGOUT-3',
  places: [...atEndpoints('access-of-signing'), 'endpoint=ros token=access-of-signing'],
  title: 'An access token of an object that was authorized within the session is dead at once, at POST /ros too',
  needs: [...toHearLogout, 'redirect', 'signing', 'page-detection'],
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const { ofSigning } = await bank.logout()
    if (!ofSigning) return skip('no object was authorized within the session without a sign-in')
    await expectFurtherDead(tools, ofSigning, 'the access token of the signing flow')
    await inVariation('POST /ros', async () =>
      expectObjectRefused(expect, await bank.signing.submission.modified({}, () => ({ bearer: ofSigning.token }))),
    )
  },
})

export const confirmedTokens = rule({
  id: 'logout/confirmed-tokens',
  requirement: 'LOGOUT-3',
  places: [
    'parameter=id_token_hint value=missing',
    'use=session-login',
    'endpoint=token-info use=second-refresh token=access-of-refresh',
  ],
  title:
    'The tokens of the session are dead at once after a logout without an id_token, of each login and refresh in it',
  needs: [...toHearLogout, 'browsers'],
  async check(tools) {
    const { before, after, introspected, ofLater, ofEarlierRefresh } = await tools.bank.confirmedLogout()
    if (errorOf(after) !== 'login_required' || errorOf(before) === 'login_required')
      return tools.skip('no session was ended without an id_token (see LOGOUT-4)')
    if (introspected.before.member('active') !== true)
      return tools.skip('introspection calls no live token active (see INTR-1)')
    await expectInactive(tools, introspected.after, 'the access token of the session')
    if (ofEarlierRefresh?.before.member('active') === true)
      await tools.inVariation('a refresh that a later one followed', () =>
        expectInactive(tools, ofEarlierRefresh.after, 'the access token of the earlier refresh'),
      )
    else tools.note('two refreshes gave no live token, of which this could be seen too')
    if (ofLater?.before.member('active') !== true)
      return tools.note('prompt=none gave no live token of a later login, of which this could be seen too')
    await tools.inVariation('a later login of the client in the session', () =>
      expectInactive(tools, ofLater.after, 'the access token of the later login'),
    )
  },
})

export const confirmedTold = rule({
  id: 'logout/confirmed-told',
  requirement: 'LOGOUT-1',
  places: ['parameter=id_token_hint value=missing'],
  title: 'A client of the session is posted a logout_token after a logout without an id_token, too',
  needs: [...toHearLogout, 'browsers'],
  async check({ bank, expect, skip }) {
    const { told } = await bank.confirmedLogout()
    if (!told) return skip('no session was ended without an id_token (see LOGOUT-4)')
    const { recipient, token, inTime, seenIn } = told
    expect(token && 'a logout_token', `what came to ${recipient.uri} ${inTime}`, token?.exchange ?? seenIn).toBe(
      'a logout_token',
    )
  },
})

export const codeFromBefore = rule({
  id: 'logout/code',
  requirement: 'LOGOUT-3',
  places: ['token=code'],
  title: 'A code of the session that was not redeemed before the logout gives no tokens after it',
  needs: [...toHearLogout, 'redirect'],
  async check({ bank, expect, skip, warn }) {
    const { redeemed } = await bank.logout()
    if (!redeemed) return skip('the session gave no code')
    // The specification says it of tokens, among which it counts no codes.
    if (redeemed.status < 300) return warn('a code from before the logout gave tokens after it')
    expect(redeemed).toHaveStatus(400, 401)
  },
})

export const secondLogout = rule({
  id: 'logout/second',
  requirement: 'LOGOUT-1',
  places: ['use=second-login', 'use=second-login member=backchannel_logout_uri'],
  title:
    'A client that was told of a logout is told of the next one, of another session of the same person, at the address that a PUT registered between them',
  needs: [...toHearLogout, 'redirect', 'browsers'],
  async check({ bank, expect, skip }) {
    const { second, clients } = await bank.logout()
    if (!second) return skip('a person has one session at a time here')
    for (const client of clients) await heardLogout(client)
    const { recipient, token, seenIn, inTime } = second
    expect(token && 'a logout_token', `what came to ${recipient.uri} ${inTime}`, token?.exchange ?? seenIn).toBe(
      'a logout_token',
    )
  },
})

export const otherSession = rule({
  id: 'logout/other-session',
  requirement: 'LOGOUT-3',
  places: ['use=second-login'],
  title: 'A logout leaves the tokens of a session in another browser alone',
  needs: [...toHearLogout, 'browsers'],
  async check({ bank, expect, skip }) {
    const { elsewhere } = await bank.logout()
    if (!elsewhere) return skip('a person has one session at a time here')
    const { before, after } = elsewhere
    if (before.member('active') !== true) return skip('introspection calls no live token active (see INTR-1)')
    expect(after.member('active'), 'active of an access token of a session in another browser', after).toBe(true)
  },
})

export const backChannel = rule({
  id: 'logout/back-channel',
  requirement: 'LOGOUT-1',
  places: [
    'use=first',
    'use=second-client',
    'use=second-client value=repeated',
    'use=after-put member=backchannel_logout_uri',
    'use=after-put member=backchannel_logout_uri value=encoded',
    'parameter=logout_token',
    'parameter=logout_token value=other-type',
  ],
  title: 'Every client of the session is posted a logout_token as a form field',
  needs: [...toHearLogout, 'redirect'],
  async check({ bank, expect, inVariation, reading }) {
    const { clients } = await bank.logout()
    for (const client of clients) {
      await inVariation(client.what, async () => {
        const { exchange, mediaType, url } = await heardLogout(client)
        expect(mediaType, 'content type of the logout', exchange).toBe('application/x-www-form-urlencoded')
        reading('AMB-51', url === client.recipient.uri ? 'registered-uri' : 'fixed-address')
      })
    }
  },
})

export const strangers = rule({
  id: 'logout/strangers',
  requirement: 'LOGOUT-1',
  places: ['use=uninvolved', 'use=uninvolved member=session', 'use=after-deletion', 'use=after-put'],
  title:
    'A client that has no part in the session, is registered no more or registers no address is not told of its end',
  needs: [...toHearLogout, 'redirect'],
  async check({ bank, expect, inVariation }) {
    const { strangers, clients } = await bank.logout()
    for (const client of clients) await heardLogout(client)
    for (const { what, token } of strangers) {
      await inVariation(what, async () =>
        expect(token?.payload, `the logout_token for ${what}`, token?.exchange).toBe(undefined),
      )
    }
  },
})
