import { parameterOf } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import type { LoggedOut, Logout } from '../../bank/logout.js'
import { BankFailure } from '../../evidence/failure.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import { heardLogout, toHearLogout } from '../support/heard-tokens.js'

/** A compact JWS or JWE (RFC 7515 section 7.1, RFC 7516 section 7.1). */
const compactJwt = /^[\w-]+(\.[\w-]*){2,4}$/

const errorOf = (authorization: Logout['after']) => parameterOf(authorization, 'error')

export const session = rule({
  id: 'logout/session',
  requirement: 'LOGOUT-4',
  title: 'end_session_endpoint ends the session: prompt=none gives login_required afterwards',
  needs: toHearLogout,
  async check({ bank, expect, reading }) {
    const { before, after } = await bank.logout()
    expect(errorOf(after), 'the error that prompt=none gives after the logout', after.callback.response).toBe(
      'login_required',
    )
    if (errorOf(before) === 'login_required') {
      const sentence = 'prompt=none gave login_required before the logout too: there was no session to end'
      throw new BankFailure({ sentence, evidence: before.callback.response.evidence })
    }
    reading(
      'AMB-52',
      (await bank.discovery()).value('frontchannel_logout_supported') === true ? 'offered' : 'not-offered',
    )
  },
})

export const tokens = rule({
  id: 'logout/tokens',
  requirement: 'LOGOUT-3',
  title: 'The tokens of the session are dead at once',
  needs: toHearLogout,
  async check({ bank, expect, inVariation, reading }) {
    const { clients } = await bank.logout()
    for (const { withAccessToken, recipient } of clients) {
      // How a dead token is refused is for other rules to say; here it is enough that no data comes.
      const { status, text: body } = withAccessToken
      const where = 'the answer to GET /userinfo with an access token of the session'
      await inVariation(`client ${recipient.clientId}`, async () =>
        expect({ status, body }, where, withAccessToken).toSatisfy(
          (answer) => answer.status >= 300 || !compactJwt.test(answer.body.trim()),
          'a refusal, or an answer without user data',
        ),
      )
    }
    const [first] = clients
    if (first?.withRefreshToken) reading('AMB-43', first.withRefreshToken.status < 300 ? 'online-tokens' : 'all-tokens')
  },
})

export const backChannel = rule({
  id: 'logout/back-channel',
  requirement: 'LOGOUT-1',
  title: 'Every client of the session is posted a logout_token as a form field',
  needs: toHearLogout,
  async check({ bank, expect, inVariation, reading }) {
    const { clients } = await bank.logout()
    for (const client of clients) {
      await inVariation(`client ${client.recipient.clientId}`, async () => {
        const { exchange, mediaType, url } = await heardLogout(client)
        expect(mediaType, 'content type of the logout', exchange).toBe('application/x-www-form-urlencoded')
        reading('AMB-51', url === client.recipient.uri ? 'registered-uri' : 'fixed-address')
      })
    }
  },
})

export const token = rule({
  id: 'logout/token',
  requirement: 'LOGOUT-5',
  title: 'The logout_token is signed, names client and person or session, carries the event and no nonce',
  needs: toHearLogout,
  async check({ bank, expect, inVariation }) {
    const { clients } = await bank.logout()
    for (const client of clients) {
      await inVariation(`client ${client.recipient.clientId}`, () => expectLogoutToken(bank, client, expect))
    }
  },
})

async function expectLogoutToken(bank: Bank, client: LoggedOut, expect: Expect): Promise<void> {
  const { jwt, exchange } = await heardLogout(client)
  const { subjects, recipient } = client
  const { payload } = await bank.verify(jwt, 'the logout_token', exchange)
  expect(payload, 'the logout_token', exchange).toFitSchema('logout-token')
  const { iss, aud, sub = subjects[0], sid } = payload as Record<string, unknown>
  expect(iss, 'iss of the logout_token', exchange).toBe(bank.issuer)
  expect([aud].flat(), 'aud of the logout_token', exchange).toEqual([recipient.clientId])
  expect(sub, 'sub of the logout_token', exchange).toBeOneOf(subjects)
  if (sid !== undefined && client.sid !== undefined) {
    expect(sid, 'sid of the logout_token', exchange).toBe(client.sid)
  }
}
