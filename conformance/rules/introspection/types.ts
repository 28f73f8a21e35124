import { inStep } from '../../bank/steps.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister, toSign } from '../../target/needs.js'
import { expectInteger } from '../support/integers.js'
import {
  firstRefreshToken,
  givesNone,
  givesRefreshTokens,
  type KnownToken,
  refreshedTokens,
  tokenOfCode,
  tokenOfFrontChannel,
  tokenOfSigning,
} from '../support/known-tokens.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'

/** In seconds: what is further away than this is not in Unix seconds. */
const tenYears = 10 * 365 * 86_400

/** Seconds by which the bank's clock may differ from ours (RFC 7519 section 4.1.4: "a few minutes"). */
const clockSkewSeconds = 180

/** That exp, iat, scope, iss, sub and aud of a live token are of their types, and what they have to be. */
async function expectTypes(
  { bank, expect, note, service }: Tools,
  { what, client, token, scope }: KnownToken,
): Promise<void> {
  const response = await bank.introspection.fresh({ client, token })
  // What is missing altogether is INTR-1's.
  await inStep('introspection', async () =>
    expect(response.json, 'the introspection response', response).toHaveMembers(['exp', 'iat', 'scope', 'iss', 'sub']),
  )
  const seconds = (name: string) => {
    const value = response.member(name)
    expect(value, `${name} of ${what}`, response).toSatisfy(Number.isInteger, 'Unix seconds, which are an integer')
    return expect(value, `${name} of ${what}`, response).toBeNear(service.clock(), tenYears, 's')
  }
  const [exp, iat] = [seconds('exp'), seconds('iat')]
  // It is live: it was issued before now, and has not expired.
  expect(iat, `iat of ${what}`, response).toBeAtMost(service.clock() + clockSkewSeconds, 's')
  expect(exp, `exp of ${what}`, response).toBeAtLeast(service.clock() - clockSkewSeconds, 's')
  expect(exp, `exp of ${what}`, response).toBeAtLeast(iat, 's')
  expect(response.member('scope'), `scope of ${what}`, response).toBeText()
  if (typeof scope === 'string') {
    const scopes = String(response.member('scope')).split(' ')
    expect(scopes, `the scopes of ${what}`, response).toBeSetOf(parseSpaceDelimited(scope))
  } else note(`what gave ${what} lists no scopes: those of /token-info were compared with none`)
  expect(response.member('iss'), `iss of ${what}`, response).toBe(bank.issuer)
  expect(response.member('sub'), `sub of ${what}`, response).toBeText()
  const aud = response.member('aud')
  if (aud === undefined) note(`/token-info tells no aud of ${what}`)
  else expect(aud, `aud of ${what}`, response).toBeText()
}

/** The places of a kind of token: its times, and further members. */
function placesOf(token: string, ...further: string[]): string[] {
  return ['exp', 'iat', ...further].map((member) => `token=${token} member=${member}`)
}

export const types = rule({
  id: 'introspection/types',
  requirement: 'INTR-5',
  places: [
    ...placesOf('access-of-code', 'scope', 'iss', 'aud'),
    ...['exp', 'iat'].flatMap((member) =>
      ['other-type', 'other-unit'].map((value) => `token=access-of-code member=${member} value=${value}`),
    ),
  ],
  title: 'exp and iat are Unix seconds, scope a space-separated string, iss the issuer, aud a string',
  needs: toLogIn,
  async check(tools) {
    await expectTypes(tools, await tokenOfCode(tools.bank))
  },
})

export const typesOfRefreshed = rule({
  id: 'introspection/types-refreshed',
  requirement: 'INTR-5',
  places: [
    ...placesOf('access-of-refresh', 'scope'),
    ...placesOf('refresh', 'scope'),
    'use=second-refresh token=access-of-refresh member=iat',
  ],
  title:
    'Of a refresh token and of the access tokens of refreshes the members have the same types, and their own scopes',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation } = tools
    for (const known of [await firstRefreshToken(bank), ...(await refreshedTokens(bank))]) {
      await inVariation(known.what, () => expectTypes(tools, known))
    }
  },
})

