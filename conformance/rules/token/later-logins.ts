import { createHash } from 'node:crypto'
import { parameterOf } from '../../bank/authorization.js'
import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import {
  expectAccessTokenLifetime,
  expectIdTokenClaims,
  expectIdTokenLifetime,
  lifetimeOf,
  yearSeconds,
} from '../support/issued-tokens.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'

/** What /token-info says of a token that a later login does not change. */
const lasting = ['active', 'scope', 'exp']

export const laterLogin = rule({
  id: 'token/later-login',
  requirement: 'TOK-10',
  places: [
    ...['access-of-code', 'access-of-refresh', 'refresh'].map((token) => `use=second-login token=${token}`),
    ...['access-of-code', 'access-of-refresh', 'refresh'].flatMap((token) => [
      `use=session-login token=${token}`,
      `use=session-login token=${token} value=right`,
      `use=second-client token=${token}`,
    ]),
  ],
  title: 'A later login changes neither validity nor scopes of the tokens issued before',
  needs: toLogIn,
  async check({ bank, expect, inVariation, note }) {
    const { watched } = await bank.laterLogins()
    for (const { what, before, after } of watched) {
      // That a token just issued is not active is the business of the rules about introspection.
      if (before.member('active') !== true) {
        note(`${what} of the earlier login was not active before either`)
        continue
      }
      for (const [when, introspected] of Object.entries(after)) {
        await inVariation(`${what} after ${when}`, async () => {
          for (const member of lasting) {
            expect(introspected.member(member), `${member} of ${what} of the earlier login`, introspected).toBe(
              before.member(member),
            )
          }
        })
      }
    }
  },
})

export const declinedLater = rule({
  id: 'token/later-declined',
  requirement: 'TOK-10',
  places: ['use=after-refusal token=access-of-code'],
  title: 'A later request whose consent the person declines changes neither validity nor scopes of the access token',
  needs: [...toLogIn, 'action:consent/refuse', 'browsers'],
  async check({ bank, expect, skip }) {
    const { before, after } = await bank.declinedLogin()
    if (before.member('active') !== true) return skip('the access token was not active before either')
    for (const member of lasting)
      expect(after.member(member), `${member} of the access token of the earlier login`, after).toBe(
        before.member(member),
      )
  },
})

/** By when a code may have expired. */
const oldCodeSeconds = 30

export const independentLogins = rule({
  id: 'token/independent-logins',
  requirement: 'TOK-27',
  places: [
    'use=second-login',
    'use=session-login',
    'use=second-login token=refresh',
    'use=session-login token=refresh',
    'use=session-login token=code',
  ],
  title: 'Each login yields just its own scopes, and the codes and tokens of several logins live side by side',
  needs: toLogIn,
  async check({ bank, expect, inVariation, note }) {
    const { earliest, later, waited, bySession, offlineBySession, client, refreshedAfter } = await bank.laterLogins()
    const logins = {
      'the earliest login': earliest,
      'the login in another browser': later,
      'the login by the session': bySession,
      ...(offlineBySession && { 'the login by the session for offline access': offlineBySession }),
    }
    for (const [which, { scopes, login }] of Object.entries(logins)) {
      await inVariation(which, async () => {
        const introspected = await bank.introspection.try({ client, token: login.accessToken })
        expect(introspected.member('active'), 'active of the access token of one of several logins', introspected).toBe(
          true,
        )
        expect(
          parseSpaceDelimited(introspected.member('scope')),
          'the scopes of the access token',
          introspected,
        ).toBeSetOf(scopes)
      })
    }
    await inVariation('a code of the session, redeemed after another login by the session', async () => {
      // How long a code lives is not said: one that waited for a person to consent may be too old.
      if (waited.seconds < oldCodeSeconds) expect(waited.response).toHaveStatus(200)
      else note(`the code that waited for another login was ${Math.round(waited.seconds)} s old: it may have expired`)
    })
    if (refreshedAfter) {
      await inVariation('a refresh by what the earliest login gave', async () => {
        expect(refreshedAfter).toHaveStatus(200)
        const accessToken = String(refreshedAfter.member('access_token'))
        const introspected = await bank.introspection.try({ client, token: accessToken })
        expect(
          parseSpaceDelimited(introspected.member('scope')),
          'the scopes of the access token',
          introspected,
        ).toBeSetOf(earliest.scopes)
      })
    } else note('the earliest login gave no refresh token: none was used after the others')
  },
})

