import type { Bank } from '../../bank/bank.js'
import type { LoggedOut } from '../../bank/logout.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import { heardLogout, toHearLogout } from '../support/heard-tokens.js'

/** Seconds by which the bank's clock may differ from ours. */
const clockSkewSeconds = 300

export const token = rule({
  id: 'logout/token',
  requirement: 'LOGOUT-5',
  places: [
    ...['iss', 'aud', 'iat', 'exp', 'jti', 'events', 'sub', 'sid', 'nonce'].map((member) => `member=${member}`),
    ...['signature', 'alg'].map((part) => `part=${part}`),
    ...['aud', 'sub'].map((member) => `use=second-client member=${member}`),
    'member=sector_identifier_uri',
    'member=subject_type',
    'member=jti value=repeated',
    'member=exp value=other-unit',
    'member=nbf',
    'part=signature alg=none',
  ],
  title: 'The logout_token is signed, names client and person or session, carries the event and no nonce',
  needs: [...toHearLogout, 'redirect'],
  async check({ bank, expect, inVariation }) {
    const { clients, second, at, within } = await bank.logout()
    const known: unknown[] = []
    for (const client of clients) {
      await inVariation(client.what, async () => {
        const { jti, iat, exp, nbf } = await expectLogoutToken(bank, client, expect)
        const { exchange } = await heardLogout(client)
        if (known.length > 0) expect<unknown[]>(known, 'jti of the other logout_tokens', exchange).toLack(jti)
        known.push(jti)
        expect(Number(iat), 'iat of the logout_token', exchange).toBeNear(at, clockSkewSeconds + within, 's')
        // Nobody takes it before (RFC 7519 section 4.1.5).
        if (nbf !== undefined)
          expect(Number(nbf), 'nbf of the logout_token', exchange).toBeAtMost(at + clockSkewSeconds + within, 's')
        if (exp !== undefined) expect(Number(exp), 'exp of the logout_token', exchange).toBeAtLeast(Number(iat), 's')
      })
    }
    const next = second?.token
    if (!second || !next || next.jwt === '') return
    await inVariation('the next logout of the client', async () => {
      const { payload } = await bank.verify(next.jwt, 'the logout_token', next.exchange)
      expect(payload, 'the logout_token', next.exchange).toFitSchema('logout-token')
      const { iss, aud, jti } = payload as Record<string, unknown>
      expect(iss, 'iss of the logout_token', next.exchange).toBe(bank.issuer)
      expect([aud].flat(), 'aud of the logout_token', next.exchange).toEqual([second.recipient.clientId])
      expect<unknown[]>(known, 'jti of the other logout_tokens', next.exchange).toLack(jti)
    })
  },
})

async function expectLogoutToken(bank: Bank, client: LoggedOut, expect: Expect): Promise<Record<string, unknown>> {
  const { jwt, exchange } = await heardLogout(client)
  const { subjects, recipient } = client
  const { payload } = await bank.verify(jwt, 'the logout_token', exchange)
  expect(payload, 'the logout_token', exchange).toFitSchema('logout-token')
  const claims = payload as Record<string, unknown>
  const { iss, aud, sub = subjects[0], sid } = claims
  expect(iss, 'iss of the logout_token', exchange).toBe(bank.issuer)
  expect([aud].flat(), 'aud of the logout_token', exchange).toEqual([recipient.clientId])
  expect(sub, 'sub of the logout_token', exchange).toBeOneOf(subjects)
  if (sid !== undefined && client.sid !== undefined) {
    expect(sid, 'sid of the logout_token', exchange).toBe(client.sid)
  }
  return claims
}