export const issuedLater = rule({
  id: 'introspection/refreshed-issued-later',
  requirement: 'INTR-5',
  places: ['first', 'second-refresh'].map((use) => `use=${use} token=access-of-refresh member=iat`),
  title:
    'iat of the access token of a refresh is when it was issued, and not when the one before was (RFC 7662 section 2.2)',
  needs: toLogIn,
  waits: true,
  async check({ bank, expect, inVariation, skip }) {
    const { login, refreshes } = await bank.laterRefreshes()
    const served = refreshes.filter(({ next }) => next !== undefined)
    if (served.length === 0) return skip('no refresh gave tokens (see TOK-22)')
    const told = await Promise.all(
      [{ what: 'the login', response: login.response }, ...served].map(async ({ what, response }) => {
        const token = String(response.member('access_token'))
        return { what, answer: await bank.introspection.try({ client: login.client, token }) }
      }),
    )
    // A later refresh may end what came before it.
    const live = told.filter(({ answer }) => answer.member('active') === true)
    if (live.length < 2) return skip('of a login and its refreshes no two access tokens are live at once')
    const iatOf = ({ what, answer }: (typeof live)[number]) =>
      expectInteger(expect, answer.member('iat'), `iat of the access token of ${what}`, answer)
    for (const [i, later] of live.entries()) {
      const before = live[i - 1]
      if (!before) continue
      await inVariation(later.what, async () => {
        const where = `iat of the access token of ${later.what}, two seconds or more after that of ${before.what}`
        expect(iatOf(later), where, later.answer).toBeAtLeast(iatOf(before) + 1, 's')
      })
    }
  },
})

export const typesOfFrontChannel = rule({
  id: 'introspection/types-front-channel',
  requirement: 'INTR-5',
  places: placesOf('access-of-front-channel', 'scope'),
  title: 'Of an access token of the front channel the members have the same types',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const known = await tokenOfFrontChannel(tools.bank)
    if (!known) return tools.skip('the bank does not declare response type token and grant implicit')
    await expectTypes(tools, known)
  },
})

export const typesOfSigning = rule({
  id: 'introspection/types-signing',
  requirement: 'INTR-5',
  places: placesOf('access-of-signing', 'scope'),
  title: 'Of an access token of the signing flow the members have the same types',
  needs: toSign,
  async check(tools) {
    await expectTypes(tools, await tokenOfSigning(tools.bank))
  },
})

/** Longer than the second that the times are counted in, in milliseconds. */
const pauseMs = 1_200

/** The places of a kind of token that is asked about again. */
function placesOfSecondCall(token: string): string[] {
  return ['exp', 'iat'].map((member) => `use=second-call token=${token} member=${member}`)
}

/** That exp and iat of tokens are what they were when these are asked about again, more than a second later. */
async function expectSameTimes(
  { bank, expect, inVariation, service }: Tools,
  tokens: readonly KnownToken[],
): Promise<void> {
  const before: HttpResponse[] = []
  for (const known of tokens) before.push(await bank.introspection.fresh(known))
  await inStep('introspection', async () => {
    for (const response of before)
      expect(response.json, 'the introspection response', response).toHaveMembers(['exp', 'iat'])
  })
  await service.wait(pauseMs)
  for (const [index, { what, client, token }] of tokens.entries()) {
    await inVariation(what, async () => {
      const after = await bank.introspection.try({ client, token })
      for (const name of ['exp', 'iat']) {
        expect(after.member(name), `${name} of ${what}, asked again`, after).toBe(before[index]?.member(name))
      }
    })
  }
}

export const sameTimes = rule({
  id: 'introspection/same-times',
  requirement: 'INTR-5',
  places: ['access-of-code', 'access-of-refresh', 'refresh'].flatMap(placesOfSecondCall),
  title: "exp and iat are the token's: asked again they are the same",
  needs: toLogIn,
  waits: true,
  async check(tools) {
    const { bank, note } = tools
    const tokens = [await tokenOfCode(bank)]
    if (await givesRefreshTokens(bank)) {
      const [ofRefresh] = await refreshedTokens(bank)
      tokens.push(await firstRefreshToken(bank), ...(ofRefresh ? [ofRefresh] : []))
    } else note(givesNone)
    await expectSameTimes(tools, tokens)
  },
})

export const sameTimesOfFrontChannel = rule({
  id: 'introspection/same-times-front-channel',
  requirement: 'INTR-5',
  places: placesOfSecondCall('access-of-front-channel'),
  title: 'exp and iat of an access token of the front channel are the same when asked again',
  needs: [...toLogIn, ...toRegister],
  waits: true,
  async check(tools) {
    const known = await tokenOfFrontChannel(tools.bank)
    if (!known) return tools.skip('the bank does not declare response type token and grant implicit')
    await expectSameTimes(tools, [known])
  },
})

export const sameTimesOfSigning = rule({
  id: 'introspection/same-times-signing',
  requirement: 'INTR-5',
  places: placesOfSecondCall('access-of-signing'),
  title: 'exp and iat of an access token of the signing flow are the same when asked again',
  needs: toSign,
  waits: true,
  async check(tools) {
    await expectSameTimes(tools, [await tokenOfSigning(tools.bank)])
  },
})