export const scopeListed = rule({
  id: 'token/scope-listed-later',
  requirement: 'TOK-2',
  places: ['grant=code use=session-login', 'grant=code value=reordered'],
  title:
    'The token response of a login by session lists exactly the granted scopes, whatever their order in the request',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const { later, bySession, offlineBySession } = await bank.laterLogins()
    for (const { scopes, login } of [later, bySession, ...(offlineBySession ? [offlineBySession] : [])]) {
      await inVariation(`scope ${scopes.join(' ')}`, async () => {
        const scope = login.response.member('scope')
        expect(parseSpaceDelimited(scope), 'the scopes of the token response', login.response).toBeSetOf(scopes)
      })
    }
  },
})

export const refreshTokenBySession = rule({
  id: 'token/refresh-token-issued-later',
  requirement: 'TOK-3',
  places: ['use=session-login', 'use=second-login', 'scope=offline_access value=reordered'],
  title: 'Of several logins those that ask for offline_access give a refresh token, and no others',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const { later, bySession, offlineBySession } = await bank.laterLogins()
    if (!offlineBySession) return skip('the bank does not declare grant refresh_token and scope offline_access')
    for (const { scopes, login } of [later, bySession, offlineBySession]) {
      await inVariation(`scope ${scopes.join(' ')}`, async () => {
        const { response } = login
        const refreshToken = expect(response.member('refresh_token'), 'refresh_token of the token response', response)
        if (scopes.includes('offline_access')) refreshToken.toBeText()
        else refreshToken.toBe(undefined)
      })
    }
  },
})

export const accessTokenLifetime = rule({
  id: 'token/access-token-lifetime-later',
  requirement: 'TOK-4',
  places: ['use=session-login token=access-of-code', 'token=access-of-code scope=offline_access'],
  title: 'The access token of a login by session, or in another browser for offline access, is valid for 3600 seconds',
  needs: toLogIn,
  async check(tools) {
    const { client, later, bySession } = await tools.bank.laterLogins()
    for (const [what, { login }] of Object.entries({
      'a login in another browser': later,
      'a login by session': bySession,
    })) {
      await tools.inVariation(what, () => {
        const { response, accessToken } = login
        const expiresIn = response.member('expires_in')
        return expectAccessTokenLifetime(tools, {
          what: `the access token of ${what}`,
          client,
          response,
          accessToken,
          expiresIn,
        })
      })
    }
  },
})

export const refreshTokenLifetime = rule({
  id: 'token/refresh-token-lifetime-later',
  requirement: 'TOK-5',
  places: ['use=session-login'],
  title: 'A refresh token of a login by session is valid for at least one year',
  needs: toLogIn,
  async check({ bank, expect, skip }) {
    const { client, offlineBySession } = await bank.laterLogins()
    const refreshToken = offlineBySession?.login.response.member('refresh_token')
    if (typeof refreshToken !== 'string') return skip('the login by session gave no refresh token (see TOK-3)')
    const introspected = await bank.introspection.fresh({ client, token: refreshToken })
    const lifetime = await lifetimeOf(expect, introspected, 'the refresh token')
    expect(lifetime, 'exp - iat of the refresh token', introspected).toBeAtLeast(yearSeconds, 's')
  },
})

export const idTokenLifetime = rule({
  id: 'token/id-token-lifetime-later',
  requirement: 'TOK-6',
  places: ['use=second-login token=id-of-code', 'use=session-login token=id-of-code'],
  title:
    'The id_token of a later login, in another browser or by session, is valid at least as long as the access token',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation } = tools
    const { later, bySession } = await bank.laterLogins()
    for (const [what, { login }] of Object.entries({
      'a login in another browser': later,
      'a login by session': bySession,
    })) {
      await inVariation(what, async () => {
        const claims = await bank.idTokenClaims(login)
        const { response } = login
        const expiresIn = response.member('expires_in')
        expectIdTokenLifetime(tools, { what: `the id_token of ${what}`, claims, response, expiresIn })
      })
    }
  },
})

/** Nonces that a bank has to give back as they came, made of the run's own names. */
const nonces: Readonly<Record<string, (name: string) => string>> = {
  'a nonce of digits alone': (name) =>
    BigInt(`0x${createHash('sha512').update(name).digest('hex')}`)
      .toString()
      .slice(0, 15),
  'a nonce with characters that are encoded': (name) => ` ${name} &=%+/?#"'<>~;,:\\é🏦e\u0301ﬁＡ `,
  'a nonce of 300 characters': (name) => createHash('sha512').update(name).digest('hex').repeat(3).slice(0, 300),
}

export const noncesKept = rule({
  id: 'token/id-token-nonce',
  requirement: 'TOK-34',
  places: [
    'use=session-login token=id-of-code',
    'token=id-of-code claim=nonce value=encoded',
    'token=id-of-code claim=nonce value=equivalent',
    'token=id-of-code claim=nonce value=long',
    'token=id-of-code claim=nonce value=other-type',
  ],
  title: 'The id_token of a login by session carries what any has, and the nonce of its own request, encoded or long',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, warn } = tools
    const session = bank.session({ clientMetadata: { client_name: 'A client of several nonces' } })
    const signedIn = await session.signIn()
    for (const [what, nonceOf] of Object.entries(nonces)) {
      await inVariation(what, async () => {
        const nonce = nonceOf(signedIn.authorization.parameters.nonce)
        const authorization = await session.ask({ parameters: { nonce } })
        // How long a nonce may be is not said.
        if (parameterOf(authorization, 'error') === 'invalid_request') return warn(`${what} is refused`)
        const login = await bank.token.fresh({ authorization })
        const claims = await bank.idTokenClaims(login)
        expect(claims.nonce, 'nonce of the id_token', login.response).toBe(nonce)
      })
    }
    await inVariation('another login by the session', async () => {
      const authorization = await session.ask({})
      const login = await bank.token.fresh({ authorization })
      const claims = await bank.idTokenClaims(login)
      expect(claims.nonce, 'nonce of the id_token', login.response).toBe(authorization.parameters.nonce)
      const before = await bank.idTokenClaims(signedIn)
      expect(claims.sub, 'sub of the id_token', login.response).toBe(before.sub)
      const { client, response } = login
      await expectIdTokenClaims(tools, { what: 'the id_token of a login by session', claims, client, response })
    })
  },
})

export const issuedBySession = rule({
  id: 'token/id-token-issued-by-session',
  requirement: 'TOK-34',
  places: ['use=session-login token=id-of-code claim=iat'],
  title: 'iat of an id_token is the time at which it was issued, not that at which the person signed in',
  needs: toLogIn,
  waits: true,
  async check({ bank, expect, skip }) {
    const { signedIn, further } = await bank.agedSession()
    if (parameterOf(further, 'code') === null) return skip('a further request in the session gave no code')
    const [first, second] = [signedIn, await bank.token({ authorization: further })]
    const [before, after] = await Promise.all([first, second].map((login) => bank.idTokenClaims(login)))
    const where = 'iat of the id_token of a session that is two seconds old'
    expect(Number(after?.iat), where, second.response).toBeAtLeast(Number(before?.iat) + 1, 's')
  },
})
